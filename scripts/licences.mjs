/**
 * `npm run licences`: writes docs/licences.md, the list of what the runtime dependencies are and under which terms, from node_modules.
 * With `--check` it writes nothing and fails when the page is out of date. Either way it fails at a licence that was not agreed to.
 */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ensureInstalled, ROOT } from './install.mjs';

/** Terms under which a package may be passed on inside this one. */
const AGREED = new Set(['MIT', 'ISC', 'Apache-2.0', 'BSD-2-Clause', 'BSD-3-Clause', '0BSD', 'MPL-2.0']);
const PAGE = join(ROOT, 'docs/licences.md');

function sourceOf({ repository, homepage }) {
  const url = typeof repository === 'string' ? repository : (repository?.url ?? homepage ?? '');
  const bare = url
    .replace(/^git\+/, '')
    .replace(/^(git|ssh):\/\/(git@)?/, 'https://')
    .replace(/\.git$/, '');
  return /^[\w.-]+\/[\w.-]+$/.test(bare) ? `https://github.com/${bare}` : bare.replace(/^github:/, 'https://github.com/');
}

function textOf(folder) {
  const file = readdirSync(folder).find((name) => /^(licen[cs]e|copying)(\.|$)/i.test(name));
  return file ? readFileSync(join(folder, file), 'utf8').replaceAll('\r\n', '\n').trim() : null;
}

/** Every package that package-lock.json gives to those who only run Runlens: name, version, SPDX licence, source, licence text or null. */
export function runtimePackages() {
  const { packages } = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8'));
  return Object.entries(packages)
    .filter(([path, entry]) => path && !entry.dev && !entry.optional && !entry.devOptional)
    .map(([path]) => {
      const folder = join(ROOT, path);
      if (!existsSync(join(folder, 'package.json'))) throw new Error(`${path} is not installed: run \`npm ci\`.`);
      const about = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
      return { name: about.name, version: about.version, licence: String(about.license ?? 'none stated'), source: sourceOf(about), text: textOf(folder) };
    })
    .sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : a.version < b.version ? -1 : 1));
}

/** Packages whose licence is not among those agreed to, one sentence each. */
export function disagreements(packages) {
  const terms = (licence) => licence.split(/\s+(?:AND|OR)\s+|[()]/).filter(Boolean);
  return packages.flatMap(({ name, version, licence }) =>
    terms(licence).every((term) => AGREED.has(term.trim()))
      ? []
      : [`${name} ${version} is under “${licence}”, which was not agreed to (scripts/licences.mjs).`],
  );
}

/** The text of docs/licences.md. */
export function licencePage(packages) {
  return [
    '# Licences',
    '',
    'Runlens is under the [MIT licence](../LICENSE). These packages are needed to run it; the texts of their licences are in',
    '`THIRD-PARTY.txt` of every package for a store. Made from `package-lock.json` and `node_modules` by `npm run licences`.',
    '',
    '| package | version | licence | source |',
    '|---|---|---|---|',
    ...packages.map(({ name, version, licence, source }) => `| ${name} | ${version} | ${licence} | ${source ? `<${source}>` : ''} |`),
    '',
  ].join('\n');
}

/** The licence texts as one file, to lie beside the code they are about. */
export function thirdPartyText(packages) {
  const part = ({ name, version, licence, source, text }) =>
    [
      `${name} ${version}`,
      `Licence: ${licence}`,
      `Source: ${source}`,
      '',
      text ?? 'The package comes without a file of its licence; its terms are those named above.',
    ].join('\n');
  return `Runlens contains code of these packages.\n\n${packages.map(part).join(`\n\n${'-'.repeat(80)}\n\n`)}\n`;
}

if (process.argv[1]?.endsWith('licences.mjs')) {
  ensureInstalled();
  const packages = runtimePackages();
  const page = licencePage(packages);
  const wrong = disagreements(packages);
  if (process.argv.includes('--check')) {
    if (!existsSync(PAGE) || readFileSync(PAGE, 'utf8') !== page) wrong.push('docs/licences.md is out of date: run `npm run licences`.');
  } else writeFileSync(PAGE, page);
  for (const sentence of wrong) console.error(sentence);
  console.log(`${packages.length} packages, docs/licences.md`);
  process.exit(wrong.length > 0 ? 1 : 0);
}
