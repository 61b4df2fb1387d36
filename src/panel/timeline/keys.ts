/** Keys inside the timeline and the overview. What is handled here does not reach the panel's own bindings. */
import {
  type Direction,
  findingsInOrder,
  firstTarget,
  foldableOf,
  groupOf,
  neighbour,
  runBeside,
  standsFor,
  type Target,
  timesOf,
} from '../../timeline/index.ts';
import { targetOf } from './core.ts';
import type { Engine } from './engine.ts';

const ARROWS: Record<string, Direction> = { ArrowLeft: 'left', ArrowRight: 'right', ArrowUp: 'up', ArrowDown: 'down' };

/** Share of the window that a key pans by. */
const STEP = 0.2;

const widthOf = (engine: Engine): number => engine.window().width - engine.window().gutter;

/** Puts the focus on a target and brings it into sight. */
export function focusOn(engine: Engine, target: Target): void {
  engine.focus.value = target;
  engine.reveal(target);
}

/** What the focus starts from: the selection, else the run nearest to the middle of the window. */
export function startOf(engine: Engine): Target | null {
  const { inputs, layout } = engine;
  const selected = targetOf(inputs.selection.peek(), inputs.model.peek(), layout.peek());
  if (selected && timesOf(layout.peek(), selected)) return standsFor(layout.peek(), selected);
  const { from, to } = engine.goal();
  return firstTarget(layout.peek(), (from + to) / 2);
}

/** What the keyboard is on: the focus, or what it is folded away in. */
export function currentOf(engine: Engine): Target | null {
  const at = engine.focus.value;
  return at && standsFor(engine.layout.peek(), at);
}

function walk(engine: Engine, direction: Direction): void {
  const at = currentOf(engine);
  const layout = engine.layout.peek();
  const next = at && timesOf(layout, at) ? neighbour(layout, at, direction) : startOf(engine);
  if (next) focusOn(engine, next);
}

function byFinding(engine: Engine, step: 1 | -1): void {
  const ids = findingsInOrder(engine.layout.peek());
  if (ids.length === 0) return;
  const at = engine.focus.peek();
  const i = at?.kind === 'finding' ? ids.indexOf(at.id) : -1;
  const target: Target = { kind: 'finding', id: ids[i < 0 ? (step > 0 ? 0 : ids.length - 1) : (i + step + ids.length) % ids.length]! };
  focusOn(engine, target);
  engine.inputs.onSelect(target);
}

/** Zoom and pan keys, the same everywhere in the timeline. */
function moveWindow(engine: Engine, key: string, shift: boolean): boolean {
  const by = widthOf(engine) * STEP;
  if (key === 'w' || key === '+' || key === '=') engine.zoom(1 / 1.5);
  else if (key === 's' || key === '-') engine.zoom(1.5);
  else if (key === 'a' || (shift && key === 'ArrowLeft')) engine.pan(-by, true);
  else if (key === 'd' || (shift && key === 'ArrowRight')) engine.pan(by, true);
  else if (key === '0') engine.fit();
  else if (key === 'f') engine.idle.toggle();
  else return false;
  return true;
}

function choose(engine: Engine, key: string): boolean {
  const target = currentOf(engine);
  if (key !== 'Enter' && key !== ' ' && key !== 'z') return false;
  if (key === 'z' && engine.zoomToMeasured()) return true;
  if (target) key === 'z' ? engine.zoomTo(target) : engine.inputs.onSelect(target);
  return true;
}

/**
 * Left folds what the focus is on, or the thread when it is a run that is folded already; Right opens it again, the thread first.
 * Answers whether there was anything to do: else the arrow walks.
 */
function fold(engine: Engine, key: string): boolean {
  const at = currentOf(engine);
  const layout = engine.layout.peek();
  if (!at || (key !== 'ArrowLeft' && key !== 'ArrowRight')) return false;
  const close = key === 'ArrowLeft';
  const thread = at.kind === 'run' ? groupOf(layout, at)?.thread : undefined;
  const own = foldableOf(layout, at);
  if (own && own.folded !== close) engine.folding.setAll([own.key], close);
  else if (thread && (close ? !thread.folded : thread.folded)) engine.folding.setAll([thread.key], close);
  else return thread !== undefined && close;
  return true;
}

/** Page Up and Page Down go by run. */
function byRun(engine: Engine, step: 1 | -1): void {
  const at = currentOf(engine);
  const layout = engine.layout.peek();
  const next = at && timesOf(layout, at) ? runBeside(layout, at, step) : startOf(engine);
  if (next) focusOn(engine, next);
}

/** Keys of the tree: arrows walk and fold, Page Up and Page Down go by run, Enter selects, z zooms to it, n and p go by finding. */
export function treeKey(engine: Engine, event: KeyboardEvent): void {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const { key } = event;
  const direction = event.shiftKey ? undefined : ARROWS[key];
  if (key === 'Escape' && engine.measured.peek()) engine.measured.value = null;
  else if (direction) {
    // a key that is held walks to the end of its row, and folds nothing there
    if (event.repeat || !fold(engine, key)) walk(engine, direction);
  } else if (key === 'PageUp' || key === 'PageDown') byRun(engine, key === 'PageUp' ? -1 : 1);
  else if (key === 'n' || key === 'p') byFinding(engine, key === 'n' ? 1 : -1);
  else if (!choose(engine, key) && !moveWindow(engine, key, event.shiftKey)) return;
  event.preventDefault();
  event.stopPropagation();
}

const typed = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && (target.isContentEditable || target.closest('input, textarea, select, [role=dialog], dialog, [role=menu]') !== null);

/** W, A, S, D, 0 and F from anywhere in the panel, unless someone types or another has taken the key. */
export function panelKey(engine: Engine, event: KeyboardEvent): void {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey || typed(event.target)) return;
  if ('wasd0f'.includes(event.key) && moveWindow(engine, event.key, false)) event.preventDefault();
}

/** Keys of the overview: arrows move the window, up and down change its width. */
export function overviewKey(engine: Engine, event: KeyboardEvent): void {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const by = widthOf(engine) * STEP;
  const { key } = event;
  if (key === 'ArrowLeft') engine.pan(-by, true);
  else if (key === 'ArrowRight') engine.pan(by, true);
  else if (key === 'ArrowUp') engine.zoom(1 / 1.5);
  else if (key === 'ArrowDown') engine.zoom(1.5);
  else if (key === 'Home' || key === 'End') {
    const { from, to } = engine.goal();
    const limits = engine.limits();
    const width = to - from;
    const start = key === 'Home' ? limits.from - width * 0.02 : limits.to - width * 0.98;
    engine.show({ from: start, to: start + width }, true);
  } else if (!moveWindow(engine, key, false)) return;
  event.preventDefault();
  event.stopPropagation();
}
