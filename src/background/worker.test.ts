import 'fake-indexeddb/auto';
import { beforeEach, describe, expect, it } from 'vitest';
import { exchange, goodRun, interleave, sseOf } from '../session/testkit.ts';
import type { PackedRows } from '../wire/packed-rows.ts';
import type { ToPanel } from '../wire/worker-to-panel.ts';
import {
  acksOf,
  badRun,
  batchesOf,
  createWorld,
  type FakePort,
  messageOf,
  shownBy,
  startWorker,
  undisturbed,
  verdicts,
  type World,
  weightOf,
} from './testkit.ts';

let world: World;
let worlds = 0;
beforeEach(() => {
  world = createWorld(`w${worlds++}`);
});

const records = interleave(exchange(sseOf(goodRun('r1', 40)), { cut: 50 }), exchange(sseOf(badRun('r2')), { conn: 1, start: 1_003 }));

describe('from relay to panel', () => {
  it('shows what was captured and acknowledges what is journaled', async () => {
    const life = startWorker(world);
    const panel = life.panel();
    const relay = life.relay();
    const batches = batchesOf(records);
    for (const batch of batches) {
      relay.deliver(messageOf([batch]));
      await life.settle();
    }
    expect(verdicts(shownBy(panel))).toEqual(undisturbed(records));
    expect(acksOf(relay).at(-1)).toBe(batches.length);
    expect(world.badges.get(1)).toBe(1);
  });

  it('shows at once what is not yet journaled, and acknowledges it only then', async () => {
    const life = startWorker(world);
    const panel = life.panel();
    const relay = life.relay();
    await life.settle();
    let go: () => void = () => undefined;
    world.stall = new Promise((resolve) => {
      go = resolve;
    });
    relay.deliver(messageOf(batchesOf(records)));
    await life.sessions.use('tab:1', () => undefined);
    life.fire();
    expect(shownBy(panel).rows).toBe(undisturbed(records).rows);
    expect(acksOf(relay)).toEqual([]);
    go();
    await life.settle();
    expect(acksOf(relay)).toEqual([batchesOf(records).length]);
  });

  it('tells many batches in few messages', async () => {
    const life = startWorker(world);
    const panel = life.panel();
    await life.settle();
    const before = panel.sent.length;
    const relay = life.relay();
    for (const batch of batchesOf(records)) relay.deliver(messageOf([batch]));
    await life.settle();
    expect(panel.sent.length - before).toBeLessThan(5);
    expect(verdicts(shownBy(panel))).toEqual(undisturbed(records));
  });

  it('sends the newest bytes with what grew, joined, and no more of them than rows are drawn from', async () => {
    const recent = (panel: FakePort) => (panel.sent as ToPanel[]).flatMap((message) => (message.kind === 'update' ? (message.recent ?? []) : []));
    const life = startWorker(world);
    const panel = life.panel();
    const relay = life.relay();
    await life.settle();
    const [text, long] = [sseOf(goodRun('r1', 40)), sseOf(goodRun('r2', 2_000))];
    const first = exchange(text, { cut: 50 });
    const [short, ...rest] = batchesOf([...first, ...exchange(long, { conn: 1, start: 2_000, cut: 500, runId: 'r2' })], first.length);
    relay.deliver(messageOf([short!]));
    await life.settle();
    expect(recent(panel).map(({ conn, offset, bytes }) => [conn, offset, new TextDecoder().decode(bytes)])).toEqual([[0, 0, text]]);
    relay.deliver(messageOf(rest));
    await life.settle();
    const later = recent(panel).slice(1);
    expect(later.map(({ conn }) => conn)).toEqual([1]);
    expect(long.endsWith(new TextDecoder().decode(later[0]!.bytes))).toBe(true);
    expect(later[0]!.offset + later[0]!.bytes.length).toBe(long.length);
    expect(later[0]!.bytes.length).toBeLessThanOrEqual(16 * 1024);
    // who comes later gets what there is, and reads bytes from the journal
    expect(recent(life.panel())).toEqual([]);
  });

  it('tells a panel that opens how much there is, in parts that carry nothing but themselves', async () => {
    const life = startWorker(world);
    const relay = life.relay();
    const all = exchange(sseOf(Array.from({ length: 50 }, (_, no) => goodRun(`r${no}`, 500)).flat()));
    relay.deliver(messageOf(batchesOf(all, 500)));
    await life.settle();
    const panel = life.panel();
    await life.settle();
    const [reset, ...updates] = (panel.sent as ToPanel[]).filter(({ kind }) => kind !== 'facts');
    const parts = updates.filter((message) => message.kind === 'update');
    const counts = parts.map(({ changes }) => changes.rows?.count ?? 0);
    expect(reset).toMatchObject({ kind: 'reset', rows: counts.reduce((sum, count) => sum + count, 0) });
    expect(parts.length).toBeGreaterThan(1);
    expect(parts.map(({ more }) => more)).toEqual(parts.map((_, no) => no < parts.length - 1));
    for (const { changes } of parts) if (changes.rows) expect(weightOf(changes.rows)).toBeLessThan(changes.rows.count * 16);
  });

  it('sends few rows in an array of their own too', async () => {
    const life = startWorker(world);
    life.relay().deliver(messageOf(batchesOf(records)));
    await life.settle();
    const panel = life.panel();
    await life.settle();
    const sizes = (panel.sent as ToPanel[]).flatMap((message) => (message.kind === 'update' && message.changes.rows ? [weightOf(message.changes.rows)] : []));
    expect(sizes).toHaveLength(1);
    expect(sizes[0]).toBeLessThan(undisturbed(records).rows * 16);
  });

  it('shows a panel that opens late, and a second one, the same', async () => {
    const life = startWorker(world);
    const relay = life.relay();
    const batches = batchesOf(records);
    relay.deliver(messageOf(batches.slice(0, 10)));
    await life.settle();
    const first = life.panel();
    relay.deliver(messageOf(batches.slice(10, 20)));
    await life.settle();
    const second = life.panel();
    relay.deliver(messageOf(batches.slice(20)));
    await life.settle();
    expect(verdicts(shownBy(first))).toEqual(undisturbed(records));
    expect(verdicts(shownBy(second))).toEqual(undisturbed(records));
  });

  it('drops batches it has, in one life or the next', async () => {
    const life = startWorker(world);
    const relay = life.relay();
    const batches = batchesOf(records);
    relay.deliver(messageOf(batches.slice(0, 12)));
    relay.deliver(messageOf(batches.slice(6, 14)));
    await life.settle();
    const next = startWorker(world);
    const again = next.relay();
    again.deliver(messageOf(batches.slice(10)));
    const panel = next.panel();
    await next.settle();
    expect(verdicts(shownBy(panel))).toEqual(undisturbed(records));
    expect(acksOf(again)).toEqual([batches.length]);
  });

  it('keeps tabs and frames apart', async () => {
    const life = startWorker(world);
    const panels = [life.panel('tab:1'), life.panel('tab:2')];
    life.relay(1).deliver(messageOf(batchesOf(exchange(sseOf(goodRun('r1'))))));
    life.relay(2).deliver(messageOf(batchesOf(exchange(sseOf(badRun('r2')))), 'other'));
    life.relay(1, 4).deliver(messageOf(batchesOf(exchange(sseOf(goodRun('r3')))), 'frame'));
    await life.settle();
    expect(panels.map((panel) => shownBy(panel).runs.map(({ runId }) => runId))).toEqual([['r1', 'r3'], ['r2']]);
    expect(shownBy(panels[0] as FakePort).connections.map(({ document }) => [document?.doc, document?.frame])).toEqual([
      ['doc', 0],
      ['frame', 4],
    ]);
  });
});

describe('a restarted worker', () => {
  it('ends the same wherever it died, acknowledged or not', async () => {
    const batches = batchesOf(records, 5);
    for (let at = 0; at <= batches.length; at += 3) {
      const place = createWorld(`kill${at}-${worlds++}`);
      const first = startWorker(place);
      const relay = first.relay();
      for (const batch of batches.slice(0, at)) relay.deliver(messageOf([batch]));
      await first.settle();
      const acked = acksOf(relay).at(-1) ?? 0;
      const second = startWorker(place);
      const again = second.relay();
      again.deliver(messageOf(batches.slice(acked)));
      const panel = second.panel();
      await second.settle();
      expect(verdicts(shownBy(panel))).toEqual(undisturbed(records));
    }
  });

  it('goes on in the byte stream where the last one stopped', async () => {
    const body = sseOf(goodRun('r1', 20));
    const batches = batchesOf(exchange(body), 1);
    for (const part of [batches.slice(0, 10), batches.slice(10, 15), batches.slice(15)]) {
      const life = startWorker(world);
      life.relay().deliver(messageOf(part));
      await life.settle();
    }
    const life = startWorker(world);
    const panel = life.panel();
    const { value } = await life.command(panel, { name: 'bytes', conn: 0, offset: 0, length: body.length });
    expect(new TextDecoder().decode(value as Uint8Array)).toBe(body);
  });

  it('takes a checkpoint up and folds only what came after it', async () => {
    const long = exchange(sseOf(goodRun('r1', 6_000)), { cut: 4_000 });
    const batches = batchesOf(long, 10);
    const first = startWorker(world);
    const relay = first.relay();
    for (const batch of batches.slice(0, -2)) relay.deliver(messageOf([batch]));
    await first.settle();
    const db = await first.env.openJournal('tab:1');
    const saved = (await db.get('checkpoints', 'last')) as { rows: readonly PackedRows[]; nextOrdinal: number };
    expect(saved.rows.reduce((sum, { count }) => sum + count, 0)).toBeGreaterThanOrEqual(5_000);
    for (const part of saved.rows) expect(weightOf(part)).toBeLessThan(part.count * 16);
    // what the checkpoint covers is not read again
    const tx = db.transaction('heads', 'readwrite');
    await tx.store.delete(IDBKeyRange.upperBound(1));
    await tx.done;
    const second = startWorker(world);
    second.relay().deliver(messageOf(batches));
    const panel = second.panel();
    await second.settle();
    expect(verdicts(shownBy(panel))).toEqual(undisturbed(long));
  });

  it('keeps its settings, and knows what was cleared', async () => {
    const first = startWorker(world);
    const panel = first.panel();
    first.relay().deliver(messageOf(batchesOf(exchange(sseOf(goodRun('r1'))))));
    await first.command(panel, { name: 'preserve', on: true });
    await first.command(panel, { name: 'clear' });
    await first.settle();
    const second = startWorker(world);
    second.relay().deliver(messageOf(batchesOf(exchange(sseOf(goodRun('r1'))))));
    const shown = second.panel();
    await second.settle();
    expect(shownBy(shown)).toMatchObject({ rows: 0, runs: [], facts: { preserve: true } });
  });
});
