/** The verifier finds each thing that may not be in a package, and nothing in a good one. */
import { readFileSync } from 'node:fs';
import { zipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import manifest from '../manifest.json' with { type: 'json' };
import { differences, documentedPermissions, problemsOf } from './package-checks.mjs';
import { digestOf } from './png.mjs';
import { HOOK_MAP_LINE } from './vite-hook-map.ts';

const HOOK = 'src/page/hook.iife.js';
const RELAY = 'src/relay/relay.iife.js';
const [page, relay] = manifest.content_scripts;
const GOOD_MANIFEST = {
  ...manifest,
  background: { service_worker: 'loader.js', type: 'module' },
  content_scripts: [
    { ...page, js: [HOOK] },
    { ...relay, js: [RELAY] },
  ],
};
const icons = Object.values(manifest.icons).map((path) => [path, new Uint8Array(readFileSync(path))] as const);
const promised = {
  documented: documentedPermissions(readFileSync('docs/security.md', 'utf8')),
  version: manifest.version,
  icon: digestOf(readFileSync('public/icons/icon.svg')),
};

/** Problems of a good package with these files put in, or taken out where there is null. */
function problems(changes: Readonly<Record<string, string | null>> = {}, changed: object = {}): string[] {
  const texts: Readonly<Record<string, string | null>> = {
    'manifest.json': JSON.stringify({ ...GOOD_MANIFEST, ...changed }),
    LICENSE: 'MIT',
    'THIRD-PARTY.txt': 'others',
    'loader.js': "import './assets/worker.js';",
    'assets/worker.js': 'const own = (found) => found.fetch; export { own };',
    'assets/panel.js': "import { own } from './worker.js'; import(`./worker.js`); own(Function.prototype); const spec = 'https://docs.ag-ui.com/spec/1.1/';",
    'assets/panel.css': '.x { background: url(data:image/png;base64,AA==) }',
    'src/devtools/devtools.html': '<script type="module" src="/assets/worker.js"></script>',
    'src/panel/panel.html': '<link rel="stylesheet" href="/assets/panel.css"><script type="module" src="../../assets/panel.js"></script>',
    [HOOK]: `(() => { const native = window.fetch; })();${HOOK_MAP_LINE}`,
    [RELAY]: '(() => {})();',
    ...changes,
  };
  const encoder = new TextEncoder();
  const written = Object.entries(texts).flatMap(([path, text]) => (text === null ? [] : [[path, encoder.encode(text)] as const]));
  return problemsOf(new Map<string, Uint8Array>([...icons, ...written]), promised);
}

it('has nothing to say about a good package', () => {
  expect(problems()).toEqual([]);
});

describe('finds in a script', () => {
  it.each([
    ['eval("1")', /uses eval/],
    ['window.eval("1")', /uses window.eval/],
    ['new Function("return 1")', /uses Function/],
    ['const F = Function; new F("")', /uses Function/],
    ['globalThis.Function("")', /uses globalThis.Function/],
    ['(() => 1).constructor("return 1")', /constructor called with code/],
    ['setTimeout("go()", 5)', /setTimeout with code as text/],
    ['fetch("/x")', /uses fetch/],
    ['new XMLHttpRequest()', /uses XMLHttpRequest/],
    ['globalThis.WebSocket', /uses WebSocket/],
    ['navigator.sendBeacon("/x")', /uses sendBeacon/],
    ['const at = "https://example.com/x.js"', /remote address https:\/\/example.com/],
    [`const at = \`wss://example.com/\${1}\``, /remote address wss:\/\/example.com/],
    ['import "./missing.js"', /imports “.\/missing.js”, which is not in the package/],
    ['import "https://example.com/x.js"', /imports “https:/],
    ['import(`./missing.js`)', /imports “.\/missing.js”, which is not in the package/],
    [`import(\`./\${1}\`)`, /only known at run time/],
    ['import("./a" + 1)', /only known at run time/],
    ['1;\n//# sourceMappingURL=panel.js.map', /names a source map/],
    ['const', /cannot be parsed/],
  ])('%s', (code, says) => {
    expect(problems({ 'assets/panel.js': code })).toEqual(expect.arrayContaining([expect.stringMatching(says)]));
  });

  it('of the page: imports, and any map but the ignore list', () => {
    const map = (content: object) => `1;\n//# sourceMappingURL=data:application/json,${encodeURIComponent(JSON.stringify(content))}`;
    expect(problems({ [RELAY]: 'import("./x.js")' })).toEqual([expect.stringMatching(/content script/)]);
    expect(problems({ [HOOK]: map({ sources: ['a'], ignoreList: [0], sourcesContent: ['secret'] }) })).toEqual([
      expect.stringMatching(/more than the one entry/),
    ]);
    expect(problems({ [HOOK]: '1;\n//# sourceMappingURL=hook.js.map' })).toEqual([expect.stringMatching(/not inline/)]);
    expect(problems({ [RELAY]: `1;${HOOK_MAP_LINE}` })).toEqual([expect.stringMatching(/names a source map/)]);
  });
});

describe('finds in the rest', () => {
  it.each<[string, Record<string, string | null>, RegExp]>([
    ['a map', { 'assets/panel.js.map': '{}' }, /does not belong/],
    ['a missing licence', { LICENSE: null }, /LICENSE: is missing/],
    ['a missing entry', { [RELAY]: null }, /names src\/relay/],
    ['a remote script', { 'src/panel/panel.html': '<script src="https://example.com/x.js"></script>' }, /remote address/],
    ['a script in the page', { 'src/panel/panel.html': '<script>1</script>' }, /script in the page/],
    ['a handler', { 'src/panel/panel.html': '<body onload="go()">' }, /handler/],
    ['a frame', { 'src/panel/panel.html': '<iframe src="x"></iframe>' }, /embeds/],
    ['a remote font', { 'assets/panel.css': '@font-face { src: url(https://example.com/x.woff) }' }, /loads https:/],
  ])('%s', (_, changes, says) => {
    expect(problems(changes)).toEqual(expect.arrayContaining([expect.stringMatching(says)]));
  });
});

describe('finds in the manifest', () => {
  it.each<[string, object, RegExp]>([
    ['one right more', { permissions: ['storage', 'scripting', 'tabs'] }, /asks for permission tabs/],
    ['one right less', { permissions: ['storage'] }, /permission scripting, which is not asked for/],
    ['sites given at once', { host_permissions: ['https://*/*'] }, /asks for host https/],
    ['pages everywhere', { content_scripts: [{ ...page, js: [HOOK], matches: ['<all_urls>'] }] }, /content script <all_urls>/],
    ['an unsafe policy', { content_security_policy: { extension_pages: "default-src 'self' 'unsafe-eval'" } }, /unsafe/],
    ['no policy', { content_security_policy: undefined }, /should say connect-src 'none'/],
    ['an open door', { externally_connectable: {} }, /externally_connectable/],
    ['another version', { version: '9.9.9' }, /of version 9.9.9/],
    ['a wrong icon', { icons: { ...manifest.icons, 16: manifest.icons[32] } }, /icon of 16 pixels has 32/],
    ['a missing icon', { icons: { 16: manifest.icons[16] } }, /no icon of 128/],
  ])('%s', (_, changed, says) => {
    expect(problems({}, changed)).toEqual(expect.arrayContaining([expect.stringMatching(says)]));
  });

  it('icons older than their drawing', () => {
    const old = problemsOf(new Map(icons), { ...promised, icon: 'another' });
    expect(old).toEqual(['There is no manifest.json at the top of the package.']);
    const files = new Map<string, Uint8Array>([...icons, ['manifest.json', new TextEncoder().encode(JSON.stringify(GOOD_MANIFEST))]]);
    expect(problemsOf(files, { ...promised, icon: 'another' })).toEqual(expect.arrayContaining([expect.stringMatching(/older than icon.svg/)]));
  });
});

describe('two zips of the same sources', () => {
  const zip = (files: Readonly<Record<string, string>>, mtime = new Date(1980, 0, 2)) =>
    zipSync(Object.fromEntries(Object.entries(files).map(([name, text]) => [name, new TextEncoder().encode(text)])), { mtime });

  it('differ in nothing, or in what is named', () => {
    const one = zip({ 'a.js': '1', 'b.js': '2' });
    expect(differences(one, zip({ 'a.js': '1', 'b.js': '2' }))).toEqual([]);
    expect(differences(one, zip({ 'a.js': '1', 'b.js': '3', 'c.js': '' }))).toEqual(['b.js', 'c.js']);
    expect(differences(one, zip({ 'b.js': '2', 'a.js': '1' }))).toEqual(['the zip itself']);
    expect(differences(one, zip({ 'a.js': '1', 'b.js': '2' }, new Date(2020, 0, 2)))).toEqual(['the zip itself']);
  });
});
