/** `npm run bench`: every figure in one table; `--json` for machines. Exit code 1 when a figure misses its bound. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { coreFigures } from './core.ts';
import { sizeFigures } from './sizes.ts';
import { report } from './table.ts';

const root = process.cwd();
const figures = [...coreFigures(), ...(existsSync(join(root, 'dist')) ? sizeFigures(root) : [])];
report(figures);
