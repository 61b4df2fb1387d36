/** Where Firefox is: FIREFOX_PATH, or the usual names on the PATH. Needs nothing outside Node. */
import { execFileSync, spawnSync } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

/** The manifest's strict_min_version. */
const OLDEST = 142;
const NAMES = ['firefox-esr', 'firefox', 'firefox-developer-edition', 'firefox.exe'];
const INSTALL = ['apt-get', 'install', '-y', 'firefox-esr'];
const MAC = '/Applications/Firefox.app/Contents/MacOS/firefox';

function runnable(path) {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** What it says of its version, or null when it does not run. */
export function firefoxVersion(path) {
  try {
    return execFileSync(path, ['--version'], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'], timeout: 120_000 }).trim();
  } catch {
    return null;
  }
}

function newEnough(path) {
  const said = firefoxVersion(path);
  return said !== null && !(Number(/(\d+)\.\d+/.exec(said)?.[1]) < OLDEST);
}

/** Path of a Firefox that can load Runlens, or null. */
export function findFirefox() {
  const told = process.env.FIREFOX_PATH;
  if (told) return runnable(told) ? told : null;
  const dirs = (process.env.PATH ?? '').split(delimiter).filter(Boolean);
  return [...NAMES.flatMap((name) => dirs.map((dir) => join(dir, name))), MAC].find((path) => runnable(path) && newEnough(path)) ?? null;
}

/** The same, installed from Debian's packages where there is none and we may; null where that does not work. */
export function ensureFirefox() {
  const found = findFirefox();
  if (found || process.env.FIREFOX_PATH || process.getuid?.() !== 0) return found;
  const [command, ...args] = INSTALL;
  console.log(`No Firefox ${OLDEST} or newer found; installing one.\n$ ${INSTALL.join(' ')}`);
  spawnSync(command, args, { stdio: 'inherit' });
  return findFirefox();
}
