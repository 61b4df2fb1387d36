/**
 * Rewrites JSON text token by token, so that white space, order, doubled keys, ways of escaping and sizes stay what they were; what a
 * stand-in is shorter than the token it replaces is made up for with spaces behind it.
 */
import { parseJson } from '../stream/index.ts';
import { byteLength } from './redact-stand-ins.ts';

/** What becomes of a value. The functions take and answer decoded texts; `number` and `literal` JSON text. */
export interface Policy {
  /** True: the value stays as it is, with all that is in it. */
  readonly keep: boolean;
  readonly string: (text: string) => string;
  readonly number: (raw: string) => string;
  readonly literal: (raw: string) => string;
  readonly key: (key: string) => string;
  readonly member: (key: string, value: unknown) => Policy;
  readonly element: (value: unknown) => Policy;
}

interface Level {
  readonly policy: Policy;
  readonly value: unknown;
  readonly isObject: boolean;
  /** Of the member at hand; null while its key is still to come. */
  key: string | null;
  index: number;
}

/** The text with each of its values rewritten (several may follow each other); null if it is not JSON. */
export function rewriteJson(text: string, policyOf: (value: unknown) => Policy): string | null {
  const parts: string[] = [];
  let at = 0;
  for (;;) {
    const from = skipSpace(text, at);
    parts.push(text.slice(at, from));
    if (from >= text.length) return parts.length > 1 ? parts.join('') : null;
    const end = valueEnd(text, from);
    const raw = text.slice(from, end);
    const value = parseJson(raw);
    if (value === undefined) return null;
    parts.push(rewriteValue(raw, value, policyOf(value)));
    at = end;
  }
}

function skipSpace(text: string, from: number): number {
  let at = from;
  while (at < text.length && isSpace(text.charCodeAt(at))) at++;
  return at;
}

function isSpace(unit: number): boolean {
  return unit === 32 || unit === 10 || unit === 13 || unit === 9;
}

/** The position after the string that begins at `from`. */
function stringEnd(text: string, from: number): number {
  for (let end = text.indexOf('"', from + 1); end >= 0; end = text.indexOf('"', end + 1)) {
    let slashes = 0;
    while (text.charCodeAt(end - 1 - slashes) === 92) slashes++;
    if (slashes % 2 === 0) return end + 1;
  }
  return text.length;
}

const WORD = /[^\s,:[\]{}"]+/y;

function wordEnd(text: string, from: number): number {
  WORD.lastIndex = from;
  return WORD.test(text) ? WORD.lastIndex : from + 1;
}

/** The position after the value that begins at `from`, if there is a JSON value at all. */
function valueEnd(text: string, from: number): number {
  const first = text[from];
  if (first === '"') return stringEnd(text, from);
  if (first !== '{' && first !== '[') return wordEnd(text, from);
  let depth = 0;
  for (let at = from; at < text.length; at++) {
    const char = text[at];
    if (char === '"') at = stringEnd(text, at) - 1;
    else if (char === '{' || char === '[') depth++;
    else if ((char === '}' || char === ']') && --depth === 0) return at + 1;
  }
  return text.length;
}

/** `raw` is one valid JSON value. The levels are kept in a list: nesting may be deeper than the stack. */
function rewriteValue(raw: string, value: unknown, root: Policy): string {
  const parts: string[] = [];
  const levels: Level[] = [];
  for (let at = 0; at < raw.length; ) {
    const level = levels[levels.length - 1];
    const char = raw[at]!;
    if (char === ',' || char === '}' || char === ']' || char === ':' || isSpace(raw.charCodeAt(at))) {
      if (char === ',' && level) {
        level.key = null;
        level.index++;
      } else if (char === '}' || char === ']') levels.pop();
      parts.push(char);
      at++;
      continue;
    }
    if (char === '"' && level?.isObject && level.key === null) {
      const end = stringEnd(raw, at);
      const token = raw.slice(at, end);
      level.key = decode(token);
      parts.push(writeString(token, level.key, level.policy.key(level.key)));
      at = end;
      continue;
    }
    const inner = level ? childOf(level) : value;
    const policy = level ? policyFor(level, inner) : root;
    if ((char === '{' || char === '[') && !policy.keep) {
      levels.push({ policy, value: inner, isObject: char === '{', key: null, index: 0 });
      parts.push(char);
      at++;
      continue;
    }
    const end = valueEnd(raw, at);
    parts.push(policy.keep ? raw.slice(at, end) : writeScalar(raw.slice(at, end), policy));
    at = end;
  }
  return parts.join('');
}

/** With a key doubled, the value is that of the last one: it decides which shape the first one is read as. */
function childOf({ value, isObject, key, index }: Level): unknown {
  if (typeof value !== 'object' || value === null) return undefined;
  if (!isObject) return (value as unknown[])[index];
  return Object.hasOwn(value, key!) ? (value as Record<string, unknown>)[key!] : undefined;
}

function policyFor({ policy, isObject, key }: Level, value: unknown): Policy {
  return isObject ? policy.member(key!, value) : policy.element(value);
}

function writeScalar(raw: string, policy: Policy): string {
  const first = raw.charCodeAt(0);
  if (first === 34) {
    const text = decode(raw);
    return writeString(raw, text, policy.string(text));
  }
  const out = first === 116 || first === 102 || first === 110 ? policy.literal(raw) : policy.number(raw);
  return out + ' '.repeat(Math.max(0, raw.length - out.length));
}

function decode(token: string): string {
  return token.includes('\\') ? String(parseJson(token)) : token.slice(1, -1);
}

/** `text` as a JSON string of the bytes of `token`, which holds `before`, written the way that was. */
export function writeString(token: string, before: string, text: string): string {
  if (text === before) return token;
  const plain = !token.includes('\\') && !NEEDS_ESCAPE.test(text);
  const written = plain ? `"${text}"` : text.length === before.length ? `"${escapeLike(token, text)}"` : JSON.stringify(text);
  return written + ' '.repeat(Math.max(0, byteLength(token) - byteLength(written)));
}

/** What JSON text cannot hold as it is. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what this looks for
const NEEDS_ESCAPE = /["\\\u0000-\u001f]/;

/** `text` unit by unit in the spelling of the unit it replaces. */
function escapeLike(token: string, text: string): string {
  let out = '';
  let at = 1;
  for (let i = 0; i < text.length; i++) {
    const unit = text[i]!;
    const escaped = token[at] === '\\';
    const long = escaped && token[at + 1] === 'u';
    at += long ? 6 : escaped ? 2 : 1;
    if (long) out += `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
    else out += NEEDS_ESCAPE.test(unit) ? JSON.stringify(unit).slice(1, -1) : unit;
  }
  return out;
}
