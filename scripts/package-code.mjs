/** What may not stand in a script of a package: code from strings, requests, remote addresses, imports that lead out of it, source maps. */
import { posix } from 'node:path';
import { parseSync } from 'vite';

/** Ways to a server. An extension page needs none of them, so none may be named. */
const WAYS_OUT = new Set([
  'fetch',
  'XMLHttpRequest',
  'WebSocket',
  'EventSource',
  'WebTransport',
  'RTCPeerConnection',
  'importScripts',
  'Worker',
  'SharedWorker',
]);
const GLOBALS = new Set(['globalThis', 'window', 'self', 'navigator', 'chrome', 'browser']);
/** Names that look like addresses; nothing is loaded from them. */
const NAMES = [
  'http://www.w3.org/',
  'http://json-schema.org/',
  'https://json-schema.org/',
  // pages about rules, opened as a tab of their own when their link is clicked
  'https://docs.ag-ui.com/',
];
/** `Function.prototype.toString` and its like read; anything else of `Function` may make code. */
const HARMLESS = new Set(['prototype', 'call', 'apply', 'bind']);

/** Calls `visit` with every node, its parent and the key it has there. */
function walk(node, visit, parent = null, key = '') {
  if (Array.isArray(node)) {
    for (const one of node) walk(one, visit, parent, key);
    return;
  }
  if (typeof node !== 'object' || node === null) return;
  if (typeof node.type === 'string') visit(node, parent, key);
  for (const [name, child] of Object.entries(node)) {
    if (typeof child === 'object' && child !== null) walk(child, visit, typeof node.type === 'string' ? node : parent, name);
  }
}

/** Whether an identifier stands for a value, and is no key or member of something. */
function isReference(parent, key) {
  if (!parent) return false;
  if (parent.type === 'MemberExpression') return key === 'object' || parent.computed;
  if (parent.type === 'Property') return key === 'value' || parent.computed;
  return ![
    'MethodDefinition',
    'PropertyDefinition',
    'LabeledStatement',
    'BreakStatement',
    'ContinueStatement',
    'MetaProperty',
    'ImportSpecifier',
    'ExportSpecifier',
  ].includes(parent.type);
}

const nameOf = (member) => (member.computed ? member.property.value : member.property.name);

function codeFromText(node, parent, key) {
  if (node.type === 'Identifier' && node.name === 'eval' && isReference(parent, key)) return 'eval';
  if (node.type === 'Identifier' && node.name === 'Function' && isReference(parent, key)) {
    return parent.type === 'MemberExpression' && key === 'object' && HARMLESS.has(nameOf(parent)) ? null : 'Function, which makes code of strings';
  }
  if (node.type === 'MemberExpression' && node.object.type === 'Identifier' && GLOBALS.has(node.object.name) && ['eval', 'Function'].includes(nameOf(node))) {
    return `${node.object.name}.${nameOf(node)}`;
  }
  if (node.type !== 'CallExpression') return null;
  const { callee, arguments: given } = node;
  const called = callee.type === 'Identifier' ? callee.name : callee.type === 'MemberExpression' ? nameOf(callee) : '';
  const isText = given[0]?.type === 'TemplateLiteral' || (given[0]?.type === 'Literal' && typeof given[0].value === 'string');
  if ((called === 'setTimeout' || called === 'setInterval') && isText) return `${called} with code as text`;
  return called === 'constructor' && isText ? 'a constructor called with code as text' : null;
}

function wayOut(node, parent, key) {
  if (node.type === 'Identifier' && WAYS_OUT.has(node.name) && isReference(parent, key)) return node.name;
  if (node.type !== 'MemberExpression') return null;
  if (nameOf(node) === 'sendBeacon') return 'sendBeacon';
  return node.object.type === 'Identifier' && GLOBALS.has(node.object.name) && WAYS_OUT.has(nameOf(node)) ? nameOf(node) : null;
}

function remoteText(node) {
  const text = node.type === 'Literal' ? node.value : node.type === 'TemplateElement' ? node.value.cooked : null;
  if (typeof text !== 'string' || !/^(?:https?|wss?|ftp):\/\/\w/.test(text)) return null;
  return NAMES.some((name) => text.startsWith(name)) ? null : text;
}

/** The text of a literal, in quotes or, as the minifier writes it, in backticks. */
function literalText(node) {
  return node?.type === 'TemplateLiteral' && node.expressions.length === 0 ? node.quasis[0].value.cooked : node?.value;
}

function importProblem(node, path, files, contentScript) {
  const isStatic = ['ImportDeclaration', 'ExportNamedDeclaration', 'ExportAllDeclaration'].includes(node.type);
  if (!isStatic && node.type !== 'ImportExpression') return null;
  if (contentScript) return 'is a content script and must bring everything with it, but imports or exports';
  if (isStatic && !node.source) return null;
  const target = literalText(node.source);
  if (typeof target !== 'string') return 'imports what is only known at run time';
  if (!/^\.{0,2}\//.test(target)) return `imports “${target}”, which is no path`;
  const file = target.startsWith('/') ? target.slice(1) : posix.join(posix.dirname(path), target);
  return files.has(file) ? null : `imports “${target}”, which is not in the package`;
}

/** The hook may name one source of no text, on the ignore list, so that DevTools names the page's own lines; nothing else has a map. */
function mapProblems(text, isHook) {
  return [...text.matchAll(/[#@]\s*sourceMappingURL=(\S*)/g)].flatMap(([, url]) => {
    if (!isHook) return ['names a source map'];
    try {
      const map = JSON.parse(decodeURIComponent(/^data:application\/json,(.*)$/.exec(url)[1]));
      const isBare = map.sources.length === 1 && map.ignoreList.length === 1 && map.ignoreList[0] === 0 && !('sourcesContent' in map);
      return isBare ? [] : ['has a source map that is more than the one entry of the ignore list'];
    } catch {
      return ['has a source map that is not inline'];
    }
  });
}

/**
 * What is wrong with one script, a sentence each. `files` has every path of the package; a `contentScript` runs in pages; the `isHook`
 * one wraps what a page fetches with, so it names the ways out.
 */
export function scriptProblems(path, text, { files, contentScript, isHook }) {
  const { program, errors } = parseSync(path, text, { sourceType: contentScript ? 'script' : 'module' });
  if (errors.length > 0) return [`${path}: cannot be parsed (${errors[0].message})`];
  const found = new Set(mapProblems(text, isHook));
  walk(program, (node, parent, key) => {
    const code = codeFromText(node, parent, key);
    if (code) found.add(`uses ${code}`);
    const way = isHook ? null : wayOut(node, parent, key);
    if (way) found.add(`uses ${way}, a way to a server`);
    const remote = remoteText(node);
    if (remote) found.add(`names the remote address ${remote.slice(0, 80)}`);
    const wrong = importProblem(node, path, files, contentScript);
    if (wrong) found.add(wrong);
  });
  return [...found].map((what) => `${path}: ${what}`);
}
