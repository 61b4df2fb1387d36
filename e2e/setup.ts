/** Runs once before all specs: builds the demo pages, and the extension where it was not built yet. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'vite';
import { DIST, ROOT } from './root.ts';

export default async function setup(): Promise<void> {
  if (!existsSync(join(DIST, 'manifest.json'))) await build({ root: ROOT, configFile: join(ROOT, 'vite.config.ts'), logLevel: 'warn' });
  await build({ configFile: join(ROOT, 'e2e/demo/vite.config.ts'), logLevel: 'warn' });
}
