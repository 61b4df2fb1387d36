import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Columns, createColumns, pushRow, type Row } from '../session/columns.ts';
import { keepParts, packParts, packRows } from './pack-rows.ts';
import { type RowColumns, unpackRows } from './packed-rows.ts';

const NAMES = ['time', 'type', 'conn', 'at', 'frame', 'part', 'run', 'span', 'offset', 'length', 'flags'] as const;

function columnsOf(rows: readonly Row[]): RowColumns {
  const columns = createColumns(rows.length);
  for (const name of NAMES) for (const [no, row] of rows.entries()) columns[name][no] = row[name];
  return columns;
}

function travelled(rows: readonly Row[], from: number, to: number): Row[] {
  const into = createColumns(to);
  unpackRows(structuredClone(packRows(columnsOf(rows), from, to)), into);
  return rows.slice(from, to).map((_, no) => Object.fromEntries(NAMES.map((name) => [name, into[name][from + no]!])) as unknown as Row);
}

/** Rows as streams bring them: one after the other, `jumps` now and then. */
const EPOCH = Date.UTC(2026, 10, 5);
const uint = (max: number) => fc.oneof({ weight: 4, arbitrary: fc.nat({ max: 3 }) }, { weight: 1, arbitrary: fc.nat({ max }) });
const anyRow: fc.Arbitrary<Row> = fc.record({
  time: fc.oneof(
    fc.nat({ max: 2 ** 31 - 1 }).map((ticks) => EPOCH + ticks / 4096),
    fc.double({ min: 0, max: 1e15, noNaN: true }).map((time) => time + 0),
    fc.constantFrom(0, 1e-9, Number.MAX_VALUE),
  ),
  type: fc.nat({ max: 255 }),
  conn: uint(2 ** 31 - 1),
  at: uint(2 ** 31 - 1).map((value) => value * 2 + 1),
  frame: uint(2 ** 31 - 1),
  part: fc.nat({ max: 255 }),
  run: fc.integer(),
  span: fc.integer(),
  offset: fc.oneof(fc.nat(), fc.maxSafeNat()),
  length: uint(2 ** 31 - 1).map((value) => value * 2),
  flags: fc.nat({ max: 3 }),
});

describe('packed rows', () => {
  it('come out as they went in, whatever they hold', () => {
    fc.assert(
      fc.property(fc.array(anyRow, { minLength: 1, maxLength: 60 }), fc.nat({ max: 59 }), (rows, from) => {
        const start = Math.min(from, rows.length - 1);
        expect(travelled(rows, start, rows.length)).toEqual(rows.slice(start));
      }),
    );
  });

  it('come out as they went in from streams side by side, with several values in a frame, bad frames and lost bytes', () => {
    const step = fc.record({
      conn: fc.nat({ max: 4 }),
      length: fc.nat({ max: 70_000 }),
      wait: fc.nat({ max: 20_000 }),
      same: fc.boolean(),
      lost: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.array(step, { minLength: 1, maxLength: 300 }), (steps) => {
        const streams = new Map<number, { at: number; frame: number; offset: number }>();
        let time = EPOCH;
        const rows = steps.map(({ conn, length, wait, same, lost }): Row => {
          const one = streams.get(conn) ?? { at: 0, frame: 0, offset: 0 };
          time += wait / 4096;
          const row = { time, type: 3, conn, ...one, part: same ? 1 : 0, run: conn, span: -1, length, flags: 0 };
          streams.set(conn, { at: one.at + (lost ? 0 : 1), frame: one.frame + (same ? 0 : 1), offset: one.offset + (same ? 0 : length) + (lost ? 5_000 : 2) });
          return row;
        });
        expect(travelled(rows, 0, rows.length)).toEqual(rows);
      }),
    );
  });

  it('are written at their own numbers and touch no other', () => {
    const rows = Array.from(
      { length: 5 },
      (_, no): Row => ({ time: no, type: 1, conn: 0, at: no, frame: no, part: 0, run: 0, span: 2, offset: no * 10, length: 10, flags: 0 }),
    );
    const into = createColumns(10);
    for (const name of NAMES) into[name].fill(9);
    unpackRows(packRows(columnsOf(rows), 1, 4, 6), into);
    expect([...into.at]).toEqual([9, 9, 9, 9, 9, 9, 1, 2, 3, 9]);
    expect([...into.offset]).toEqual([9, 9, 9, 9, 9, 9, 10, 20, 30, 9]);
    expect([...into.span]).toEqual([9, 9, 9, 9, 9, 9, 2, 2, 2, 9]);
  });

  it('weigh some ten bytes each in a long capture of several streams', () => {
    const rows = Array.from({ length: 10_000 }, (_, no): Row => {
      const at = Math.floor(no / 4);
      return {
        time: EPOCH + no * 1.25,
        type: no % 9,
        conn: no % 4,
        at,
        frame: at,
        part: 0,
        run: no % 4,
        span: no % 900,
        offset: at * 150,
        length: 148 + (at % 3),
        flags: 0,
      };
    });
    const { starts, columns } = packRows(columnsOf(rows), 0, rows.length);
    const buffers = Object.values(columns).map((column) =>
      typeof column === 'number' ? 0 : column instanceof Float64Array ? column.byteLength : column.by.byteLength,
    );
    expect(buffers.reduce((sum, bytes) => sum + bytes, starts.byteLength) / rows.length).toBeLessThan(12);
  });
});

describe('whole parts', () => {
  const grow = (columns: Columns, to: number) => {
    for (let no = columns.count; no < to; no++)
      pushRow(columns, {
        time: EPOCH + no,
        type: no % 9,
        conn: no % 3,
        at: no,
        frame: no,
        part: 0,
        run: no % 7,
        span: no % 11,
        offset: no * 100,
        length: 98,
        flags: 0,
      });
  };
  const unpacked = (parts: Iterable<ReturnType<typeof packRows>>, count: number) => {
    const into = createColumns(count);
    for (const part of parts) unpackRows(part, into);
    return into;
  };
  const same = (into: Columns, columns: Columns, count: number) => {
    for (const name of NAMES) expect(into[name].slice(0, count), name).toEqual(columns[name].slice(0, count));
  };

  it('are packed once, and tell the marks and rows that came since', () => {
    const columns = createColumns(70_000);
    grow(columns, 45_000);
    const first = [...packParts(columns, 45_000)];
    for (const row of [7, 39_999, 44_000]) columns.flags[row] = 2;
    grow(columns, 61_000);
    const again = [...packParts(columns, 61_000)];
    expect(again.map(({ columns: { time } }, no) => time === first[no]?.columns.time)).toEqual([true, true, false, false]);
    same(unpacked(again, 61_000), columns, 61_000);
  });

  it('are those they were unpacked from', () => {
    const columns = createColumns(70_000);
    grow(columns, 45_000);
    const saved = structuredClone([...packParts(columns, 45_000)]);
    const restored = unpacked(saved, 70_000);
    restored.count = 45_000;
    keepParts(restored, saved);
    grow(restored, 61_000);
    grow(columns, 61_000);
    const again = [...packParts(restored, 61_000)];
    expect(again.map(({ columns: { time } }, no) => time === saved[no]?.columns.time)).toEqual([true, true, false, false]);
    same(unpacked(again, 61_000), columns, 61_000);
  });

  it('of a view from a later row on are no others', () => {
    const columns = createColumns(70_000);
    grow(columns, 61_000);
    void [...packParts(columns, 61_000)];
    const later = Object.fromEntries(NAMES.map((name) => [name, columns[name].subarray(20_001, 61_000)])) as unknown as RowColumns;
    same(unpacked([packRows(columns, 0, 20_001), ...packParts(later, 40_999, 20_001)], 61_000), columns, 61_000);
  });
});
