/** Walking the timeline by keyboard: left and right by time, up and down by lane. */
import { standsFor } from './foldable.ts';
import { findRun, findSpan, findTick } from './layout.ts';
import type { Band, Group, Lane, Layout, PlacedRun, PlacedSpan, StateLane } from './placed.ts';
import type { Target } from './types.ts';

export type Direction = 'left' | 'right' | 'up' | 'down';

const nearest = <T>(items: readonly T[], time: number, at: (item: T) => number): T | undefined => {
  let best: T | undefined;
  for (const item of items) if (best === undefined || Math.abs(at(item) - time) < Math.abs(at(best) - time)) best = item;
  return best;
};

const beside = <T>(items: readonly T[], item: T, direction: Direction): T | undefined => items[items.indexOf(item) + (direction === 'left' ? -1 : 1)];

/** Rows of a band for walking: the runs, each lane, the reasoning messages inside a lane, the state lane. What is folded away in a thread that is open is passed over. */
type Row =
  | { readonly kind: 'runs' }
  | { readonly kind: 'lane'; readonly lane: Lane; readonly inner: boolean }
  | { readonly kind: 'state'; readonly state: StateLane };

function rowsOf(band: Band, folded: boolean): Row[] {
  const rows: Row[] = [{ kind: 'runs' }];
  for (const lane of band.lanes) {
    if (lane.micro && !folded) continue;
    rows.push({ kind: 'lane', lane, inner: false });
    if (lane.inner.length > 0 && !folded) rows.push({ kind: 'lane', lane, inner: true });
  }
  for (const state of band.states) if (folded || !state.micro) rows.push({ kind: 'state', state });
  return rows;
}

const isIn = (run: PlacedRun | null, of: PlacedRun | null) => of === null || run === of;

/** The thing of a row nearest in time, of the same run if there is any. */
function inRow(band: Band, row: Row, time: number, run: PlacedRun | null): Target | null {
  if (row.kind === 'runs') {
    const found = run ?? nearest(band.runs, time, (one) => one.start);
    return found ? { kind: 'run', id: found.view.id } : null;
  }
  if (row.kind === 'state') {
    const ticks = row.state.ticks.filter((tick) => isIn(tick.run, run));
    const tick = nearest(ticks, time, (one) => one.time);
    return tick ? { kind: 'tick', row: tick.view.row } : null;
  }
  const spans = (row.inner ? row.lane.inner : row.lane.spans).filter((span) => isIn(span.run, run));
  const span = nearest(spans, time, (one) => (one.start <= time && one.end >= time ? time : one.start));
  return span ? { kind: 'span', id: span.view.id } : null;
}

/** Up or down from a row: the next row with something of this run, else the runs of the next band or thread. */
function across(
  layout: Layout,
  group: Group,
  band: Band,
  row: (one: Row) => boolean,
  time: number,
  run: PlacedRun | null,
  direction: Direction,
): Target | null {
  const step = direction === 'up' ? -1 : 1;
  const rows = rowsOf(band, group.thread.folded);
  for (let i = rows.findIndex(row) + step; i >= 0 && i < rows.length; i += step) {
    const found = inRow(band, rows[i]!, time, run);
    if (found) return found;
  }
  const bands = layout.groups.flatMap((one) => one.thread.bands.map((other) => ({ band: other, folded: one.thread.folded })));
  const next = bands[bands.findIndex((one) => one.band === band) + step];
  if (!next) return null;
  const entry = rowsOf(next.band, next.folded);
  for (const one of step > 0 ? entry : entry.reverse()) {
    const found = inRow(next.band, one, time, null);
    if (found) return found;
  }
  return null;
}

function fromSpan(layout: Layout, group: Group, span: PlacedSpan, direction: Direction): Target | null {
  const inner = span.host !== null;
  if (direction === 'left' || direction === 'right') {
    const other = beside(inner ? span.lane.inner : span.lane.spans, span, direction);
    return other ? { kind: 'span', id: other.view.id } : null;
  }
  return across(layout, group, span.run.band, (row) => row.kind === 'lane' && row.lane === span.lane && row.inner === inner, span.start, span.run, direction);
}

function fromTick(layout: Layout, found: NonNullable<ReturnType<typeof findTick>>, direction: Direction): Target | null {
  const { group, band, state, tick } = found;
  if (direction === 'left' || direction === 'right') {
    const other = beside(state.ticks, tick, direction);
    return other ? { kind: 'tick', row: other.view.row } : null;
  }
  return across(layout, group, band, (row) => row.kind === 'state' && row.state === state, tick.time, tick.run, direction);
}

function fromFinding(layout: Layout, id: number, direction: Direction): Target | null {
  const at = layout.markOf.get(id);
  if (!at) return null;
  if (direction === 'up') return { kind: 'run', id: at.mark.run.view.id };
  if (direction === 'down') return at.mark.span === null ? null : { kind: 'span', id: at.mark.span };
  const next = findingsInOrder(layout);
  const other = next[next.indexOf(id) + (direction === 'left' ? -1 : 1)];
  return other === undefined ? null : { kind: 'finding', id: other };
}

/** Ids of all findings that have a mark, by time. */
export function findingsInOrder(layout: Layout): number[] {
  return [...layout.markOf].sort(([a, one], [b, other]) => one.mark.time - other.mark.time || a - b).map(([id]) => id);
}

/** First thing to focus: the run nearest to a time (ms since the epoch). */
export function firstTarget(layout: Layout, time: number): Target | null {
  const run = nearest(runsOf(layout), time - layout.origin, (one) => one.start);
  return run ? { kind: 'run', id: run.view.id } : null;
}

/** All runs: threads one after the other, bands, then time. */
const runsOf = (layout: Layout): PlacedRun[] => layout.groups.flatMap((group) => group.thread.bands.flatMap((band) => band.runs));

function runIdOf(layout: Layout, target: Target): number | null {
  if (target.kind === 'run') return target.id;
  if (target.kind === 'span') return findSpan(layout, target.id)?.span.view.run ?? null;
  if (target.kind === 'tick') return findTick(layout, target.row)?.tick.view.run ?? null;
  return target.kind === 'finding' ? (layout.markOf.get(target.id)?.mark.run?.view.id ?? null) : null;
}

/** The run before the one a target is in, or after it; null at the end. */
export function runBeside(layout: Layout, target: Target, step: 1 | -1): Target | null {
  const runs = runsOf(layout);
  const id = runIdOf(layout, target);
  const at = runs.findIndex((run) => run.view.id === id);
  const next = at < 0 ? undefined : runs[at + step];
  return next ? { kind: 'run', id: next.view.id } : null;
}

/** The next thing in a direction, or null at the end. From something that is folded away it goes to what that is folded into. */
export function neighbour(layout: Layout, target: Target, direction: Direction): Target | null {
  const shown = standsFor(layout, target);
  if (shown !== target) return shown;
  if (target.kind === 'span') {
    const found = findSpan(layout, target.id);
    return found && fromSpan(layout, found.group, found.span, direction);
  }
  if (target.kind === 'run') {
    const found = findRun(layout, target.id);
    if (!found) return null;
    if (direction === 'up' || direction === 'down')
      return across(layout, found.group, found.run.band, (row) => row.kind === 'runs', found.run.start, found.run, direction);
    const other = beside(found.run.band.runs, found.run, direction);
    return other ? { kind: 'run', id: other.view.id } : null;
  }
  if (target.kind === 'finding') return fromFinding(layout, target.id, direction);
  if (target.kind === 'tick') {
    const found = findTick(layout, target.row);
    return found && fromTick(layout, found, direction);
  }
  const run = layout.groups.find((group) => group.thread.key === target.key)?.thread.bands[0]?.runs[0];
  return run && direction === 'down' ? { kind: 'run', id: run.view.id } : null;
}
