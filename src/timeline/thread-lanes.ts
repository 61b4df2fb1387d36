/** Lanes of a band: one kind under the other, subagents with what ran in them; thin ones for what is folded. */
import type { Item } from './items.ts';
import { pack } from './pack.ts';
import type { Lane, PlacedRun, PlacedSpan } from './placed.ts';
import type { LaneKind } from './types.ts';

const KINDS = ['step', 'text', 'reasoning', 'tool'] as const;
const laneKind = (item: Item): LaneKind => (item.view.kind === 'reasoning-span' ? 'reasoning' : item.view.kind);

export interface Rows {
  readonly lanes: Lane[];
  readonly height: number;
  /** Height of a thin lane. */
  readonly thin: number;
  readonly gap: number;
  readonly isFolded: (item: Item) => boolean;
  y: number;
}

/** How the lanes of a level look: thin with their findings on one height, or in full. */
export interface Fold {
  readonly markY: number;
}

function addLane(rows: Rows, kind: LaneKind, depth: number, named: boolean, fold: Fold | null, items: readonly Item[]): Lane {
  const height = fold ? rows.thin : rows.height;
  const markY = fold ? fold.markY : rows.y + height / 2;
  const lane: Lane = { kind, y: rows.y, height, depth, micro: fold !== null, markY, named: named && !fold, spans: [], inner: [] };
  for (const item of items) item.lane = lane;
  rows.lanes.push(lane);
  rows.y += height;
  return lane;
}

/**
 * Lanes for the spans of one level, then its subagents: those whose boxes do not overlap share a slot, which is laid out by the same
 * rule one level deeper. What is in folded ones has thin lanes in the same place.
 */
export function addLevel(rows: Rows, items: readonly Item[], depth: number, fold: Fold | null): void {
  for (const kind of KINDS) {
    const own = items.filter((item) => laneKind(item) === kind && !item.host);
    pack(own).forEach((row, i) => {
      addLane(rows, kind, depth, i === 0, fold, row);
    });
  }
  const boxes = items.filter((item) => item.view.kind === 'subagent').map((item) => ({ item, start: item.start, end: boxEnd(item) }));
  for (const slot of pack(boxes)) {
    const inSlot = slot.map((box) => box.item);
    const lane = addLane(rows, 'subagent', depth, true, fold, inSlot);
    const top = rows.y;
    const within = (folded: boolean) => inSlot.filter((item) => rows.isFolded(item) === folded).flatMap((item) => item.children);
    addLevel(rows, within(false), depth + 1, fold);
    const bottom = rows.y;
    rows.y = top;
    addLevel(rows, within(true), depth + 1, fold ?? { markY: lane.markY });
    rows.y = Math.max(rows.y, bottom) + (fold ? 0 : rows.gap);
  }
}

/** End of everything in a subagent's box. */
function boxEnd(item: Item): number {
  let end = item.end;
  for (const child of item.children) end = Math.max(end, boxEnd(child));
  return end;
}

const bottomOf = (item: Item): number =>
  item.children.reduce(
    (bottom, child) => Math.max(bottom, child.view.kind === 'subagent' ? bottomOf(child) + 2 : child.lane ? child.lane.y + child.lane.height : 0),
    item.lane!.y + item.lane!.height,
  );

/** Puts the spans into their lanes, by time. `keyOf` gives what a subagent is folded under. */
export function placeSpans(
  items: readonly Item[],
  runs: ReadonlyMap<number, PlacedRun>,
  keyOf: (item: Item) => string | null,
  isFolded: (item: Item) => boolean,
  into: Map<number, PlacedSpan>,
): void {
  const hosted: Item[] = [];
  const place = (item: Item, lane: Lane, host: PlacedSpan | null): void => {
    const holds = item.view.kind === 'subagent' && item.children.length > 0;
    const placed: PlacedSpan = {
      view: item.view,
      run: runs.get(item.view.run)!,
      start: item.start,
      end: item.end,
      lane,
      owner: item.owner?.view.id ?? null,
      foldKey: holds ? keyOf(item) : null,
      folded: holds && isFolded(item),
      host,
      box: holds ? { start: item.start, end: boxEnd(item), bottom: bottomOf(item) } : null,
    };
    into.set(item.view.id, placed);
    (host ? lane.inner : lane.spans).push(placed);
  };
  const sorted = [...items].sort((a, b) => a.start - b.start);
  for (const item of sorted) {
    if (item.host) hosted.push(item);
    else if (item.lane) place(item, item.lane, null);
  }
  for (const item of hosted) place(item, item.host!.lane!, into.get(item.host!.view.id)!);
}
