/**
 * `npm run soak`: the soak spec for 30 minutes (or the minutes given: `npm run soak -- 5`), with what it measured; `npm run soak -- idle`:
 * three minutes of a tab that does nothing.
 */
import { spawnSync } from 'node:child_process';
import { ensureChromium } from './chromium.mjs';
import { ensureInstalled, ROOT } from './install.mjs';

const idle = process.argv[2] === 'idle';
const minutes = idle ? 3 : Number(process.argv[2] ?? 30);
if (!(minutes > 0)) {
  console.error(`"${process.argv[2]}" is no number of minutes.`);
  process.exit(1);
}
ensureInstalled();
process.env.CHROME_PATH = ensureChromium();
const npx = process.platform === 'win32' ? 'npx.cmd' : 'npx';
const run = (args, env = {}) => spawnSync(npx, args, { cwd: ROOT, stdio: 'inherit', env: { ...process.env, ...env }, shell: process.platform === 'win32' });
const spec = idle ? 'e2e/idle.spec.ts' : 'e2e/soak.spec.ts';
const seconds = String(minutes * 60);
const { status } = run(['vite', 'build']);
process.exit(status || (run(['playwright', 'test', spec], { [idle ? 'RUNLENS_IDLE' : 'RUNLENS_SOAK']: seconds, WORKERS: '1' }).status ?? 1));
