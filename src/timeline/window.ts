/** Moving the window: zoom, pan, fit, and what a target needs to be in sight. All times are ms since the epoch, all results new windows. */
import { type Folds, fromAxis, toAxis } from './folds.ts';
import { findRun, findSpan, findTick } from './layout.ts';
import type { Group, Layout } from './placed.ts';
import type { Target, Window } from './types.ts';

export interface Span {
  readonly from: number;
  readonly to: number;
}

/** Narrowest and widest window, ms. */
const NARROWEST = 0.02;
const WIDEST = 90 * 24 * 3_600_000;

const onAxis = (span: Span, folds: Folds): Span => ({
  from: folds.origin + toAxis(folds, span.from - folds.origin),
  to: folds.origin + toAxis(folds, span.to - folds.origin),
});
const offAxis = (span: Span, folds: Folds): Span => ({
  from: folds.origin + fromAxis(folds, span.from - folds.origin),
  to: folds.origin + fromAxis(folds, span.to - folds.origin),
});
/** Does something to spans as they lie on the axis, which is time itself where nothing is folded. */
function across(folds: Folds | undefined, spans: readonly Span[], change: (spans: readonly Span[]) => Span): Span {
  if (!folds || folds.list.length === 0) return change(spans);
  return offAxis(change(spans.map((span) => onAxis(span, folds))), folds);
}

const widest = (limits: Span): number => Math.min(WIDEST, Math.max(2000, (limits.to - limits.from) * 4));

function heldOn(span: Span, limits: Span): Span {
  const width = Math.min(Math.max(span.to - span.from, NARROWEST), widest(limits));
  const centre = (span.from + span.to) / 2;
  const from = Math.min(Math.max(centre - width / 2, limits.from - width * 0.9), limits.to - width * 0.1);
  return { from, to: from + width };
}

/** Keeps a window within sensible widths and in touch with the capture: at least a tenth of it stays on the axis. */
export const held = (span: Span, limits: Span, folds?: Folds): Span => across(folds, [span, limits], ([one, all]) => heldOn(one!, all!));

/** Zooms so that the time at x stays under x. `factor` below 1 shows less time. */
export function zoomed(window: Window, factor: number, x: number, limits: Span): Span {
  const share = Math.min(1, Math.max(0, (x - window.gutter) / Math.max(1, window.width - window.gutter)));
  return across(window.folds, [window, limits], ([shown, all]) => {
    const at = shown!.from + (shown!.to - shown!.from) * share;
    const width = Math.min(Math.max((shown!.to - shown!.from) * factor, NARROWEST), widest(all!));
    return heldOn({ from: at - width * share, to: at + width * (1 - share) }, all!);
  });
}

export const panned = (window: Window, px: number, limits: Span): Span =>
  across(window.folds, [window, limits], ([shown, all]) => {
    const ms = (px / Math.max(1, window.width - window.gutter)) * (shown!.to - shown!.from);
    return heldOn({ from: shown!.from + ms, to: shown!.to + ms }, all!);
  });

/** The whole of a span of time with a little air on both sides. */
export const fitted = (span: Span, air = 0.025, folds?: Folds): Span =>
  across(folds, [span], ([one]) => {
    const width = Math.max(one!.to - one!.from, 1);
    return { from: one!.from - width * air, to: one!.to + width * air };
  });

/** The last stretch before a time, so wide on the axis, with a little air after it. */
export const tail = (end: number, width: number, folds?: Folds): Span =>
  across(folds, [{ from: end, to: end }], ([one]) => ({ from: one!.to - width * 0.96, to: one!.to + width * 0.04 }));

/** A span moved as far along the axis as it is from one time to another. */
export const moved = (span: Span, from: number, to: number, folds?: Folds): Span =>
  across(folds, [span, { from, to }], ([one, way]) => ({ from: one!.from + way!.to - way!.from, to: one!.to + way!.to - way!.from }));

/** A span as wide on the axis as another, about a time. */
export const around = (time: number, span: Span, folds?: Folds): Span =>
  across(folds, [span, { from: time, to: time }], ([one, at]) => {
    const half = (one!.to - one!.from) / 2;
    return { from: at!.from - half, to: at!.from + half };
  });

/** How much of the axis a span takes, ms. */
export function widthOf(span: Span, folds?: Folds): number {
  const on = folds && folds.list.length > 0 ? onAxis(span, folds) : span;
  return on.to - on.from;
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
  const found = findTick(layout, target.row);
  return found && { from: origin + found.tick.time, to: origin + found.tick.time };
}

/** Top and bottom of a target in the layout, CSS px. Of a thread that is away, its row. */
export function heightsOf(layout: Layout, target: Target): Heights | null {
  const place = placeOf(layout, target);
  if (!place) return null;
  const { group, top, bottom } = place;
  return group.away ? { top: group.top, bottom: group.top + group.height } : { top: group.top + top, bottom: group.top + bottom };
}

interface Heights {
  readonly top: number;
  readonly bottom: number;
}

/** The group of a target, or null when the layout has no such thing. */
export const groupOf = (layout: Layout, target: Target): Group | null => placeOf(layout, target)?.group ?? null;

/** Heights from the top of the target's group. */
function placeOf(layout: Layout, target: Target): (Heights & { readonly group: Group }) | null {
  if (target.kind === 'run') {
    const found = findRun(layout, target.id);
    return found && { group: found.group, top: found.run.band.top, bottom: found.run.band.top + found.run.band.runBar };
  }
  if (target.kind === 'span') {
    const found = findSpan(layout, target.id);
    return found && { group: found.group, top: found.span.lane.y, bottom: found.span.lane.y + found.span.lane.height };
  }
  if (target.kind === 'finding') {
    const at = layout.markOf.get(target.id);
    return at ? { group: layout.groups[at.group]!, top: at.mark.y - 8, bottom: at.mark.y + 8 } : null;
  }
  if (target.kind === 'tick') {
    const found = findTick(layout, target.row);
    return found && { group: found.group, top: found.state.y, bottom: found.state.y + found.state.height };
  }
  const group = layout.groups.find((one) => one.thread.key === target.key);
  return group ? { group, top: 0, bottom: group.height } : null;
}
