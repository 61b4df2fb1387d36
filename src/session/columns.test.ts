import { describe, expect, it } from 'vitest';
import { createColumns, createRowList, pushRow, pushToList, viewRows } from './columns.ts';

const row = (no: number) => ({ time: no + 0.5, type: no % 200, conn: 1, at: no, frame: no, part: 0, run: -1, span: no, offset: no * 10, length: 10, flags: 0 });

describe('columns', () => {
  it('keep every value over growth', () => {
    const columns = createColumns(2);
    for (let no = 0; no < 100; no++) expect(pushRow(columns, row(no))).toBe(no);
    expect(columns.count).toBe(100);
    for (let no = 0; no < 100; no++) {
      expect([columns.time[no], columns.type[no], columns.span[no], columns.offset[no], columns.run[no]]).toEqual([no + 0.5, no, no, no * 10, -1]);
    }
  });

  it('are viewed from a row on, without a copy', () => {
    const columns = createColumns(2);
    for (let no = 0; no < 10; no++) pushRow(columns, row(no));
    const view = viewRows(columns, 7);
    expect([view.from, view.count, ...view.at]).toEqual([7, 3, 7, 8, 9]);
    columns.flags[8] = 2;
    expect([...view.flags]).toEqual([0, 2, 0]);
  });

  it('row lists grow', () => {
    const list = createRowList();
    for (let no = 0; no < 50; no++) pushToList(list, no * 2);
    expect([...list.data.subarray(0, list.count)]).toEqual(Array.from({ length: 50 }, (_, no) => no * 2));
  });
});
