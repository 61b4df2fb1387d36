/** JSON Patch (RFC 6902) on a private document, in place: a patch applies whole or leaves the document as it was. */
import jsonPatch, { type Operation } from 'fast-json-patch';
import { inWords, quote } from './shape/words.ts';

export type PatchResult =
  /** `doc` is the document given, or what took the place of its root. `unknownOps`: operations dropped because RFC 6902 has no such `op`. */
  | { readonly ok: true; readonly doc: unknown; readonly unknownOps: readonly string[] }
  /** No patch at all: nothing was tried. One sentence. */
  | { readonly ok: false; readonly malformed: string }
  /** A patch that does not apply to this document. One sentence. */
  | { readonly ok: false; readonly failed: string };

type Op = 'add' | 'remove' | 'replace' | 'move' | 'copy' | 'test';

interface Step {
  /** Its place in the patch, from 1 as people count. */
  readonly no: number;
  readonly op: Op;
  readonly path: string;
  readonly from: string;
  readonly value: unknown;
}

interface Read {
  readonly steps: readonly Step[];
  readonly unknownOps: readonly string[];
}

type Container = Record<string, unknown> | unknown[];

/** Where a pointer leads: the container and key of its last token, and what is there now. */
interface Spot {
  readonly parent: Container;
  readonly key: string;
  readonly exists: boolean;
  readonly value: unknown;
}

/** Takes back one change. */
type Undo = () => void;

const OPS: ReadonlySet<string> = new Set(['add', 'remove', 'replace', 'move', 'copy', 'test']);
const WITH_VALUE: ReadonlySet<string> = new Set(['add', 'replace', 'test']);
const WITH_FROM: ReadonlySet<string> = new Set(['move', 'copy']);
const POINTER = /^(\/([^/~]|~[01])*)*$/;

function pointerFault(no: number, member: string, pointer: unknown): string | null {
  if (pointer === undefined) return `Operation ${no} has no ${member}: send a JSON Pointer.`;
  if (typeof pointer !== 'string') return `The ${member} of operation ${no} is ${inWords(pointer)} and not a string: send a JSON Pointer.`;
  if (!POINTER.test(pointer))
    return `The ${member} of operation ${no}, ${quote(pointer)}, is no JSON Pointer: it is empty or starts with "/", with "~" written "~0" and "/" written "~1".`;
  return null;
}

function operationFault(no: number, operation: Readonly<Record<string, unknown>>, op: string): string | null {
  const { path, from, value } = operation;
  const fault = pointerFault(no, 'path', path) ?? (WITH_FROM.has(op) ? pointerFault(no, 'from', from) : null);
  if (fault !== null) return fault;
  return WITH_VALUE.has(op) && value === undefined ? `Operation ${no} (${op}) has no value: send one, null if need be.` : null;
}

/** The operations RFC 6902 knows, in order; or the sentence that says why this is no patch. Members beyond its own are ignored, as it asks. */
function readPatch(operations: unknown): Read | string {
  if (!Array.isArray(operations)) return `The patch is ${operations === undefined ? 'missing' : inWords(operations)} and not an array of operations.`;
  const steps: Step[] = [];
  const unknownOps: string[] = [];
  for (const [index, operation] of operations.entries()) {
    const no = index + 1;
    if (typeof operation !== 'object' || operation === null || Array.isArray(operation)) return `Operation ${no} is ${inWords(operation)} and not an object.`;
    const { op } = operation;
    if (typeof op !== 'string') return `Operation ${no} ${op === undefined ? 'has no op' : `has the op ${inWords(op)}, which is not a string`}.`;
    if (!OPS.has(op)) {
      unknownOps.push(op);
      continue;
    }
    const fault = operationFault(no, operation, op);
    if (fault !== null) return fault;
    steps.push({ no, op: op as Op, path: operation.path, from: operation.from, value: operation.value });
  }
  return { steps, unknownOps };
}

function unescapeToken(token: string): string {
  return token.includes('~') ? token.replaceAll('~1', '/').replaceAll('~0', '~') : token;
}

/** The index a token names, -1 when it names none. "-" is the place after the last entry. */
function indexOf(list: readonly unknown[], token: string): number {
  if (token === '-') return list.length;
  return /^(0|[1-9]\d*)$/.test(token) ? Number(token) : -1;
}

function at(pointer: string): string {
  return pointer === '' ? 'the root' : pointer;
}

/**
 * Follows a pointer that is not empty, by own properties only: `constructor` and `__proto__` lead nowhere unless the document has
 * them, and the library refuses `__proto__` in any case. A sentence's middle when it cannot be followed.
 */
function locate(doc: unknown, pointer: string): Spot | string {
  const tokens = pointer.split('/');
  let here = doc;
  for (let depth = 1; ; depth += 1) {
    const token = tokens[depth]!;
    const key = unescapeToken(token);
    if (typeof here !== 'object' || here === null) return `${at(tokens.slice(0, depth).join('/'))} is ${inWords(here)}, which holds nothing`;
    const index = Array.isArray(here) ? indexOf(here, key) : 0;
    if (index === -1) return `${quote(key)} is no index, but ${at(tokens.slice(0, depth).join('/'))} is an array`;
    const exists = Array.isArray(here) ? index < here.length : Object.hasOwn(here, key);
    const value = exists ? (here as Record<string, unknown>)[Array.isArray(here) ? String(index) : key] : undefined;
    if (depth === tokens.length - 1) return { parent: here as Container, key, exists, value };
    if (!exists) return `there is nothing at ${tokens.slice(0, depth + 1).join('/')}`;
    here = value;
  }
}

/** How to take back the next change at a spot: `add` inserts into an array and overwrites in an object; the others change what is there. */
function undoAt({ parent, key, exists, value }: Spot, change: 'add' | 'remove' | 'replace'): Undo {
  if (!Array.isArray(parent)) {
    return () => {
      if (exists) parent[key] = value;
      else delete parent[key];
    };
  }
  const index = Math.min(indexOf(parent, key), parent.length);
  if (change === 'add') return () => void parent.splice(index, 1);
  if (change === 'remove') return () => void parent.splice(index, 0, value);
  return () => {
    parent[index] = value;
  };
}

interface Job {
  doc: unknown;
  readonly undo: Undo[];
}

function setRoot(job: Job, doc: unknown): void {
  const before = job.doc;
  job.undo.push(() => {
    job.doc = before;
  });
  job.doc = doc;
}

/** One change through the library. `checked` lets it object to what it would do; the halves of a move or copy are done as it does them, unchecked. */
function change(job: Job, spot: Spot, operation: Operation, checked: boolean): void {
  const undo = undoAt(spot, operation.op as 'add' | 'remove' | 'replace');
  jsonPatch.applyOperation(job.doc, operation, checked);
  job.undo.push(undo);
}

function compare(job: Job, { path, value }: Step, met: unknown): string | null {
  try {
    jsonPatch.applyOperation(job.doc, { op: 'test', path, value }, true);
    return null;
  } catch {
    const [found, wanted] = [inWords(met), inWords(value)];
    return `${at(path)} is ${found}${found === wanted ? ', another one than expected' : ` and not ${wanted}`}`;
  }
}

/** Moves or copies; the second half sees the document as the first half left it. */
function transfer(job: Job, { op, path, from }: Step): string | null {
  if (op === 'move' && path.startsWith(`${from}/`)) return `a value cannot move into itself`;
  const source = from === '' ? null : locate(job.doc, from);
  if (typeof source === 'string') return source;
  if (source && !source.exists) return `there is nothing at ${from}`;
  const value = source ? source.value : job.doc;
  if (path === '') {
    setRoot(job, value);
    return null;
  }
  const before = locate(job.doc, path);
  if (typeof before === 'string') return before;
  if (op === 'move') change(job, source!, { op: 'remove', path: from }, false);
  const target = op === 'move' ? locate(job.doc, path) : before;
  if (typeof target === 'string') return target;
  change(job, target, { op: 'add', path, value: op === 'move' ? value : jsonPatch.deepClone(value) }, false);
  return null;
}

/** Applies one operation to `job.doc`; why it does not apply, or null. May throw what the library throws. */
function applyStep(job: Job, step: Step): string | null {
  const { op, path } = step;
  if (op === 'move' || op === 'copy') return transfer(job, step);
  if (path === '') {
    if (op === 'test') return compare(job, step, job.doc);
    setRoot(job, op === 'remove' ? null : jsonPatch.deepClone(step.value));
    return null;
  }
  const spot = locate(job.doc, path);
  if (typeof spot === 'string') return spot;
  if (op === 'add') {
    const { parent, key } = spot;
    if (Array.isArray(parent) && indexOf(parent, key) > parent.length) return `index ${key} is past the end of an array of ${parent.length}`;
    change(job, spot, { op, path, value: jsonPatch.deepClone(step.value) }, true);
    return null;
  }
  if (!spot.exists) return `there is nothing at ${path}`;
  if (op === 'test') return compare(job, step, spot.value);
  change(job, spot, op === 'remove' ? { op, path } : { op: 'replace', path, value: jsonPatch.deepClone(step.value) }, true);
  return null;
}

function tryStep(job: Job, step: Step): string | null {
  try {
    return applyStep(job, step);
  } catch (error) {
    const text = error instanceof Error ? error.message : String(error);
    return `fast-json-patch refuses it (${text.split('\n', 1)[0]!.slice(0, 120)})`;
  }
}

function nameOf({ no, op, path, from }: Step): string {
  return `Operation ${no} (${op} ${op === 'move' || op === 'copy' ? `${quote(from)} to ` : ''}${quote(path)})`;
}

/**
 * Applies a patch to `doc` in place and gives back the document (another one when the root was replaced). When an operation does not
 * apply, what was done before it is undone and `doc` equals what it was. Values of the patch are copied in, so the event stays as sent.
 * Operations of an unknown `op` are left out and named. An absent patch is malformed here too: callers that have reported
 * `schema-missing-field` skip it. Never throws.
 */
export function applyPatch(doc: unknown, operations: unknown): PatchResult {
  const read = readPatch(operations);
  if (typeof read === 'string') return { ok: false, malformed: read };
  const job: Job = { doc, undo: [] };
  for (const step of read.steps) {
    const why = tryStep(job, step);
    if (why === null) continue;
    for (const undo of job.undo.reverse()) undo();
    return { ok: false, failed: `${nameOf(step)} does not apply: ${why}.` };
  }
  return { ok: true, doc: job.doc, unknownOps: read.unknownOps };
}
