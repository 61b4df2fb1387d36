/** Where Chromium is: CHROME_PATH, the usual names on the PATH, Playwright's own. Needs nothing outside Node, so it works before `npm ci`. */
import { execFileSync, spawnSync } from 'node:child_process';
import { accessSync, constants, existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { delimiter, join } from 'node:path';

/** The manifest's minimum_chrome_version. */
const OLDEST = 148;
/** Google Chrome is not among them: branded builds ignore --load-extension. */
const NAMES = ['chromium', 'chromium-browser', 'chromium.exe', 'chromium-freeworld', 'ungoogled-chromium'];
const MAC = '/Applications/Chromium.app/Contents/MacOS/Chromium';

function runnable(path) {
  try {
    accessSync(path, constants.X_OK);
    return existsSync(path);
  } catch {
    return false;
  }
}

/** Whether that browser is new enough for the manifest; one that does not tell its version (Windows) is trusted. */
function newEnough(path) {
  if (process.platform === 'win32') return true;
  try {
    const major = Number(/(\d+)\.\d+\.\d+/.exec(execFileSync(path, ['--version'], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }))?.[1]);
    return !(major < OLDEST);
  } catch {
    return false;
  }
}

function playwrights() {
  try {
    return createRequire(import.meta.url)('playwright').chromium.executablePath();
  } catch {
    return null;
  }
}

/** Path of a Chromium that can load Runlens, or null. A CHROME_PATH that is set is taken as it is. */
export function findChromium() {
  const told = process.env.CHROME_PATH;
  if (told) return runnable(told) ? told : null;
  const dirs = (process.env.PATH ?? '').split(delimiter).filter(Boolean);
  const candidates = [...NAMES.flatMap((name) => dirs.map((dir) => join(dir, name))), MAC, playwrights()];
  return candidates.find((path) => path && runnable(path) && newEnough(path)) ?? null;
}

/** Path of a Chromium, installed if there is none: Playwright's first, then Debian's. Throws one plain sentence where neither works. */
export function ensureChromium() {
  const found = findChromium();
  if (found) return found;
  if (process.env.CHROME_PATH) throw new Error(`CHROME_PATH names ${process.env.CHROME_PATH}, which is no program that can be run.`);
  console.log(`No Chromium ${OLDEST} or newer found; installing one.`);
  const ways = [['npx', ['playwright', 'install', 'chromium']]];
  if (process.getuid?.() === 0) ways.push(['apt-get', ['install', '-y', 'chromium']], ['sh', ['-c', 'apt-get update && apt-get install -y chromium']]);
  for (const [command, args] of ways) {
    console.log(`$ ${command} ${args.join(' ')}`);
    spawnSync(command, args, { stdio: 'inherit', shell: process.platform === 'win32' });
    const path = findChromium();
    if (path) return path;
  }
  throw new Error(`Runlens needs Chromium ${OLDEST} or newer, and none could be installed. Install one and set CHROME_PATH to its program.`);
}
