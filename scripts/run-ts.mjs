/** Bundles a TypeScript entry for Node into .cache/ and runs it there: `node scripts/run-ts.mjs FILE.ts [ARGS…]`. Node 20 cannot read TypeScript itself. */
import { spawnSync } from 'node:child_process';
import { basename, join, resolve } from 'node:path';
import { ensureInstalled, ROOT as root } from './install.mjs';

ensureInstalled();
const { build } = await import('vite');
await import('./rule-index.mjs');

const [entry, ...args] = process.argv.slice(2);
if (!entry) {
  console.error('run-ts: which file? Usage: node scripts/run-ts.mjs FILE.ts [ARGS…]');
  process.exit(2);
}
const outDir = join(root, '.cache/run', basename(entry, '.ts'));
await build({
  root,
  configFile: false,
  logLevel: 'warn',
  build: { ssr: resolve(entry), outDir, emptyOutDir: true, target: 'node20', minify: false },
});
const run = spawnSync(process.execPath, ['--expose-gc', ...(process.env.NODE_ARGS?.split(' ') ?? []), join(outDir, `${basename(entry, '.ts')}.js`), ...args], {
  stdio: 'inherit',
});
process.exit(run.status ?? 1);
