/**
 * What a layout is made of. Times (`start`, `end`, `time`) are ms since the layout's origin, `Infinity` while open.
 * Heights and `y` are CSS px from the top of the thread, so that a thread that did not change is reused wherever it stands.
 */
import type { FindingView, RunView, SpanView, TickView } from '../runs/types.ts';
import type { Folds } from './folds.ts';
import type { Link } from './links.ts';
import type { Density, LaneKind, Window } from './types.ts';

export interface PlacedRun {
  readonly view: RunView;
  readonly start: number;
  /** Right edge of the box: the end, or for a late RUN_ERROR the finish before it. */
  readonly end: number;
  /** The end with a late RUN_ERROR. */
  readonly close: number;
  /** From here on a conforming client sees nothing; `Infinity` while it does. */
  readonly stop: number;
  /** Where `@ag-ui/client` stops, when that is in this run and elsewhere than `stop`. */
  readonly referenceStop: number | null;
  readonly band: Band;
  /** Bottom of its box, and where findings are marked that are on nothing in it. */
  readonly bottom: number;
  readonly markY: number;
  /** Under which it is folded; null where there is nothing in it to fold away. */
  readonly foldKey: string | null;
  /** Folded by itself, in a thread that is open: its lanes are thin. */
  readonly folded: boolean;
  /** Start of the request of this and of the next run of the band: how far a note may reach. */
  readonly request: number | null;
  next: PlacedRun | null;
  /** Whether its connection carries other runs: then it is told which of them was asked for. */
  readonly several: boolean;
  /** Runlens answered in place of the agent, or changed its answer. */
  readonly played: boolean;
}

export interface PlacedSpan {
  readonly view: SpanView;
  readonly run: PlacedRun;
  readonly start: number;
  readonly end: number;
  readonly lane: Lane;
  /** Session id of the subagent it ran in. */
  readonly owner: number | null;
  /** Of a subagent with something in it: under which it is folded. */
  readonly foldKey: string | null;
  readonly folded: boolean;
  /** The reasoning span in whose bar this reasoning message is drawn. */
  readonly host: PlacedSpan | null;
  /** For a subagent: the box around what ran inside it. */
  readonly box: { readonly start: number; readonly end: number; readonly bottom: number } | null;
}

export interface PlacedTick {
  readonly view: TickView;
  readonly time: number;
  readonly run: PlacedRun;
}

/** One row. Its spans never overlap, so `start` and `end` both ascend. */
export interface Lane {
  readonly kind: LaneKind;
  readonly y: number;
  readonly height: number;
  /** Nesting of subagents, 0 for the parent agent. */
  readonly depth: number;
  /** A thin row of something folded. */
  readonly micro: boolean;
  /** Where findings on its spans are marked. */
  readonly markY: number;
  /** Whether the gutter names it: the first row of its kind. */
  readonly named: boolean;
  readonly spans: PlacedSpan[];
  /** Reasoning messages inside the spans of this row. */
  readonly inner: PlacedSpan[];
}

export interface StateLane {
  readonly micro: boolean;
  readonly y: number;
  readonly height: number;
  readonly ticks: readonly PlacedTick[];
}

export interface PlacedMark {
  readonly view: FindingView;
  readonly time: number;
  readonly y: number;
  readonly run: PlacedRun;
  readonly span: number | null;
}

/** Marks of one height, ascending by time: only these can merge. */
export interface MarkRow {
  readonly y: number;
  readonly marks: readonly PlacedMark[];
}

/** Runs that do not overlap share a band of lanes. */
export interface Band {
  /** Top of the boxes, which is the top of the run bars. */
  readonly top: number;
  readonly runBar: number;
  /** Base line of the second line under the run bar; 0 when folded. */
  readonly note: number;
  /** Bottom of the lowest box. */
  readonly bottom: number;
  readonly runs: readonly PlacedRun[];
  readonly lanes: readonly Lane[];
  /** That of its open runs, that of its folded ones. */
  readonly states: readonly StateLane[];
  readonly marks: readonly MarkRow[];
}

export interface Thread {
  readonly key: string;
  readonly label: string;
  /** Path of the first connection's URL. */
  readonly where: string;
  readonly folded: boolean;
  readonly height: number;
  readonly title: { readonly y: number; readonly height: number } | null;
  readonly bands: readonly Band[];
  readonly counts: { readonly runs: number; readonly rejected: number; readonly failed: number };
  readonly runs: ReadonlyMap<number, PlacedRun>;
  readonly spans: ReadonlyMap<number, PlacedSpan>;
  /** Span of a row that opens or closes it. */
  readonly spanOfRow: ReadonlyMap<number, PlacedSpan>;
  readonly marksOfSpan: ReadonlyMap<number, readonly number[]>;
  /** Time of rows that share their instant with others, spread in their order. */
  readonly timeOfRow: ReadonlyMap<number, number>;
}

export interface Group {
  readonly top: number;
  /** What it takes: its thread's height, or one row while nothing of it is in the window. */
  readonly height: number;
  readonly away: boolean;
  readonly thread: Thread;
}

export interface Layout {
  /** ms since the epoch. */
  readonly origin: number;
  /** The present, ms since the origin. */
  readonly now: number;
  readonly density: Density;
  readonly narrow: boolean;
  readonly groups: readonly Group[];
  readonly height: number;
  /** Height with every thread in full. */
  readonly full: number;
  readonly links: readonly Link[];
  /** Session run id → index of its group. */
  readonly groupOfRun: ReadonlyMap<number, number>;
  /** Session finding id → its mark. */
  readonly markOf: ReadonlyMap<number, { readonly group: number; readonly mark: PlacedMark }>;
}

/** Time to px and back for one window. */
export interface Scale {
  readonly x: (time: number) => number;
  /** Rounded, and held within 60 px of the plot, so that far ends cost nothing. */
  readonly px: (time: number) => number;
  readonly time: (x: number) => number;
  readonly from: number;
  readonly to: number;
  readonly msPerPx: number;
  /** Times so many px left of the plot and right of it. */
  readonly low: (px: number) => number;
  readonly high: (px: number) => number;
  readonly folds: Folds;
  readonly window: Window;
}
