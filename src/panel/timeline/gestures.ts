/** Pointer and wheel on the plot and the ruler: select, fold, pan, measure, zoom. Each returns what undoes it. */
import { findingsAt, foldAt, groupOf, hitTest, type PlacedRun, RULER, type Target, timeScale } from '../../timeline/index.ts';
import type { Point } from './core.ts';
import type { Engine } from './engine.ts';

/** A press becomes a drag after so many px. */
const DRAG = 3;

const within = (element: Element, event: MouseEvent): Point => {
  const box = element.getBoundingClientRect();
  return { x: event.clientX - box.left, y: event.clientY - box.top };
};

const timeAt = (engine: Engine, x: number): number => {
  const window = engine.window();
  const { origin } = engine.layout.peek();
  return timeScale(window, origin).time(Math.min(window.width, Math.max(window.gutter, x))) + origin;
};

/** Click on a mark that stands for several findings: each click goes on to the next of them. */
function nextOfMark(engine: Engine, target: Target, point: Point): Target {
  if (target.kind !== 'finding') return target;
  const ids = findingsAt(engine.layout.peek(), engine.window(), point.x, point.y);
  const selection = engine.inputs.selection.peek();
  const at = selection.kind === 'finding' ? ids.indexOf(selection.id) : -1;
  return { kind: 'finding', id: ids[(at + 1) % Math.max(1, ids.length)] ?? target.id };
}

/** Brings the run of a thread that is nearest to the window into it. */
function goToThread(engine: Engine, target: Target): void {
  const layout = engine.layout.peek();
  const { from, to } = engine.goal();
  const far = (run: PlacedRun) => Math.abs(layout.origin + run.start - (from + to) / 2);
  const [nearest] = [...(groupOf(layout, target)?.thread.runs.values() ?? [])].sort((a, b) => far(a) - far(b));
  if (!nearest) return;
  engine.stopFollowing();
  engine.reveal({ kind: 'run', id: nearest.view.id });
}

function click(engine: Engine, point: Point, event: PointerEvent): void {
  engine.measured.value = null;
  const sign = foldAt(engine.layout.peek(), engine.window(), point.x, point.y);
  if (sign) {
    engine.folding.setAll(event.altKey ? sign.likes : [sign.key], !sign.folded);
    return;
  }
  const target = hitTest(engine.layout.peek(), engine.window(), point.x, point.y);
  if (!target) return;
  if (target.kind === 'thread' && groupOf(engine.layout.peek(), target)?.away) {
    goToThread(engine, target);
    return;
  }
  if (target.kind === 'thread') {
    const { folding, layout } = engine;
    const fold = !folding.folded.peek().has(target.key);
    const keys = layout.peek().groups.map((group) => group.thread.key);
    if (event.altKey) folding.setAll(keys, fold);
    else folding.toggle(target.key);
    return;
  }
  const chosen = nextOfMark(engine, target, point);
  engine.focus.value = chosen;
  engine.inputs.onSelect(chosen);
}

type Drag =
  | { readonly kind: 'press' | 'pan'; readonly at: Point; readonly scroll: number; x: number; moved: boolean }
  | { readonly kind: 'measure'; readonly from: number; moved: boolean };

/** Presses on the plot: click selects, drag pans, Shift-drag measures. */
export function plotGestures(engine: Engine, scroller: HTMLElement, focusTwin: () => void): () => void {
  let drag: Drag | null = null;
  const down = (event: PointerEvent) => {
    const point = within(scroller, event);
    // the scrollbar belongs to the scroller
    if (event.button !== 0 || point.x >= scroller.clientWidth) return;
    focusTwin();
    scroller.setPointerCapture(event.pointerId);
    engine.grasp(true);
    drag = event.shiftKey
      ? { kind: 'measure', from: timeAt(engine, point.x), moved: false }
      : { kind: 'press', at: point, scroll: scroller.scrollTop, x: point.x, moved: false };
    event.preventDefault();
  };
  const move = (event: PointerEvent) => {
    const point = within(scroller, event);
    if (!drag) {
      engine.point(point.x < scroller.clientWidth ? point : null);
      return;
    }
    if (drag.kind === 'measure') {
      drag.moved = true;
      engine.measured.value = { from: drag.from, to: timeAt(engine, point.x) };
      return;
    }
    if (!drag.moved && Math.hypot(point.x - drag.at.x, point.y - drag.at.y) < DRAG) return;
    drag.moved = true;
    engine.point(null);
    scroller.style.cursor = 'grabbing';
    scroller.scrollTop = drag.scroll - (point.y - drag.at.y);
    if (point.x !== drag.x) engine.pan(drag.x - point.x, false);
    drag.x = point.x;
  };
  const up = (event: PointerEvent) => {
    const done = drag;
    drag = null;
    engine.grasp(false);
    scroller.style.cursor = 'default';
    if (!done) return;
    const point = within(scroller, event);
    if (!done.moved) click(engine, point, event);
    engine.point(point);
  };
  const leave = () => {
    if (!drag) engine.point(null);
  };
  const twice = (event: MouseEvent) => {
    const point = within(scroller, event);
    const target = foldAt(engine.layout.peek(), engine.window(), point.x, point.y) ? null : hitTest(engine.layout.peek(), engine.window(), point.x, point.y);
    if (target && target.kind !== 'thread') engine.zoomTo(target);
  };
  scroller.addEventListener('pointerdown', down);
  scroller.addEventListener('pointermove', move);
  scroller.addEventListener('pointerup', up);
  scroller.addEventListener('pointercancel', up);
  scroller.addEventListener('pointerleave', leave);
  scroller.addEventListener('dblclick', twice);
  return () => {
    scroller.removeEventListener('pointerdown', down);
    scroller.removeEventListener('pointermove', move);
    scroller.removeEventListener('pointerup', up);
    scroller.removeEventListener('pointercancel', up);
    scroller.removeEventListener('pointerleave', leave);
    scroller.removeEventListener('dblclick', twice);
  };
}

/** Drag on the ruler measures; a double click shows everything. */
export function rulerGestures(engine: Engine, ruler: HTMLElement): () => void {
  let from: number | null = null;
  const down = (event: PointerEvent) => {
    const point = within(ruler, event);
    if (event.button !== 0 || point.y > RULER) return;
    ruler.setPointerCapture(event.pointerId);
    from = timeAt(engine, point.x);
    engine.measured.value = null;
    event.preventDefault();
  };
  const move = (event: PointerEvent) => {
    const at = timeAt(engine, within(ruler, event).x);
    engine.cursor.value = at;
    if (from !== null) engine.measured.value = { from, to: at };
  };
  const up = () => {
    from = null;
  };
  const leave = () => {
    if (from === null) engine.cursor.value = null;
  };
  const twice = () => engine.fit();
  const pairs = [
    ['pointerdown', down],
    ['pointermove', move],
    ['pointerup', up],
    ['pointercancel', up],
    ['pointerleave', leave],
    ['dblclick', twice],
  ] as const;
  for (const [name, listener] of pairs) ruler.addEventListener(name, listener as EventListener);
  return () => {
    for (const [name, listener] of pairs) ruler.removeEventListener(name, listener as EventListener);
  };
}

/** Lines and pages of a wheel in px. */
const wheelPx = (delta: number, event: WheelEvent): number => delta * (event.deltaMode === 1 ? 16 : event.deltaMode === 2 ? 400 : 1);

/** Ctrl+wheel or pinch zooms at the pointer; Shift or a sideways wheel pans; a plain wheel scrolls the threads. */
export function wheelGestures(engine: Engine, element: HTMLElement, scrolls: boolean): () => void {
  const wheel = (event: WheelEvent) => {
    const [dx, dy] = [wheelPx(event.deltaX, event), wheelPx(event.deltaY, event)];
    if (event.ctrlKey || event.metaKey) {
      event.preventDefault();
      engine.zoom(Math.exp(Math.max(-60, Math.min(60, dy)) * 0.006), within(element, event).x);
    } else if (event.shiftKey || Math.abs(dx) > Math.abs(dy)) {
      event.preventDefault();
      engine.pan(dx || dy, false);
    } else if (!scrolls) {
      event.preventDefault();
      engine.pan(dy, false);
    }
  };
  element.addEventListener('wheel', wheel, { passive: false });
  return () => element.removeEventListener('wheel', wheel);
}
