import { describe, expect, it } from 'vitest';
import { applyPatch } from '../../checker/patch.ts';
import { EVENT_TYPES } from '../../protocol/events.ts';
import { stateHistory } from './document.ts';
import type { PanelSession } from './session.ts';

/** As much of a session as the history reads: one stream with these deltas. */
const sessionOf = (deltas: readonly unknown[]): PanelSession =>
  ({
    store: { columns: { count: deltas.length, conn: deltas.map(() => 0), type: deltas.map(() => EVENT_TYPES.indexOf('STATE_DELTA')) } },
    requestBody: async () => null,
    bodies: { loadAll: async (rows: readonly number[]) => rows.map((row) => ({ value: { type: 'STATE_DELTA', delta: deltas[row] } })) },
  }) as unknown as PanelSession;

const stepOf = async (delta: unknown) => (await stateHistory(sessionOf([delta]), 0)).steps[0]!;

describe('operations of a delta', () => {
  const unknown = { op: 'set', path: '/a', value: 1 };
  const good = { op: 'add', path: '/a', value: 1 };

  it('are counted as findings count them, also past one that is dropped', async () => {
    const delta = [unknown, good, { op: 'remove', path: '/no' }];
    const { places, failed, dropped } = await stepOf(delta);
    expect([places, dropped]).toEqual([[2, 3], ['set']]);
    expect(JSON.stringify(applyPatch({}, delta))).toContain(`Operation ${places[failed!.at]} (remove`);
  });

  it('name the malformed one by the same number, and try none', async () => {
    const delta = [unknown, good, { op: 'remove' }];
    const { failed, ops } = await stepOf(delta);
    expect(failed).toMatchObject({ at: -1, why: 'Operation 3 is malformed.' });
    expect(ops).toEqual([good]);
    expect(JSON.stringify(applyPatch({}, delta))).toContain('Operation 3 has no path');
  });
});
