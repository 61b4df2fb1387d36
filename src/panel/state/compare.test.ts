import { describe, expect, test } from 'vitest';
import { beatsOf, counterpart, countsOf, matchesOf, partingOf } from './compare.ts';
import { idleOf } from './pauses.ts';
import { createStore, takeMessage } from './store.ts';
import { connectionOf, now, type RowSpec, rowsOf, runOf, spanOf, update } from './testkit.ts';

/** Two runs, told at once: a good one, and one that opens a step twice and makes one call less. */
function two() {
  const store = createStore(now);
  const good: RowSpec[] = [
    { type: 'RUN_STARTED' },
    { type: 'STEP_STARTED', span: 0 },
    { type: 'TEXT_MESSAGE_START', span: 1 },
    { type: 'TEXT_MESSAGE_CONTENT', span: 1 },
    { type: 'TEXT_MESSAGE_CONTENT', span: 1 },
    { type: 'TOOL_CALL_START', span: 2 },
    { type: 'STEP_FINISHED', span: 0 },
    { type: 'RUN_FINISHED' },
  ];
  const bad: RowSpec[] = [
    { type: 'RUN_STARTED' },
    { type: 'STEP_STARTED', span: 3 },
    { type: 'TEXT_MESSAGE_START', span: 4 },
    { type: 'TEXT_MESSAGE_CONTENT', span: 4 },
    { type: 'STEP_STARTED', span: 5 },
    { type: 'RUN_FINISHED' },
  ];
  const of = (rows: readonly RowSpec[], run: number) => rows.map((row) => ({ ...row, run }));
  takeMessage(
    store,
    update({
      rows: rowsOf([...of(good, 0), ...of(bad, 1)]),
      runs: [runOf(0, { firstRow: 0, lastRow: 7, endedRow: 7 }), runOf(1, { firstRow: 8, lastRow: 13, endedRow: 13, status: 'rejected-by-violation' })],
      spans: [
        spanOf(0, { kind: 'step', itemId: 'plan', label: 'plan', firstRow: 1 }),
        spanOf(1, { firstRow: 2 }),
        spanOf(2, { kind: 'tool', itemId: 'c1', label: 'search', firstRow: 5 }),
        spanOf(3, { kind: 'step', itemId: 'plan', label: 'plan', run: 1, firstRow: 9 }),
        spanOf(4, { run: 1, firstRow: 10 }),
        spanOf(5, { kind: 'step', itemId: 'plan', label: 'plan', run: 1, firstRow: 12 }),
      ],
      connections: [connectionOf(0)],
    }),
  );
  return { store, a: store.runs[0]!, b: store.runs[1]! };
}

describe('two runs side by side', () => {
  test('steps and calls are matched by name; what one lacks stands alone, a repeated one is counted', () => {
    const { store, a, b } = two();
    expect(matchesOf(store, a, b).map(({ name, a, b }) => [name, a?.id ?? null, b?.id ?? null])).toEqual([
      ['plan', 0, 3],
      ['plan ×2', null, 5],
      ['search', 2, null],
    ]);
  });

  test('counts begin with what differs most', () => {
    const { store, a, b } = two();
    expect(countsOf(store, a, b).slice(0, 3)).toEqual([
      { type: 'STEP_FINISHED', a: 1, b: 0 },
      { type: 'STEP_STARTED', a: 1, b: 2 },
      { type: 'TEXT_MESSAGE_CONTENT', a: 2, b: 1 },
    ]);
  });

  test('the sequences part where something else happened, not where a text was cut otherwise', () => {
    const { store, a, b } = two();
    const parting = partingOf(beatsOf(store, a), beatsOf(store, b))!;
    expect(parting.same).toBe(4);
    expect([parting.a[0], parting.b[0]]).toEqual([
      { row: 5, word: 'TOOL_CALL_START search' },
      { row: 12, word: 'STEP_STARTED plan' },
    ]);
    expect(parting.before.map(([x, y]) => [x.row, y.row])).toEqual([
      [0, 8],
      [1, 9],
      [2, 10],
      [3, 11],
    ]);
    expect(partingOf(beatsOf(store, a), beatsOf(store, a))).toBeNull();
  });

  test('where one only goes on, the other has nothing more', () => {
    const { store, a } = two();
    const beats = beatsOf(store, a);
    const parting = partingOf(beats, beats.slice(0, 3))!;
    expect([parting.same, parting.a.length, parting.b]).toEqual([3, 4, []]);
  });

  test('how a run ended is part of its sequence', () => {
    const { store, a } = two();
    const other = { ...a, ending: 'finished/interrupt' as const };
    expect(partingOf(beatsOf(store, a), beatsOf(store, other))!.b[0]!.word).toBe('RUN_FINISHED interrupt');
  });

  test('the counterpart is a good run, of the same thread if there is one', () => {
    const { store, a, b } = two();
    expect(counterpart(store, b)!.id).toBe(a.id);
    expect(counterpart(store, a)!.id).toBe(b.id);
    takeMessage(store, update({ runs: [runOf(2, { threadId: 'other' })] }));
    expect(counterpart(store, b)!.id).toBe(0);
  });
});

test('idle time adds up the silences of a run, whatever other runs say meanwhile, and goes on as rows come', () => {
  const store = createStore(now);
  const at = (run: number, time: number): RowSpec => ({ type: 'CUSTOM', run, time });
  takeMessage(store, update({ rows: rowsOf([at(0, 0), at(1, 100), at(0, 499), at(0, 1100), at(1, 1100)]) }));
  expect([idleOf(store.columns, 0), idleOf(store.columns, 1), idleOf(store.columns, 7)]).toEqual([601, 1000, 0]);
  takeMessage(store, update({ rows: rowsOf([at(0, 2100)], 5) }));
  expect(idleOf(store.columns, 0)).toBe(1601);
});
