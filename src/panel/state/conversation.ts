/** The conversation of a thread as the app's user had it at an instant, from spans, requests and run endings. */
import type { RunView, SpanView } from '../../runs/types.ts';
import type { Message } from './message.ts';
import { spansOfRun, ticksOfRun } from './of-run.ts';
import { applyWhole, isOp } from './patch.ts';
import type { Store } from './store.ts';

export interface Asked {
  readonly id: string;
  readonly role: string;
  readonly content: unknown;
}

/** What became of a turn by a later snapshot: restated with this content, or dropped. */
export interface Fate {
  readonly row: number;
  readonly kind: 'restated' | 'dropped';
  readonly content?: unknown;
}

export type Turn =
  | { readonly kind: 'asked'; readonly asked: Asked; readonly fate?: Fate }
  | { readonly kind: 'span'; readonly span: SpanView; readonly calls: readonly SpanView[]; readonly after: boolean; readonly fate?: Fate }
  /** The whole conversation sent anew; the numbers are there when it was read. */
  | { readonly kind: 'snapshot'; readonly row: number; readonly after: boolean; readonly total?: number; readonly fresh?: number; readonly dropped?: number }
  /** A message that a snapshot brought. */
  | { readonly kind: 'message'; readonly message: Message; readonly row: number; readonly after: boolean; readonly fate?: Fate }
  | {
      readonly kind: 'activity';
      readonly id: string;
      readonly activityType: string;
      readonly content: unknown;
      /** Its first event, and the last that changed it. */
      readonly row: number;
      readonly last: number;
      readonly after: boolean;
      readonly fate?: Fate;
    }
  | { readonly kind: 'stop'; readonly row: number }
  | { readonly kind: 'waits'; readonly reason: string; readonly id: string; readonly row: number }
  | { readonly kind: 'result'; readonly value: unknown; readonly row: number }
  | { readonly kind: 'error'; readonly row: number; readonly message: string; readonly code: string | null };

export interface RunTurns {
  readonly run: RunView;
  readonly turns: readonly Turn[];
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value);

/** Messages of a request body that were not there before: what the user, or the app for them, added. `known` grows. */
export function newMessages(body: string | undefined, known: Set<string>): Asked[] {
  if (body === undefined) return [];
  let input: unknown;
  try {
    input = JSON.parse(body);
  } catch {
    return [];
  }
  const list = isObject(input) ? input['messages'] : undefined;
  if (!Array.isArray(list)) return [];
  const asked: Asked[] = [];
  for (const message of list) {
    if (!isObject(message)) continue;
    const id = typeof message['id'] === 'string' ? message['id'] : JSON.stringify(message);
    if (known.has(id)) continue;
    known.add(id);
    const role = typeof message['role'] === 'string' ? message['role'] : 'user';
    if (role === 'assistant' || role === 'reasoning') continue;
    asked.push({ id, role, content: message['content'] });
  }
  return asked;
}

/** Calls stand under the message that made them; those without one stand alone. */
function spanTurns(spans: readonly SpanView[], run: RunView): Turn[] {
  const texts = new Map(spans.filter((span) => span.kind === 'text').map((span) => [span.itemId, span]));
  const calls = new Map<SpanView, SpanView[]>();
  const alone: SpanView[] = [];
  for (const span of spans) {
    const parent = span.kind === 'tool' && span.parent !== null ? texts.get(span.parent) : undefined;
    if (!parent) alone.push(span);
    else calls.set(parent, [...(calls.get(parent) ?? []), span]);
  }
  const after = (row: number) => run.rejectedRow !== null && row > run.rejectedRow;
  return alone.map((span) => ({ kind: 'span', span, calls: calls.get(span) ?? [], after: after(span.firstRow) }));
}

export interface Shown {
  readonly reasoning: boolean;
  readonly tools: boolean;
}

/** Rows of a run whose events must be read for its turns: snapshots, activities, and the end where it has a result. */
export function rowsToRead(store: Store, run: RunView): number[] {
  const rows = ticksOfRun(store, run.id)
    .filter(({ kind }) => kind === 'messages' || kind === 'activity')
    .map(({ row }) => row);
  return run.hasResult && run.endedRow !== null ? [...rows, run.endedRow] : rows;
}

/** Activities of a run as their snapshots and deltas made them, up to an instant. */
function activities(store: Store, run: RunView, until: number, read: (row: number) => unknown): Extract<Turn, { kind: 'activity' }>[] {
  const found = new Map<string, Extract<Turn, { kind: 'activity' }>>();
  for (const tick of ticksOfRun(store, run.id)) {
    if (tick.kind !== 'activity' || tick.time > until) continue;
    const event = read(tick.row);
    if (!isObject(event) || typeof event['messageId'] !== 'string') continue;
    const id = event['messageId'];
    const before = found.get(id);
    const activityType = typeof event['activityType'] === 'string' ? event['activityType'] : (before?.activityType ?? '');
    if (event['type'] === 'ACTIVITY_SNAPSHOT') {
      if (before && event['replace'] === false) continue;
      const after = run.rejectedRow !== null && tick.row > run.rejectedRow;
      found.set(id, { kind: 'activity', id, activityType, content: event['content'], row: before?.row ?? tick.row, last: tick.row, after });
    } else if (before && Array.isArray(event['patch'])) {
      const { document } = applyWhole(before.content, event['patch'].filter(isOp));
      found.set(id, { ...before, activityType, content: document, last: tick.row });
    }
  }
  return [...found.values()];
}

/** Turns of one run up to an instant, in the order of arrival. `read` gives the value of a row of `rowsToRead`, undefined while it is not there. */
export function turnsOf(store: Store, run: RunView, asked: readonly Asked[], until: number, shown: Shown, read: (row: number) => unknown): Turn[] {
  const visible = (span: SpanView) =>
    span.start <= until &&
    (span.kind === 'text' || (shown.tools && (span.kind === 'tool' || span.kind === 'subagent')) || (shown.reasoning && span.kind === 'reasoning'));
  const placed: { readonly row: number; readonly turn: Turn }[] = spanTurns(spansOfRun(store, run.id).filter(visible), run).map((turn) => ({
    row: turn.kind === 'span' ? turn.span.firstRow : 0,
    turn,
  }));
  for (const tick of ticksOfRun(store, run.id)) {
    if (tick.kind !== 'messages' || tick.time > until) continue;
    placed.push({ row: tick.row, turn: { kind: 'snapshot', row: tick.row, after: run.rejectedRow !== null && tick.row > run.rejectedRow } });
  }
  for (const turn of activities(store, run, until, read)) placed.push({ row: turn.row, turn });
  if (run.rejectedRow !== null && run.rejectedTime !== null && run.rejectedTime <= until)
    placed.push({ row: run.rejectedRow + 0.5, turn: { kind: 'stop', row: run.rejectedRow } });
  placed.sort((a, b) => a.row - b.row);
  const ended = run.end !== null && run.end <= until;
  const closing = ended && run.hasResult && run.endedRow !== null ? read(run.endedRow) : undefined;
  const endedRow = run.endedRow ?? run.lastRow;
  return [
    ...asked.map((one): Turn => ({ kind: 'asked', asked: one })),
    ...placed.map(({ turn }) => turn),
    ...(ended ? run.interrupts.map((interrupt): Turn => ({ kind: 'waits', reason: interrupt.reason, id: interrupt.id, row: endedRow })) : []),
    ...(isObject(closing) && closing['result'] !== undefined ? [{ kind: 'result', value: closing['result'], row: endedRow } as const] : []),
    ...(ended && run.error ? [{ kind: 'error', row: endedRow, message: run.error.message, code: run.error.code } as const] : []),
  ];
}
