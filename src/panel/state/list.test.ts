import { describe, expect, test } from 'vitest';
import { createList, type EventList, extendList, ITEM_BAND, ITEM_CHILD, ITEM_FOLD, itemOfRow, type ListOptions } from './list.ts';
import { createStore, isContent, takeMessage } from './store.ts';
import { now, type RowSpec, rowsOf, update } from './testkit.ts';

const START: RowSpec = { type: 'TEXT_MESSAGE_START', span: 0 };
const delta = (span: number): RowSpec => ({ type: 'TEXT_MESSAGE_CONTENT', span });
const STEP: RowSpec = { type: 'STEP_STARTED' };

function storeOf(specs: readonly RowSpec[]) {
  const store = createStore(now);
  takeMessage(store, update({ rows: rowsOf(specs) }));
  return store;
}

/** The list as text: `3` a row, `1-4x3` a fold of three, `>2` a child, `=0` a band. */
function show(list: EventList): string[] {
  return list.kind.map((kind, i) => {
    if (kind === ITEM_BAND) return `=${list.row[i]}`;
    if (kind === ITEM_CHILD) return `>${list.row[i]}`;
    return kind === ITEM_FOLD ? `${list.row[i]}-${list.last[i]}x${list.count[i]}` : `${list.row[i]}`;
  });
}

const options = (more: Partial<ListOptions> = {}): ListOptions => ({ accepts: null, unfolded: new Set(), bands: [], isContent, ...more });
const listOf = (specs: readonly RowSpec[], more: Partial<ListOptions> = {}) => {
  const store = storeOf(specs);
  const list = createList(options(more));
  extendList(list, store.columns);
  return { list, store };
};

describe('events list', () => {
  test('deltas of one item fold; a single one stands alone', () => {
    expect(show(listOf([START, delta(0), delta(0), delta(0), STEP, delta(0), STEP]).list)).toEqual(['0', '1-3x3', '4', '5', '6']);
  });

  test('interleaved deltas fold by item, in the order in which the items began', () => {
    expect(show(listOf([delta(0), delta(1), delta(0), delta(1), delta(0), STEP]).list)).toEqual(['0-4x3', '1-3x2', '5']);
  });

  test('a delta with a finding is never hidden in a fold', () => {
    expect(show(listOf([delta(0), delta(0), { ...delta(0), flags: 2 }, delta(0), delta(0)]).list)).toEqual(['0-1x2', '2', '3-4x2']);
  });

  test('an unfolded fold shows its deltas under it', () => {
    const specs = [delta(0), delta(1), delta(0), STEP];
    expect(show(listOf(specs, { unfolded: new Set([0]) }).list)).toEqual(['0-2x2', '>0', '>2', '1', '3']);
  });

  test('the list made bit by bit is the list made at once, folded or unfolded, with bands', () => {
    const specs: RowSpec[] = Array.from({ length: 60 }, (_, i) => (i % 11 === 0 ? STEP : delta(i % 4 < 2 ? 0 : 1)));
    const bands = [13, 13, 40].map((before) => ({ kind: 'navigation' as const, before, time: 0, url: '/' }));
    for (const unfolded of [new Set<number>(), new Set([1, 12, 13])]) {
      const whole = show(listOf(specs, { unfolded, bands }).list);
      const store = createStore(now);
      const list = createList(options({ unfolded, bands }));
      for (let from = 0; from < specs.length; from += 7) {
        takeMessage(store, update({ rows: rowsOf(specs.slice(from, from + 7), from) }));
        extendList(list, store.columns);
      }
      expect(show(list)).toEqual(whole);
    }
  });

  test('bands stand before their row and end a fold', () => {
    const bands = [{ kind: 'gap' as const, before: 2, conn: 0, bytes: 1, chunks: 1, why: 'x' }];
    expect(show(listOf([delta(0), delta(0), delta(0), delta(0)], { bands }).list)).toEqual(['0-1x2', '=0', '2-3x2']);
  });

  test('every shown row is found by its number, hidden ones are not', () => {
    const specs: RowSpec[] = [START, delta(0), delta(1), delta(0), STEP, delta(1), delta(1), STEP];
    for (const unfolded of [new Set<number>(), new Set([1])]) {
      const { list, store } = listOf(specs, { unfolded });
      for (let row = 0; row < specs.length; row++) {
        const item = itemOfRow(list, store.columns, row);
        expect(item).toBeGreaterThanOrEqual(0);
        const within = list.row[item]! <= row && row <= list.last[item]!;
        expect(list.row[item] === row || (list.kind[item] === ITEM_FOLD && within && store.columns.span[list.row[item]!] === store.columns.span[row])).toBe(
          true,
        );
      }
    }
    const { list, store } = listOf(specs, { accepts: (row) => row !== 4 });
    expect(itemOfRow(list, store.columns, 4)).toBe(-1);
    expect(list.shown).toBe(7);
  });
});
