/** A thread that has nothing in the window: one row, which says where to look. Runs that come into sight are strips until it opens. */
import { boxOf, visibleRuns } from './draw-run.ts';
import { fitText } from './label.ts';
import type { Pen } from './pen.ts';
import type { Group, Layout } from './placed.ts';
import { timeScale } from './scale.ts';
import type { Draw, Measure, Window } from './types.ts';
import { plural, runToken, statusToken } from './words.ts';

export function drawAway(pen: Pen, group: Group): void {
  const [y, h] = [pen.y + 4, group.height - 8];
  for (const band of group.thread.bands) {
    for (const run of visibleRuns(pen, band)) {
      const { a, e } = boxOf(pen, run);
      pen.out.push({ op: 'rect', x: a, y, w: e - a, h, fill: `${statusToken(run.view.status)}-fill` });
      pen.out.push({ op: 'rect', x: a, y, w: 2, h, fill: runToken(run.view.status) });
    }
  }
}

/** Whether runs of a group lie before the window and after it. */
export function sidesOf(layout: Layout, group: Group, window: Window): { readonly before: boolean; readonly after: boolean } {
  const { from, to } = timeScale(window, layout.origin);
  const runs = group.thread.bands.flatMap((band) => band.runs);
  return { before: runs.some((run) => run.close < from), after: runs.some((run) => run.start > to) };
}

/** Name, number of runs, and an arrow to where they are. In a narrow dock the name's own row says so. */
export function awayHeader(out: Draw[], group: Group, y: number, window: Window, layout: Layout, measure: Measure): void {
  const { thread } = group;
  const { before, after } = sidesOf(layout, group, window);
  const middle = y + (thread.title ? thread.title.y + thread.title.height / 2 : group.height / 2);
  const right = thread.title ? window.width : window.gutter;
  let x = right - 10;
  const arrow = (to: 1 | -1) => {
    out.push({ op: 'poly', points: [x - 3 - 3 * to, middle - 4, x - 3 - 3 * to, middle + 4, x - 3 + 3 * to, middle], fill: 'text-3' });
    x -= 11;
  };
  if (after) arrow(1);
  if (before) arrow(-1);
  if (thread.title) return;
  const runs = plural(thread.counts.runs, 'run');
  out.push({ op: 'text', x: x - 1, y: middle + 4, text: runs, size: 11, fill: 'text-3', align: 'right' });
  const label = fitText(thread.label, x - 1 - measure(runs, 11, false) - 8 - 22, 11, measure, 3);
  if (label) out.push({ op: 'text', x: 22, y: middle + 4, text: label, size: 11, fill: 'text-3' });
}
