/** Moving the window: zoom, pan, fit, and what a target needs to be in sight. All times are ms since the epoch, all results new windows. */
import { findRun, findSpan } from './layout.ts';
import type { Layout } from './placed.ts';
import type { Target, Window } from './types.ts';

export interface Span {
  readonly from: number;
  readonly to: number;
}

/** Narrowest and widest window, ms. */
const NARROWEST = 0.02;
const WIDEST = 90 * 24 * 3_600_000;

/** Keeps a window within sensible widths and in touch with the capture: at least a tenth of it stays on the axis. */
export function held(span: Span, limits: Span): Span {
  const width = Math.min(Math.max(span.to - span.from, NARROWEST), Math.min(WIDEST, Math.max(2000, (limits.to - limits.from) * 4)));
  const centre = (span.from + span.to) / 2;
  const from = Math.min(Math.max(centre - width / 2, limits.from - width * 0.9), limits.to - width * 0.1);
  return { from, to: from + width };
}

/** Zooms so that the time at x stays under x. `factor` below 1 shows less time. */
export function zoomed(window: Window, factor: number, x: number, limits: Span): Span {
  const share = Math.min(1, Math.max(0, (x - window.gutter) / Math.max(1, window.width - window.gutter)));
  const at = window.from + (window.to - window.from) * share;
  const most = Math.min(WIDEST, Math.max(2000, (limits.to - limits.from) * 4));
  const width = Math.min(Math.max((window.to - window.from) * factor, NARROWEST), most);
  return held({ from: at - width * share, to: at + width * (1 - share) }, limits);
}

export function panned(window: Window, px: number, limits: Span): Span {
  const ms = (px / Math.max(1, window.width - window.gutter)) * (window.to - window.from);
  return held({ from: window.from + ms, to: window.to + ms }, limits);
}

/** The whole of a span of time with a little air on both sides. */
export function fitted(span: Span, air = 0.025): Span {
  const width = Math.max(span.to - span.from, 1);
  return { from: span.from - width * air, to: span.to + width * air };
}

/** Time a target covers, ms since the epoch, or null when the layout has no such thing. */
export function timesOf(layout: Layout, target: Target): Span | null {
  const { origin, now } = layout;
  const open = (end: number) => (end === Number.POSITIVE_INFINITY ? now : end);
  if (target.kind === 'run') {
    const found = findRun(layout, target.id);
    return (
      found && { from: origin + Math.min(found.run.start, found.run.request ?? found.run.start), to: origin + Math.max(found.run.start, open(found.run.close)) }
    );
  }
  if (target.kind === 'span') {
    const found = findSpan(layout, target.id);
    return found && { from: origin + found.span.start, to: origin + Math.max(found.span.start, open(found.span.end)) };
  }
  if (target.kind === 'finding') {
    const mark = layout.markOf.get(target.id)?.mark;
    return mark ? { from: origin + mark.time, to: origin + mark.time } : null;
  }
  if (target.kind === 'thread') {
    const runs = layout.groups.find((group) => group.thread.key === target.key)?.thread.bands.flatMap((band) => band.runs) ?? [];
    if (runs.length === 0) return null;
    return { from: origin + Math.min(...runs.map((run) => run.start)), to: origin + Math.max(...runs.map((run) => open(run.close))) };
  }
  for (const { thread } of layout.groups) {
    for (const band of thread.bands) {
      const tick = band.state?.ticks.find((one) => one.view.row === target.row);
      if (tick) return { from: origin + tick.time, to: origin + tick.time };
    }
  }
  return null;
}

/** Top and bottom of a target in the layout, CSS px. */
export function heightsOf(layout: Layout, target: Target): { readonly top: number; readonly bottom: number } | null {
  if (target.kind === 'run') {
    const found = findRun(layout, target.id);
    if (!found) return null;
    const top = found.group.top + found.run.band.top;
    return { top, bottom: top + found.run.band.runBar };
  }
  if (target.kind === 'span') {
    const found = findSpan(layout, target.id);
    if (!found) return null;
    const top = found.group.top + found.span.lane.y;
    return { top, bottom: top + found.span.lane.height };
  }
  if (target.kind === 'finding') {
    const at = layout.markOf.get(target.id);
    const top = at ? layout.groups[at.group]!.top + at.mark.y : 0;
    return at ? { top: top - 8, bottom: top + 8 } : null;
  }
  for (const group of layout.groups) {
    if (target.kind === 'thread' && group.thread.key === target.key) return { top: group.top, bottom: group.top + group.thread.height };
    if (target.kind !== 'tick') continue;
    for (const { state } of group.thread.bands) {
      if (state?.ticks.some((one) => one.view.row === target.row)) return { top: group.top + state.y, bottom: group.top + state.y + state.height };
    }
  }
  return null;
}
