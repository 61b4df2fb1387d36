import { describe, expect, it } from 'vitest';
import { copyRows, createColumns, createRowList, pushRow, pushToList } from './columns.ts';

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

  it('are copied in arrays of their own, exactly as long as asked for', () => {
    const columns = createColumns(2);
    for (let no = 0; no < 10; no++) pushRow(columns, row(no));
    const copy = copyRows(columns, 3, 7);
    expect([copy.from, copy.count, ...copy.at]).toEqual([3, 4, 3, 4, 5, 6]);
    expect(copy.time.buffer.byteLength).toBe(4 * 8);
    columns.flags[3] = 2;
    expect(copy.flags[0]).toBe(0);
  });

  it('row lists grow', () => {
    const list = createRowList();
    for (let no = 0; no < 50; no++) pushToList(list, no * 2);
    expect([...list.data.subarray(0, list.count)]).toEqual(Array.from({ length: 50 }, (_, no) => no * 2));
  });
});
