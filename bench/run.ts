/**
 * `npm run bench`: every figure in one table; `--json` for machines, `--quick` only those that need no browser (bundle sizes and the
 * core, about a minute). Exit code 1 when a figure misses its bound.
 */
import { spawnSync } from 'node:child_process';
import { coreFigures } from './core.ts';
import { sizeFigures } from './sizes.ts';
import { type Figure, report } from './table.ts';

const root = process.cwd();
const quick = process.argv.includes('--quick');

/** A bench that needs a browser, in a process of its own: its figures, or one that says why there are none. */
function other(name: string): Figure[] {
  console.error(`── bench:${name}`);
  const { stdout } = spawnSync(process.execPath, ['scripts/run-ts.mjs', `bench/${name}.ts`, '--json'], {
    cwd: root,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
    maxBuffer: 2 ** 26,
  });
  try {
    return (JSON.parse(stdout) as Figure[]).map((figure) => ({ ...figure, value: figure.value ?? Number.NaN }));
  } catch {
    return [{ name, value: Number.NaN, unit: '', against: `failed: run "npm run bench:${name}" to see why`, bound: { atMost: 0 } }];
  }
}

// the figures are those of the sources as they are now
const built = spawnSync('npm', ['run', 'build'], { cwd: root, stdio: ['ignore', 2, 'inherit'], shell: process.platform === 'win32' });
if (built.status !== 0) throw new Error('The build failed, so there is nothing to measure.');
const figures = [...sizeFigures(root), ...coreFigures()];
if (!quick) for (const name of ['page', 'panel', 'scale', 'latency']) figures.push(...other(name));
report(figures);
