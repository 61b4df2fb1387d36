/** The state lane: snapshots, deltas and everything else that is a point in time. */
import { lowerBound } from './pack.ts';
import type { Pen } from './pen.ts';
import type { PlacedTick, StateLane } from './placed.ts';

const ROUND = { activity: 'k-other', custom: 'k-other', raw: 'k-other', unknown: 'k-other' } as const;

function drawTick(pen: Pen, tick: PlacedTick, x: number, y: number, ghost: boolean, alpha: { alpha?: number }): void {
  const { kind } = tick.view;
  if (kind === 'state-delta') pen.out.push({ op: 'rect', x: x - 1, y: y - 5, w: 2, h: 10, fill: ghost ? 'k-run' : 'k-state', ...alpha });
  else if (kind === 'state-snapshot') pen.out.push({ op: 'icon', name: 'diamond', x, y, size: 11, fill: ghost ? 'k-run' : 'k-state', ...alpha });
  else if (kind === 'messages') pen.out.push({ op: 'icon', name: 'diamond', x, y, size: 11, fill: ghost ? 'k-run' : 'k-text', ...alpha });
  else pen.out.push({ op: 'rect', x: x - 2.5, y: y - 2.5, w: 5, h: 5, r: 2.5, fill: 'surface', stroke: ghost ? 'k-run' : ROUND[kind], ...alpha });
}

/** Ticks of a band in the window; of those in one pixel column, one is drawn. */
export function drawTicks(pen: Pen, state: StateLane): void {
  const { scale } = pen;
  const y = pen.y + state.y + state.height / 2;
  const alpha = pen.look.faded.has('state') ? { alpha: 0.3 } : {};
  let i = lowerBound(state.ticks, scale.low(8), (tick) => tick.time);
  const high = scale.high(8);
  while (i < state.ticks.length && state.ticks[i]!.time <= high) {
    const tick = state.ticks[i]!;
    drawTick(pen, tick, scale.px(tick.time), y, tick.run.stop <= tick.time, alpha);
    const next = tick.time + 2 * scale.msPerPx;
    i++;
    if (i < state.ticks.length && state.ticks[i]!.time < next) i = lowerBound(state.ticks, next, (one) => one.time);
  }
}

/** Ticks of a folded thread or run. */
export function drawMicroTicks(pen: Pen, state: StateLane): void {
  let covered = Number.NEGATIVE_INFINITY;
  const { scale } = pen;
  for (let i = lowerBound(state.ticks, scale.from, (tick) => tick.time); i < state.ticks.length && state.ticks[i]!.time <= scale.to; i++) {
    const x = scale.px(state.ticks[i]!.time);
    if (x < covered) continue;
    covered = x + 2;
    pen.out.push({ op: 'rect', x: x - 1, y: pen.y + state.y, w: 2, h: state.height - 1, fill: 'k-state' });
  }
}
