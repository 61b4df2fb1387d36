#!/usr/bin/env node
/** Runs the bundled command line program. In a checkout it is bundled first, whenever a source is newer: Node 20 cannot read TypeScript itself. */
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

const root = resolve(import.meta.dirname, '..');
const bundle = join(root, 'dist-cli/runlens.mjs');
const config = join(root, 'vite.cli.config.ts');

function newestSource() {
  const folders = ['protocol', 'stream', 'capture', 'checker', 'runs', 'session', 'export', 'replay', 'cli'].map((name) => join(root, 'src', name));
  // folders too: they tell of a file that is gone
  const files = folders.flatMap((folder) => readdirSync(folder, { recursive: true, withFileTypes: true }));
  return Math.max(...files.map((entry) => statSync(join(entry.parentPath, entry.name)).mtimeMs), statSync(config).mtimeMs);
}

// a published package has the bundle and neither sources nor vite
if (existsSync(config) && !(existsSync(bundle) && statSync(bundle).mtimeMs >= newestSource())) {
  const { build } = await import('vite');
  await build({ root, configFile: config });
}
await import(pathToFileURL(bundle).href);
