/** Layout of one thread: bands of runs that do not overlap, and under each the lanes its runs share. */
import type { FindingView, RunView, SpanView, TickView } from '../runs/types.ts';
import { boxEnd, type Item, type RunItem, toItems } from './items.ts';
import { pack } from './pack.ts';
import type { Band, Lane, MarkRow, PlacedMark, PlacedRun, PlacedSpan, PlacedTick, StateLane, Thread } from './placed.ts';
import { FOLDED_LEAST, padOf, STRIP, TITLE } from './sizes.ts';
import type { Density, LaneKind, TimelineModel } from './types.ts';

type ConnectionStops = TimelineModel['connections'][number];
type Writable<T> = { -readonly [K in keyof T]: T[K] };

export interface ThreadInput {
  readonly key: string;
  readonly label: string;
  readonly runs: readonly RunView[];
  readonly spans: readonly SpanView[];
  readonly ticks: readonly TickView[];
  /** Findings of its runs, and those of no run on its connections. */
  readonly findings: readonly FindingView[];
  readonly connections: ReadonlyMap<number, ConnectionStops>;
  readonly timeOfRow: (row: number) => number;
}

export interface ThreadOptions {
  readonly origin: number;
  readonly folded: boolean;
  readonly density: Density;
  readonly narrow: boolean;
}

const KINDS = ['step', 'text', 'reasoning', 'tool'] as const;
const laneKind = (item: Item): LaneKind => (item.view.kind === 'reasoning-span' ? 'reasoning' : item.view.kind);

interface Rows {
  readonly lanes: Lane[];
  readonly height: number;
  readonly gap: number;
  y: number;
}

function addLane(rows: Rows, kind: LaneKind, depth: number, named: boolean, items: readonly Item[]): void {
  const lane: Lane = { kind, y: rows.y, height: rows.height, depth, named, spans: [], inner: [] };
  for (const item of items) item.lane = lane;
  rows.lanes.push(lane);
  rows.y += rows.height;
}

/**
 * Lanes for the spans of one level, then its subagents: those whose boxes do not overlap share a slot, which is laid out by the same
 * rule one level deeper.
 */
function addLevel(rows: Rows, items: readonly Item[], depth: number): void {
  for (const kind of KINDS) {
    const own = items.filter((item) => laneKind(item) === kind && !item.host);
    pack(own).forEach((row, i) => {
      addLane(rows, kind, depth, i === 0, row);
    });
  }
  const boxes = items.filter((item) => item.view.kind === 'subagent').map((item) => ({ item, start: item.start, end: boxEnd(item) }));
  for (const slot of pack(boxes)) {
    addLane(
      rows,
      'subagent',
      depth,
      true,
      slot.map((box) => box.item),
    );
    addLevel(
      rows,
      slot.flatMap((box) => box.item.children),
      depth + 1,
    );
    rows.y += rows.gap;
  }
}

const bottomOf = (item: Item): number =>
  item.children.reduce(
    (bottom, child) => Math.max(bottom, child.view.kind === 'subagent' ? bottomOf(child) + 2 : child.lane ? child.lane.y + child.lane.height : 0),
    item.lane!.y + item.lane!.height,
  );

function placeSpans(items: readonly Item[], runs: ReadonlyMap<number, PlacedRun>, into: Map<number, PlacedSpan>): void {
  const hosted: Item[] = [];
  const place = (item: Item, lane: Lane, host: PlacedSpan | null): void => {
    const box = item.view.kind === 'subagent' && item.children.length > 0 ? { start: item.start, end: boxEnd(item), bottom: bottomOf(item) } : null;
    const placed: PlacedSpan = { view: item.view, run: runs.get(item.view.run)!, start: item.start, end: item.end, lane, host, box };
    into.set(item.view.id, placed);
    (host ? lane.inner : lane.spans).push(placed);
  };
  const sorted = [...items].sort((a, b) => a.start - b.start);
  for (const item of sorted) {
    if (item.host) hosted.push(item);
    else if (item.lane) place(item, item.lane, null);
  }
  for (const item of hosted) place(item, item.host!.lane!, into.get(item.host!.view.id)!);
}

function placeRuns(items: readonly RunItem[], band: Band, input: ThreadInput, o: ThreadOptions, moved: ReadonlyMap<number, number>): PlacedRun[] {
  const timeOf = (row: number | null, time: number | null) =>
    time === null ? Number.POSITIVE_INFINITY : ((row === null ? undefined : moved.get(row)) ?? time - o.origin);
  const perConn = new Map<number, number>();
  for (const { conn } of input.runs) perConn.set(conn, (perConn.get(conn) ?? 0) + 1);
  const placed = items.map((item): PlacedRun => {
    const { view } = item;
    const stops = input.connections.get(view.conn);
    const row = stops?.referenceStopsAtRow ?? null;
    const differs = row !== null && row !== stops!.stopsAtRow && row >= view.firstRow && row <= view.lastRow;
    const reference = differs ? timeOf(row, input.timeOfRow(row)) : null;
    const stop =
      view.rejectedRow !== null || view.rejectedTime !== null ? Math.max(item.start, timeOf(view.rejectedRow, view.rejectedTime)) : Number.POSITIVE_INFINITY;
    const request = view.requestTime === null ? null : view.requestTime - o.origin;
    return {
      view,
      start: item.start,
      end: item.finish,
      close: item.end,
      stop: view.afterRejection ? item.start : stop,
      referenceStop: reference,
      band,
      request,
      next: null,
      several: (perConn.get(view.conn) ?? 0) > 1,
    };
  });
  for (let i = 0; i + 1 < placed.length; i++) placed[i]!.next = placed[i + 1]!;
  return placed;
}

interface BandPlace {
  readonly y: number;
  readonly runs: readonly RunItem[];
  readonly spans: readonly Item[];
}

function placeBand(place: BandPlace, input: ThreadInput, o: ThreadOptions, moved: ReadonlyMap<number, number>, index: Index): Band {
  const { density, folded } = o;
  const top = folded ? place.y : place.y + 2;
  const rows: Rows = {
    lanes: [],
    height: folded ? density.micro : density.lane,
    gap: folded ? 0 : 2,
    y: place.y + (folded ? STRIP + 2 : density.runRow + density.note + 2),
  };
  addLevel(
    rows,
    place.spans.filter((item) => !item.owner),
    0,
  );
  const inBand = new Set(place.runs.map((run) => run.view.id));
  const ticks = input.ticks.filter((tick) => inBand.has(tick.run));
  const stateHeight = folded ? density.micro : density.state;
  const state: Writable<StateLane> | null = ticks.length > 0 ? { y: rows.y, height: stateHeight, ticks: [] } : null;
  const end = rows.y + (state ? stateHeight : 0) + (folded ? 1 : 2);
  const band: Writable<Band> = {
    top,
    runBar: folded ? STRIP : density.runBar,
    note: folded ? 0 : place.y + density.runRow + density.note - 4,
    bottom: end,
    runs: [],
    lanes: rows.lanes,
    state,
    marks: [],
  };
  band.runs = placeRuns(place.runs, band, input, o, moved);
  for (const run of band.runs) index.runs.set(run.view.id, run);
  placeSpans(place.spans, index.runs, index.spans);
  if (state) state.ticks = placeTicks(ticks, index.runs, o.origin);
  return band;
}

function placeTicks(ticks: readonly TickView[], runs: ReadonlyMap<number, PlacedRun>, origin: number): PlacedTick[] {
  const placed = ticks.map((view) => ({ view, time: view.time - origin, run: runs.get(view.run) ?? null }));
  return placed.sort((a, b) => a.time - b.time || a.view.row - b.view.row);
}

/** Height of a finding's mark: on its span's bar, its tick, or the foot of its run's box. */
function markY(finding: FindingView, band: Band, folded: boolean, index: Index): number {
  if (folded) return (band.top + STRIP + 1 + band.bottom) / 2;
  const span = finding.span === null ? undefined : index.spans.get(finding.span);
  if (span) return span.lane.y + span.lane.height / 2;
  if (band.state && finding.row !== null && band.state.ticks.some((tick) => tick.view.row === finding.row)) return band.state.y + band.state.height / 2;
  return band.bottom - 10;
}

function placeMarks(
  findings: readonly FindingView[],
  bands: readonly Band[],
  input: ThreadInput,
  o: ThreadOptions,
  moved: ReadonlyMap<number, number>,
  index: Index,
): Band[] {
  const rows = new Map<Band, Map<number, PlacedMark[]>>();
  for (const view of findings) {
    const run = (view.run === null ? nearestRun(view, bands, input) : index.runs.get(view.run)) ?? null;
    const band = run?.band ?? bands[0];
    if (!band) continue;
    const y = markY(view, band, o.folded, index);
    const time = (view.row === null ? undefined : moved.get(view.row)) ?? view.time - o.origin;
    const ofBand = rows.get(band) ?? new Map<number, PlacedMark[]>();
    rows.set(band, ofBand);
    const row = ofBand.get(y) ?? [];
    ofBand.set(y, row);
    row.push({ view, time, y, run, span: view.span });
  }
  for (const band of bands as Writable<Band>[]) {
    band.marks = [...(rows.get(band) ?? [])].map(([y, marks]): MarkRow => ({ y, marks: marks.sort((a, b) => a.time - b.time || a.view.id - b.view.id) }));
  }
  return bands as Band[];
}

/** For a finding of no run: the run of its connection that was last to begin, else the first. */
function nearestRun(finding: FindingView, bands: readonly Band[], input: ThreadInput): PlacedRun | null {
  const candidates = bands.flatMap((band) => band.runs.filter((run) => run.view.conn === finding.conn || !input.connections.has(finding.conn)));
  return candidates.filter((run) => run.view.start <= finding.time).sort((a, b) => b.start - a.start)[0] ?? candidates[0] ?? null;
}

interface Index {
  readonly runs: Map<number, PlacedRun>;
  readonly spans: Map<number, PlacedSpan>;
}

const pathOf = (url: string): string => url.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i, '').replace(/[?#].*$/s, '') || '/';

function rowsOf(spans: readonly PlacedSpan[]): Map<number, PlacedSpan> {
  const rows = new Map<number, PlacedSpan>();
  for (const span of spans) {
    for (const row of [span.view.lastRow, span.view.resultRow]) if (row !== null && !rows.has(row)) rows.set(row, span);
  }
  for (const span of spans) rows.set(span.view.firstRow, span);
  return rows;
}

function marksBySpan(bands: readonly Band[]): Map<number, number[]> {
  const times = new Map<number, number[]>();
  for (const { marks } of bands.flatMap((band) => band.marks)) {
    for (const mark of marks) {
      if (mark.span === null) continue;
      const known = times.get(mark.span);
      if (known) known.push(mark.time);
      else times.set(mark.span, [mark.time]);
    }
  }
  return times;
}

/** Lays out one thread from y = 0. Pure; the result depends on nothing but its arguments. */
export function layoutThread(input: ThreadInput, o: ThreadOptions): Thread {
  const items = toItems(input.runs, input.spans, o.origin);
  const index: Index = { runs: new Map(), spans: new Map() };
  const pad = o.folded ? 4 : padOf(o.density);
  const title = o.narrow ? { y: pad - 2, height: TITLE } : null;
  let y = pad + (title ? TITLE : 0);
  const bands: Band[] = [];
  for (const runs of pack(items.runs)) {
    const ids = new Set(runs.map((run) => run.view.id));
    const spans = items.spans.filter((item) => ids.has(item.view.run));
    const band = placeBand({ y, runs, spans }, input, o, items.moved, index);
    bands.push(band);
    y = band.bottom + (o.folded ? 3 : 6);
  }
  placeMarks(input.findings, bands, input, o, items.moved, index);
  const last = bands.at(-1)?.bottom ?? y;
  const height = Math.max(last + (o.folded ? 4 : pad + 1), o.folded && !o.narrow ? FOLDED_LEAST : 0);
  const first = input.runs[0];
  return {
    key: input.key,
    label: input.label,
    where: pathOf((first && input.connections.get(first.conn)?.url) ?? ''),
    folded: o.folded,
    height,
    title,
    bands,
    counts: {
      runs: input.runs.length,
      rejected: input.runs.filter((run) => run.status === 'rejected-by-violation').length,
      failed: input.runs.filter((run) => run.status === 'failed-by-report' || run.status === 'failed-late').length,
    },
    runs: index.runs,
    spans: index.spans,
    spanOfRow: rowsOf([...index.spans.values()]),
    marksOfSpan: marksBySpan(bands),
    timeOfRow: items.moved,
  };
}
