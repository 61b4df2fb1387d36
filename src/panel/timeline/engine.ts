/**
 * The timeline on screen: one window of time over one layout, drawn in one animation frame whenever something it shows has changed.
 * Signals come in (model, selection, theme), signals go out (window, hover, focus); the DOM is given by `attach`.
 */
import { effect, type Signal, signal, untracked } from '@preact/signals';
import {
  bounds,
  brush,
  type Density,
  type Draw,
  display,
  fitted,
  GUTTER,
  GUTTER_NARROW,
  gutter,
  heightsOf,
  held,
  hitTest,
  type Layout,
  type Look,
  layout as layOut,
  type Measure,
  overview,
  panned,
  RULER,
  ruler,
  type Strip,
  type Target,
  type TimelineModel,
  timeScale,
  timesOf,
  type Window,
  zoomed,
} from '../../timeline/index.ts';
import type { Selection } from '../state/selection.ts';
import { createFolding, type Folding } from './folding.ts';
import { type Motion, moving, type Range, stepped, still, towards } from './motion.ts';
import { follow, type Pace } from './pace.ts';
import { createMeasure, createPalette, type Palette, paint, type Surface, surfaceOf } from './paint.ts';

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

export interface Point {
  readonly x: number;
  readonly y: number;
}

export interface Elements {
  readonly root: HTMLElement;
  readonly plot: HTMLCanvasElement;
  readonly ruler: HTMLCanvasElement;
  readonly overview: HTMLCanvasElement;
  readonly scroller: HTMLElement;
}

/** Below this width the gutter shows icons only. */
const NARROW = 640;

export interface Engine {
  readonly inputs: Inputs;
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
  readonly folding: Folding;
  readonly window: () => Window;
  readonly strip: () => Strip;
  readonly limits: () => Range;
  /** Where the window is going. */
  readonly goal: () => Range;
  readonly show: (range: Range, eased: boolean) => void;
  readonly zoom: (factor: number, x?: number) => void;
  readonly pan: (px: number, eased: boolean) => void;
  readonly fit: () => void;
  readonly zoomTo: (target: Target) => void;
  readonly reveal: (target: Target) => void;
  /** Tells where the pointer is over the plot, or that it is elsewhere. What is under it is asked again when the window moves below it. */
  readonly point: (at: Point | null) => void;
  readonly schedule: () => void;
  readonly attach: (elements: Elements) => () => void;
}

interface State {
  motion: Motion;
  pace: Pace;
  elements: Elements | null;
  frame: number;
  palette: Palette | null;
  measure: Measure;
  surfaces: { plot: Surface | null; ruler: Surface | null; overview: Surface | null };
  strip: { key: string; list: Draw[] };
  height: number;
  layoutKey: string;
  pointer: Point | null;
}

export const overviewHeight = (density: Density, width: number): number => (density.lane < 18 ? 40 : width < NARROW ? 44 : 58);

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

const reducedMotion = (): boolean => window.matchMedia?.('(prefers-reduced-motion: reduce)').matches ?? false;

export function createEngine(inputs: Inputs): Engine {
  const { model } = inputs;
  const first = bounds(model.peek());
  const state: State = {
    motion: still(fitted(first)),
    pace: { placed: false, own: false, whole: true, origin: 0, end: 0 },
    elements: null,
    frame: 0,
    palette: null,
    measure: (text, size) => text.length * size * 0.55,
    surfaces: { plot: null, ruler: null, overview: null },
    strip: { key: '', list: [] },
    height: 200,
    layoutKey: '',
    pointer: null,
  };
  const folding = createFolding(typeof localStorage === 'undefined' ? null : localStorage);
  const options = (narrow: boolean) => ({ folded: folding.folded.peek(), density: inputs.density, narrow });
  const layout = signal<Layout>(layOut(model.peek(), options(false)));
  const [hover, focus, cursor, measured] = [signal<Target | null>(null), signal<Target | null>(null), signal<number | null>(null), signal<Range | null>(null)];
  const [focused, width, shown] = [signal(false), signal(800), signal<Range>(state.motion.at)];
  const narrow = () => width.peek() < NARROW;

  const boxOf = (range: Range): Window => ({
    from: range.from,
    to: range.to,
    width: width.peek(),
    height: state.height,
    scroll: state.elements?.scroller.scrollTop ?? 0,
    gutter: narrow() ? GUTTER_NARROW : GUTTER,
  });
  const limits = () => bounds(model.peek());
  const strip = (): Strip => ({ width: width.peek(), height: overviewHeight(inputs.density, width.peek()), gutter: narrow() ? 0 : GUTTER });

  const schedule = () => {
    if (state.frame === 0 && state.elements) state.frame = requestAnimationFrame(frame);
  };
  const show = (range: Range, eased: boolean) => {
    state.pace = { ...state.pace, own: true };
    const goal = held(range, limits());
    state.motion = eased ? towards(state.motion, goal, performance.now(), reducedMotion()) : still(goal);
    schedule();
  };
  const yieldFollow = () => {
    if (inputs.follow.peek()) inputs.follow.value = false;
  };

  const engine: Engine = {
    inputs,
    hover,
    focus,
    focused,
    cursor,
    measured,
    layout,
    width,
    shown,
    folding,
    window: () => boxOf(state.motion.at),
    strip,
    limits,
    goal: () => state.motion.goal,
    show,
    zoom: (factor, x) => {
      const goal = boxOf(state.motion.goal);
      show(zoomed(goal, factor, x ?? (goal.gutter + goal.width) / 2, limits()), true);
    },
    pan: (px, eased) => {
      yieldFollow();
      show(panned(boxOf(state.motion.goal), px, limits()), eased);
    },
    fit: () => show(fitted(limits()), true),
    zoomTo: (target) => {
      const times = timesOf(layout.peek(), target);
      if (!times) return;
      yieldFollow();
      const least = Math.min(state.motion.goal.to - state.motion.goal.from, 2000) / 2;
      const point = times.to - times.from <= 0;
      show(point ? { from: times.from - least, to: times.to + least } : fitted(times, 0.12), true);
      reveal(target);
    },
    reveal: (target) => reveal(target),
    point: (at) => {
      state.pointer = at;
      underPointer();
    },
    schedule,
    attach,
  };

  /** Brings a target into sight, moving as little as needs be, and not at all when it is in sight. */
  function reveal(target: Target): void {
    const times = timesOf(layout.peek(), target);
    const goal = state.motion.goal;
    const wide = goal.to - goal.from;
    if (times && (times.to < goal.from || times.from > goal.to)) show({ from: times.from - wide * 0.3, to: times.from + wide * 0.7 }, true);
    const heights = heightsOf(layout.peek(), target);
    const scroller = state.elements?.scroller;
    if (!heights || !scroller) return;
    if (heights.top < scroller.scrollTop + 4) scroller.scrollTop = Math.max(0, heights.top - 28);
    else if (heights.bottom > scroller.scrollTop + state.height - 4) scroller.scrollTop = heights.bottom - state.height + 28;
  }

  function underPointer(): void {
    const at = state.pointer;
    const box = boxOf(state.motion.at);
    const lay = layout.peek();
    const target = at && hitTest(lay, box, at.x, at.y);
    if (JSON.stringify(hover.peek()) !== JSON.stringify(target)) hover.value = target;
    const inPlot = at && at.x >= box.gutter && at.x < box.width;
    cursor.value = inPlot ? timeScale(box, lay.origin).time(at.x) + lay.origin : null;
    if (state.elements) state.elements.scroller.style.cursor = target ? 'pointer' : 'default';
  }

  function look(): Look {
    return {
      selection: inputs.selection.peek(),
      hover: hover.peek(),
      focus: focused.peek() ? focus.peek() : null,
      moment: inputs.moment.peek(),
      cursor: cursor.peek(),
      measured: measured.peek(),
      faded: inputs.filterKinds.peek(),
    };
  }

  function relayout(): void {
    const key = `${inputs.version.peek()} ${narrow()} ${inputs.density.lane}`;
    const old = layout.peek();
    if (key === state.layoutKey && folded === folding.folded.peek()) return;
    state.layoutKey = key;
    const now = model.peek();
    if (!state.pace.placed && now.runs.length > 0) folding.open([...new Set(layOut(now, options(narrow())).groups.map((group) => group.thread.key))]);
    folded = folding.folded.peek();
    layout.value = layOut(now, options(narrow()), old);
    const next = follow(state.pace, now, inputs.follow.peek(), state.motion.goal);
    state.pace = next.pace;
    if (next.range) state.motion = next.eased ? towards(state.motion, next.range, performance.now(), reducedMotion()) : still(next.range);
  }
  let folded = folding.folded.peek();

  function frame(at: number): void {
    state.frame = 0;
    const { elements } = state;
    if (!elements) return;
    relayout();
    state.motion = stepped(state.motion, Math.max(at, performance.now()));
    if (state.pointer) underPointer();
    drawAll(elements);
    if (moving(state.motion)) schedule();
    else if (state.motion.at.from !== shown.peek().from || state.motion.at.to !== shown.peek().to) shown.value = state.motion.at;
  }

  function drawAll(elements: Elements): void {
    if (!state.palette) {
      state.palette = createPalette(elements.root);
      state.measure = createMeasure(state.palette);
    }
    const { palette, measure, surfaces } = state;
    const box = boxOf(state.motion.at);
    const seen = look();
    const lay = layout.peek();
    surfaces.plot = surfaceOf(elements.plot, box.width, box.height, surfaces.plot);
    if (surfaces.plot) paint(surfaces.plot, [...display(lay, model.peek(), box, seen, measure), ...gutter(lay, box, seen, measure)], palette);
    surfaces.ruler = surfaceOf(elements.ruler, box.width, RULER, surfaces.ruler);
    if (surfaces.ruler) paint(surfaces.ruler, ruler(lay, box, seen, measure), palette);
    const at = strip();
    surfaces.overview = surfaceOf(elements.overview, at.width, at.height, surfaces.overview);
    const key = `${inputs.version.peek()} ${at.width} ${at.height} ${at.gutter}`;
    if (state.strip.key !== key) state.strip = { key, list: overview(model.peek(), at, measure) };
    if (surfaces.overview) paint(surfaces.overview, [...state.strip.list, ...brush(model.peek(), at, box)], palette);
  }

  function attach(elements: Elements): () => void {
    state.elements = elements;
    state.surfaces = { plot: null, ruler: null, overview: null };
    const resize = () => {
      width.value = Math.max(120, elements.scroller.clientWidth);
      state.height = Math.max(20, elements.scroller.clientHeight);
      elements.plot.style.height = `${state.height}px`;
      schedule();
    };
    const observer = new ResizeObserver(resize);
    observer.observe(elements.scroller);
    resize();
    const stops = listen(elements);
    return () => {
      observer.disconnect();
      for (const stop of stops) stop();
      if (state.frame) cancelAnimationFrame(state.frame);
      state.frame = 0;
      state.elements = null;
    };
  }

  function listen(elements: Elements): (() => void)[] {
    elements.scroller.addEventListener('scroll', schedule, { passive: true });
    return [
      () => elements.scroller.removeEventListener('scroll', schedule),
      effect(() => {
        void [inputs.version.value, model.value, folding.folded.value, inputs.filterKinds.value, inputs.moment.value];
        void [hover.value, focus.value, focused.value, cursor.value, measured.value, width.value];
        schedule();
      }),
      effect(() => {
        void inputs.theme.value;
        // the attribute that switches the tokens may be set in an effect that runs after this one
        state.palette = null;
        queueMicrotask(() => {
          state.palette = null;
          schedule();
        });
      }),
      effect(() => {
        if (!inputs.follow.value) return;
        state.pace = { ...state.pace, own: false };
        state.layoutKey = '';
        schedule();
      }),
      effect(() => {
        const selection = inputs.selection.value;
        untracked(() => {
          if (selection.kind !== 'none' && state.pace.placed) state.pace = { ...state.pace, own: true };
          const target = targetOf(selection, model.peek(), layout.peek());
          if (target) reveal(target);
          schedule();
        });
      }),
    ];
  }

  return engine;
}
