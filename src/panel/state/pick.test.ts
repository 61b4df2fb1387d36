import { describe, expect, test } from 'vitest';
import { createList, extendList } from './list.ts';
import { rowsBetween, rowsOfItem, runStart, siblingRow, withItem } from './pick.ts';
import { createStore, isContent, takeMessage } from './store.ts';
import { now, rowsOf, update } from './testkit.ts';
import { searchTree } from './tree-search.ts';

/** Items: 0 row, 1 fold of rows 1 and 3, 2 row 2 (another message), 3 band, 4 row 4. */
function listed(accepts: ((row: number) => boolean) | null = null) {
  const store = createStore(now);
  const delta = (span: number) => ({ type: 'TEXT_MESSAGE_CONTENT', span });
  takeMessage(store, update({ rows: rowsOf([{ type: 'STEP_STARTED' }, delta(0), delta(1), delta(0), { type: 'CUSTOM' }]) }));
  const bands = [{ kind: 'navigation' as const, before: 4, time: 0, url: '/' }];
  const list = createList({ accepts, unfolded: new Set(), bands, isContent });
  extendList(list, store.columns);
  return { list, columns: store.columns };
}

describe('picking rows', () => {
  test('a fold stands for all its rows, a band for none', () => {
    const { list, columns } = listed();
    expect([0, 1, 2, 3, 4, 9].map((item) => rowsOfItem(list, columns, item))).toEqual([[0], [1, 3], [2], [], [4], []]);
  });
  test('a range goes either way and leaves out what the filter hides', () => {
    const { list, columns } = listed();
    expect([...rowsBetween(list, columns, 4, 1)]).toEqual([1, 3, 2, 4]);
    const filtered = listed((row) => row !== 3);
    expect([...rowsBetween(filtered.list, filtered.columns, 0, 4)]).toEqual([0, 1, 2, 4]);
  });
  test('one item is put in and taken out whole', () => {
    const { list, columns } = listed();
    const once = withItem(new Set([0]), list, columns, 1);
    expect([...once]).toEqual([0, 1, 3]);
    expect([...withItem(once, list, columns, 1)]).toEqual([0]);
  });
  test('jumps: along an item, and from run to run', () => {
    const { columns } = listed();
    expect([siblingRow(columns, 1, 1), siblingRow(columns, 3, -1), siblingRow(columns, 1, -1), siblingRow(columns, 3, 1), siblingRow(columns, 0, 1)]).toEqual([
      3,
      1,
      null,
      null,
      null,
    ]);
    expect([runStart(5, 1, [9, 0, 5]), runStart(5, -1, [9, 0, 5]), runStart(9, 1, [9, 0, 5])]).toEqual([9, 0, null]);
  });
});

describe('search in a tree', () => {
  test('finds names and values, and what must be open for them', () => {
    const { paths, open, more } = searchTree({ flights: [{ carrier: 'TAP' }, { carrier: 'easyJet' }], 'a/b': { tap: 1 } }, 'tap');
    expect(paths).toEqual(['/flights/0/carrier', '/a~1b/tap']);
    expect([...open]).toEqual(['', '/flights', '/flights/0', '/a~1b']);
    expect(more).toBe(false);
  });
  test('stops in a hostile depth and a hostile width', () => {
    let deep: unknown = 'needle';
    for (let i = 0; i < 20_000; i++) deep = [deep];
    expect(searchTree(deep, 'needle').paths).toEqual([]);
    expect(
      searchTree(
        Array.from({ length: 5000 }, () => 'needle'),
        'needle',
      ),
    ).toMatchObject({ more: true });
  });
});
