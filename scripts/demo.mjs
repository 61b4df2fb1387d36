/**
 * `npm run demo`: installs what is missing, builds, starts the demo agent and opens Chromium with DevTools on the Runlens panel.
 * Without a display (or with --headless) it goes through every scenario by itself and prints what the panel shows.
 */
import { spawnSync } from 'node:child_process';
import { ensureChromium } from './chromium.mjs';
import { ensureInstalled, ROOT } from './install.mjs';

const NPX = process.platform === 'win32' ? 'npx.cmd' : 'npx';

function must(command, args, env = {}) {
  const { status } = spawnSync(command, args, { cwd: ROOT, stdio: 'inherit', env: { ...process.env, ...env }, shell: process.platform === 'win32' });
  if (status !== 0) process.exit(status ?? 1);
}

try {
  ensureInstalled();
  const chromium = ensureChromium();
  must(NPX, ['vite', 'build', '--logLevel', 'warn']);
  must(NPX, ['vite', 'build', '--config', 'e2e/demo/vite.config.ts', '--logLevel', 'warn']);
  must(process.execPath, ['scripts/run-ts.mjs', 'e2e/demo/show.ts', ...process.argv.slice(2)], { CHROME_PATH: chromium });
} catch (error) {
  console.error(error.message);
  process.exit(1);
}
