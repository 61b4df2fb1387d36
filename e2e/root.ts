import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

function upwards(from: string): string {
  return existsSync(join(from, 'manifest.json')) && existsSync(join(from, 'package.json')) ? from : upwards(dirname(from));
}

/** The checkout, also when this module runs from a bundle in `.cache`. */
export const ROOT = upwards(import.meta.dirname);
/** The built extension. `RUNLENS_DIST` names another build. */
export const DIST = resolve(ROOT, process.env['RUNLENS_DIST'] ?? 'dist');
/** The built demo pages. */
export const PAGES = join(ROOT, '.cache/demo');
