/** The verifier of a package for a store: everything that must hold of the files in a zip. Knows nothing but those files and what is documented. */
import { posix } from 'node:path';
import { unzipSync } from 'fflate';
import { scriptProblems } from './package-code.mjs';
import { ICON_SIZES, readPng, SOURCE_KEY } from './png.mjs';

const HOOK = 'src/page/hook.iife.js';
const KINDS = /\.(?:js|css|html|json|png)$/;
const TEXTS = new Set(['LICENSE', 'THIRD-PARTY.txt']);
/** Parts of the policy that may not be missing or weaker. */
const POLICY = {
  'default-src': "'self'",
  'script-src': "'self'",
  'connect-src': "'none'",
  'object-src': "'none'",
  'base-uri': "'none'",
  'require-trusted-types-for': "'script'",
};

const decode = (bytes) => new TextDecoder().decode(bytes);

/**
 * What docs/security.md promises of the manifest: the rows of its table of permissions, as “kind name”.
 * Throws when the page has no such table.
 */
export function documentedPermissions(markdown) {
  const section = /\n## Permissions\n([\s\S]*?)(?=\n## |$)/.exec(markdown)?.[1] ?? '';
  const rows = section.split('\n').flatMap((line) => {
    const [, kind, names] = /^\|\s*([a-z ]+?)\s*\|\s*((?:`[^`]+`[,\s]*)+)\|/.exec(line) ?? [];
    return names ? [...names.matchAll(/`([^`]+)`/g)].map(([, name]) => `${kind} ${name}`) : [];
  });
  if (rows.length === 0) throw new Error('docs/security.md has no table of permissions.');
  return new Set(rows);
}

/** What a manifest asks for, in the same words. */
function askedPermissions(manifest) {
  const scripts = manifest.content_scripts ?? [];
  return new Set([
    ...(manifest.permissions ?? []).map((name) => `permission ${name}`),
    ...(manifest.optional_permissions ?? []).map((name) => `optional permission ${name}`),
    ...(manifest.host_permissions ?? []).map((name) => `host ${name}`),
    ...(manifest.optional_host_permissions ?? []).map((name) => `optional host ${name}`),
    ...scripts.flatMap(({ matches }) => matches.map((name) => `content script ${name}`)),
  ]);
}

function permissionProblems(manifest, documented) {
  const asked = askedPermissions(manifest);
  return [
    ...[...asked].filter((one) => !documented.has(one)).map((one) => `manifest.json: asks for ${one}, which docs/security.md does not name`),
    ...[...documented].filter((one) => !asked.has(one)).map((one) => `manifest.json: docs/security.md names ${one}, which is not asked for`),
  ];
}

function policyProblems(manifest) {
  const text = manifest.content_security_policy?.extension_pages ?? '';
  const policy = Object.fromEntries(text.split(';').map((part) => [part.trim().split(/\s+/)[0], part.trim().split(/\s+/).slice(1).join(' ')]));
  const wrong = Object.entries(POLICY).filter(([name, value]) => policy[name] !== value);
  return [
    ...(/unsafe|https?:|wss?:|\*/.test(text) ? ['manifest.json: the content security policy allows unsafe or remote code'] : []),
    ...wrong.map(([name, value]) => `manifest.json: the content security policy should say ${name} ${value}`),
  ];
}

/** Every file the manifest names. */
function entriesOf(manifest) {
  const { background = {}, content_scripts: scripts = [], icons = {} } = manifest;
  return [
    ...(background.service_worker ? [background.service_worker] : []),
    ...(background.scripts ?? []),
    ...scripts.flatMap(({ js = [], css = [] }) => [...js, ...css]),
    ...Object.values(icons),
    ...(manifest.devtools_page ? [manifest.devtools_page] : []),
  ];
}

function manifestProblems(manifest, files, { documented, version, icon }) {
  const problems = [...permissionProblems(manifest, documented), ...policyProblems(manifest)];
  if (manifest.version !== version) problems.push(`manifest.json: is of version ${manifest.version}, package.json of ${version}`);
  for (const key of ['externally_connectable', 'web_accessible_resources', 'update_url', 'key', 'sandbox']) {
    if (key in manifest) problems.push(`manifest.json: has “${key}”, which nobody explained`);
  }
  for (const file of entriesOf(manifest)) if (!files.has(file)) problems.push(`manifest.json: names ${file}, which is not in the package`);
  for (const size of ICON_SIZES) problems.push(...iconProblems(size, files.get(manifest.icons?.[size] ?? ''), icon));
  return problems;
}

function iconProblems(size, bytes, icon) {
  const png = bytes && readPng(bytes);
  if (!png) return [`manifest.json: has no icon of ${size} pixels`];
  if (png.width !== size || png.height !== size) return [`manifest.json: its icon of ${size} pixels has ${png.width} × ${png.height}`];
  return png.texts[SOURCE_KEY] === icon ? [] : [`manifest.json: its icon of ${size} pixels is older than icon.svg: run \`node scripts/icons.mjs\``];
}

function pageProblems(path, text, files) {
  const problems = [];
  for (const [tag] of text.matchAll(/<script\b[^>]*>/gi)) if (!/\bsrc=/.test(tag)) problems.push('has a script in the page');
  if (/<[^>]+\son\w+=/i.test(text)) problems.push('has a handler in the page');
  if (/<(?:iframe|base|object|embed)\b/i.test(text)) problems.push('embeds something');
  for (const [, url] of text.matchAll(/\b(?:src|href)="([^"]*)"/g)) {
    const file = url.startsWith('/') ? url.slice(1) : posix.join(posix.dirname(path), url);
    if (/^(?:[a-z]+:)?\/\//i.test(url)) problems.push(`loads the remote address ${url}`);
    else if (!files.has(file)) problems.push(`names ${url}, which is not in the package`);
  }
  return problems.map((what) => `${path}: ${what}`);
}

function styleProblems(path, text, files) {
  const urls = [...text.matchAll(/url\(\s*["']?([^"')]+)/g), ...text.matchAll(/@import\s+["']([^"']+)/g)].map(([, url]) => url);
  const wrong = urls.filter((url) => !url.startsWith('data:') && !url.startsWith('#') && !files.has(posix.join(posix.dirname(path), url)));
  return [
    ...wrong.map((url) => `${path}: loads ${url}, which is not in the package`),
    ...(/sourceMappingURL/.test(text) ? [`${path}: names a source map`] : []),
  ];
}

/**
 * What is wrong with the files of a package (path → bytes), one sentence each; none for a good one. `documented` are the permissions
 * of docs/security.md, `version` that of package.json, `icon` the SHA-256 of icon.svg.
 */
export function problemsOf(files, promised) {
  if (!files.has('manifest.json')) return ['There is no manifest.json at the top of the package.'];
  const manifest = JSON.parse(decode(files.get('manifest.json')));
  const problems = manifestProblems(manifest, files, promised);
  const inPages = new Set((manifest.content_scripts ?? []).flatMap(({ js = [] }) => js));
  for (const text of TEXTS) if (!files.has(text)) problems.push(`${text}: is missing`);
  for (const [path, bytes] of files) {
    if (!KINDS.test(path) && !TEXTS.has(path)) problems.push(`${path}: does not belong in a package`);
    else if (path.endsWith('.js')) problems.push(...scriptProblems(path, decode(bytes), { files, contentScript: inPages.has(path), isHook: path === HOOK }));
    else if (path.endsWith('.html')) problems.push(...pageProblems(path, decode(bytes), files));
    else if (path.endsWith('.css')) problems.push(...styleProblems(path, decode(bytes), files));
  }
  return problems;
}

/** What differs between two zips: the names of their files, or “the zip itself” where the files are the same; empty for the same bytes. */
export function differences(one, other) {
  if (Buffer.compare(one, other) === 0) return [];
  const [a, b] = [unzipSync(one), unzipSync(other)];
  const names = [...new Set([...Object.keys(a), ...Object.keys(b)])].sort();
  const different = names.filter((name) => !a[name] || !b[name] || Buffer.compare(a[name], b[name]) !== 0);
  return different.length > 0 ? different : ['the zip itself'];
}
