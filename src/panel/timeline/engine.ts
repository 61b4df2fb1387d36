/**
 * The timeline on screen: one window of time over one layout, drawn in one animation frame whenever something it shows has changed.
 * Signals come in (model, selection, theme), signals go out (window, hover, focus); the DOM is given by `attach`.
 */
import { effect, untracked } from '@preact/signals';
import {
  awayFrom,
  fitted,
  foldsOf,
  hitTest,
  type Layout,
  type Look,
  layout as layOut,
  restack,
  type Strip,
  type Target,
  timeScale,
  timesOf,
  UNFOLDED,
  type Window,
  widthOf,
} from '../../timeline/index.ts';
import {
  type Core,
  createCore,
  type Elements,
  type Inputs,
  isNarrow,
  limitsOf,
  type Point,
  pan,
  reveal,
  type Seen,
  setLayout,
  show,
  stopFollowing,
  stripOf,
  targetOf,
  turn,
  windowOf,
  zoom,
  zoomTo,
  zoomToMeasured,
} from './core.ts';
import { createDrawing } from './drawing.ts';
import type { Folding, Idle } from './folding.ts';
import { moving, type Range, stepped } from './motion.ts';
import { again, follow } from './pace.ts';
import { createScreen, type Screen } from './screen.ts';
export interface Engine extends Seen {
  readonly inputs: Inputs;
  readonly folding: Folding;
  readonly idle: Idle;
  readonly window: () => Window;
  readonly strip: () => Strip;
  readonly limits: () => Range;
  /** Folded idle time of a stretch, ms. */
  readonly foldedIdle: (range: Range) => number;
  /** Where the window is going. */
  readonly goal: () => Range;
  readonly show: (range: Range, eased: boolean) => void;
  readonly zoom: (factor: number, x?: number) => void;
  readonly pan: (px: number, eased: boolean) => void;
  readonly fit: () => void;
  readonly zoomTo: (target: Target) => void;
  /** Zooms to the measured stretch, if there is one. */
  readonly zoomToMeasured: () => boolean;
  readonly reveal: (target: Target) => void;
  readonly stopFollowing: () => void;
  /** Tells that a pointer is down in the plot, or up again. */
  readonly grasp: (on: boolean) => void;
  /** Tells where the pointer is over the plot, or that it is elsewhere. What is under it is asked again when the window moves below it. */
  readonly point: (at: Point | null) => void;
  /** Takes the DOM and draws into it until the returned function is called. */
  readonly attach: (elements: Elements) => () => void;
}

function underPointer(core: Core): void {
  const { pointer, elements } = core.state;
  const box = windowOf(core);
  const lay = core.layout.peek();
  const target = pointer && hitTest(lay, box, pointer.x, pointer.y);
  if (JSON.stringify(core.hover.peek()) !== JSON.stringify(target)) core.hover.value = target;
  const inPlot = pointer && pointer.x >= box.gutter && pointer.x < box.width;
  core.cursor.value = inPlot ? timeScale(box, lay.origin).time(pointer.x) + lay.origin : null;
  if (elements) elements.scroller.style.cursor = target ? 'pointer' : 'default';
}

function lookOf(core: Core): Look {
  const { inputs } = core;
  return {
    selection: inputs.selection.peek(),
    hover: core.hover.peek(),
    focus: core.focused.peek() ? core.focus.peek() : null,
    moment: inputs.moment.peek(),
    cursor: core.cursor.peek(),
    measured: core.measured.peek(),
    faded: inputs.filterKinds.peek(),
  };
}

const keysOf = (layout: Layout): string[] => layout.groups.map((group) => group.thread.key);

/** Lays out anew what changed, and lets the window go along with a capture that grows. */
function relayout(core: Core): void {
  const { state, inputs, folding } = core;
  const narrow = isNarrow(core);
  const version = inputs.version.peek();
  const idle = core.idle.folded.peek();
  const last = state.laidOut;
  const grown = !last || last.version !== version;
  if (!grown && last.narrow === narrow && last.folded === folding.folded.peek() && last.idle === idle) return;
  const model = inputs.model.peek();
  const options = () => ({ folded: folding.folded.peek(), density: inputs.density, narrow, away: state.away });
  let next = layOut(model, options(), core.layout.peek());
  if (!state.pace.placed && next.groups.length > 0) {
    folding.open(keysOf(next));
    next = layOut(model, options(), next);
  }
  state.laidOut = { version, narrow, folded: folding.folded.peek(), idle };
  state.folds = idle ? foldsOf(next, state.folds) : UNFOLDED;
  setLayout(core, next);
  if (last && last.idle !== idle && !state.pace.own && state.pace.whole) turn(core, fitted(limitsOf(core), undefined, state.folds), true);
  if (!grown) return;
  const step = follow(state.pace, model, inputs.follow.peek(), state.motion.goal, state.folds);
  state.pace = step.pace;
  if (step.range) turn(core, step.range, false);
}

/** How long the reader's window must have stood still before threads that left it lose their height, ms. */
const SETTLED = 160;

const sameKeys = (a: ReadonlySet<string>, b: ReadonlySet<string>): boolean => a.size === b.size && [...a].every((key) => b.has(key));

/** Takes the height from threads that have nothing in the window and gives it back to those that have. */
function settleAway(core: Core, at: number): void {
  const { state } = core;
  const layout = core.layout.peek();
  const range = state.motion.at;
  if (!state.pace.placed || state.grasped || moving(state.motion)) return;
  if (state.looked.layout === layout && state.looked.range === range) return;
  const since = state.looked.range === range ? state.looked.since : at;
  if (state.pace.own && state.looked.range !== null && at - since < SETTLED) {
    state.looked = { layout: null, range, since };
    setTimeout(() => core.schedule(), SETTLED);
    return;
  }
  const away = awayFrom(layout, windowOf(core));
  if (!sameKeys(away, state.away)) restackTo(core, away);
  state.looked = { layout: core.layout.peek(), range, since };
}

/** What the reader looks at stays where it is, as far as there is room above it. */
function restackTo(core: Core, away: ReadonlySet<string>): void {
  const { state } = core;
  const before = core.layout.peek();
  const scroller = state.elements?.scroller;
  const scroll = scroller?.scrollTop ?? 0;
  const y = scroll + (state.pointer?.y ?? 0);
  const anchor =
    before.groups.find((group) => state.pointer && y >= group.top && y < group.top + group.height) ??
    before.groups.find((group) => !away.has(group.thread.key) && group.top + group.height > scroll);
  state.away = away;
  const next = restack(before, away);
  setLayout(core, next);
  const moved = anchor && next.groups[before.groups.indexOf(anchor)];
  if (scroller && anchor && moved) scroller.scrollTop = Math.max(0, scroll + moved.top - anchor.top);
}

function frame(core: Core, screen: Screen, at: number): void {
  const { state, inputs } = core;
  if (!state.elements) return;
  relayout(core);
  state.motion = stepped(state.motion, Math.max(at, performance.now()));
  settleAway(core, Math.max(at, performance.now()));
  if (state.pointer) underPointer(core);
  screen.draw({
    layout: core.layout.peek(),
    model: inputs.model.peek(),
    version: inputs.version.peek(),
    window: windowOf(core),
    strip: stripOf(core),
    look: lookOf(core),
  });
  const { from, to } = state.motion.at;
  if (moving(state.motion)) core.schedule();
  else if (from !== core.shown.peek().from || to !== core.shown.peek().to) core.shown.value = { from, to };
}

/** The keyboard goes on from what was selected, wherever that was done. A tick keeps it when its own event is selected. */
function takeFocus(core: Core, target: Target): void {
  const at = core.focus.peek();
  const selection = core.inputs.selection.peek();
  if (at?.kind === 'tick' && selection.kind === 'row' && selection.row === at.row) return;
  if (!timesOf(core.layout.peek(), target)) return;
  core.focus.value = target;
}

/** Redraws when anything that is shown changes. */
function watch(core: Core, screen: Screen): (() => void)[] {
  const { inputs } = core;
  return [
    effect(() => {
      void [inputs.version.value, inputs.model.value];
      core.grown();
    }),
    effect(() => {
      void [core.folding.folded.value, core.idle.folded.value, inputs.filterKinds.value, inputs.moment.value];
      void [core.hover.value, core.focus.value, core.focused.value, core.cursor.value, core.measured.value, core.width.value];
      core.schedule();
    }),
    effect(() => {
      void inputs.theme.value;
      // the attribute that switches the tokens may be set by an effect that runs after this one
      queueMicrotask(() => {
        screen.repaint();
        core.schedule();
      });
    }),
    effect(() => {
      if (!inputs.follow.value) return;
      core.state.pace = again(core.state.pace);
      core.state.laidOut = null;
      core.schedule();
    }),
    effect(() => {
      const selection = inputs.selection.value;
      untracked(() => {
        if (selection.kind !== 'none' && core.state.pace.placed) core.state.pace = { ...core.state.pace, own: true };
        const target = targetOf(selection, inputs.model.peek(), core.layout.peek());
        if (target) takeFocus(core, target);
        if (target && core.state.pace.placed) reveal(core, target);
        core.schedule();
      });
    }),
  ];
}

function attach(core: Core, elements: Elements): () => void {
  const { state } = core;
  const screen = createScreen(elements);
  state.elements = elements;
  const drawing = createDrawing((at) => frame(core, screen, at));
  core.schedule = drawing.soon;
  core.grown = drawing.grown;
  const resize = () => {
    core.width.value = Math.max(120, elements.scroller.clientWidth);
    state.height = Math.max(20, elements.scroller.clientHeight);
    elements.plot.style.height = `${state.height}px`;
    core.schedule();
  };
  const observer = new ResizeObserver(resize);
  observer.observe(elements.scroller);
  elements.scroller.addEventListener('scroll', core.schedule, { passive: true });
  resize();
  const { schedule } = core;
  const stops = watch(core, screen);
  return () => {
    observer.disconnect();
    elements.scroller.removeEventListener('scroll', schedule);
    for (const stop of stops) stop();
    drawing.stop();
    state.elements = null;
    core.schedule = () => {};
    core.grown = () => {};
  };
}

export function createEngine(inputs: Inputs): Engine {
  const core = createCore(inputs);
  return {
    ...core,
    window: () => windowOf(core),
    strip: () => stripOf(core),
    limits: () => limitsOf(core),
    goal: () => core.state.motion.goal,
    foldedIdle: (range) => range.to - range.from - widthOf(range, core.state.folds),
    show: (range, eased) => show(core, range, eased),
    zoom: (factor, x) => zoom(core, factor, x),
    pan: (px, eased) => pan(core, px, eased),
    fit: () => show(core, fitted(limitsOf(core), undefined, core.state.folds), true),
    zoomTo: (target) => zoomTo(core, target),
    zoomToMeasured: () =>
      zoomToMeasured(core, (range) => {
        stopFollowing(core);
        show(core, range, true);
      }),
    reveal: (target) => reveal(core, target),
    stopFollowing: () => stopFollowing(core),
    grasp: (on) => {
      core.state.grasped = on;
      if (!on) core.schedule();
    },
    point: (at) => {
      core.state.pointer = at;
      underPointer(core);
    },
    attach: (elements) => attach(core, elements),
  };
}
