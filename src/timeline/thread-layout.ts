/** Layout of one thread: bands of runs that do not overlap, and under each the lanes its runs share. */
import type { FindingView, RunView, SpanView, TickView } from '../runs/types.ts';
import { runKeys, subagentKey } from './fold-keys.ts';
import { type Item, type RunItem, toItems } from './items.ts';
import { pack } from './pack.ts';
import type { Band, MarkRow, PlacedMark, PlacedRun, PlacedSpan, PlacedTick, StateLane, Thread } from './placed.ts';
import { FOLDED_LEAST, padOf, STRIP, TITLE } from './sizes.ts';
import { addLevel, type Fold, placeSpans, type Rows } from './thread-lanes.ts';
import type { Density, TimelineModel } from './types.ts';

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
  /** Keys of folded runs and subagents. */
  readonly folds: ReadonlySet<string>;
  readonly density: Density;
  readonly narrow: boolean;
}

/** What of a band is known before its runs are placed. */
interface Sections {
  readonly band: Band;
  readonly bottomOf: (run: RunItem) => number;
  readonly keyOf: (run: RunItem) => string | null;
  readonly markY: (run: RunItem) => number;
}

function placeRuns(items: readonly RunItem[], sections: Sections, input: ThreadInput, o: ThreadOptions, moved: ReadonlyMap<number, number>): PlacedRun[] {
  const timeOf = (row: number | null, time: number | null) =>
    time === null ? Number.POSITIVE_INFINITY : ((row === null ? undefined : moved.get(row)) ?? time - o.origin);
  const perConn = new Map<number, number>();
  for (const { conn } of input.runs) perConn.set(conn, (perConn.get(conn) ?? 0) + 1);
  const placed = items.map((item): PlacedRun => {
    const { view } = item;
    const foldKey = sections.keyOf(item);
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
      band: sections.band,
      bottom: sections.bottomOf(item),
      markY: sections.markY(item),
      foldKey,
      folded: foldKey !== null && !o.folded && o.folds.has(foldKey),
      request,
      next: null,
      several: perConn.get(view.conn)! > 1,
      played: (stops?.replay ?? null) !== null,
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

/** Lanes and ticks of some of a band's runs from a height down; answers where they end. */
function addSection(rows: Rows, spans: readonly Item[], ticks: readonly TickView[], fold: Fold | null, density: Density, states: StateDraft[]): number {
  addLevel(
    rows,
    spans.filter((item) => !item.owner),
    0,
    fold,
  );
  if (ticks.length > 0) {
    const height = fold ? density.micro : density.state;
    states.push({ micro: fold !== null, y: rows.y, height, views: ticks });
    rows.y += height;
  }
  return rows.y;
}

type StateDraft = Omit<StateLane, 'ticks'> & { readonly views: readonly TickView[] };

/** A folded run leaves so much room below its head: its findings are marked there. */
const SHUT = 14;
const SHUT_MARK = 5;

function placeBand(place: BandPlace, input: ThreadInput, o: ThreadOptions, moved: ReadonlyMap<number, number>, keys: Keys, index: Index): Band {
  const { density, folded } = o;
  const top = folded ? place.y : place.y + 2;
  const first = place.y + (folded ? STRIP + 2 : density.runRow + density.note + 2);
  const inBand = new Set(place.runs.map((run) => run.view.id));
  const ticks = input.ticks.filter((tick) => inBand.has(tick.run));
  const full = new Set([...place.spans.map((item) => item.view.run), ...ticks.map((tick) => tick.run)]);
  const keyOf = (run: RunItem) => (full.has(run.view.id) ? keys.run.get(run.view.id)! : null);
  const shut = new Set(place.runs.filter((run) => !folded && full.has(run.view.id) && o.folds.has(keyOf(run)!)).map((run) => run.view.id));
  const rows: Rows = { lanes: [], height: density.lane, thin: density.micro, gap: folded ? 0 : 2, isFolded: keys.isFolded, y: first };
  const drafts: StateDraft[] = [];
  const section = (isShut: boolean, fold: Fold | null): number => {
    const of = ({ run }: { readonly run: number }) => shut.has(run) === isShut;
    const spans = place.spans.filter((item) => of(item.view));
    rows.y = first;
    return addSection(rows, spans, ticks.filter(of), fold, density, drafts) + (folded ? 1 : 2);
  };
  const open = shut.size === place.runs.length ? first : section(false, folded ? { markY: 0 } : null);
  const isShut = (run: RunItem) => shut.has(run.view.id);
  const closed = shut.size === 0 ? first : Math.max(section(true, { markY: first + SHUT_MARK }), first + SHUT);
  const band: Writable<Band> = {
    top,
    runBar: folded ? STRIP : density.runBar,
    note: folded ? 0 : place.y + density.runRow + density.note - 4,
    bottom: Math.max(open, closed),
    runs: [],
    lanes: rows.lanes,
    states: [],
    marks: [],
  };
  const sections: Sections = {
    band,
    keyOf,
    bottomOf: (run) => (isShut(run) ? closed : open),
    markY: (run) => (isShut(run) ? first + SHUT_MARK : open - 10),
  };
  band.runs = placeRuns(place.runs, sections, input, o, moved);
  for (const run of band.runs) index.runs.set(run.view.id, run);
  placeSpans(place.spans, index.runs, keys.subagent, keys.isFolded, index.spans);
  band.states = drafts.map(({ views, ...lane }) => ({ ...lane, ticks: placeTicks(views, index.runs, o.origin) }));
  return band;
}

interface Keys {
  /** By session run id. */
  readonly run: ReadonlyMap<number, string>;
  readonly subagent: (item: Item) => string;
  readonly isFolded: (item: Item) => boolean;
}

function keysOf(input: ThreadInput, o: ThreadOptions): Keys {
  const run = runKeys(input.key, input.runs);
  const subagent = (item: Item) => subagentKey(run.get(item.view.run)!, item.view);
  return { run, subagent, isFolded: (item) => o.folds.has(subagent(item)) };
}

function placeTicks(ticks: readonly TickView[], runs: ReadonlyMap<number, PlacedRun>, origin: number): PlacedTick[] {
  const placed = ticks.map((view) => ({ view, time: view.time - origin, run: runs.get(view.run)! }));
  return placed.sort((a, b) => a.time - b.time || a.view.row - b.view.row);
}

/** Height of a finding's mark: on its span's bar, its tick, or the foot of its run's box. */
function markY(finding: FindingView, band: Band, run: PlacedRun, folded: boolean, index: Index): number {
  if (folded) return (band.top + STRIP + 1 + band.bottom) / 2;
  const span = finding.span === null ? undefined : index.spans.get(finding.span);
  if (span) return span.lane.markY;
  if (run.folded) return run.markY;
  const state = finding.row === null ? undefined : band.states.find(({ ticks }) => ticks.some((tick) => tick.view.row === finding.row));
  if (state) return state.y + state.height / 2;
  return run.markY;
}

function placeMarks(findings: readonly FindingView[], bands: readonly Band[], o: ThreadOptions, moved: ReadonlyMap<number, number>, index: Index): Band[] {
  const rows = new Map<Band, Map<number, PlacedMark[]>>();
  for (const view of findings) {
    const run = view.run === null ? nearestRun(view, bands) : index.runs.get(view.run)!;
    const { band } = run;
    const y = markY(view, band, run, o.folded, index);
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
function nearestRun(finding: FindingView, bands: readonly Band[]): PlacedRun {
  const candidates = bands.flatMap((band) => band.runs.filter((run) => run.view.conn === finding.conn));
  return candidates.filter((run) => run.view.start <= finding.time).sort((a, b) => b.start - a.start)[0] ?? candidates[0]!;
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
  const keys = keysOf(input, o);
  let y = pad + (title ? TITLE : 0);
  const bands: Band[] = [];
  for (const runs of pack(items.runs)) {
    const ids = new Set(runs.map((run) => run.view.id));
    const spans = items.spans.filter((item) => ids.has(item.view.run));
    const band = placeBand({ y, runs, spans }, input, o, items.moved, keys, index);
    bands.push(band);
    y = band.bottom + (o.folded ? 3 : 6);
  }
  placeMarks(input.findings, bands, o, items.moved, index);
  const last = bands.at(-1)!.bottom;
  const height = Math.max(last + (o.folded ? 4 : pad + 1), o.folded && !o.narrow ? FOLDED_LEAST : 0);
  const first = input.runs[0]!;
  return {
    key: input.key,
    label: input.label,
    where: pathOf(input.connections.get(first.conn)?.url ?? ''),
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
