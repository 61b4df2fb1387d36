/**
 * `npm test`: installs what is missing, then every check there is. Each stage shows its own output; the last line is the sum over
 * all of them. Type checks, linter, build and knip count as one test each; so does a stage that could not run.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { ensureChromium } from './chromium.mjs';
import { ensureInstalled, ROOT } from './install.mjs';
import './rule-index.mjs';

const REPORTS = join(ROOT, '.cache/test');
const UNIT = join(REPORTS, 'unit.json');
const E2E = join(REPORTS, 'e2e.json');
const NPX = process.platform === 'win32' ? 'npx.cmd' : 'npx';

const one = (status) => ({ passed: status === 0 ? 1 : 0, failed: status === 0 ? 0 : 1, skipped: 0 });

/** Counts of a JSON report; a runner that failed without a failed test (a file that does not load, say) has failed once. */
function counts(file, read, status) {
  if (!existsSync(file)) return { passed: 0, failed: 1, skipped: 0 };
  const sum = read(JSON.parse(readFileSync(file, 'utf8')));
  return status !== 0 && sum.failed === 0 ? { ...sum, failed: 1 } : sum;
}

const readUnit = (report) => ({ passed: report.numPassedTests, failed: report.numFailedTests, skipped: report.numPendingTests + report.numTodoTests });
/** What passed only at its second try counts as passed, and is said. */
const readE2e = ({ stats }) => {
  if (stats.flaky > 0) console.log(`── ${stats.flaky} of these passed only at the second try; they are listed above as flaky.`);
  return { passed: stats.expected + stats.flaky, failed: stats.unexpected, skipped: stats.skipped };
};

const STAGES = [
  { name: 'types', command: 'tsc -p tsconfig.json' },
  { name: 'types of pure code', command: 'tsc -p tsconfig.core.json' },
  { name: 'fences, lint and format', command: 'biome ci --error-on-warnings .' },
  { name: 'unused code and packages', command: 'knip' },
  {
    name: 'unit and property tests',
    command: `vitest run --reporter=default --reporter=json --outputFile.json=${UNIT}`,
    count: (status) => counts(UNIT, readUnit, status),
  },
  { name: 'build', command: 'vite build' },
  { name: 'bundle sizes and growth', command: 'node scripts/run-ts.mjs bench/limits.ts', node: true },
  { name: 'what a package may hold', command: 'node scripts/package.mjs --verify dist', node: true },
  {
    name: 'e2e in real DevTools',
    command: 'playwright test',
    env: { RUNLENS_E2E_REPORT: E2E },
    chromium: true,
    count: (status) => counts(E2E, readE2e, status),
  },
];

function run({ name, command, env = {}, chromium = false, node = false, count = one }) {
  console.log(`\n── ${name} ── ${command.replaceAll(`${ROOT}/`, '')}`);
  const start = performance.now();
  let sum = { passed: 0, failed: 1, skipped: 0 };
  try {
    if (chromium) process.env.CHROME_PATH = ensureChromium();
    const words = command.split(' ');
    const { status } = spawnSync(node ? process.execPath : NPX, node ? words.slice(1) : words, {
      cwd: ROOT,
      stdio: 'inherit',
      env: { ...process.env, ...env },
      shell: process.platform === 'win32' && !node,
    });
    sum = count(status);
  } catch (error) {
    console.error(error.message);
  }
  console.log(`── ${name}: ${sum.failed ? 'FAILED' : 'ok'}, ${((performance.now() - start) / 1000).toFixed(1)} s`);
  return sum;
}

try {
  ensureInstalled();
} catch (error) {
  console.error(error.message);
  console.log('0 passed, 1 failed, 0 skipped');
  process.exit(1);
}
rmSync(REPORTS, { recursive: true, force: true });
mkdirSync(REPORTS, { recursive: true });
const wanted = process.argv.slice(2);
const sums = STAGES.filter(({ name }) => wanted.length === 0 || wanted.some((word) => name.includes(word))).map(run);
const total = (key) => sums.reduce((sum, part) => sum + part[key], 0);
console.log(`\n${total('passed')} passed, ${total('failed')} failed, ${total('skipped')} skipped`);
process.exit(total('failed') === 0 && sums.length > 0 ? 0 : 1);
