/**
 * Keeps src/checker/rules/index.generated.ts in step with the files beside it: running or importing this file is enough. Every
 * command that bundles or runs the checker does so, and a rule is found by being there. The list is a file and not a glob of the
 * bundler, since Playwright's specs import the checker too.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

const folder = resolve(import.meta.dirname, '../src/checker/rules');
const INDEX = 'index.generated.ts';

const ids = readdirSync(folder)
  .filter((name) => name.endsWith('.ts') && name !== INDEX && !name.endsWith('.test.ts'))
  .map((name) => name.slice(0, -3))
  .sort();
const words = (id) => id.replaceAll(/-([a-z0-9])/g, (_, letter) => letter.toUpperCase());
const table = (name, type, part) => [
  `export const ${name}: Readonly<Record<string, ${type}>> = {`,
  ...ids.map((id) => `  '${id}': ${words(id)}${part},`),
  '};',
  '',
];
const text = [
  '/** Every rule of this folder. Made by `node scripts/rule-index.mjs`, as part of each build and test. */',
  "import type { Row } from '../catalogue/rule.ts';",
  "import type { FileCheck, FileExample } from '../rule-file.ts';",
  ...ids.map((id) => `import { check as ${words(id)}Check, example as ${words(id)}Example, rule as ${words(id)}Rule } from './${id}.ts';`),
  '',
  ...table('FILE_RULES', 'Row', 'Rule'),
  ...table('FILE_CHECKS', 'FileCheck', 'Check'),
  ...table('FILE_EXAMPLES', 'FileExample', 'Example'),
].join('\n');

const file = join(folder, INDEX);
let before = '';
try {
  before = readFileSync(file, 'utf8');
} catch {
  // there is none yet
}
if (text.trimEnd() !== before.trimEnd()) writeFileSync(file, `${text.trimEnd()}\n`);
