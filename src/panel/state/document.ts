/** The state document of a stream over time: what each snapshot and delta made of it, and why a delta did not apply. */
import jsonpatch from 'fast-json-patch';
import { EVENT_TYPES } from '../../protocol/events.ts';
import type { PanelSession } from './session.ts';

const { applyOperation, deepClone, getValueByPointer } = jsonpatch;

export interface Op {
  readonly op: string;
  readonly path: string;
  readonly from?: string;
  readonly value?: unknown;
}

export interface Step {
  /** Row of the event; -1 for the state that the request brought. */
  readonly row: number;
  readonly kind: 'request' | 'snapshot' | 'delta';
  readonly ops: readonly Op[];
  readonly snapshot: unknown;
  /** Index of the operation that failed, and why; null when all applied. */
  readonly failed: { readonly at: number; readonly why: string } | null;
}

const SNAPSHOT = EVENT_TYPES.indexOf('STATE_SNAPSHOT');
const DELTA = EVENT_TYPES.indexOf('STATE_DELTA');
const CHECKPOINT = 100;

const isOp = (value: unknown): value is Op =>
  typeof value === 'object' && value !== null && typeof (value as Op).op === 'string' && typeof (value as Op).path === 'string';
const apply = (document: unknown, op: Op): unknown => applyOperation(document, deepClone(op), true, true, true).newDocument;

/** Applies a patch whole or not at all. */
export function applyWhole(document: unknown, ops: readonly Op[]): { readonly document: unknown; readonly failed: Step['failed'] } {
  let next: unknown = deepClone(document ?? null);
  for (let at = 0; at < ops.length; at++) {
    try {
      next = apply(next, ops[at]!);
    } catch (error) {
      return { document, failed: { at, why: reason(next, ops[at]!, error) } };
    }
  }
  return { document: next, failed: null };
}

/** Where the path leaves the document, in words. */
function reason(document: unknown, op: Op, error: unknown): string {
  const path = op.op === 'move' || op.op === 'copy' ? (op.from ?? op.path) : op.path;
  const parts = path.split('/').slice(1);
  let at: unknown = document;
  let walked = '';
  for (const part of parts) {
    const key = part.replaceAll('~1', '/').replaceAll('~0', '~');
    if (typeof at !== 'object' || at === null) return `${walked || 'the state'} is no object or array.`;
    if (Array.isArray(at) && key !== '-' && !/^(0|[1-9]\d*)$/.test(key)) return `${walked || 'the state'} is an array, “${key}” is no index of it.`;
    if (!Object.hasOwn(at, key)) {
      const last = Array.isArray(at) ? (at.length === 0 ? ', it is empty' : `, its last is ${at.length - 1}`) : '';
      return `${walked || 'the state'} has no ${Array.isArray(at) ? 'item' : 'member'} “${key}”${last}.`;
    }
    at = (at as Record<string, unknown>)[key];
    walked += `/${part}`;
  }
  if (op.op === 'test') return `the value at ${op.path} is another.`;
  return error instanceof Error ? (error.message.split('\n')[0] ?? '') : 'it is no valid operation.';
}

export interface History {
  readonly steps: readonly Step[];
  /** The document as each hundredth step left it. */
  readonly checkpoints: ReadonlyMap<number, unknown>;
}

const breath = () => new Promise<void>((resolve) => setTimeout(resolve));

/** State the request brought, if its body tells one. */
export function requestState(text: string | undefined): unknown {
  if (text === undefined) return undefined;
  try {
    const input = JSON.parse(text) as { state?: unknown } | null;
    return input && typeof input === 'object' ? (input.state ?? undefined) : undefined;
  } catch {
    return undefined;
  }
}

/** Reads and applies every state event of a stream, in slices. */
export async function stateHistory(session: PanelSession, conn: number): Promise<History> {
  const { columns } = session.store;
  const rows: number[] = [];
  for (let row = 0; row < columns.count; row++)
    if (columns.conn[row] === conn && (columns.type[row] === SNAPSHOT || columns.type[row] === DELTA)) rows.push(row);
  const first = requestState((await session.requestBody(conn).catch(() => null))?.text);
  const steps: Step[] = first === undefined ? [] : [{ row: -1, kind: 'request', ops: [], snapshot: first, failed: null }];
  const checkpoints = new Map<number, unknown>();
  let document: unknown = first;
  for (let from = 0; from < rows.length; from += CHECKPOINT) {
    const part = rows.slice(from, from + CHECKPOINT);
    const bodies = await session.bodies.loadAll(part);
    bodies.forEach((body, i) => {
      const event = body.value as { snapshot?: unknown; delta?: unknown } | undefined;
      const row = part[i]!;
      if (columns.type[row] === SNAPSHOT) {
        document = event?.snapshot;
        steps.push({ row, kind: 'snapshot', ops: [], snapshot: document, failed: null });
        return;
      }
      const ops = Array.isArray(event?.delta) ? event.delta.filter(isOp) : [];
      const applied = applyWhole(document, ops);
      document = applied.document;
      steps.push({
        row,
        kind: 'delta',
        ops,
        snapshot: undefined,
        failed: Array.isArray(event?.delta) ? applied.failed : { at: 0, why: 'the delta is no list of operations.' },
      });
    });
    checkpoints.set(steps.length - 1, document);
    await breath();
  }
  return { steps, checkpoints };
}

/** The document as a step left it. */
export function documentAt({ steps, checkpoints }: History, index: number): unknown {
  let from = index;
  while (from > 0 && !checkpoints.has(from) && steps[from]!.kind === 'delta') from--;
  let document = checkpoints.has(from) ? checkpoints.get(from) : steps[from]?.snapshot;
  for (let at = from + 1; at <= index; at++) {
    const step = steps[at]!;
    if (step.kind !== 'delta') document = step.snapshot;
    else if (!step.failed) document = applyWhole(document, step.ops).document;
  }
  return document;
}

export type Change = { readonly sign: '+' | '~'; readonly was?: unknown };

/** Paths a delta added or replaced, with what was there before; and the paths it removed. */
export function changesOf(before: unknown, step: Step): { readonly changes: Map<string, Change>; readonly removed: string[] } {
  const changes = new Map<string, Change>();
  const removed: string[] = [];
  if (step.failed) return { changes, removed };
  let document: unknown = deepClone(before ?? null);
  for (const op of step.ops) {
    const path = op.path.endsWith('/-') ? `${op.path.slice(0, -1)}${lengthAt(document, op.path.slice(0, -2))}` : op.path;
    const was = valueAt(document, path);
    if (op.op === 'remove') removed.push(path);
    else if (op.op === 'replace' || (op.op === 'add' && was !== undefined && !Array.isArray(valueAt(document, path.slice(0, path.lastIndexOf('/'))))))
      changes.set(path, { sign: '~', was });
    else if (op.op !== 'test') changes.set(path, { sign: '+' });
    if (op.op === 'move' && op.from !== undefined) removed.push(op.from);
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
    return deepClone(getValueByPointer(document, path));
  } catch {
    return undefined;
  }
}

function lengthAt(document: unknown, path: string): number {
  const list = path === '' ? document : valueAt(document, path);
  return Array.isArray(list) ? list.length : 0;
}
