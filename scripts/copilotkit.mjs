/**
 * `npm run test:copilotkit`: CopilotKit's own runtime and client under the panel. Installs what is missing (some 700 MB, into
 * e2e/copilotkit), checks types, builds extension and page, runs the specs. Where the packages cannot be had, because the registry
 * does not answer or does not hold them, that is said and counts as skipped. The last line is the sum.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ensureChromium } from './chromium.mjs';
import { ensureInstalled, missing, ROOT } from './install.mjs';

const HERE = join(ROOT, 'e2e/copilotkit');
const REPORT = join(ROOT, '.cache/test-copilotkit/report.json');
const WINDOWS = process.platform === 'win32';
/** npm's codes for a registry that is down, unreachable or without the package. What is wrong with our own lockfile has others. */
const NOT_TO_BE_HAD = /npm (?:error|ERR!) code (E\d{3}|ENOTFOUND|EAI_AGAIN|ECONN\w+|E\w*TIMEDOUT|ERR_SOCKET_TIMEOUT|EHOSTUNREACH|ENETUNREACH)\b/;
/** A registry that hangs is one that cannot be had. */
const INSTALL_LIMIT_MS = 20 * 60_000;

function end(passed, failed, skipped) {
  console.log(`\n${passed} passed, ${failed} failed, ${skipped} skipped`);
  process.exit(failed === 0 ? 0 : 1);
}

const seconds = (start) => `${((performance.now() - start) / 1000).toFixed(1)} s`;

function run(command, args, options = {}) {
  console.log(`\n$ ${[command, ...args].join(' ').replaceAll(`${ROOT}/`, '')}`);
  const start = performance.now();
  const { status } = spawnSync(WINDOWS ? `${command}.cmd` : command, args, { cwd: ROOT, stdio: 'inherit', shell: WINDOWS, ...options });
  console.log(`── ${status === 0 ? 'ok' : 'FAILED'}, ${seconds(start)}`);
  return status === 0;
}

/** Installs CopilotKit's packages if need be. Gives false where they cannot be had; throws when it is our fault. */
function install() {
  const why = missing(HERE);
  if (!why) return true;
  console.log(`Installing CopilotKit's packages into e2e/copilotkit (${why}).\n$ npm ci`);
  const start = performance.now();
  const { status, stderr, error } = spawnSync(WINDOWS ? 'npm.cmd' : 'npm', ['ci'], {
    cwd: HERE,
    stdio: ['ignore', 'inherit', 'pipe'],
    encoding: 'utf8',
    timeout: INSTALL_LIMIT_MS,
    shell: WINDOWS,
  });
  console.error(stderr);
  if (status === 0) {
    console.log(`── installed, ${seconds(start)}`);
    return true;
  }
  if (error?.code === 'ETIMEDOUT' || NOT_TO_BE_HAD.test(stderr)) return false;
  throw new Error('npm ci failed in e2e/copilotkit, and not for want of the registry: see its words above.');
}

try {
  ensureInstalled();
  process.env.CHROME_PATH = ensureChromium();
  if (!install()) {
    console.log("CopilotKit's packages cannot be had from the registry now: its specs are skipped. Run `npm run test:copilotkit` again later.");
    end(0, 0, 1);
  }
} catch (error) {
  console.error(error.message);
  end(0, 1, 0);
}

rmSync(dirname(REPORT), { recursive: true, force: true });
mkdirSync(dirname(REPORT), { recursive: true });
const built = [
  ['tsc', '-p', 'e2e/copilotkit/tsconfig.json'],
  ['vite', 'build'],
  ['vite', 'build', '--config', 'e2e/copilotkit/vite.config.ts'],
].map((args) => run('npx', args));
const passed = built.filter(Boolean).length;
if (passed < built.length) end(passed, built.length - passed, 0);
const fine = run('npx', ['playwright', 'test', '--config', 'e2e/copilotkit/playwright.config.ts', ...process.argv.slice(2)], {
  env: { ...process.env, RUNLENS_E2E_REPORT: REPORT },
});
if (!existsSync(REPORT)) end(passed, 1, 0);
const { stats } = JSON.parse(readFileSync(REPORT, 'utf8'));
if (stats.flaky > 0) console.log(`── ${stats.flaky} of these passed only at the second try; they are listed above as flaky.`);
end(passed + stats.expected + stats.flaky, fine ? stats.unexpected : Math.max(stats.unexpected, 1), stats.skipped);
