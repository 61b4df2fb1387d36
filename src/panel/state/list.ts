/** The rows of the events table: events in order, content deltas of one item folded, and bands (stop lines, lost data, navigation) between them. */
import type { Columns } from './columns.ts';

export type Band =
  | {
      readonly kind: 'stop';
      readonly before: number;
      readonly conn: number;
      readonly row: number;
      readonly after: number;
      readonly whose: 'conforming' | 'reference' | 'both';
    }
  | { readonly kind: 'gap'; readonly before: number; readonly conn: number; readonly bytes: number; readonly chunks: number; readonly why: string }
  | { readonly kind: 'failure'; readonly before: number; readonly conn: number; readonly text: string }
  | { readonly kind: 'navigation'; readonly before: number; readonly time: number; readonly url: string };

export const ITEM_ROW = 0;
export const ITEM_FOLD = 1;
export const ITEM_CHILD = 2;
export const ITEM_BAND = 3;

export interface EventList {
  readonly accepts: ((row: number) => boolean) | null;
  readonly unfolded: ReadonlySet<number>;
  readonly bands: readonly Band[];
  readonly isContent: (code: number) => boolean;
  /** ITEM_* of each item, and beside it: its row (of a fold the first, of a band its index in `bands`), its rows, and the row it is sorted by. */
  readonly kind: number[];
  readonly row: number[];
  readonly count: number[];
  readonly place: number[];
  /** Last row of each fold; the row itself elsewhere. */
  readonly last: number[];
  /** Rows looked at so far, and how many of them are shown. */
  done: number;
  shown: number;
  nextBand: number;
  /** The open block of consecutive deltas: where it began, and the fold of each span in it. */
  blockRow: number;
  blockItem: number;
  blockShown: number;
  readonly block: Map<number, number>;
  /** True while the open block was drawn with unfolded children: the next rows make it anew. */
  opened: boolean;
}

export interface ListOptions {
  readonly accepts: ((row: number) => boolean) | null;
  readonly unfolded: ReadonlySet<number>;
  readonly bands: readonly Band[];
  readonly isContent: (code: number) => boolean;
}

/** ROW_HAS_FINDING of session/types.ts: a delta that carries a finding stands alone. */
const MARKED = 2;

export function createList(options: ListOptions): EventList {
  return {
    ...options,
    kind: [],
    row: [],
    count: [],
    place: [],
    last: [],
    done: 0,
    shown: 0,
    nextBand: 0,
    blockRow: -1,
    blockItem: 0,
    blockShown: 0,
    block: new Map(),
    opened: false,
  };
}

function push(list: EventList, kind: number, row: number, place: number): void {
  list.kind.push(kind);
  list.row.push(row);
  list.count.push(1);
  list.place.push(place);
  list.last.push(row);
}

/** Ends the open block: the children of its unfolded folds are put in. */
function closeBlock(list: EventList, columns: Columns): void {
  if (list.blockRow < 0) return;
  const open = list.opened ? [] : [...list.block].filter(([, item]) => list.kind[item] === ITEM_FOLD && list.unfolded.has(list.row[item]!));
  if (open.length > 0) unfold(list, columns, open);
  list.opened = false;
  list.blockRow = -1;
  list.block.clear();
}

function unfold(list: EventList, columns: Columns, open: readonly (readonly [number, number])[]): void {
  const spans = new Map(open.map(([span, item]) => [span, list.row[item]!]));
  const children = new Map<number, number[]>();
  for (let row = list.blockRow; row < list.done; row++) {
    const first = spans.get(columns.span[row]!);
    if (first === undefined || row < first || (list.accepts && !list.accepts(row))) continue;
    const there = children.get(first);
    if (there) there.push(row);
    else children.set(first, [row]);
  }
  const tail = {
    kind: list.kind.splice(list.blockItem),
    row: list.row.splice(list.blockItem),
    count: list.count.splice(list.blockItem),
    last: list.last.splice(list.blockItem),
  };
  list.place.length = list.blockItem;
  for (let i = 0; i < tail.kind.length; i++) {
    const first = tail.row[i]!;
    push(list, tail.kind[i]!, first, first);
    list.count[list.count.length - 1] = tail.count[i]!;
    list.last[list.last.length - 1] = tail.last[i]!;
    if (tail.kind[i] !== ITEM_FOLD) continue;
    for (const row of children.get(first) ?? []) push(list, ITEM_CHILD, row, first);
  }
}

function addContent(list: EventList, columns: Columns, row: number): void {
  if (list.blockRow < 0) {
    list.blockRow = row;
    list.blockItem = list.kind.length;
    list.blockShown = list.shown;
  }
  const span = columns.span[row]!;
  const item = span < 0 ? undefined : list.block.get(span);
  if (item === undefined) {
    if (span >= 0) list.block.set(span, list.kind.length);
    push(list, ITEM_ROW, row, row);
    return;
  }
  list.kind[item] = ITEM_FOLD;
  list.count[item]!++;
  list.last[item] = row;
}

/** Undoes the open block where one of its folds is unfolded, so that its rows are gone through once more with what came since. */
function reopenBlock(list: EventList): void {
  list.kind.length = list.row.length = list.count.length = list.place.length = list.last.length = list.blockItem;
  list.done = list.blockRow;
  list.shown = list.blockShown;
  list.blockRow = -1;
  list.opened = false;
  list.block.clear();
}

/** Takes the rows that came since the last call, and closes what is open so that the list can be drawn. */
export function extendList(list: EventList, columns: Columns): void {
  if (list.blockRow >= 0 && list.opened && list.done < columns.count) reopenBlock(list);
  const { accepts, isContent, bands } = list;
  const { type, flags, count } = columns;
  for (let row = list.done; row < count; row++) {
    if (list.nextBand < bands.length) {
      list.done = row;
      takeBands(list, columns, row);
    }
    if (accepts !== null && !accepts(row)) continue;
    list.shown++;
    if (isContent(type[row]!) && (flags[row]! & MARKED) === 0) addContent(list, columns, row);
    else {
      list.done = row;
      closeBlock(list, columns);
      push(list, ITEM_ROW, row, row);
    }
  }
  list.done = count;
  takeBands(list, columns, columns.count);
  if (list.opened) return;
  const open = [...list.block].filter(([, item]) => list.kind[item] === ITEM_FOLD && list.unfolded.has(list.row[item]!));
  if (open.length === 0) return;
  unfold(list, columns, open);
  list.opened = true;
}

function takeBands(list: EventList, columns: Columns, row: number): void {
  while (list.nextBand < list.bands.length && list.bands[list.nextBand]!.before <= row) {
    closeBlock(list, columns);
    push(list, ITEM_BAND, list.nextBand, list.bands[list.nextBand]!.before);
    list.nextBand++;
  }
}

/** The item that shows a row (itself, or the fold it is in), or -1 when the filter hides it. */
export function itemOfRow(list: EventList, columns: Columns, row: number): number {
  let low = 0;
  let high = list.place.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (list.place[middle]! <= row) low = middle + 1;
    else high = middle;
  }
  let fold = -1;
  for (let item = low - 1; item >= 0; item--) {
    if (list.kind[item] === ITEM_BAND) continue;
    if (list.kind[item] !== ITEM_FOLD && list.row[item] === row) return item;
    if (list.kind[item] !== ITEM_FOLD) {
      if (!list.isContent(columns.type[list.row[item]!]!)) break;
      continue;
    }
    if (columns.span[list.row[item]!] === columns.span[row] && list.row[item]! <= row && row <= list.last[item]!) {
      fold = item;
      break;
    }
  }
  if (fold < 0) return -1;
  if (list.accepts && !list.accepts(row)) return -1;
  return fold;
}
