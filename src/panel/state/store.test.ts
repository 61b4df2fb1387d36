import { describe, expect, test, vi } from 'vitest';
import type { ToPanel } from '../../wire/worker-to-panel.ts';
import { rowsOfSpan } from './columns.ts';
import { createStore, deltasOf, settle, takeMessage, typeOfRow } from './store.ts';
import { FACTS, findingOf, now, rowsOf, runOf, update } from './testkit.ts';

const many = (n: number) => Array.from({ length: n }, (_, i) => ({ type: 'TEXT_MESSAGE_CONTENT', span: i % 3 }));

describe('store', () => {
  test('columns grow over any number of blocks and keep every value', () => {
    const store = createStore(now);
    const specs = many(5000);
    for (let from = 0; from < specs.length; from += 700) takeMessage(store, update({ rows: rowsOf(specs.slice(from, from + 700), from) }));
    expect(store.columns.count).toBe(5000);
    for (const row of [0, 699, 700, 1023, 1024, 4999]) {
      expect(store.columns.time[row]).toBe(1000 + row * 10);
      expect(store.columns.span[row]).toBe(row % 3);
    }
  });

  test('of a capture that comes in parts the first and the last are told, and between them one now and then', () => {
    vi.useFakeTimers({ toFake: ['performance'], now: 10_000 });
    const store = createStore(now);
    const told: number[] = [];
    store.version.subscribe(() => told.push(store.columns.count));
    takeMessage(store, { kind: 'reset', epoch: 'e', facts: FACTS, rows: 5000 });
    expect(store.columns.time.length).toBe(5000);
    for (let part = 0; part < 50; part++) {
      vi.advanceTimersByTime(30);
      takeMessage(store, { ...update({ rows: rowsOf(many(100), part * 100) }), more: part < 49 } as ToPanel);
    }
    vi.useRealTimers();
    expect(told).toEqual([0, 0, 100, 1800, 3500, 5000]);
    expect(store.columns.time.length, 'room was made once').toBe(5000);
  });

  test('a block that overlaps what is there is taken once; one that leaves a hole is refused', () => {
    const store = createStore(now);
    takeMessage(store, update({ rows: rowsOf(many(10), 0) }));
    takeMessage(store, update({ rows: rowsOf(many(10), 5) }));
    expect(store.columns.count).toBe(15);
    expect(rowsOfSpan(store.columns, 0)).toHaveLength(new Set(rowsOfSpan(store.columns, 0)).size);
    expect(store.torn).toBe(false);
    takeMessage(store, update({ rows: rowsOf(many(1), 20) }));
    expect(store.columns.count).toBe(15);
    expect(store.torn).toBe(true);
  });

  test('rows of a span are linked in order, and its delta times follow', () => {
    const store = createStore(now);
    takeMessage(
      store,
      update({ rows: rowsOf([{ type: 'TEXT_MESSAGE_START', span: 7 }, { type: 'TEXT_MESSAGE_CONTENT', span: 7 }, { type: 'STEP_STARTED' }]) }),
    );
    expect([...deltasOf(store, 7)]).toEqual([1010]);
    takeMessage(store, update({ rows: rowsOf([{ type: 'TEXT_MESSAGE_CONTENT', span: 7 }], 3) }));
    expect(rowsOfSpan(store.columns, 7)).toEqual([0, 1, 3]);
    expect([...deltasOf(store, 7)]).toEqual([1010, 1030]);
    expect([...deltasOf(store, 99)]).toEqual([]);
  });

  test('records replace each other by id, and findings are known by row', () => {
    const store = createStore(now);
    takeMessage(store, update({ rows: rowsOf(many(6)), runs: [runOf(0, { status: 'active' })], findings: [findingOf(0)] }));
    takeMessage(store, update({ runs: [runOf(0)], findings: [findingOf(0, { repeats: 3 })], marked: [4] }));
    expect(store.runs.map((run) => run.status)).toEqual(['succeeded']);
    expect(store.findingsOfRow.get(4)).toEqual([0]);
    expect(store.findings[0]!.repeats).toBe(3);
    expect(store.columns.flags[4]! & 2).toBe(2);
  });

  test('version rises once for all messages of a frame', () => {
    const bumps: (() => void)[] = [];
    const store = createStore((bump) => bumps.push(bump));
    for (let i = 0; i < 10; i++) takeMessage(store, update({ rows: rowsOf(many(1), i) }));
    expect(bumps).toHaveLength(1);
    bumps[0]!();
    expect(store.version.value).toBe(1);
    takeMessage(store, update({ rows: rowsOf(many(1), 10) }));
    expect(bumps).toHaveLength(2);
  });

  test('a reset forgets everything but the facts that came with it', () => {
    const store = createStore(now);
    takeMessage(store, update({ rows: rowsOf(many(10)), runs: [runOf(0)], findings: [findingOf(0)] }));
    takeMessage(store, { kind: 'reset', epoch: 'b', facts: FACTS });
    expect([store.columns.count, store.runs.length, store.findings.length, store.findingsOfRow.size]).toEqual([0, 0, 0, 0]);
    expect(store.facts.value).toEqual(FACTS);
  });

  test('what a restarted worker sends again is shown when it is as much as before', () => {
    const store = createStore(now);
    takeMessage(store, { kind: 'reset', epoch: 'a', facts: FACTS });
    takeMessage(store, update({ rows: rowsOf(many(10)), runs: [runOf(0)], findings: [findingOf(0)] }));
    const epoch = store.epoch.value;
    takeMessage(store, { kind: 'reset', epoch: 'a', facts: FACTS });
    takeMessage(store, update({ rows: rowsOf(many(6)), runs: [runOf(0, { events: 77 })] }));
    expect([store.columns.count, store.runs[0]!.events, store.epoch.value]).toEqual([10, 10, epoch]);
    takeMessage(store, update({ rows: rowsOf(many(6), 6) }));
    expect([store.columns.count, store.runs[0]!.events, store.findings.length, store.epoch.value]).toEqual([12, 77, 0, epoch + 1]);
  });

  test('less than before is shown in the end too', () => {
    const store = createStore(now);
    takeMessage(store, { kind: 'reset', epoch: 'a', facts: FACTS });
    takeMessage(store, update({ rows: rowsOf(many(10)) }));
    takeMessage(store, { kind: 'reset', epoch: 'a', facts: FACTS });
    takeMessage(store, update({ rows: rowsOf(many(3)) }));
    settle(store);
    expect(store.columns.count).toBe(3);
  });

  test('types beyond the known ones have names of their own', () => {
    const store = createStore(now);
    takeMessage(store, update({ rows: rowsOf([{ type: 'RUN_STARTED' }, { type: 'BAD' }, { type: 'HEARTBEAT' }]) }));
    expect([0, 1, 2].map((row) => typeOfRow(store, row))).toEqual(['RUN_STARTED', 'BAD FRAME', 'UNKNOWN']);
  });
});
