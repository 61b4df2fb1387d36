import 'fake-indexeddb/auto';
import { beforeEach, describe, expect, it } from 'vitest';
import { exchange, goodRun, sseOf } from '../session/testkit.ts';
import type { ClosedTab } from '../wire/worker-to-panel.ts';
import { parseClosedTabs, withClosedTab } from './closed-tabs.ts';
import { acksOf, badRun, batchesOf, createWorld, messageOf, shownBy, startWorker, type World } from './testkit.ts';

let world: World;
let worlds = 0;
beforeEach(() => {
  world = createWorld(`closed${worlds++}`);
});

const journals = async () => (await indexedDB.databases()).flatMap(({ name }) => (name?.includes(world.browserSession) ? name : []));
const tab = (no: number, bytes = 10): ClosedTab => ({ session: `tab:${no}`, url: '', closed: no, runs: 1, violations: 0, bytes });

describe('a closed tab', () => {
  it('is kept and listed, its last words too, and opens again in the next life of the worker', async () => {
    const life = startWorker(world);
    const batches = batchesOf(exchange(sseOf(badRun('r1'))), 2);
    const relay = life.relay();
    relay.deliver(messageOf(batches.slice(0, -1)));
    await life.settle();
    await life.sessions.closeTab('tab:1');
    relay.deliver(messageOf(batches.slice(-1)));
    relay.hangUp();
    await life.settle();
    const other = life.panel('tab:2');
    await life.settle();
    expect(shownBy(other).facts?.closedTabs).toEqual([
      { session: 'tab:1', url: 'http://localhost:3000/', closed: expect.any(Number), runs: 1, violations: 1, bytes: expect.any(Number) },
    ]);
    const next = startWorker(world);
    const panel = next.panel('tab:1');
    await next.settle();
    expect(shownBy(panel).runs.map(({ runId, status }) => [runId, status])).toEqual([['r1', 'rejected-by-violation']]);
    expect(shownBy(panel).connections[0]?.end?.how).toBe('complete');
  });

  it('that was closed while no worker lived has its open streams ended', async () => {
    const life = startWorker(world);
    life.relay().deliver(messageOf(batchesOf(exchange(sseOf(goodRun('r1').slice(0, 4)), { end: null }))));
    await life.settle();
    const next = startWorker(world);
    await next.sessions.closeTab('tab:1');
    await next.settle(10_000);
    const panel = next.panel('tab:1');
    await next.settle();
    expect(shownBy(panel).connections[0]?.end?.how).toBe('navigated');
  });

  it('in which nothing was captured leaves nothing', async () => {
    const life = startWorker(world);
    await life.sessions.closeTab('tab:7');
    expect(await journals()).toEqual([]);
    life.panel('tab:8');
    await life.settle();
    await life.sessions.closeTab('tab:8');
    await life.settle();
    expect([await journals(), world.known.closed]).toEqual([[], []]);
  });

  it('of a private window is forgotten at once', async () => {
    world.isPrivate = true;
    const life = startWorker(world);
    life.relay().deliver(messageOf(batchesOf(exchange(sseOf(goodRun('r1'))))));
    await life.settle();
    await life.sessions.closeTab('tab:1');
    await life.settle();
    expect([await journals(), world.known.closed]).toEqual([[], []]);
  });

  it('is forgotten with its journal on command, and for five that came after it', async () => {
    const life = startWorker(world);
    for (let no = 1; no <= 7; no++) {
      life.relay(no).deliver(messageOf(batchesOf(exchange(sseOf(goodRun(`r${no}`)))), `doc${no}`));
      await life.settle();
      await life.sessions.closeTab(`tab:${no}`);
    }
    await life.settle(10_000);
    expect(world.known.closed.map(({ session }) => session)).toEqual(['tab:7', 'tab:6', 'tab:5', 'tab:4', 'tab:3']);
    expect(await journals()).toHaveLength(5);
    await life.command(life.panel('tab:9'), { name: 'forget-closed' });
    await life.settle();
    expect(world.known.closed).toEqual([]);
    expect((await journals()).filter((name) => !name.endsWith('tab-9'))).toEqual([]);
  });
});

it('the newest stays however large it is, others while there is room', () => {
  expect(withClosedTab([tab(2), tab(1)], tab(3, 2 ** 30))).toEqual({ kept: [tab(3, 2 ** 30)], gone: [tab(2), tab(1)] });
  expect(withClosedTab([tab(2, 2 ** 28), tab(1)], tab(3)).kept).toEqual([tab(3)]);
  expect(withClosedTab([tab(2), tab(3)], tab(3)).kept).toEqual([tab(3), tab(2)]);
});

it('a stored list is not trusted', () => {
  expect(parseClosedTabs([tab(1), null, { ...tab(2), session: 'file:x' }, { ...tab(3), bytes: '1' }])).toEqual([tab(1)]);
  expect(parseClosedTabs('x')).toEqual([]);
});

it('nothing is taken from an origin that was taken back, and its relay is told to stop', async () => {
  const life = startWorker(world);
  world.captured = false;
  const relay = life.relay(1, 0, 'http://elsewhere.example');
  relay.deliver(messageOf(batchesOf(exchange(sseOf(goodRun('r1'))))));
  const panel = life.panel();
  await life.settle();
  expect(shownBy(panel).connections).toEqual([]);
  expect(relay.sent).toEqual([{ doc: 'doc', acked: acksOf(relay)[0], off: true }]);
});

it('a page that DevTools finds without our scripts is told to be unheard, until it speaks', async () => {
  const life = startWorker(world);
  const panel = life.panel();
  const port = life.devtools();
  port.deliver({ kind: 'page', url: 'http://localhost:3000/', timeOrigin: null, heard: null, navigated: false });
  await life.settle();
  expect(shownBy(panel).facts?.unheard).toBe(false);
  port.deliver({ kind: 'page', url: 'http://localhost:3000/', timeOrigin: null, heard: false, navigated: false });
  await life.settle();
  expect(shownBy(panel).facts?.unheard).toBe(true);
  life.relay().deliver(messageOf(batchesOf(exchange(sseOf(goodRun('r1'))))));
  await life.settle();
  expect(shownBy(panel).facts?.unheard).toBe(false);
});
