// @vitest-environment happy-dom
import { describe, expect, test, vi } from 'vitest';
import { createPanelSession } from './session.ts';
import { createSettings } from './settings.ts';
import { connectionOf, FACTS, fakePlatform, findingOf, now, rowsOf, runOf, spanOf, update } from './testkit.ts';

function opened() {
  const fake = fakePlatform();
  const settings = createSettings({}, () => undefined);
  const session = createPanelSession(fake.platform, settings, 'tab:1', null, now);
  fake.tell({ kind: 'reset', epoch: 'a', facts: FACTS });
  fake.tell(
    update({
      rows: rowsOf(
        Array.from({ length: 10 }, (_, i) => ({
          type: i === 0 ? 'RUN_STARTED' : 'STEP_STARTED',
          run: i < 6 ? 0 : 1,
          conn: i < 6 ? 0 : 1,
          flags: i === 4 ? 2 : 0,
        })),
      ),
      runs: [runOf(0), runOf(1, { conn: 1, firstRow: 6 })],
      spans: [spanOf(0, { run: 1, firstRow: 7, start: 1070 })],
      findings: [findingOf(0), findingOf(1, { row: 2, rule: 'step-not-open' })],
      connections: [connectionOf(0), connectionOf(1)],
    }),
  );
  return { fake, session, settings };
}

describe('shared selection', () => {
  test('selecting stops following and sets the moment', () => {
    const { session } = opened();
    session.select({ kind: 'finding', id: 0 });
    expect([session.follow.value, session.moment.value, session.seen.value]).toEqual([false, 1040, 10]);
    session.select({ kind: 'span', id: 0 });
    expect(session.moment.value).toBe(1050);
  });

  test('the stream in focus is the one of the selection, else the newest run’s', () => {
    const { session } = opened();
    expect(session.focusConn.value).toBe(1);
    session.select({ kind: 'row', row: 3 });
    expect(session.focusConn.value).toBe(0);
    session.select({ kind: 'span', id: 0 });
    expect(session.focusConn.value).toBe(1);
  });

  test('findings are in order of place', () => {
    const { session } = opened();
    expect(session.findings.value.map((finding) => finding.id)).toEqual([1, 0]);
  });

  test('a reset takes the selection back, so that nothing names what is gone', () => {
    const { fake, session } = opened();
    session.select({ kind: 'finding', id: 0 });
    session.desk.compare.value = [0, 1];
    session.desk.picked.value = new Set([1, 2]);
    fake.tell({ kind: 'reset', epoch: 'b', facts: FACTS });
    expect(session.selection.value).toEqual({ kind: 'none' });
    expect([session.desk.compare.value, session.desk.picked.value.size]).toEqual([null, 0]);
    expect(session.list.value.items).toBe(0);
  });

  test('a restart of the worker leaves selection, filter and folds as they are', () => {
    const { fake, session, settings } = opened();
    session.select({ kind: 'finding', id: 0 });
    session.desk.compare.value = [0, 1];
    settings.set({ filter: 'run:run_0' });
    fake.tell({ kind: 'reset', epoch: 'a', facts: FACTS });
    expect(session.selection.value).toEqual({ kind: 'finding', id: 0 });
    expect([session.onlyRun.value, session.desk.compare.value, session.store.columns.count]).toEqual([0, [0, 1], 10]);
  });

  test('the stop line stands behind its row, with what came after', () => {
    const { fake, session } = opened();
    fake.tell(update({ connections: [connectionOf(0, { stopsAtRow: 4, events: 6 })] }));
    expect(session.list.value.list.bands).toEqual([{ kind: 'stop', before: 5, conn: 0, row: 4, after: 1, whose: 'conforming' }]);
  });

  test('a block of rows that does not fit makes the link begin anew', () => {
    const { fake } = opened();
    const fresh = fakePlatform();
    const renew = vi.fn();
    const platform = { ...fresh.platform, connect: (id: string) => ({ ...fresh.platform.connect(id), renew }) };
    createPanelSession(
      platform,
      createSettings({}, () => undefined),
      'tab:1',
      null,
      now,
    );
    fresh.tell(update({ rows: rowsOf([{ type: 'STEP_STARTED' }], 5) }));
    expect(renew).toHaveBeenCalledTimes(1);
    expect(fake.sent).toEqual([]);
  });
});

describe('request bodies', () => {
  const REQUEST = { method: 'POST', url: 'http://localhost/agent', time: 900 };
  /** A session whose worker answers one body after the other. */
  const answered = (...bodies: readonly (string | null)[]) => {
    let no = 0;
    const fake = fakePlatform((command) => {
      const text = command.name === 'request-body' ? bodies[no++] : null;
      return text == null ? null : { kind: 'text', text };
    });
    const session = createPanelSession(
      fake.platform,
      createSettings({}, () => undefined),
      'tab:1',
      null,
      now,
    );
    const page = (epoch: string) => {
      fake.tell({ kind: 'reset', epoch, facts: FACTS });
      fake.tell(update({ rows: rowsOf([{ type: 'RUN_STARTED' }]), runs: [runOf(0)], connections: [{ ...connectionOf(0), request: REQUEST }] }));
    };
    page('a');
    return { session, page };
  };

  test('of the next page are not those of the last, though the number is the same', async () => {
    const { session, page } = answered('of the first', 'of the second');
    expect((await session.requestBody(0))?.text).toBe('of the first');
    expect((await session.requestBody(0))?.text).toBe('of the first');
    page('b');
    expect((await session.requestBody(0))?.text).toBe('of the second');
  });

  test('that came late are asked for again', async () => {
    const { session } = answered(null, 'late');
    expect(await session.requestBody(0)).toBeNull();
    expect((await session.requestBody(0))?.text).toBe('late');
  });
});
