/** Bars of spans: filled where events arrive, hollow where it is open but silent or waits, ticks of deltas along the foot. */
import { drawAppWait, drawToolWait } from './draw-tool.ts';
import { fitText } from './label.ts';
import { gallop, lowerBound } from './pack.ts';
import { kindToken, type Pen } from './pen.ts';
import type { Lane, PlacedSpan } from './placed.ts';
import { edges, type Stretch, stretches } from './scale.ts';
import { TICK } from './times.ts';
import { drawTwisty, TWISTY, twistyOfSpan } from './twisty.ts';

/** A silence is drawn hollow from this length on, if it is wide enough to see. */
const SILENCE_MS = 600;
const SILENCE_PX = 10;

export interface Bar {
  readonly a: number;
  readonly b: number;
  readonly y: number;
  readonly h: number;
  /** Width of the pointed end, 0 for a straight one. */
  readonly tip: number;
  /** Ended by its run's end: open on the right. */
  readonly cut: boolean;
}

/** Geometry of a span's bar. A reasoning message inside its reasoning span leaves the upper rim to it. */
export function barOf(pen: Pen, span: PlacedSpan): Bar {
  const { bar, lane } = pen.layout.density;
  const { a, b } = edges(pen.scale, span.start, span.end, pen.now);
  const y = pen.y + span.lane.y + (lane - bar) / 2;
  const open = span.end === Number.POSITIVE_INFINITY;
  const { how } = span.view;
  // what ends with its run shares its instant, and was given a place just before it
  const cut = !open && span.end > span.run.end - TICK && (how === 'run-error' || how === 'run-finished' || how === 'lost' || how === 'cut-off' || waits(span));
  return { a, b, y, h: bar, tip: open && b - a > 10 ? 6 : 0, cut };
}

const waits = (span: PlacedSpan): boolean => span.view.kind === 'tool' && span.view.resultTime === null;

interface Part {
  readonly from: number;
  readonly to: number;
}

/** Stretches of arriving deltas around the window, with the nearest one beyond each end. */
function deltaStretches(pen: Pen, span: PlacedSpan): Stretch[] {
  const times = pen.model.deltasOf(span.view.id);
  if (times.length === 0) return [];
  const { origin } = pen.layout;
  const first = times[0]! < pen.scale.from + origin ? gallop(times, pen.scale.from + origin, 0) : 0;
  const past = gallop(times, pen.scale.to + origin, first);
  const low = times[Math.max(0, first - 1)]!;
  const high = times[Math.min(times.length - 1, past)]!;
  return stretches(times, (time) => pen.scale.px(Math.max(time - origin, span.start)), pen.scale.msPerPx, { low, high });
}

/** Filled parts of a message: from the first delta to the last, hollow in visible silences. */
function messageParts(pen: Pen, span: PlacedSpan, rug: readonly Stretch[]): Part[] {
  const { contentStart, contentEnd } = span.view;
  if (contentStart === null) return [];
  const { origin } = pen.layout;
  const [from, to] = [pen.scale.px(contentStart - origin), pen.scale.px((contentEnd ?? contentStart) - origin)];
  if (rug.length === 0) return [{ from, to }];
  const silence = Math.max(SILENCE_PX, SILENCE_MS / pen.scale.msPerPx);
  const parts: { from: number; to: number }[] = [];
  for (const stretch of rug) {
    const last = parts.at(-1);
    if (last && stretch.from - last.to < silence) last.to = Math.max(last.to, stretch.to);
    else parts.push({ from: stretch.from, to: stretch.to });
  }
  return parts;
}

function toolParts(pen: Pen, span: PlacedSpan): Part[] {
  const { view } = span;
  const until = view.argsEnd ?? (view.end === null ? view.contentEnd : (view.contentEnd ?? view.end));
  if (until === null) return [];
  return [{ from: pen.scale.px(span.start), to: pen.scale.px(until - pen.layout.origin) }];
}

const rugged = (span: PlacedSpan): boolean => span.view.kind === 'text' || span.view.kind === 'reasoning';

function partsOf(pen: Pen, span: PlacedSpan, rug: readonly Stretch[]): Part[] | 'all' {
  if (span.view.kind === 'tool') return toolParts(pen, span);
  if (span.view.kind === 'reasoning-span') return [];
  return rugged(span) ? messageParts(pen, span, rug) : 'all';
}

interface Ink {
  readonly rim: string;
  readonly fill: string;
  readonly alpha: number | undefined;
}

const inkOf = (pen: Pen, span: PlacedSpan, ghost: boolean): Ink => {
  const token = kindToken(span);
  const faded = pen.look.faded.has(span.lane.kind);
  return { rim: ghost ? 'k-run' : token, fill: ghost ? 'surface' : `${token}-fill`, alpha: faded ? 0.28 : undefined };
};

const alphaOf = (ink: Ink) => (ink.alpha === undefined ? {} : { alpha: ink.alpha });

function outline(pen: Pen, bar: Bar, ink: Ink, fill: string): void {
  const { a, b, y, h, tip, cut } = bar;
  if (tip) {
    const points = [
      a + 2.5,
      y + 0.5,
      b - tip,
      y + 0.5,
      b - 0.5,
      y + h / 2,
      b - tip,
      y + h - 0.5,
      a + 2.5,
      y + h - 0.5,
      a + 0.5,
      y + h - 2.5,
      a + 0.5,
      y + 2.5,
      a + 2.5,
      y + 0.5,
    ];
    pen.out.push({ op: 'poly', points, fill, stroke: ink.rim, ...alphaOf(ink) });
    return;
  }
  const r = Math.min(3, (b - a) / 2);
  const shape = cut ? { w: b - a + 5, corners: [r, 0, 0, r] as const } : { w: b - a - 1, r };
  pen.out.push({ op: 'rect', x: a + 0.5, y: y + 0.5, h: h - 1, ...shape, fill, stroke: ink.rim, ...alphaOf(ink) });
}

/** The inside of a hollow bar: what arrived, delta by delta. */
function inside(pen: Pen, bar: Bar, ink: Ink, parts: readonly Part[], rug: readonly Stretch[]): void {
  const end = bar.cut ? bar.b : bar.b - (bar.tip || 1);
  for (const part of parts) {
    const x = Math.max(bar.a + 1, part.from);
    const w = Math.min(end, Math.max(part.to, x + 1)) - x;
    if (w > 0)
      pen.out.push({
        op: 'rect',
        x,
        y: bar.y + 1,
        w,
        h: bar.h - 2,
        fill: ink.fill,
        ...(x === bar.a + 1 ? { corners: [2, 0, 0, 2] as const } : {}),
        ...alphaOf(ink),
      });
    if (bar.tip && part.to >= bar.b - bar.tip) {
      pen.out.push({ op: 'poly', points: [end, bar.y + 1, bar.b - 1, bar.y + bar.h / 2, end, bar.y + bar.h - 1], fill: ink.fill, ...alphaOf(ink) });
    }
  }
  for (const stretch of rug) {
    const x = Math.max(bar.a + 1, stretch.from);
    const w = stretch.solid ? Math.min(end, Math.max(stretch.to, x + 1)) - x : x < end ? 1 : 0;
    if (w > 0) pen.out.push({ op: 'rect', x, y: bar.y + bar.h - 3, w, h: 2, fill: ink.rim, alpha: 0.7 * (ink.alpha ?? 1) });
  }
}

function body(pen: Pen, span: PlacedSpan, bar: Bar, ghost: boolean): void {
  const ink = inkOf(pen, span, ghost);
  if (bar.b - bar.a <= 4) {
    pen.out.push({ op: 'rect', x: bar.a, y: bar.y, w: bar.b - bar.a, h: bar.h, r: 1, fill: ink.rim, ...alphaOf(ink) });
    return;
  }
  const rug = rugged(span) && !ghost ? deltaStretches(pen, span) : [];
  const parts = ghost ? [] : partsOf(pen, span, rug);
  // a message in the bar of its reasoning span has the span's rim
  if (!span.host) outline(pen, bar, ink, parts === 'all' ? ink.fill : 'surface');
  inside(pen, bar, ink, parts === 'all' ? [] : parts, rug);
  if (span.view.kind === 'tool') drawToolWait(pen, span, bar, ink.rim, alphaOf(ink));
  if (span.view.kind === 'tool' && span.view.resultTime !== null)
    pen.out.push({ op: 'rect', x: bar.b - 3, y: bar.y, w: 3, h: bar.h, corners: [0, 2, 2, 0], fill: ink.rim, ...alphaOf(ink) });
}

function clipped(pen: Pen, from: number, to: number, bar: Bar, draw: () => void): void {
  pen.out.push({ op: 'clip', x: from, y: bar.y - 2, w: Math.max(0, to - from), h: bar.h + 4 });
  draw();
  pen.out.push({ op: 'unclip' });
}

/** Words of a bar, as the reader knows the thing. */
export function labelOf(span: PlacedSpan): string {
  const { kind, label, itemId } = span.view;
  const text = (label || (kind === 'reasoning-span' || kind === 'reasoning' || kind === 'text' ? '' : itemId)).replace(/\s+/g, ' ').trim();
  return kind === 'text' && text ? `“${text}”` : text;
}

/** Where the words of a bar may stand: after a ring, before the next mark, on the side of the stop line with more to offer. */
function labelRoom(pen: Pen, span: PlacedSpan, bar: Bar, stop: number, marks: readonly number[]): { from: number; to: number; ghost: boolean } {
  const capped = span.view.kind === 'tool' && span.view.resultTime !== null;
  const sign = twistyOfSpan(pen.scale, span, pen.now) === null ? 0 : TWISTY;
  let from = Math.max(bar.a, pen.left) + sign + (pen.ringed.has(span.view.id) ? 10 : 6);
  let to = Math.min(bar.b, pen.right) - (bar.tip || (capped ? 4 : 2));
  let ghost = stop <= bar.a;
  if (stop > bar.a && stop < bar.b) {
    if (pen.ringed.has(span.view.id) || stop - from > 40) to = Math.min(to, stop - 2);
    else [from, ghost] = [Math.max(from, stop + 6), true];
  }
  for (const time of marks) {
    const x = pen.scale.px(time);
    if (x < from - 8 || x > to + 8) continue;
    if (x - 9 - from > to - x - 9) to = Math.min(to, x - 9);
    else from = x + 10;
  }
  return { from, to, ghost };
}

function drawLabel(pen: Pen, span: PlacedSpan, bar: Bar, stop: number, marks: readonly number[], text: string): void {
  const { from, to, ghost } = labelRoom(pen, span, bar, stop, marks);
  if (!text || to - from <= 14) return;
  const quoted = span.lane.kind === 'text' || span.lane.kind === 'reasoning';
  const { font } = pen.layout.density;
  const label = fitText(text, to - from, font, pen.measure, quoted ? 6 : 4);
  if (!label) return;
  const alpha = pen.look.faded.has(span.lane.kind) ? { alpha: 0.45 } : {};
  pen.out.push({ op: 'text', x: from, y: bar.y + bar.h / 2 + (quoted ? 3.2 : 4), text: label, size: font, fill: ghost ? 'text-3' : 'text', ...alpha });
}

/** One span with its label. What came after the stop of its run is drawn without colour. */
export function drawSpan(pen: Pen, span: PlacedSpan, marks: readonly number[], inner: readonly PlacedSpan[]): void {
  const bar = barOf(pen, span);
  const stop = span.run.stop === Number.POSITIVE_INFINITY ? bar.b + 20 : pen.scale.px(span.run.stop);
  const all = (ghost: boolean) => {
    body(pen, span, bar, ghost);
    for (const one of inner) body(pen, one, barOf(pen, one), ghost);
  };
  const edge = bar.cut ? bar.b : bar.b + 1;
  if (span.run.stop > span.start && span.run.stop < (span.end === Number.POSITIVE_INFINITY ? pen.now : span.end)) {
    clipped(pen, stop, edge, bar, () => all(true));
    clipped(pen, bar.a - 1, stop, bar, () => all(false));
  } else if (bar.cut) clipped(pen, bar.a - 1, edge, bar, () => all(span.run.stop <= span.start));
  else all(span.run.stop <= span.start);
  if (span.view.kind === 'tool') drawAppWait(pen, span, bar, kindToken(span), pen.look.faded.has('tool') ? { alpha: 0.28 } : {});
  const twisty = twistyOfSpan(pen.scale, span, pen.now);
  if (twisty !== null) drawTwisty(pen, twisty, bar.y + bar.h / 2, span.folded);
  if (bar.b - bar.a > 20) drawLabel(pen, span, bar, stop, marks, labelOf(span) || inner.map(labelOf).find(Boolean) || '');
}

/** Spans of a lane that touch the window. Both ends ascend, so the first is found by halving. */
export function visible(spans: readonly PlacedSpan[], scale: Pen['scale']): readonly PlacedSpan[] {
  const first = lowerBound(spans, scale.low(4), (span) => span.end);
  const past = lowerBound(spans, scale.high(4), (span) => span.start);
  return spans.slice(first, past);
}

/** All spans of a lane. Of spans so near that they would cover each other's pixels, one is drawn. */
export function drawLane(pen: Pen, lane: Lane, marksOf: ReadonlyMap<number, readonly number[]>): void {
  const none: readonly number[] = [];
  const inner = visible(lane.inner, pen.scale);
  let at = 0;
  let covered = Number.NEGATIVE_INFINITY;
  for (const span of visible(lane.spans, pen.scale)) {
    const { a, b } = edges(pen.scale, span.start, span.end, pen.now);
    if (b <= covered) continue;
    covered = b;
    const own: PlacedSpan[] = [];
    while (at < inner.length && inner[at]!.start < span.start) at++;
    for (let i = at; i < inner.length && inner[i]!.start <= span.end; i++) if (inner[i]!.host === span) own.push(inner[i]!);
    if (span.box) drawBoxAround(pen, span, a);
    drawSpan(pen, span, marksOf.get(span.view.id) ?? none, own);
  }
}

function drawBoxAround(pen: Pen, span: PlacedSpan, a: number): void {
  const box = span.box!;
  const { b } = edges(pen.scale, box.start, box.end, pen.now);
  const top = pen.y + span.lane.y + 2.5;
  const faded = pen.look.faded.has('subagent');
  pen.out.push({
    op: 'rect',
    x: a + 0.5,
    y: top,
    w: b - a - 1,
    h: pen.y + box.bottom - top + 1.5,
    r: 3,
    stroke: span.run.stop <= span.start ? 'k-run' : 'k-subagent',
    alpha: faded ? 0.3 : 0.9,
  });
}
