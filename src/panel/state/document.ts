/** The state document of a stream over time: what each snapshot and delta made of it, and why a delta did not apply. */
import { EVENT_TYPES } from '../../protocol/events.ts';
import { applyWhole, type Failure, isOp, isUnknown, type Op } from './patch.ts';
import type { PanelSession } from './session.ts';

export interface Step {
  /** Row of the event; -1 for the state that the request brought. */
  readonly row: number;
  readonly kind: 'request' | 'snapshot' | 'delta';
  /** Operations that RFC 6902 knows; the others were dropped. */
  readonly ops: readonly Op[];
  /** Places of `ops` in the delta, from 1, as findings count them. */
  readonly places: readonly number[];
  readonly dropped: readonly string[];
  readonly snapshot: unknown;
  /** The operation that failed, and why; null when all applied. */
  readonly failed: Failure | null;
}

const SNAPSHOT = EVENT_TYPES.indexOf('STATE_SNAPSHOT');
const DELTA = EVENT_TYPES.indexOf('STATE_DELTA');
const CHECKPOINT = 100;

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

function deltaStep(document: unknown, row: number, delta: unknown): { readonly document: unknown; readonly step: Step } {
  const step = { row, kind: 'delta' as const, ops: [], places: [], dropped: [], snapshot: undefined };
  if (!Array.isArray(delta)) return { document, step: { ...step, failed: { at: 0, why: 'The delta is no list of operations.', walk: [] } } };
  const known = delta.map((op: unknown, i) => ({ op, place: i + 1 })).filter(({ op }) => !isUnknown(op));
  const dropped = delta.filter(isUnknown).map(({ op }) => op);
  const bad = known.find(({ op }) => !isOp(op));
  const ops = known.map(({ op }) => op).filter(isOp);
  const places = known.filter(({ op }) => isOp(op)).map(({ place }) => place);
  // a patch with a malformed operation is refused before any is tried
  if (bad) return { document, step: { ...step, ops, places, dropped, failed: { at: -1, why: `Operation ${bad.place} is malformed.`, walk: [] } } };
  const applied = applyWhole(document, ops);
  return { document: applied.document, step: { ...step, ops, places, dropped, failed: applied.failed } };
}

/** Reads and applies every state event of a stream, in slices. */
export async function stateHistory(session: PanelSession, conn: number): Promise<History> {
  const { columns } = session.store;
  const rows: number[] = [];
  for (let row = 0; row < columns.count; row++)
    if (columns.conn[row] === conn && (columns.type[row] === SNAPSHOT || columns.type[row] === DELTA)) rows.push(row);
  const first = requestState((await session.requestBody(conn).catch(() => null))?.text);
  const steps: Step[] = first === undefined ? [] : [{ row: -1, kind: 'request', ops: [], places: [], dropped: [], snapshot: first, failed: null }];
  const checkpoints = new Map<number, unknown>();
  // a client begins with an empty object where the request brought nothing
  let document: unknown = first ?? {};
  for (let from = 0; from < rows.length; from += CHECKPOINT) {
    const part = rows.slice(from, from + CHECKPOINT);
    const bodies = await session.bodies.loadAll(part);
    bodies.forEach((body, i) => {
      const event = body.value as { snapshot?: unknown; delta?: unknown } | undefined;
      const row = part[i]!;
      if (columns.type[row] === SNAPSHOT) {
        document = event?.snapshot;
        steps.push({ row, kind: 'snapshot', ops: [], places: [], dropped: [], snapshot: document, failed: null });
        return;
      }
      const step = deltaStep(document, row, event?.delta);
      document = step.document;
      steps.push(step.step);
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
  // before the first step stands the empty object
  const base = steps[from]?.kind === 'delta' && !checkpoints.has(from) ? from - 1 : from;
  let document = checkpoints.has(from) ? checkpoints.get(from) : base < from ? {} : steps[from]?.snapshot;
  for (let at = base + 1; at <= index; at++) {
    const step = steps[at]!;
    if (step.kind !== 'delta') document = step.snapshot;
    else if (!step.failed) document = applyWhole(document, step.ops).document;
  }
  return document;
}
