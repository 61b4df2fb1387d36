/** One run: its box, whose right edge says how it ended, the run bar and the line below it. */
import type { Ending } from '../checker/types.ts';
import { firstFit } from './label.ts';
import { line, type Pen, torn } from './pen.ts';
import type { Band, PlacedRun } from './placed.ts';
import { duration, edges } from './scale.ts';
import { drawTwisty, TWISTY, twistyOfRun } from './twisty.ts';
import { afterStop, noteOf, runToken, STATUS_WORD, statusToken } from './words.ts';

interface Box {
  readonly a: number;
  readonly e: number;
  readonly y0: number;
  readonly y1: number;
  /** Where a conforming client stops, px; equal to `e` when it never does. */
  readonly stop: number;
}

export function boxOf(pen: Pen, run: PlacedRun): Box {
  const { a, b } = edges(pen.scale, run.start, run.end, pen.now);
  const stop = run.stop === Number.POSITIVE_INFINITY ? b : Math.min(b, Math.max(a, pen.scale.px(run.stop)));
  return { a, e: b, y0: pen.y + run.band.top, y1: pen.y + run.bottom, stop };
}

/** When a run's box ends, ms since the origin. */
export const drawnEnd = (run: PlacedRun, now: number): number => (run.end === Number.POSITIVE_INFINITY ? Math.max(now, run.start) : run.end);

const isTorn = (ending: Ending): boolean => ending === 'lost' || ending === 'cut-off';

/** White ground, hatched where a conforming client no longer looks. */
export function drawBox(pen: Pen, run: PlacedRun): void {
  const { a, e, y0, y1, stop } = boxOf(pen, run);
  if (isTorn(run.view.ending)) pen.out.push({ op: 'poly', points: [a, y0, ...torn(e, y0, y1), a, y1], fill: 'surface' });
  else pen.out.push({ op: 'rect', x: a, y: y0, w: e - a, h: y1 - y0, fill: 'surface' });
  if (stop < e) pen.out.push({ op: 'hatch', x: stop, y: y0, w: e - stop, h: y1 - y0 });
}

/** Where several runs came on one connection: an arrow into the one that the request asked for. */
function drawAsked(pen: Pen, run: PlacedRun): void {
  const { a, y0 } = boxOf(pen, run);
  const middle = y0 + run.band.runBar / 2;
  pen.out.push({ op: 'poly', points: [a - 8, middle - 4.5, a - 1, middle, a - 8, middle + 4.5], fill: 'text-2' });
}

/** The whisker left of the box: the request was sent, the first event had not come. */
export function drawWhisker(pen: Pen, run: PlacedRun): void {
  if (run.several && run.view.answersRequest) drawAsked(pen, run);
  if (run.request === null || run.request >= run.start) return;
  const { a, y0 } = boxOf(pen, run);
  const from = Math.min(pen.scale.px(run.request), a - 2) + 0.5;
  const middle = y0 + run.band.runBar / 2;
  line(pen, [from, middle - 4, from, middle + 4], 'k-run');
  line(pen, [from, middle, a, middle], 'k-run');
}

/** The right edge, from the ending alone; a verdict leaves it as it is. */
export function drawEdge(pen: Pen, run: PlacedRun): void {
  const { a, e, y0, y1 } = boxOf(pen, run);
  const upright = (x: number, token: string, width: number, dash?: readonly number[]) => line(pen, [x, y0, x, y1], token, width, dash);
  if (run.band.note > 0) upright(a + 0.5, 'k-run', 1);
  const { ending } = run.view;
  if (ending === 'finished/success') upright(e - 0.5, 'k-run', 1);
  else if (ending === 'finished/interrupt') {
    upright(e - 1, 'st-interrupted', 2);
    upright(e + 3, 'st-interrupted', 2);
  } else if (ending === 'finished/cancelled') upright(e - 1, 'st-cancelled', 2, [5, 3]);
  else if (ending === 'error') upright(e - 1.5, 'st-failed', 3);
  else if (ending === 'late-error') {
    const late = Math.max(e + 6, pen.scale.px(run.close));
    const middle = y0 + run.band.runBar / 2;
    upright(e - 0.5, 'k-run', 1);
    line(pen, [e, middle, late - 3, middle], 'st-failed-late', 1, [3, 3]);
    upright(late - 1.5, 'st-failed-late', 3);
  } else if (isTorn(ending)) {
    const edge = torn(e, y0, y1, run.band.note > 0 ? 4 : 3);
    // bars run up to the edge: what juts over the teeth is covered with ground
    pen.out.push({ op: 'poly', points: [...edge, e + 3, y1, e + 3, y0], fill: 'surface-sunken' });
    line(pen, edge, 'st-truncated', run.band.note > 0 ? 2 : 1.5);
  }
}

/** Ground and left edge of the run bar. */
function drawBarGround(pen: Pen, run: PlacedRun, box: Box): void {
  const { a, y0 } = box;
  const h = run.band.runBar;
  const fill = `${statusToken(run.view.status)}-fill`;
  const end = run.view.status === 'rejected-by-violation' ? box.stop : box.e;
  const tip = run.view.ending === 'open' && end === box.e && end - a > 14 ? 7 : 0;
  if (tip) pen.out.push({ op: 'poly', points: [a, y0, end - tip, y0, end, y0 + h / 2, end - tip, y0 + h, a, y0 + h], fill });
  else if (end > a) pen.out.push({ op: 'rect', x: a, y: y0, w: end - a, h, fill });
  pen.out.push({ op: 'rect', x: a, y: y0, w: 3, h, fill: runToken(run.view.status) });
}

interface Word {
  readonly text: string;
  readonly fill: string;
  readonly bold: boolean;
}

function wordsOf(pen: Pen, run: PlacedRun): Word[] {
  const { view } = run;
  const calm = view.status === 'succeeded';
  const length = (run.close === Number.POSITIVE_INFINITY ? Math.max(pen.now, run.start) : run.close) - run.start;
  return [
    { text: STATUS_WORD[view.status], fill: calm ? 'text' : statusToken(view.status), bold: !calm },
    ...(run.played ? [{ text: 'by Runlens', fill: 'accent', bold: false }] : []),
    ...(view.answersRequest === false ? [{ text: 'replayed', fill: 'text-2', bold: false }] : []),
    { text: view.runId ?? 'no run id', fill: 'text', bold: false },
    { text: duration(length), fill: 'text-3', bold: false },
  ];
}

/** Icon, word, id, length, as far as there is room; the icon goes last. A run that began to the left keeps its words in sight. */
export function drawRunBar(pen: Pen, run: PlacedRun): void {
  const box = boxOf(pen, run);
  drawBarGround(pen, run, box);
  const { y0 } = box;
  const h = run.band.runBar;
  const rejected = run.view.status === 'rejected-by-violation';
  const end = Math.min(pen.right, rejected ? box.stop : box.e);
  const start = Math.max(box.a, pen.left);
  const tip = run.view.ending === 'open' && !rejected ? 7 : 0;
  let cursor = start + 8;
  const twisty = twistyOfRun(pen.scale, run, pen.now);
  if (twisty !== null) {
    drawTwisty(pen, twisty, y0 + h / 2, run.folded);
    cursor += TWISTY;
  }
  if (end - start >= 22) {
    pen.out.push({ op: 'icon', name: `status-${run.view.status}`, x: cursor + 6, y: y0 + h / 2, size: 12, fill: statusToken(run.view.status) });
    cursor += 17;
  }
  const { font } = pen.layout.density;
  let told = 0;
  for (const word of wordsOf(pen, run)) {
    const width = pen.measure(word.text, font, word.bold);
    if (width > end - tip - 4 - cursor) break;
    pen.out.push({ op: 'text', x: cursor, y: y0 + h / 2 + 4, text: word.text, size: font, fill: word.fill, ...(word.bold ? { bold: true } : {}) });
    cursor += width + 7;
    told++;
  }
  if (rejected && box.stop < box.e) drawAfter(pen, run, box, told > 0);
}

/** Right of the stop: what the stream said after it, or the status word when there was no room for it on the left. */
function drawAfter(pen: Pen, run: PlacedRun, box: Box, told: boolean): void {
  const { font } = pen.layout.density;
  const from = Math.max(box.stop, pen.left);
  const room = Math.min(box.e, pen.right) - from;
  const y = box.y0 + run.band.runBar / 2;
  const plate = (w: number) => pen.out.push({ op: 'rect', x: from + 5, y: box.y0 + 2, w, h: run.band.runBar - 4, fill: 'surface' });
  if (!told) {
    const word = STATUS_WORD['rejected-by-violation'];
    const width = pen.measure(word, font, true);
    if (width + 12 >= room) return;
    plate(width + 6);
    pen.out.push({ op: 'text', x: from + 8, y: y + 4, text: word, size: font, bold: true, fill: 'st-rejected' });
    return;
  }
  const { status, words } = afterStop(run.view);
  const text = firstFit(words, room - 28, font, pen.measure);
  if (!text) return;
  plate(pen.measure(text, font, false) + 22);
  pen.out.push({ op: 'icon', name: `status-${status}`, x: from + 13, y, size: 10, fill: statusToken(status) });
  pen.out.push({ op: 'text', x: from + 22, y: y + 4, text, size: font, fill: 'text-3' });
}

const STOP = ['a conforming client stops here', 'client stops here', 'stops here'];
/** Beside a second line it must say which client. */
const STOP_OF_TWO = ['a conforming client stops here', 'conforming client stops', 'conforming stops'];
const REFERENCE = ['@ag-ui/client stops here', '@ag-ui/client stops'];

/** Where the next thing of the band begins: how far words of the second line may reach. */
function limitOf(pen: Pen, run: PlacedRun, box: Box): number {
  const next = run.next ? pen.scale.px(Math.min(run.next.request ?? run.next.start, run.next.start)) : pen.right;
  const own = run.view.ending === 'open' ? Math.max(box.e, pen.scale.px(pen.now)) : pen.right;
  const late = run.view.ending === 'late-error' ? pen.scale.px(run.close) : pen.right;
  return Math.min(pen.right, next, own, late) - 4;
}

/** The line below the run bar: why it ended so, and where clients stop. */
export function drawNote(pen: Pen, run: PlacedRun): void {
  const { small } = pen.layout.density;
  const box = boxOf(pen, run);
  const y = pen.y + run.band.note;
  const limit = limitOf(pen, run, box);
  const stops = stopLines(pen, run).sort((a, b) => a.x - b.x);
  const start = Math.max(box.a, pen.left) + 8;
  const quiet = run.view.status === 'succeeded' || run.view.status === 'active' || run.view.afterRejection;
  const left = leftLabel(pen, stops, start);
  const until = Math.min(limit, (stops[0]?.x ?? limit + 6) - 6) - (left ? pen.measure(left, small, false) + 6 : 0);
  const words = noteOf(run.view, run.several);
  // inside the box if a wording fits there, else over its edge as far as nothing else begins; what a run waits for is told in full
  const within = run.view.status === 'interrupted' ? until : Math.min(until, box.e - 5);
  const note = firstFit(words, within - start, small, pen.measure) || firstFit(words, until - start, small, pen.measure);
  if (note) pen.out.push({ op: 'text', x: start, y, text: note, size: small, fill: quiet ? 'text-3' : statusToken(run.view.status), halo: 'surface' });
  stops.forEach((stop, i) => {
    line(pen, [stop.x, box.y0, stop.x, box.y1], 'st-rejected', stop.reference ? 1.5 : 2, stop.reference ? [2, 3] : undefined);
    const room = Math.min(Math.max(limit, Math.min(box.e, pen.right) - 4), (stops[i + 1]?.x ?? pen.right) - 4) - stop.x - 6;
    const text = i === 0 && left ? left : firstFit(wordsOfStop(stop, stops.length), room, small, pen.measure);
    const x = i === 0 && left ? stop.x - 5 - pen.measure(left, small, false) : stop.x + 6;
    if (text) pen.out.push({ op: 'text', x, y, text, size: small, fill: 'st-rejected', halo: 'surface' });
  });
}

const wordsOfStop = (stop: StopLine, count: number): readonly string[] => (stop.reference ? REFERENCE : count > 1 ? STOP_OF_TWO : STOP);

/** Of two lines near each other, the words of the first stand left of it; '' where they have room on the right, or none at all. */
function leftLabel(pen: Pen, stops: readonly StopLine[], start: number): string {
  const [first, second] = stops;
  if (!first || !second) return '';
  const words = wordsOfStop(first, stops.length);
  const { small } = pen.layout.density;
  if (firstFit(words, second.x - first.x - 10, small, pen.measure)) return '';
  return firstFit(words, first.x - 5 - start, small, pen.measure);
}

interface StopLine {
  readonly x: number;
  readonly reference: boolean;
}

/** Stop lines of a run that stand in the window, px. */
function stopLines(pen: Pen, run: PlacedRun): StopLine[] {
  const lines: StopLine[] = [];
  const seen = (time: number) => time >= pen.scale.from && time <= pen.scale.to;
  if (run.view.status === 'rejected-by-violation' && !run.view.afterRejection && Number.isFinite(run.stop) && seen(run.stop))
    lines.push({ x: pen.scale.px(run.stop), reference: false });
  if (run.referenceStop !== null && seen(run.referenceStop)) lines.push({ x: pen.scale.px(run.referenceStop), reference: true });
  return lines;
}

/** Runs of a band that touch the window, with the late end and the whisker. */
export function visibleRuns(pen: Pen, band: Band): readonly PlacedRun[] {
  const [low, high] = [pen.scale.low(8), pen.scale.high(8)];
  return band.runs.filter((run) => {
    const start = Math.min(run.request ?? run.start, run.start);
    const end = run.close === Number.POSITIVE_INFINITY ? Math.max(pen.now, run.start) : run.close;
    return start <= high && end >= low;
  });
}
