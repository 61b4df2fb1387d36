/** The parts of a tool call beside its arguments: the wait for a result, and the wait for the app after the run has ended. */
import { firstFit } from './label.ts';
import type { Pen } from './pen.ts';
import type { PlacedSpan } from './placed.ts';

interface Bar {
  readonly a: number;
  readonly b: number;
  readonly y: number;
  readonly h: number;
}

/** How far an unanswered call reaches past its run where nothing follows, px. */
const STUB = 30;

/** Whether the app is to answer a call: it was made in full, and its run ended well without a result. */
export function isForApp({ view, run }: PlacedSpan): boolean {
  const { ending, answersRequest } = run.view;
  const ended = ending === 'finished/success' || ending === 'finished/interrupt';
  return view.kind === 'tool' && view.resultTime === null && view.argsEnd !== null && view.how === 'closed' && ended && answersRequest !== false;
}

/** Marks where the arguments were complete: filled before, hollow while the result is waited for. */
export function drawToolWait(pen: Pen, span: PlacedSpan, bar: Bar, rim: string, alpha: { readonly alpha?: number }): void {
  const { argsEnd, resultTime } = span.view;
  if (argsEnd === null) return;
  const from = Math.max(bar.a + 1, pen.scale.px(argsEnd - pen.layout.origin));
  const to = bar.b - (resultTime === null ? 2 : 5);
  if (to - from < 6) return;
  pen.out.push({ op: 'line', points: [from + 0.5, bar.y + 1, from + 0.5, bar.y + bar.h - 1], stroke: rim, ...alpha });
}

/** A call that the app has to answer goes on, dashed, until the app asks for the next run of the thread. */
export function drawAppWait(pen: Pen, span: PlacedSpan, bar: Bar, rim: string, alpha: { readonly alpha?: number }): void {
  if (!isForApp(span)) return;
  const { next } = span.run;
  const from = bar.b + (span.run.view.ending === 'finished/interrupt' ? 6 : 1);
  const to = next ? pen.scale.px(Math.min(next.request ?? next.start, next.start)) - 2 : Math.min(pen.scale.px(pen.now), bar.b + STUB);
  if (to - from < 5) return;
  const [top, bottom] = [bar.y + 0.5, bar.y + bar.h - 0.5];
  const points = next ? [from, top, to, top, to, bottom, from, bottom] : [from, top, to, top];
  pen.out.push({ op: 'line', points, stroke: rim, dash: [3, 3], ...alpha });
  if (!next) pen.out.push({ op: 'line', points: [from, bottom, to, bottom], stroke: rim, dash: [3, 3], ...alpha });
  const { small } = pen.layout.density;
  const start = Math.max(from, pen.left) + 5;
  const text = firstFit(['waits for the app', 'for the app', 'app'], Math.min(to, pen.right) - start - 4, small, pen.measure);
  if (text) pen.out.push({ op: 'text', x: start, y: bar.y + bar.h / 2 + 3.5, text, size: small, fill: 'text-3', ...alpha });
}
