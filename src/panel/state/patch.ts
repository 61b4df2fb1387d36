/** JSON Patch on a document: whole or not at all, what each operation changed, and where a path left the document. */
import jsonpatch from 'fast-json-patch';
import { short } from '../words/summary.ts';

const { applyOperation, deepClone, getValueByPointer } = jsonpatch;

export interface Op {
  readonly op: string;
  readonly path: string;
  readonly from?: string;
  readonly value?: unknown;
}

/** One place on the way of a path: its name, what stands there in words, and whether the way went on. */
export interface Stop {
  readonly key: string;
  readonly what: string;
  readonly state: 'met' | 'bad' | 'beyond';
}

export interface Failure {
  /** Index of the operation that failed; -1 where none was tried. */
  readonly at: number;
  readonly why: string;
  /** The way of its path through the document it met; empty where there was none to go. */
  readonly walk: readonly Stop[];
}

const OPS: ReadonlySet<string> = new Set(['add', 'remove', 'replace', 'move', 'copy', 'test']);

/** An operation as RFC 6902 has it, as far as its words go. */
export const isOp = (value: unknown): value is Op =>
  typeof value === 'object' && value !== null && typeof (value as Op).op === 'string' && typeof (value as Op).path === 'string';

/** An operation of a name that RFC 6902 does not have: a client drops it and goes on. */
export const isUnknown = (value: unknown): value is { readonly op: string } =>
  typeof value === 'object' && value !== null && typeof (value as Op).op === 'string' && !OPS.has((value as Op).op);

const apply = (document: unknown, op: Op): unknown => applyOperation(document, deepClone(op), true, true, true).newDocument;

/** Applies a patch whole or not at all. */
export function applyWhole(document: unknown, ops: readonly Op[]): { readonly document: unknown; readonly failed: Failure | null } {
  let next: unknown = deepClone(document ?? null);
  for (let at = 0; at < ops.length; at++) {
    try {
      next = apply(next, ops[at]!);
    } catch (error) {
      return { document, failed: { at, ...failureOf(next, ops[at]!, error) } };
    }
  }
  return { document: next, failed: null };
}

const partsOf = (path: string): string[] =>
  path
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));

function kindOf(value: unknown): string {
  if (Array.isArray(value)) return `array, ${value.length === 1 ? '1 item' : `${value.length} items`}`;
  if (typeof value === 'object' && value !== null) return `object, ${Object.keys(value).length === 1 ? '1 member' : `${Object.keys(value).length} members`}`;
  return short(value);
}

/** Why a key cannot be followed into a value, or null where it can. `last`: the operation may make it. */
function wrong(here: unknown, key: string, mayMake: boolean): string | null {
  if (typeof here !== 'object' || here === null) return 'no object or array';
  if (Array.isArray(here)) {
    if (mayMake && (key === '-' || key === `${here.length}`)) return null;
    if (!/^(0|[1-9]\d*)$/.test(key)) return 'no index of an array';
    return Object.hasOwn(here, key) ? null : here.length === 0 ? 'missing, the array is empty' : `missing, last is ${here.length - 1}`;
  }
  return mayMake || Object.hasOwn(here, key) ? null : 'missing';
}

/** Follows the path of an operation through the document, as far as it goes. */
function walkOf(document: unknown, path: string, makes: boolean): { readonly walk: Stop[]; readonly why: string | null; readonly met: unknown } {
  const walk: Stop[] = [{ key: 'state', what: kindOf(document), state: 'met' }];
  const parts = partsOf(path);
  let here: unknown = document;
  for (const [i, key] of parts.entries()) {
    const fault = wrong(here, key, makes && i === parts.length - 1);
    if (fault === null) {
      here = (here as Record<string, unknown>)[key];
      walk.push({ key, what: here === undefined ? 'new' : kindOf(here), state: 'met' });
      continue;
    }
    const place = `/${parts.slice(0, i).join('/')}`;
    const where = i === 0 ? 'the state' : place;
    const blocked = fault === 'no object or array';
    if (blocked) walk.splice(-1, 1, { key: walk[walk.length - 1]!.key, what: `${kindOf(here)}: ${fault}`, state: 'bad' });
    for (const [n, rest] of parts.slice(i).entries())
      walk.push({ key: rest, what: n === 0 && !blocked ? fault : 'not reached', state: n === 0 && !blocked ? 'bad' : 'beyond' });
    return { walk, why: blocked ? `${where} is ${kindOf(here)}, ${fault}.` : missing(here, where, key, fault), met: here };
  }
  return { walk, why: null, met: here };
}

function missing(here: unknown, where: string, key: string, fault: string): string {
  if (!Array.isArray(here)) return `${where} has no member “${key}”.`;
  if (fault === 'no index of an array') return `${where} is an array, “${key}” is no index of it.`;
  return `${where} has no item “${key}”, ${here.length === 0 ? 'it is empty' : `its last is ${here.length - 1}`}.`;
}

function failureOf(document: unknown, op: Op, error: unknown): Omit<Failure, 'at'> {
  if (op.from !== undefined) {
    const source = walkOf(document, op.from, false);
    if (source.why !== null) return { why: source.why, walk: source.walk };
  }
  const { walk, why, met } = walkOf(document, op.path, op.op === 'add' || op.op === 'copy' || op.op === 'move');
  if (why !== null) return { why, walk };
  if (op.op === 'test') {
    const last = walk.pop()!;
    walk.push({ ...last, what: `${kindOf(met)}, not ${kindOf(op.value)}`, state: 'bad' });
    return { why: `${op.path || 'the state'} is ${valueText(met)}, the test asks for ${valueText(op.value)}.`, walk };
  }
  return { why: error instanceof Error ? (error.message.split('\n')[0] ?? '') : 'it is no valid operation.', walk };
}

function valueText(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing';
  return text.length > 80 ? `${text.slice(0, 80)}…` : text;
}

export type Change = { readonly sign: '+' | '~'; readonly was?: unknown };

export interface Changes {
  /** By path: what was added, and what was replaced with what stood there before. */
  readonly changes: Map<string, Change>;
  readonly removed: readonly { readonly path: string; readonly was: unknown }[];
}

/** What a patch that applied did to a document. */
export function changesOf(before: unknown, ops: readonly Op[]): Changes {
  const changes = new Map<string, Change>();
  const removed: { path: string; was: unknown }[] = [];
  let document: unknown = deepClone(before ?? null);
  for (const op of ops) {
    const path = op.path.endsWith('/-') ? `${op.path.slice(0, -1)}${lengthAt(document, op.path.slice(0, -2))}` : op.path;
    const was = valueAt(document, path);
    const inArray = Array.isArray(valueAt(document, path.slice(0, Math.max(0, path.lastIndexOf('/')))));
    if (op.op === 'remove') removed.push({ path, was });
    else if (op.op === 'replace' || (op.op !== 'test' && was !== undefined && !inArray)) changes.set(path, { sign: '~', was });
    else if (op.op !== 'test') changes.set(path, { sign: '+' });
    if (op.op === 'move' && op.from !== undefined) removed.push({ path: op.from, was: valueAt(document, op.from) });
    try {
      document = apply(document, op);
    } catch {
      return { changes, removed };
    }
  }
  return { changes, removed };
}

function valueAt(document: unknown, path: string): unknown {
  try {
    const value: unknown = getValueByPointer(document, path);
    // the library's clone makes null of undefined
    return value === undefined ? undefined : deepClone(value);
  } catch {
    return undefined;
  }
}

function lengthAt(document: unknown, path: string): number {
  const list = path === '' ? document : valueAt(document, path);
  return Array.isArray(list) ? list.length : 0;
}
