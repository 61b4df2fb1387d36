/** The overview: drag an edge, drag the window, drag outside it to make a new one. */
import { around, brushAt, type Folds, moved, stripScale } from '../../timeline/index.ts';
import type { Engine } from './engine.ts';
import type { Range } from './motion.ts';

const CURSOR = { from: 'ew-resize', to: 'ew-resize', inside: 'grab', outside: 'crosshair' } as const;

interface Grip {
  readonly what: keyof typeof CURSOR;
  readonly time: number;
  readonly range: Range;
  moved: boolean;
}

/** Time at an x of the strip, ms since the epoch. */
const timeAt = (engine: Engine, x: number): number => stripScale(engine.inputs.model.peek(), engine.strip()).time(x);

function dragged(grip: Grip, time: number, folds: Folds | undefined): Range {
  const { from, to } = grip.range;
  if (grip.what === 'inside') return moved(grip.range, grip.time, time, folds);
  if (grip.what === 'from') return { from: Math.min(time, to), to: Math.max(time, to) };
  if (grip.what === 'to') return { from: Math.min(time, from), to: Math.max(time, from) };
  return { from: Math.min(grip.time, time), to: Math.max(grip.time, time) };
}

export function overviewGestures(engine: Engine, canvas: HTMLElement): () => void {
  let grip: Grip | null = null;
  const xOf = (event: MouseEvent) => event.clientX - canvas.getBoundingClientRect().left;
  const at = (x: number) => brushAt(engine.inputs.model.peek(), engine.strip(), engine.goal(), x);
  const down = (event: PointerEvent) => {
    const x = xOf(event);
    if (event.button !== 0 || x < engine.strip().gutter) return;
    canvas.setPointerCapture(event.pointerId);
    grip = { what: at(x), time: timeAt(engine, x), range: engine.goal(), moved: false };
  };
  const move = (event: PointerEvent) => {
    const x = xOf(event);
    if (!grip) {
      canvas.style.cursor = x < engine.strip().gutter ? 'default' : CURSOR[at(x)];
      return;
    }
    const time = timeAt(engine, x);
    if (!grip.moved && time === grip.time) return;
    grip.moved = true;
    engine.stopFollowing();
    engine.show(dragged(grip, time, engine.strip().folds), false);
  };
  const up = () => {
    const done = grip;
    grip = null;
    if (!done || done.moved || done.what !== 'outside') return;
    engine.stopFollowing();
    engine.show(around(done.time, done.range, engine.strip().folds), true);
  };
  const twice = () => engine.fit();
  const pairs = [
    ['pointerdown', down],
    ['pointermove', move],
    ['pointerup', up],
    ['pointercancel', up],
    ['dblclick', twice],
  ] as const;
  for (const [name, listener] of pairs) canvas.addEventListener(name, listener as EventListener);
  return () => {
    for (const [name, listener] of pairs) canvas.removeEventListener(name, listener as EventListener);
  };
}
