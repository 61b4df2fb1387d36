/** Where rows end: the timeline shows whole rows only, so that no bar is cut by its lower edge. */
import type { Group, Layout } from './placed.ts';
import type { Draw, Window } from './types.ts';

/** Of the height, so much at least stays in use. */
const LEAST = 0.4;

/** Ends of a group's rows, px from its top. */
function* endsOf({ away, height, thread }: Group): Generator<number> {
  if (!away && !thread.folded) {
    for (const band of thread.bands) {
      yield band.lanes[0]?.y ?? band.bottom;
      for (const lane of band.lanes) yield lane.y + lane.height;
      yield band.bottom;
    }
  }
  yield height;
}

/** Where the last whole row of a window ends, px from the top of what is visible; its height, where everything fits. */
export function wholeRows(layout: Layout, { scroll, height }: Window): number {
  const limit = scroll + height;
  if (layout.height <= limit) return height;
  let last = 0;
  for (const group of layout.groups) {
    if (group.top > limit) break;
    for (const end of endsOf(group)) if (group.top + end <= limit) last = Math.max(last, group.top + end);
  }
  return last - scroll < height * LEAST ? height : last - scroll;
}

/** Ground below the last whole row. */
export function drawFoot(out: Draw[], layout: Layout, window: Window): void {
  const end = wholeRows(layout, window);
  if (end >= window.height) return;
  out.push({ op: 'rect', x: 0, y: end, w: window.width, h: window.height - end, fill: 'surface-bar' });
  out.push({ op: 'line', points: [0, end + 0.5, window.width, end + 0.5], stroke: 'line' });
}
