/**
 * What `.ci/run` runs: `npm test`, then `npm run test:copilotkit`, whose packages are too large for the former. Both are run to their
 * ends; the last line is the sum over both.
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

const sums = [await run('test'), await run('test:copilotkit')];
const [passed, failed, skipped] = [0, 1, 2].map((at) => sums.reduce((sum, counts) => sum + counts[at], 0));
console.log(`\n${passed} passed, ${failed} failed, ${skipped} skipped`);
process.exit(failed === 0 ? 0 : 1);
