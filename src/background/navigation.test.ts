import 'fake-indexeddb/auto';
import { beforeEach, describe, expect, it } from 'vitest';
import { exchange, goodRun, sseOf } from '../session/testkit.ts';
import { takePage } from './devtools-port.ts';
import { acksOf, badRun, batchesOf, createWorld, messageOf, shownBy, startWorker, type World } from './testkit.ts';

let world: World;
let worlds = 0;
beforeEach(() => {
  world = createWorld(`w${worlds++}`);
});

describe('navigation', () => {
  const first = batchesOf(exchange(sseOf(goodRun('r1').slice(0, 6)), { end: null }), 2);
  const second = batchesOf(exchange(sseOf(badRun('r2'))));

  it('clears the log at the first batch of the next page, and forgets what comes late of the last', async () => {
    const life = startWorker(world);
    const panel = life.panel();
    const [old, next] = [life.relay(), life.relay()];
    old.deliver(messageOf(first.slice(0, -1)));
    await life.settle();
    next.deliver(messageOf(second, 'doc2', 5_000));
    old.deliver(messageOf(first.slice(-1)));
    await life.settle();
    const shown = shownBy(panel);
    expect(shown.runs.map(({ runId }) => runId)).toEqual(['r2']);
    expect(shown.facts?.dropped).toEqual([]);
    expect(acksOf(old).at(-1)).toBe(first.length);
    const again = startWorker(world);
    const late = again.panel();
    await again.settle();
    expect(shownBy(late).runs.map(({ runId }) => runId)).toEqual(['r2']);
  });

  it('forgets frames of the last page too', async () => {
    const life = startWorker(world);
    const panel = life.panel();
    const frame = life.relay(1, 7);
    life.relay().deliver(messageOf(first));
    frame.deliver(messageOf(second.slice(0, 2), 'frame', 950));
    await life.settle();
    life.relay().deliver(messageOf(second, 'doc2', 5_000));
    await life.settle();
    frame.deliver(messageOf(second.slice(2), 'frame', 950));
    await life.settle();
    expect(shownBy(panel)).toMatchObject({ connections: [{ document: { doc: 'doc2' } }], facts: { dropped: [] } });
    expect(acksOf(frame).at(-1)).toBe(second.length);
  });

  it('ends streams of a page that left while no worker lived', async () => {
    const life = startWorker(world);
    await life.command(life.panel(), { name: 'preserve', on: true });
    life.relay().deliver(messageOf(first));
    await life.settle();
    const next = startWorker(world);
    next.relay().deliver(messageOf(second, 'doc2', 5_000));
    const panel = next.panel();
    await next.settle();
    expect(shownBy(panel).connections.map(({ end }) => end?.how)).toEqual(['navigated', 'complete']);
  });

  it('with preserve log keeps the old, ends its streams and notes where', async () => {
    const life = startWorker(world);
    const panel = life.panel();
    await life.command(panel, { name: 'preserve', on: true });
    const old = life.relay();
    old.deliver(messageOf(first));
    await life.settle();
    old.hangUp();
    life.relay().deliver(messageOf(second, 'doc2', 5_000));
    await life.settle();
    const shown = shownBy(panel);
    expect(shown.runs.map(({ runId, status }) => [runId, status])).toEqual([
      ['r1', 'truncated'],
      ['r2', 'rejected-by-violation'],
    ]);
    expect(shown.connections[0]?.end?.how).toBe('navigated');
    expect(shown.facts?.navigations).toEqual([expect.objectContaining({ row: 6, url: 'http://localhost:3000/' })]);
  });

  it('told by DevTools and by the page is one', async () => {
    const life = startWorker(world);
    const panel = life.panel();
    const tell = (timeOrigin: number | null, navigated: boolean) =>
      life.sessions.use('tab:1', (live) => takePage(live, { kind: 'page', url: 'http://localhost:3000/two', timeOrigin, heard: null, navigated }));
    life.relay().deliver(messageOf(first));
    await tell(900, false);
    await life.settle();
    expect(shownBy(panel).rows).toBe(6);
    await tell(5_000, true);
    await life.settle();
    expect(shownBy(panel)).toMatchObject({ rows: 0, facts: { origin: 'http://localhost:3000' } });
    life.relay().deliver(messageOf(second, 'doc2', 5_000));
    await tell(5_000, true);
    await tell(900, true);
    await life.settle();
    expect(shownBy(panel).runs.map(({ runId }) => runId)).toEqual(['r2']);
    await tell(null, true);
    await life.settle();
    expect(shownBy(panel).rows).toBe(0);
  });
});

it('closing a tab deletes its journal, and what comes late begins no other', async () => {
  const life = startWorker(world);
  life.relay().deliver(messageOf(batchesOf(exchange(sseOf(goodRun('r1'))))));
  await life.settle();
  await life.sessions.remove('tab:1');
  life.relay().deliver(messageOf(batchesOf(exchange(sseOf(goodRun('r2'))))));
  await life.settle();
  expect((await indexedDB.databases()).filter(({ name }) => name?.includes(world.browserSession))).toEqual([]);
});
