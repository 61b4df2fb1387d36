import 'fake-indexeddb/auto';
import { beforeEach, describe, expect, it } from 'vitest';
import { exchange, goodRun, sseOf } from '../session/testkit.ts';
import { batchesOf, createWorld, messageOf, shownBy, startWorker, type World } from './testkit.ts';

let world: World;
let worlds = 0;
beforeEach(() => {
  world = createWorld(`w${worlds++}`);
});

describe('trouble', () => {
  it('of the journal is told, and the fold goes on', async () => {
    const life = startWorker(world);
    const panel = life.panel();
    await life.settle();
    world.refusals = 2;
    const relay = life.relay();
    relay.deliver(messageOf(batchesOf(exchange(sseOf(goodRun('r1'))))));
    await life.settle();
    expect(shownBy(panel).facts?.trouble).toMatch(/could not be written/);
    expect(shownBy(panel).rows).toBe(15);
  });

  it('never comes of hostile messages', async () => {
    const life = startWorker(world);
    const panel = life.panel();
    const relay = life.relay();
    const huge = 'x'.repeat(300_000);
    const hostile: unknown[] = [
      null,
      5,
      'text',
      [],
      {},
      { doc: 'd', url: 'u', timeOrigin: Number.NaN, batches: [] },
      { doc: huge, url: huge, timeOrigin: 1, batches: [] },
      { ...messageOf([]), batches: [null, 5, { no: -1 }, { no: 1, meta: 'x', bytes: 0 }] },
      messageOf([{ no: 2, meta: [1, 'request', 1, 0, { carrier: 'fetch', url: huge, method: huge, stack: huge }], bytes: new Uint8Array(0) }]),
      messageOf([{ no: 3, meta: [1, 'chunk', 1, 0, 99], bytes: new Uint8Array(1) }]),
      messageOf([{ no: 4, meta: [Number.MAX_SAFE_INTEGER, 'chunk', 1, 0, 1], bytes: new Uint8Array(1) }]),
      { ...messageOf([]), lost: { bytes: 'x' } },
      JSON.parse('{"__proto__":{"doc":"p"},"doc":"__proto__","url":"","timeOrigin":1,"batches":[]}'),
    ];
    for (const message of hostile) {
      relay.deliver(message);
      panel.deliver(message);
    }
    for (const command of [
      { name: 'bytes', conn: -1 },
      { name: 'import', records: [{ kind: 'chunk' }], last: true },
      { name: 'rules', rules: { x: 1 } },
      { name: '__proto__' },
    ]) {
      panel.deliver({ kind: 'command', id: 1, command });
    }
    await life.settle();
    relay.deliver(messageOf(batchesOf(exchange(sseOf(goodRun('r1')))).map((batch) => ({ ...batch, no: batch.no + 10 }))));
    await life.settle();
    const shown = shownBy(panel);
    expect(shown.facts?.trouble).toBeNull();
    expect(shown.facts?.dropped.map(({ what }) => what)).toEqual(expect.arrayContaining(['malformed batches']));
    expect(shown.connections[0]?.request?.url.length).toBe(65_536);
    expect(panel.sent.filter((message) => (message as { kind: string }).kind === 'done')).toEqual([]);
  });

  it('refuses ports that name no session', () => {
    const life = startWorker(world);
    for (const name of ['', 'tab:', 'tab:x', 'file:../x', '__proto__']) expect(life.panel(name).closed()).toBe(true);
  });

  it('what the relay dropped is a gap of each open stream', async () => {
    const life = startWorker(world);
    const panel = life.panel();
    const relay = life.relay();
    const batches = batchesOf(exchange(sseOf(goodRun('r1', 20))), 1);
    relay.deliver(messageOf(batches.slice(0, 8)));
    relay.deliver({ ...messageOf(batches.slice(14)), lost: { bytes: 100, chunks: 6, batches: 6 } });
    await life.settle();
    const shown = shownBy(panel);
    expect(shown.connections[0]?.gaps).toHaveLength(1);
    expect(shown.findings.filter(({ severity }) => severity === 'violation')).toEqual([]);
    expect(shown.facts?.dropped).toEqual([expect.objectContaining({ count: 6 })]);
  });
});
