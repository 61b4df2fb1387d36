/** `npm run e2e:carriers`: the matrix of carriers (XHR, WebSocket, Phoenix, workers through the network log). Not part of `npm test` yet. */
import { spawnSync } from 'node:child_process';
import { ensureChromium } from './chromium.mjs';
import { ensureInstalled, ROOT } from './install.mjs';

ensureInstalled();
const env = { ...process.env, CHROME_PATH: ensureChromium(), RUNLENS_CARRIERS: '1' };
for (const args of [
  ['node_modules/vite/bin/vite.js', 'build', '--logLevel', 'warn'],
  ['node_modules/@playwright/test/cli.js', 'test', 'carriers.spec.ts'],
]) {
  const { status } = spawnSync(process.execPath, args, { cwd: ROOT, stdio: 'inherit', env });
  if (status !== 0) process.exit(status ?? 1);
}
