/** Writes the pages of `docs/rules/` from the catalogue and its examples: `node scripts/run-ts.mjs scripts/make-rules.ts`, from the root of the project. */
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { rulePages } from '../src/checker/rule-pages.ts';

const folder = resolve('docs/rules');
const pages = rulePages();
mkdirSync(folder, { recursive: true });
for (const name of readdirSync(folder)) if (name.endsWith('.md') && !pages.has(name)) rmSync(join(folder, name));
for (const [name, text] of pages) writeFileSync(join(folder, name), text);
console.log(`${pages.size} pages in docs/rules/`);
