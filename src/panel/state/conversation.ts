/** The conversation of a thread as the app's user had it at an instant, from spans, requests and run endings. */
import type { RunView, SpanView } from '../../runs/types.ts';
import type { Store } from './store.ts';

export interface Asked {
  readonly id: string;
  readonly role: string;
  readonly text: string;
}

export type Turn =
  | { readonly kind: 'asked'; readonly asked: Asked }
  | { readonly kind: 'span'; readonly span: SpanView; readonly calls: readonly SpanView[]; readonly after: boolean }
  | { readonly kind: 'snapshot'; readonly row: number; readonly after: boolean }
  | { readonly kind: 'stop'; readonly row: number }
  | { readonly kind: 'waits'; readonly reason: string; readonly id: string }
  | { readonly kind: 'error'; readonly row: number; readonly message: string; readonly code: string | null };

export interface RunTurns {
  readonly run: RunView;
  readonly turns: readonly Turn[];
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value);

/** Content of a message in words: text as it is, other parts named. */
export function contentText(content: unknown): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return content === undefined || content === null ? '' : JSON.stringify(content);
  return content
    .map((part) => (isObject(part) && typeof part['text'] === 'string' ? part['text'] : isObject(part) ? `[${String(part['type'] ?? 'part')}]` : String(part)))
    .join(' ');
}

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
    asked.push({ id, role, text: contentText(message['content']) });
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

/** Turns of one run up to an instant, in the order of arrival. */
export function turnsOf(store: Store, run: RunView, asked: readonly Asked[], until: number, shown: Shown): Turn[] {
  const visible = (span: SpanView) =>
    span.run === run.id &&
    span.start <= until &&
    (span.kind === 'text' || (shown.tools && (span.kind === 'tool' || span.kind === 'subagent')) || (shown.reasoning && span.kind === 'reasoning'));
  const placed: { readonly row: number; readonly turn: Turn }[] = spanTurns(
    store.spans.filter((span) => span && visible(span)),
    run,
  ).map((turn) => ({ row: turn.kind === 'span' ? turn.span.firstRow : 0, turn }));
  for (const tick of store.ticks) {
    if (tick.kind !== 'messages' || tick.run !== run.id || tick.time > until) continue;
    placed.push({ row: tick.row, turn: { kind: 'snapshot', row: tick.row, after: run.rejectedRow !== null && tick.row > run.rejectedRow } });
  }
  if (run.rejectedRow !== null && run.rejectedTime !== null && run.rejectedTime <= until)
    placed.push({ row: run.rejectedRow + 0.5, turn: { kind: 'stop', row: run.rejectedRow } });
  placed.sort((a, b) => a.row - b.row);
  const ended = run.end !== null && run.end <= until;
  return [
    ...asked.map((one): Turn => ({ kind: 'asked', asked: one })),
    ...placed.map(({ turn }) => turn),
    ...(ended ? run.interrupts.map((interrupt): Turn => ({ kind: 'waits', reason: interrupt.reason, id: interrupt.id })) : []),
    ...(ended && run.error ? [{ kind: 'error', row: run.endedRow ?? run.lastRow, message: run.error.message, code: run.error.code } as const] : []),
  ];
}
