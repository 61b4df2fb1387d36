/** Model → layout: threads one under the other. Only threads of which something changed are laid out again. */
import type { FindingView, RunView, SpanView, TickView } from '../runs/types.ts';
import { threadKey } from './fold-keys.ts';
import { linksOf } from './links.ts';
import type { Band, Group, Layout, PlacedMark, PlacedRun, PlacedSpan, PlacedTick, StateLane, Thread } from './placed.ts';
import { awayOf } from './sizes.ts';
import { layoutThread, type ThreadInput } from './thread-layout.ts';
import { bounds } from './times.ts';
import type { Density, TimelineModel } from './types.ts';

export interface LayoutOptions {
  /** Keys of folded threads, runs and subagents. */
  readonly folded: ReadonlySet<string>;
  readonly density: Density;
  readonly narrow: boolean;
  /** Keys of threads that have nothing in the window: each gets one row. */
  readonly away?: ReadonlySet<string>;
}

/** What a layout was made from, kept so that the next one can tell what is still true. */
interface Known {
  readonly input: ThreadInput;
  readonly thread: Thread;
}
const KNOWN = Symbol('known');
const FOLDED = Symbol('folded');
type LayoutWithMemory = Layout & { readonly [KNOWN]: ReadonlyMap<string, Known>; readonly [FOLDED]: ReadonlySet<string> };

interface Draft {
  key: string;
  label: string;
  runs: RunView[];
  spans: SpanView[];
  ticks: TickView[];
  findings: FindingView[];
  connections: Map<number, TimelineModel['connections'][number]>;
  timeOfRow: (row: number) => number;
}

/** Sorts everything by thread, in order of appearance. Holes in the lists are passed over. */
function split(model: TimelineModel): Draft[] {
  const drafts = new Map<string, Draft>();
  const ofRun = new Map<number, Draft>();
  const ofConn = new Map<number, Draft>();
  const connections = new Map(model.connections.filter(Boolean).map((one) => [one.id, one]));
  for (const run of model.runs) {
    if (!run) continue;
    const key = threadKey(run);
    let draft = drafts.get(key);
    if (!draft) {
      draft = { key, label: run.threadId ?? 'no thread', runs: [], spans: [], ticks: [], findings: [], connections: new Map(), timeOfRow: model.timeOfRow };
      drafts.set(key, draft);
    }
    draft.runs.push(run);
    ofRun.set(run.id, draft);
    if (!ofConn.has(run.conn)) ofConn.set(run.conn, draft);
    const connection = connections.get(run.conn);
    if (connection) draft.connections.set(run.conn, connection);
  }
  for (const span of model.spans) if (span) ofRun.get(span.run)?.spans.push(span);
  for (const tick of model.ticks) if (tick) ofRun.get(tick.run)?.ticks.push(tick);
  for (const finding of model.findings) if (finding) (finding.run === null ? ofConn.get(finding.conn) : ofRun.get(finding.run))?.findings.push(finding);
  return [...drafts.values()];
}

const sameList = <T>(a: readonly T[], b: readonly T[]): boolean => a.length === b.length && a.every((item, i) => item === b[i]);

function unchanged(a: ThreadInput, b: ThreadInput): boolean {
  if (!sameList(a.runs, b.runs) || !sameList(a.spans, b.spans) || !sameList(a.ticks, b.ticks) || !sameList(a.findings, b.findings)) return false;
  if (a.connections.size !== b.connections.size) return false;
  for (const [id, one] of a.connections) {
    const other = b.connections.get(id);
    if (!other || one.stopsAtRow !== other.stopsAtRow || one.referenceStopsAtRow !== other.referenceStopsAtRow) return false;
    if (one.url !== other.url || !one.replay !== !other.replay) return false;
  }
  return true;
}

/** Whether a thread is folded as it was, and so is everything in it. */
function sameInside(thread: Thread, fold: boolean, folds: ReadonlySet<string>): boolean {
  if (thread.folded || fold) return thread.folded === fold;
  const same = ({ foldKey, folded }: PlacedRun | PlacedSpan) => foldKey === null || folds.has(foldKey) === folded;
  return [...thread.runs.values()].every(same) && [...thread.spans.values()].every(same);
}

function heightOf(thread: Thread, away: boolean, density: Density): number {
  if (!away) return thread.height;
  return Math.min(thread.height, thread.title ? thread.title.y + thread.title.height + 2 : awayOf(density));
}

/** The same layout with other threads away: nothing is laid out anew. */
export function restack(l: Layout, away: ReadonlySet<string>): Layout {
  let top = 0;
  const groups = l.groups.map(({ thread }): Group => {
    const group = { top, height: heightOf(thread, away.has(thread.key), l.density), away: away.has(thread.key), thread };
    top += group.height;
    return group;
  });
  return { ...l, groups, height: top };
}

/**
 * Lays out a model: `y` in CSS px from the top of the first thread, times in ms since `origin`.
 * Give the layout of before as `previous`: threads whose records are the same objects are taken over as they are.
 */
export function layout(model: TimelineModel, options: LayoutOptions, previous?: Layout): Layout {
  const { from } = bounds(model);
  const { density, narrow, folded } = options;
  const before = previous as LayoutWithMemory | undefined;
  const keep = before && before.origin === from && before.density === density && before.narrow === narrow ? before[KNOWN] : undefined;
  const sameFolds = before?.[FOLDED] === folded;
  const memory = new Map<string, Known>();
  const groups: Group[] = [];
  const groupOfRun = new Map<number, number>();
  const markOf = new Map<number, { group: number; mark: PlacedMark }>();
  let [top, full] = [0, 0];
  for (const input of split(model)) {
    const known = keep?.get(input.key);
    const fold = folded.has(input.key);
    const thread =
      known && (sameFolds || sameInside(known.thread, fold, folded)) && unchanged(known.input, input)
        ? known.thread
        : layoutThread(input, { origin: from, folded: fold, folds: folded, density, narrow });
    memory.set(input.key, { input, thread });
    for (const run of input.runs) groupOfRun.set(run.id, groups.length);
    for (const row of thread.bands.flatMap((band) => band.marks)) for (const mark of row.marks) markOf.set(mark.view.id, { group: groups.length, mark });
    const away = options.away?.has(input.key) ?? false;
    const height = heightOf(thread, away, density);
    groups.push({ top, height, away, thread });
    top += height;
    full += thread.height;
  }
  const result: LayoutWithMemory = {
    origin: from,
    now: model.now - from,
    density,
    narrow,
    groups,
    height: top,
    full,
    links: linksOf(groups, model),
    groupOfRun,
    markOf,
    [KNOWN]: memory,
    [FOLDED]: folded,
  };
  return result;
}

/** Keys of the threads of which nothing is in a window. All of them, where the window shows nothing at all. */
export function awayFrom(l: Layout, window: { readonly from: number; readonly to: number }): ReadonlySet<string> {
  const [from, to] = [window.from - l.origin, window.to - l.origin];
  const seen = (run: PlacedRun) => {
    const end = run.close === Number.POSITIVE_INFINITY ? Math.max(l.now, run.start) : run.close;
    return Math.min(run.request ?? run.start, run.start) <= to && end >= from;
  };
  const has = ({ thread }: Group) =>
    thread.bands.some(({ runs, marks }) => runs.some(seen) || marks.some((row) => row.marks.some(({ time }) => time >= from && time <= to)));
  return new Set(l.groups.filter((group) => !has(group)).map((group) => group.thread.key));
}

/** A run of the layout, with the top of its thread. */
export function findRun(l: Layout, id: number): { readonly group: Group; readonly run: PlacedRun } | null {
  const group = l.groups[l.groupOfRun.get(id) ?? -1];
  const run = group?.thread.runs.get(id);
  return group && run ? { group, run } : null;
}

/** A tick of the layout, by its row. */
export function findTick(l: Layout, row: number): { readonly group: Group; readonly band: Band; readonly state: StateLane; readonly tick: PlacedTick } | null {
  for (const group of l.groups) {
    for (const band of group.thread.bands) {
      for (const state of band.states) {
        const tick = state.ticks.find((one) => one.view.row === row);
        if (tick) return { group, band, state, tick };
      }
    }
  }
  return null;
}

/** A span of the layout. `model.spans` need not be asked: threads hold their own. */
export function findSpan(l: Layout, id: number): { readonly group: Group; readonly span: PlacedSpan } | null {
  for (const group of l.groups) {
    const span = group.thread.spans.get(id);
    if (span) return { group, span };
  }
  return null;
}
