/**
 * `npm run test:firefox`: builds dist-firefox, lints it with web-ext, and runs the smoke in a real Firefox. What cannot run here, for
 * want of Firefox or of web-ext, is counted as skipped and said so. The last line is the sum.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { ensureFirefox, firefoxVersion } from './firefox.mjs';
import { ensureInstalled, ROOT } from './install.mjs';

/** Not a dependency: 330 packages for one command. npx fetches it once. */
const WEB_EXT = 'web-ext@10.7.0';
/** Warnings that are known and harmless: Preact's assignment, which only dangerouslySetInnerHTML reaches and the policy refuses. */
const KNOWN = new Set(['UNSAFE_VAR_ASSIGNMENT']);
const NPX = process.platform === 'win32' ? 'npx.cmd' : 'npx';
const REPORT = join(ROOT, '.cache/firefox.json');
const VITE = join(ROOT, 'node_modules/vite/bin/vite.js');

const sum = { passed: 0, failed: 0, skipped: 0 };
const add = (result, sentence) => {
  sum[result]++;
  console.log(`  ${{ passed: 'ok     ', failed: 'FAILED ', skipped: 'skipped' }[result]} ${sentence}`);
};

function node(args, options = {}) {
  return spawnSync(process.execPath, args, { cwd: ROOT, encoding: 'utf8', ...options });
}

/** Whether both builds worked. */
function build() {
  const built = [
    [VITE, 'build', '--mode', 'firefox', '--logLevel', 'warn'],
    [VITE, 'build', '--config', 'e2e/demo/vite.config.ts', '--logLevel', 'warn'],
  ].every((args) => node(args, { stdio: 'inherit' }).status === 0);
  add(built ? 'passed' : 'failed', 'build of dist-firefox and of the demo pages');
  return built;
}

function lint() {
  const run = spawnSync(NPX, ['--yes', WEB_EXT, 'lint', '--source-dir', 'dist-firefox', '--output', 'json'], {
    cwd: ROOT,
    encoding: 'utf8',
    timeout: 600_000,
    shell: process.platform === 'win32',
  });
  const from = run.stdout?.indexOf('{"') ?? -1;
  if (from < 0) {
    add('skipped', `web-ext lint: ${WEB_EXT} could not be fetched or run (${(run.stderr || String(run.error ?? '')).trim().split('\n')[0]})`);
    return;
  }
  const { errors, warnings, summary } = JSON.parse(run.stdout.slice(from));
  const told = [...errors, ...warnings.filter(({ code }) => !KNOWN.has(code))];
  for (const { code, file, message } of told) console.log(`          ${code} ${file ?? ''} ${message}`);
  const known = warnings.length - (told.length - errors.length);
  add(told.length === 0 ? 'passed' : 'failed', `web-ext lint: ${summary.errors} errors, ${summary.warnings} warnings (${known} of a known kind)`);
}

function smoke() {
  const path = ensureFirefox();
  if (!path) {
    add('skipped', 'smoke in Firefox: there is none here, and none could be installed. Install firefox-esr or set FIREFOX_PATH.');
    return;
  }
  console.log(`\n${firefoxVersion(path)} (${path})`);
  rmSync(REPORT, { force: true });
  node(['scripts/run-ts.mjs', 'e2e/firefox/smoke.ts'], {
    env: { ...process.env, FIREFOX_PATH: path, NODE_ARGS: '--experimental-websocket', RUNLENS_FIREFOX_REPORT: REPORT },
    stdio: 'inherit',
  });
  if (!existsSync(REPORT)) {
    add('failed', 'the smoke did not come to its end');
    return;
  }
  const counted = JSON.parse(readFileSync(REPORT, 'utf8'));
  for (const key of Object.keys(sum)) sum[key] += counted[key];
}

try {
  ensureInstalled();
  if (build()) {
    lint();
    smoke();
  }
} catch (error) {
  add('failed', error.message);
}
console.log(`\n${sum.passed} passed, ${sum.failed} failed, ${sum.skipped} skipped`);
process.exit(sum.failed > 0 ? 1 : 0);
