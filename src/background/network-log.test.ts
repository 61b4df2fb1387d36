import 'fake-indexeddb/auto';
import { beforeEach, describe, expect, it } from 'vitest';
import type { CaptureRecord } from '../capture/types.ts';
import { exchange, goodRun, sseOf } from '../session/testkit.ts';
import type { LoggedExchange } from '../wire/devtools-to-worker.ts';
import { DEVTOOLS_PORT } from '../wire/worker-to-panel.ts';
import { serveDevtools } from './devtools-port.ts';
import { badRun, createPort, createWorld, type Life, shownBy, startWorker, undisturbed, verdicts, type World } from './testkit.ts';

let world: World;
let worlds = 0;
beforeEach(() => {
  world = createWorld(`log-${worlds++}`);
});

/** A run as the log tells it: all bytes at the end. */
function logged(events: readonly object[], start = 10_500): CaptureRecord[] {
  const [request, body, response, ...rest] = exchange(sseOf(events), { start });
  const end = rest.at(-1) as Extract<CaptureRecord, { kind: 'end' }>;
  const chunks = rest.slice(0, -1).map((record) => ({ ...(record as Extract<CaptureRecord, { kind: 'chunk' }>), asked: end.end.time, came: end.end.time }));
  const first = request as Extract<CaptureRecord, { kind: 'request' }>;
  return [
    { ...first, carrier: 'network-log', document: null, request: { ...first.request, body: (body as Extract<CaptureRecord, { kind: 'body' }>).body } },
    response!,
    ...chunks,
    end,
  ];
}

const messageOf = (no: number, records: readonly CaptureRecord[], key = `log/w/${no}`): LoggedExchange => ({ kind: 'exchange', no, key, records });

function devtoolsOf(life: Life) {
  const port = createPort(`${DEVTOOLS_PORT}tab:1`);
  serveDevtools(life.sessions, port);
  return port;
}

describe('exchanges of the network log', () => {
  it('are judged like any other, kept, and acknowledged once they are journaled', async () => {
    const life = startWorker(world);
    const panel = life.panel();
    const port = devtoolsOf(life);
    const records = logged(badRun('r1'));
    port.deliver(messageOf(1, records));
    await life.settle();
    expect(verdicts(shownBy(panel))).toEqual(undisturbed(records));
    expect(port.sent).toEqual([{ kind: 'journaled', no: 1 }]);
    const again = startWorker(world);
    const later = again.panel();
    await again.settle();
    expect(verdicts(shownBy(later))).toEqual(undisturbed(records));
    expect(shownBy(later).connections[0]).toMatchObject({ carrier: 'network-log', failure: null });
  });

  it('are there once, also when they are sent again to another worker', async () => {
    const records = logged(goodRun('r1', 40));
    for (let time = 0; time < 2; time++) {
      const life = startWorker(world);
      const port = devtoolsOf(life);
      for (let again = 0; again < 2; again++) port.deliver(messageOf(1, records));
      const panel = life.panel();
      await life.settle();
      expect(verdicts(shownBy(panel))).toEqual(undisturbed(records));
      expect(shownBy(panel).findings).toEqual([]);
      let kept = 0;
      await life.sessions.use('tab:1', ({ nextOrdinal }) => {
        kept = nextOrdinal;
      });
      expect(kept).toBe(records.length);
    }
  });

  it('blame no one for buffering: when bytes came within is not known', async () => {
    const life = startWorker(world);
    const records = logged(goodRun('r1', 100)).map((record) =>
      record.kind === 'response' ? { ...record, response: { ...record.response, time: 1 } } : record,
    );
    devtoolsOf(life).deliver(messageOf(1, records));
    const panel = life.panel();
    await life.settle();
    expect(shownBy(panel).findings).toEqual([]);
    expect(shownBy(panel).runs).toMatchObject([{ status: 'succeeded' }]);
  });

  it('begin as an open row and go on under the same key', async () => {
    const life = startWorker(world);
    const panel = life.panel();
    const port = devtoolsOf(life);
    const records = logged(goodRun('r1'));
    port.deliver(messageOf(1, records.slice(0, 2), 'log/w/1'));
    await life.settle();
    expect(shownBy(panel).connections).toMatchObject([{ end: null, response: { status: 200 } }]);
    port.deliver(messageOf(2, records, 'log/w/1'));
    await life.settle();
    expect(shownBy(panel).connections).toHaveLength(1);
    expect(verdicts(shownBy(panel))).toEqual(undisturbed(records));
  });

  it('say that the body is not there, and get no verdict', async () => {
    const life = startWorker(world);
    const panel = life.panel();
    const records = logged(goodRun('r1')).filter(({ kind }) => kind !== 'chunk');
    const gap: CaptureRecord = { kind: 'gap', conn: 0, gap: { time: 11_000, bytes: 21_000_000, chunks: 0, why: 'it was too large' } };
    devtoolsOf(life).deliver(messageOf(1, [...records.slice(0, -1), gap, records.at(-1)!]));
    await life.settle();
    expect(shownBy(panel).connections).toMatchObject([{ failure: 'The body is not available: it was too large.', recognised: { as: 'ag-ui' } }]);
    expect([shownBy(panel).findings, shownBy(panel).runs]).toEqual([[], []]);
  });

  it('of a page whose log was cleared with it are passed over', async () => {
    const life = startWorker(world);
    const panel = life.panel();
    const port = devtoolsOf(life);
    port.deliver({ kind: 'page', url: 'http://localhost/', timeOrigin: 10_900, heard: true, navigated: true });
    port.deliver(messageOf(1, logged(goodRun('old'), 10_500)));
    port.deliver(messageOf(2, logged(goodRun('new'), 11_000)));
    await life.settle();
    expect(shownBy(panel).runs.map(({ runId }) => runId)).toEqual(['new']);
    expect(port.sent).toHaveLength(2);
  });

  it('that are open end with DevTools', async () => {
    const life = startWorker(world);
    const panel = life.panel();
    const port = devtoolsOf(life);
    port.deliver(messageOf(1, logged(goodRun('r1')).slice(0, 2)));
    await life.settle();
    port.hangUp();
    await life.settle();
    expect(shownBy(panel).connections).toMatchObject([{ failure: 'The body is not available: DevTools was closed before it ended.' }]);
  });

  it('are counted, not kept, while recording is off', async () => {
    const life = startWorker(world);
    const panel = life.panel();
    await life.command(panel, { name: 'record', on: false });
    devtoolsOf(life).deliver(messageOf(1, logged(goodRun('r1'))));
    await life.settle();
    expect(shownBy(panel).connections).toEqual([]);
    expect(shownBy(panel).facts?.dropped).toMatchObject([{ what: 'records that came while recording was off' }]);
  });

  it('that are malformed change nothing', async () => {
    const life = startWorker(world);
    const panel = life.panel();
    const port = devtoolsOf(life);
    for (const records of [null, [{}], [{ kind: 'request' }]]) port.deliver({ kind: 'exchange', no: 1, key: 'k', records });
    port.deliver(messageOf(2, logged(goodRun('r1')).slice(1)));
    await life.settle();
    expect(shownBy(panel).connections).toEqual([]);
  });
});
