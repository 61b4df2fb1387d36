/** What the timeline on screen is made of, and how its window moves. */
import { type Signal, signal } from '@preact/signals';
import {
  bounds,
  type Density,
  type Folds,
  fitted,
  GUTTER,
  GUTTER_NARROW,
  groupOf,
  heightsOf,
  held,
  type Layout,
  layout as layOut,
  panned,
  restack,
  type Strip,
  type Target,
  type TimelineModel,
  timesOf,
  UNFOLDED,
  type Window,
  zoomed,
} from '../../timeline/index.ts';
import type { Selection } from '../state/selection.ts';
import { createFolding, createIdle, type Folding, type Idle } from './folding.ts';
import { type Motion, type Range, still, towards } from './motion.ts';
import { type Pace, UNPLACED } from './pace.ts';

export interface Inputs {
  readonly model: Signal<TimelineModel>;
  readonly version: Signal<number>;
  readonly selection: Signal<Selection>;
  readonly theme: Signal<'light' | 'dark'>;
  readonly density: Density;
  /** Kinds switched off: faded. */
  readonly filterKinds: Signal<ReadonlySet<string>>;
  readonly follow: Signal<boolean>;
  readonly moment: Signal<number | null>;
  readonly onSelect: (target: Target) => void;
}

export interface Elements {
  readonly root: HTMLElement;
  readonly plot: HTMLCanvasElement;
  readonly ruler: HTMLCanvasElement;
  readonly overview: HTMLCanvasElement;
  readonly scroller: HTMLElement;
}

export interface Point {
  readonly x: number;
  readonly y: number;
}

/** Signals of the view, for what is drawn and for the DOM beside the canvases. */
export interface Seen {
  readonly hover: Signal<Target | null>;
  readonly focus: Signal<Target | null>;
  /** Whether the keyboard is in the timeline: then the focus ring is drawn. */
  readonly focused: Signal<boolean>;
  readonly cursor: Signal<number | null>;
  readonly measured: Signal<Range | null>;
  /** The layout on screen; changes only when something moved in it. */
  readonly layout: Signal<Layout>;
  readonly width: Signal<number>;
  /** The window as words know it: changes once a movement has ended. */
  readonly shown: Signal<Range>;
}

export interface Core extends Seen {
  readonly inputs: Inputs;
  readonly folding: Folding;
  /** Whether idle stretches are folded away. */
  readonly idle: Idle;
  readonly state: {
    motion: Motion;
    pace: Pace;
    folds: Folds;
    /** Threads of which nothing is in the window, and the layout and window they were last looked for in. */
    away: ReadonlySet<string>;
    looked: { readonly layout: Layout | null; readonly range: Range | null; readonly since: number };
    /** A pointer is down in the plot: nothing may move under it by itself. */
    grasped: boolean;
    elements: Elements | null;
    height: number;
    /** What the layout on screen was made for. */
    laidOut: { readonly version: number; readonly narrow: boolean; readonly folded: ReadonlySet<string>; readonly idle: boolean } | null;
    pointer: Point | null;
  };
  /** Asks for a frame. */
  schedule: () => void;
  /** The capture has grown: drawn soon, but not as often as it grows. */
  grown: () => void;
}

/** Below this width the gutter shows icons only. */
export const NARROW = 640;

export const overviewHeight = (density: Density, width: number): number => (density.lane < 15 ? 28 : density.lane < 18 ? 40 : width < NARROW ? 44 : 58);
export const isNarrow = (core: Core): boolean => core.width.peek() < NARROW;
const reducedMotion = (): boolean => window.matchMedia?.('(prefers-reduced-motion: reduce)').matches ?? false;

const NEVER = { layout: null, range: null, since: 0 };

export function createCore(inputs: Inputs): Core {
  const model = inputs.model.peek();
  const motion = still(fitted(bounds(model)));
  const storage = typeof localStorage === 'undefined' ? null : localStorage;
  const folding = createFolding(storage);
  return {
    inputs,
    folding,
    idle: createIdle(storage),
    hover: signal<Target | null>(null),
    focus: signal<Target | null>(null),
    focused: signal(false),
    cursor: signal<number | null>(null),
    measured: signal<Range | null>(null),
    layout: signal(layOut(model, { folded: folding.folded.peek(), density: inputs.density, narrow: false })),
    width: signal(800),
    shown: signal(motion.at),
    state: {
      motion,
      pace: UNPLACED,
      folds: UNFOLDED,
      away: new Set(),
      looked: NEVER,
      grasped: false,
      elements: null,
      height: 200,
      laidOut: null,
      pointer: null,
    },
    schedule: () => {},
    grown: () => {},
  };
}

/** The window for a range of time, as large as the canvas is. */
export function windowOf(core: Core, range: Range = core.state.motion.at): Window {
  const { elements, height } = core.state;
  return {
    from: range.from,
    to: range.to,
    width: core.width.peek(),
    height,
    scroll: elements?.scroller.scrollTop ?? 0,
    gutter: isNarrow(core) ? GUTTER_NARROW : GUTTER,
    folds: core.state.folds,
  };
}

export function stripOf(core: Core): Strip {
  const width = core.width.peek();
  return { width, height: overviewHeight(core.inputs.density, width), gutter: isNarrow(core) ? 0 : GUTTER, folds: core.state.folds };
}

export const limitsOf = (core: Core): Range => bounds(core.inputs.model.peek());

/** Sets out for a range without a word about who wanted it. */
function glide(core: Core, range: Range, eased: boolean): void {
  turn(core, range, eased);
  core.schedule();
}

/** The same for who is drawing already. */
export function turn(core: Core, range: Range, eased: boolean): void {
  core.state.motion = eased ? towards(core.state.motion, range, performance.now(), reducedMotion()) : still(range);
}

/** Shows a range because the reader wants it. */
export function show(core: Core, range: Range, eased: boolean): void {
  core.state.pace = { ...core.state.pace, own: true };
  glide(core, held(range, limitsOf(core), core.state.folds), eased);
}

/** The reader looks elsewhere than at the newest. */
export function stopFollowing(core: Core): void {
  if (core.inputs.follow.peek()) core.inputs.follow.value = false;
}

/** Zooms at an x, else at the middle. */
export function zoom(core: Core, factor: number, x?: number): void {
  const goal = windowOf(core, core.state.motion.goal);
  show(core, zoomed(goal, factor, x ?? (goal.gutter + goal.width) / 2, limitsOf(core)), true);
}

export function pan(core: Core, px: number, eased: boolean): void {
  stopFollowing(core);
  show(core, panned(windowOf(core, core.state.motion.goal), px, limitsOf(core)), eased);
}

/** Zooms so that what was measured fills the window. Answers whether there was anything. */
export function zoomToMeasured(core: Pick<Core, 'measured'>, goTo: (range: Range) => void): boolean {
  const measured = core.measured.peek();
  if (!measured || measured.from === measured.to) return false;
  core.measured.value = null;
  goTo({ from: Math.min(measured.from, measured.to), to: Math.max(measured.from, measured.to) });
  return true;
}

/** Zooms so that a target fills the window; a point keeps some time around it. */
export function zoomTo(core: Core, target: Target): void {
  const times = timesOf(core.layout.peek(), target);
  if (!times) return;
  stopFollowing(core);
  const { goal } = core.state.motion;
  const half = Math.min(goal.to - goal.from, 2000) / 2;
  show(core, times.to > times.from ? fitted(times, 0.12, core.state.folds) : { from: times.from - half, to: times.to + half }, true);
  reveal(core, target);
}

/** Gives a thread its height again. */
function bringBack(core: Core, target: Target): void {
  const lay = core.layout.peek();
  const key = groupOf(lay, target)?.thread.key;
  core.state.away = new Set([...core.state.away].filter((one) => one !== key));
  setLayout(core, restack(lay, core.state.away));
}

/** Shows another layout. The stage has its height at once, so that it can be scrolled there. */
export function setLayout(core: Core, next: Layout): void {
  const stage = core.state.elements?.scroller.querySelector<HTMLElement>('.tl-stage');
  if (stage) stage.style.height = `${next.height}px`;
  core.layout.value = next;
}

/** Brings a target into sight, moving as little as needs be, and not at all when it is in sight. */
export function reveal(core: Core, target: Target): void {
  const lay = core.layout.peek();
  const times = timesOf(lay, target);
  const { goal } = core.state.motion;
  const wide = goal.to - goal.from;
  if (times && (times.to < goal.from || times.from > goal.to)) show(core, { from: times.from - wide * 0.3, to: times.from + wide * 0.7 }, true);
  if (groupOf(lay, target)?.away) bringBack(core, target);
  const heights = heightsOf(core.layout.peek(), target);
  const scroller = core.state.elements?.scroller;
  if (!heights || !scroller) return;
  if (heights.top < scroller.scrollTop + 4) scroller.scrollTop = Math.max(0, heights.top - 28);
  else if (heights.bottom > scroller.scrollTop + core.state.height - 4) scroller.scrollTop = heights.bottom - core.state.height + 28;
}

/** The target a selection stands for, as far as the timeline has one. */
export function targetOf(selection: Selection, model: TimelineModel, layout: Layout): Target | null {
  if (selection.kind === 'span' || selection.kind === 'run' || selection.kind === 'finding') return selection;
  if (selection.kind !== 'row') return null;
  const finding = model.findings.find((one) => one?.row === selection.row);
  if (finding && layout.markOf.has(finding.id)) return { kind: 'finding', id: finding.id };
  for (const { thread } of layout.groups) {
    const span = thread.spanOfRow.get(selection.row);
    if (span) return { kind: 'span', id: span.view.id };
  }
  return { kind: 'tick', row: selection.row };
}
