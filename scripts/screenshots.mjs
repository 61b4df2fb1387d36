/** `npm run screenshots`: builds, then takes the pictures in docs/ from the real DevTools window. */
import { spawnSync } from 'node:child_process';
import { ensureChromium } from './chromium.mjs';
import { ensureInstalled, ROOT } from './install.mjs';

ensureInstalled();
const env = { ...process.env, CHROME_PATH: ensureChromium() };
for (const args of [
  ['node_modules/vite/bin/vite.js', 'build', '--logLevel', 'warn'],
  ['node_modules/vite/bin/vite.js', 'build', '--config', 'e2e/demo/vite.config.ts', '--logLevel', 'warn'],
  ['scripts/run-ts.mjs', 'e2e/demo/screenshots.ts'],
]) {
  const { status } = spawnSync(process.execPath, args, { cwd: ROOT, stdio: 'inherit', env });
  if (status !== 0) process.exit(status ?? 1);
}
