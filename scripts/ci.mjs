/**
 * What `.ci/run` runs: `npm test`, then what is no part of it because of what it needs: `npm run test:copilotkit` (its packages) and
 * `npm run test:firefox` (another browser). All are run to their ends; the last line is the sum.
 */
import { spawn } from 'node:child_process';
import { ROOT } from './install.mjs';

const SUM = /^(\d+) passed, (\d+) failed, (\d+) skipped$/;

/** Runs a command with its output shown. Gives the counts of its last line, or one failure where it ended without them. */
function run(script) {
  return new Promise((resolve) => {
    const child = spawn(process.platform === 'win32' ? 'npm.cmd' : 'npm', ['run', '--silent', script], {
      cwd: ROOT,
      stdio: ['ignore', 'pipe', 'inherit'],
      env: { ...process.env, CI: '1' },
      shell: process.platform === 'win32',
    });
    let tail = '';
    child.stdout.on('data', (part) => {
      process.stdout.write(part);
      tail = (tail + part).slice(-2000);
    });
    child.once('error', () => resolve([0, 1, 0]));
    child.once('close', (status) => {
      const counts = SUM.exec(tail.trimEnd().split('\n').at(-1) ?? '')
        ?.slice(1)
        .map(Number);
      if (!counts) resolve([0, 1, 0]);
      else resolve(status !== 0 && counts[1] === 0 ? [counts[0], 1, counts[2]] : counts);
    });
  });
}

/** As Playwright's specs in CI: a second try, said so. */
async function twice(script) {
  const first = await run(script);
  if (first[1] === 0) return first;
  console.log(`\n── ${script}: ${first[1]} failed, tried once more`);
  return run(script);
}

const sums = [await run('test'), await run('test:copilotkit'), await twice('test:firefox')];
const [passed, failed, skipped] = [0, 1, 2].map((at) => sums.reduce((sum, counts) => sum + counts[at], 0));
console.log(`\n${passed} passed, ${failed} failed, ${skipped} skipped`);
process.exit(failed === 0 ? 0 : 1);
