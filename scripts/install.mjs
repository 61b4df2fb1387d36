/**
 * Installs node_modules when it is absent or not what package-lock.json asks for. Needs nothing outside Node. `node scripts/install.mjs`
 * does so before the commands of package.json that are a tool's own.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

export const ROOT = resolve(import.meta.dirname, '..');
const NPM = process.platform === 'win32' ? 'npm.cmd' : 'npm';

/** What is wrong with the node_modules of a folder, in a few words, or null. */
export function missing(folder = ROOT) {
  const installed = join(folder, 'node_modules/.package-lock.json');
  if (!existsSync(installed)) return 'node_modules is not there';
  const have = JSON.parse(readFileSync(installed, 'utf8')).packages;
  const want = JSON.parse(readFileSync(join(folder, 'package-lock.json'), 'utf8')).packages;
  // Optional packages are other platforms' builds: npm leaves them out.
  const off = Object.entries(want).find(([path, entry]) => path && !entry.optional && !entry.devOptional && have[path]?.version !== entry.version);
  return off ? `${off[0]} should be ${off[1].version}` : null;
}

/** Runs `npm ci` if need be. Throws when it fails. */
export function ensureInstalled() {
  const why = missing();
  if (!why) return;
  console.log(`Installing packages (${why}).\n$ npm ci`);
  const { status } = spawnSync(NPM, ['ci'], { cwd: ROOT, stdio: 'inherit', shell: process.platform === 'win32' });
  if (status !== 0) throw new Error('npm ci failed, so nothing else can run.');
}

if (process.argv[1] === import.meta.filename) ensureInstalled();
