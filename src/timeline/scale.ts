/** Time ↔ px, ticks of the axis, and times as words. */
import { betweenFolds, fromAxis, toAxis, UNFOLDED } from './folds.ts';
import { gallop } from './pack.ts';
import type { Scale } from './placed.ts';
import { LEAST } from './sizes.ts';
import type { Measure, Window } from './types.ts';

/** How far outside the plot a coordinate is still told apart. */
const BEYOND = 60;

/** Scale of a window over a layout that begins at `origin` (ms since the epoch). Folded stretches are as short as their folds say. */
export function timeScale(window: Window, origin: number): Scale {
  const { gutter, width } = window;
  const folds = window.folds ?? UNFOLDED;
  const plot = Math.max(1, width - gutter);
  const from = window.from - origin;
  const to = from + Math.max(1e-6, window.to - window.from);
  const straight = folds.list.length === 0;
  const start = straight ? from : toAxis(folds, from);
  const span = straight ? to - from : Math.max(1e-6, toAxis(folds, to) - start);
  const x = (time: number) => gutter + (((straight ? time : toAxis(folds, time)) - start) / span) * plot;
  const px = (time: number) => Math.round(Math.min(width + BEYOND, Math.max(gutter - BEYOND, x(time))));
  const time = (at: number) => {
    const place = start + ((at - gutter) / plot) * span;
    return straight ? place : fromAxis(folds, place);
  };
  return { x, px, time, from, to, msPerPx: span / plot, low: (by) => time(gutter - by), high: (by) => time(gutter + plot + by), folds, window };
}

/** Left and right edge of a bar in px: open ends run to `now`, none is narrower than 3 px. */
export function edges(scale: Scale, start: number, end: number, now: number): { readonly a: number; readonly b: number } {
  const a = scale.px(start);
  return { a, b: Math.max(a + LEAST, scale.px(end === Number.POSITIVE_INFINITY ? Math.max(now, start) : end)) };
}

const [S, M, H] = [1000, 60_000, 3_600_000];
const STEPS = [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100, 200, 500].concat(
  [S, 2 * S, 5 * S, 10 * S, 15 * S, 30 * S, M, 2 * M, 5 * M, 10 * M, 15 * M, 30 * M],
  [H, 2 * H, 3 * H, 6 * H, 12 * H, 24 * H, 48 * H, 168 * H],
);

export interface Tick {
  /** ms since the origin. */
  readonly time: number;
  readonly label: string;
}

const digitsOf = (step: number): number => {
  let digits = 0;
  for (let unit = 1000; digits < 6 && step < unit - 1e-9; unit /= 10) digits++;
  return digits;
};

/** `1:05`, `1:12.604`, `1:02:03`: ms since the origin as a clock, with so many decimals of a second. */
export function clock(ms: number, digits = 0): string {
  const unit = 10 ** digits;
  const whole = Math.round((Math.abs(ms) / 1000) * unit);
  const sign = ms < 0 && whole > 0 ? '−' : '';
  const minutes = Math.floor(whole / (60 * unit));
  const rest = ((whole - minutes * 60 * unit) / unit).toFixed(digits).padStart(digits ? 3 + digits : 2, '0');
  if (minutes < 60) return `${sign}${minutes}:${rest}`;
  return `${sign}${Math.floor(minutes / 60)}:${String(minutes % 60).padStart(2, '0')}:${rest}`;
}

const trim = (n: number, digits: number): string =>
  n
    .toFixed(digits)
    .replace(/(\.\d*?)0+$/, '$1')
    .replace(/\.$/, '');

/** A length of time: `0.4 ms`, `704 ms`, `2.70 s`, `13.9 s`, `2 min 5 s`, `3 h 4 min`. */
export function duration(ms: number): string {
  const size = Math.abs(ms);
  if (size < 9.95) return `${trim(ms, size < 0.095 ? 3 : 1)} ms`;
  if (size < 999.5) return `${ms.toFixed(0)} ms`;
  if (size < 9_995) return `${(ms / 1000).toFixed(2)} s`;
  if (size < 59_950) return `${(ms / 1000).toFixed(1)} s`;
  const seconds = Math.round(ms / 1000);
  if (seconds < 3600) return seconds % 60 ? `${Math.floor(seconds / 60)} min ${seconds % 60} s` : `${seconds / 60} min`;
  const minutes = Math.round(seconds / 60);
  return minutes % 60 ? `${Math.floor(minutes / 60)} h ${minutes % 60} min` : `${minutes / 60} h`;
}

function labelOf(time: number, step: number, last: number): string {
  const digits = digitsOf(step);
  // within the first second a bare number is shorter and says more than 0:00.0004
  if (digits > 0 && last <= 1000) return `${trim(time, Math.max(0, digits - 3))} ms`;
  return clock(time, digits);
}

/** Ticks of one step between the folds of the window. */
function ticksOf(scale: Scale, step: number): Tick[] {
  const most = Math.ceil((scale.window.width - scale.window.gutter) / 24);
  const list: Tick[] = [];
  const numbers: number[] = [];
  for (const { from, to } of betweenFolds(scale.folds, scale.from, scale.to)) {
    const first = Math.ceil(from / step - 1e-9);
    const last = Math.min(Math.floor(to / step + 1e-9), first + most);
    for (let k = first; k <= last; k++) numbers.push(k);
  }
  const last = (numbers.at(-1) ?? 0) * step;
  for (const k of numbers) list.push({ time: k * step, label: labelOf(k * step, step, last) });
  return list;
}

/** Without those whose label would begin in the label before: beside a fold two ticks may come near each other. */
function spaced(list: readonly Tick[], scale: Scale, measure: Measure, size: number): Tick[] {
  let end = Number.NEGATIVE_INFINITY;
  return list.filter((tick) => {
    const x = scale.x(tick.time);
    if (x < end) return false;
    end = x + measure(tick.label, size, false) + 8;
    return true;
  });
}

/**
 * Ticks of the window, ascending, at least 72 px apart and farther where labels are wider, so that labels never touch; none in a fold.
 * Times and labels are relative to `origin`.
 */
export function ticks(window: Window, origin: number, measure: Measure, size = 10): { readonly step: number; readonly list: readonly Tick[] } {
  const scale = timeScale(window, origin);
  const plot = window.width - window.gutter;
  if (plot <= 0) return { step: STEPS[0]!, list: [] };
  for (const step of STEPS) {
    const gap = step / scale.msPerPx;
    if (gap < 72 && step !== STEPS.at(-1)) continue;
    const list = ticksOf(scale, step);
    const widest = list.reduce((most, tick) => Math.max(most, measure(tick.label, size, false)), 0);
    if (widest + 8 <= gap || step === STEPS.at(-1)) return { step, list: scale.folds.list.length > 0 ? spaced(list, scale, measure, size) : list };
  }
  return { step: STEPS.at(-1)!, list: [] };
}

export interface Stretch {
  readonly from: number;
  readonly to: number;
  /** Nearer together than 4 px: drawn as one line. */
  readonly solid: boolean;
}

/**
 * Deltas as stretches in px between `low` and `high`: one a delta, or one for a row of deltas nearer than `gap` px.
 * Looks at about one delta in `gap` px, however many there are.
 */
export function stretches(times: ArrayLike<number>, toPx: (time: number) => number, msPerPx: number, range: { low: number; high: number }, gap = 4): Stretch[] {
  const out: Stretch[] = [];
  const reach = gap * msPerPx;
  let i = times.length > 0 && times[0]! < range.low ? gallop(times, range.low, 0) : 0;
  while (i < times.length && times[i]! <= range.high) {
    const first = times[i]!;
    let last = first;
    for (;;) {
      const next = gallop(times, last + reach, i) - 1;
      if (next <= i) break;
      i = next;
      last = times[i]!;
      if (last > range.high) break;
    }
    out.push({ from: toPx(first), to: toPx(Math.min(last, range.high)), solid: last > first });
    i++;
  }
  return out;
}
