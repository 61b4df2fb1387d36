/** `npm run corpus -- DIR`: the checker's verdict on every file of a directory; conformance files are held against src/cli/conformance-table.json. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

const here = import.meta.dirname;
const run = spawnSync(process.execPath, [join(here, 'run-ts.mjs'), join(here, '../src/cli/corpus-main.ts'), ...process.argv.slice(2)], { stdio: 'inherit' });
process.exit(run.status ?? 1);
