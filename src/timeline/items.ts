/** Spans of one thread on their way into lanes: effective ends, owners, and reasoning messages inside their reasoning span. */
import type { RunView, SpanView } from '../runs/types.ts';
import { byStart } from './pack.ts';
import type { Lane } from './placed.ts';
import { spread, TICK, type Timed } from './times.ts';

export interface RunItem extends Timed<RunView> {
  /** Right edge of the box: the finish before a late RUN_ERROR, else the end. */
  finish: number;
}

export interface Item extends Timed<SpanView> {
  /** Row of the event at which `end` stands. */
  lastRow: number;
  /** When its own closing event came; `end` may be later. */
  readonly closed: number | null;
  readonly run: RunItem;
  /** The subagent it ran in. */
  owner: Item | null;
  readonly children: Item[];
  host: Item | null;
  lane: Lane | null;
}

/** End of a span as drawn: a tool call lasts until its result, or as long as something may still answer it. */
function endOf(span: SpanView, run: RunView): { readonly end: number; readonly row: number } {
  const limit = run.end === null ? Number.POSITIVE_INFINITY : (run.finishedTime ?? run.end);
  const limitRow = run.endedRow ?? run.lastRow;
  if (span.kind === 'tool') {
    if (span.resultTime !== null) return { end: Math.max(span.resultTime, span.end ?? 0), row: Math.max(span.resultRow ?? span.lastRow, span.lastRow) };
    if (span.end === null || span.end < limit) return { end: limit, row: Math.max(limitRow, span.lastRow) };
  }
  if (span.end === null) return { end: limit, row: Math.max(limitRow, span.lastRow) };
  return { end: span.end, row: span.lastRow };
}

function toItem(span: SpanView, run: RunItem, origin: number): Item {
  const { end, row } = endOf(span, run.view);
  const start = span.start - origin;
  return {
    view: span,
    run,
    start,
    end: Math.max(start, end - origin),
    lastRow: row,
    closed: span.end === null ? null : span.end - origin,
    owner: null,
    children: [],
    host: null,
    lane: null,
  };
}

/** The subagent a span belongs to: the latest of that id in its run that began before it. Ids ascend, so owners cannot form a ring. */
function findOwner(item: Item, subagents: ReadonlyMap<string, readonly Item[]>): Item | null {
  const id = item.view.kind === 'subagent' ? (item.view.parent ?? item.view.owner) : item.view.owner;
  if (id === null) return null;
  const known = subagents.get(`${item.view.run}/${id}`);
  if (!known) return null;
  for (let i = known.length - 1; i >= 0; i--) if (known[i]!.view.id < item.view.id && known[i] !== item) return known[i]!;
  return item.view.kind === 'subagent' ? null : known[0]!;
}

function settleOwners(items: readonly Item[]): void {
  const subagents = new Map<string, Item[]>();
  for (const item of items) {
    if (item.view.kind !== 'subagent') continue;
    const key = `${item.view.run}/${item.view.itemId}`;
    const same = subagents.get(key);
    if (same) same.push(item);
    else subagents.set(key, [item]);
  }
  if (subagents.size === 0) return;
  for (const item of items) {
    item.owner = findOwner(item, subagents);
    item.owner?.children.push(item);
    const limit = item.owner?.end ?? Number.POSITIVE_INFINITY;
    const { view } = item;
    // a call of a subagent is not waited for after the subagent has ended
    if (view.kind === 'tool' && view.resultTime === null && item.closed !== null && limit < item.end) {
      item.end = Math.max(item.closed, limit, item.start);
      item.lastRow = Math.max(view.lastRow, item.owner!.lastRow);
    }
  }
}

/** Puts each reasoning message into the bar of the reasoning span around it, unless another one is there at that time. A run that ends both at once ends them in either order. */
function settleHosts(items: readonly Item[]): void {
  const hosts = items.filter((item) => item.view.kind === 'reasoning-span').sort(byStart);
  if (hosts.length === 0) return;
  const taken = new Map<Item, number>();
  for (const item of items.filter((one) => one.view.kind === 'reasoning').sort(byStart)) {
    const host = hosts.findLast(
      (one) =>
        one.start <= item.start &&
        item.end <= one.end + TICK &&
        one.view.run === item.view.run &&
        one.owner === item.owner &&
        (taken.get(one) ?? 0) <= item.start,
    );
    if (!host) continue;
    item.host = host;
    taken.set(host, item.end);
  }
}

export interface Items {
  readonly runs: readonly RunItem[];
  readonly spans: readonly Item[];
  /** Times of rows that shared their instant. */
  readonly moved: ReadonlyMap<number, number>;
}

/** Items of a thread, in time, each with its own instant. Times are ms since `origin`. */
export function toItems(runs: readonly RunView[], spans: readonly SpanView[], origin: number): Items {
  const runItems = runs.map((view): RunItem => {
    const start = view.start - origin;
    const end = view.end === null ? Number.POSITIVE_INFINITY : Math.max(start, view.end - origin);
    return { view, start, end, finish: end };
  });
  const byId = new Map(runItems.map((run) => [run.view.id, run]));
  const items: Item[] = [];
  for (const span of spans) {
    items.push(toItem(span, byId.get(span.run)!, origin));
  }
  items.sort((a, b) => a.view.id - b.view.id);
  settleOwners(items);
  const moved = spread(items, runItems);
  for (const run of runItems) {
    run.end = Math.max(run.end, run.start);
    run.finish =
      run.view.ending === 'late-error' && run.view.finishedTime !== null ? Math.min(run.end, Math.max(run.start, run.view.finishedTime - origin)) : run.end;
  }
  settleHosts(items);
  return { runs: runItems.sort((a, b) => a.start - b.start || a.view.id - b.view.id), spans: items, moved };
}
