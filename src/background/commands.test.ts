import 'fake-indexeddb/auto';
import { beforeEach, describe, expect, it } from 'vitest';
import type { CaptureRecord } from '../capture/types.ts';
import { exchange, goodRun, interleave, sseOf } from '../session/testkit.ts';
import { acksOf, badRun, batchesOf, createWorld, messageOf, shownBy, startWorker, undisturbed, verdicts, type World } from './testkit.ts';

let world: World;
let worlds = 0;
beforeEach(() => {
  world = createWorld(`w${worlds++}`);
});

const records = interleave(exchange(sseOf(goodRun('r1', 40)), { cut: 50 }), exchange(sseOf(badRun('r2')), { conn: 1, start: 1_003 }));

describe('commands', () => {
  it('clear empties the log and a running stream goes on after it', async () => {
    const life = startWorker(world);
    const panel = life.panel();
    const relay = life.relay();
    const all = batchesOf(exchange(sseOf([...goodRun('r1', 30), ...goodRun('r2')]), { cut: 64 }), 1);
    relay.deliver(messageOf(all.slice(0, 20)));
    await life.settle();
    expect((await life.command(panel, { name: 'clear' })).error).toBeNull();
    expect(shownBy(panel)).toMatchObject({ rows: 0, runs: [], resets: 2 });
    relay.deliver(messageOf(all.slice(20)));
    await life.settle();
    const shown = shownBy(panel);
    expect(shown.findings.filter(({ severity }) => severity === 'violation')).toEqual([]);
    expect(shown.runs.at(-1)).toMatchObject({ runId: 'r2', status: 'succeeded' });
    expect(shown.connections[0]?.gaps).toHaveLength(1);
    const rows = shown.rows;
    const again = startWorker(world).panel();
    expect(again.closed()).toBe(false);
    expect(rows).toBeGreaterThan(15);
  });

  it('record off counts what comes and keeps nothing of it', async () => {
    const life = startWorker(world);
    const panel = life.panel();
    const relay = life.relay();
    await life.command(panel, { name: 'record', on: false });
    const batches = batchesOf(exchange(sseOf(goodRun('r1'))));
    relay.deliver(messageOf(batches));
    await life.settle();
    expect(shownBy(panel)).toMatchObject({ rows: 0, facts: { recording: false, dropped: [{ count: 19 }] } });
    expect(acksOf(relay)).toEqual([batches.length]);
  });

  it('record off in mid-stream makes a gap, no finding', async () => {
    const life = startWorker(world);
    const panel = life.panel();
    const relay = life.relay();
    const batches = batchesOf(exchange(sseOf(goodRun('r1', 20))), 1);
    relay.deliver(messageOf(batches.slice(0, 10)));
    await life.settle();
    await life.command(panel, { name: 'record', on: false });
    relay.deliver(messageOf(batches.slice(10, 20)));
    await life.settle();
    await life.command(panel, { name: 'record', on: true });
    relay.deliver(messageOf(batches.slice(20)));
    await life.settle();
    const shown = shownBy(panel);
    expect(shown.connections[0]?.gaps).toEqual([expect.objectContaining({ why: 'recording was off' })]);
    expect(shown.findings.filter(({ severity }) => severity === 'violation')).toEqual([]);
    expect(shown.connections[0]?.end?.how).toBe('complete');
  });

  it('bytes and request body come from the journal', async () => {
    const life = startWorker(world);
    const panel = life.panel();
    life.relay().deliver(messageOf(batchesOf(exchange(sseOf(goodRun('r1'))))));
    const bytes = await life.command(panel, { name: 'bytes', conn: 0, offset: 6, length: 21 });
    expect(new TextDecoder().decode(bytes.value as Uint8Array)).toBe('{"type":"RUN_STARTED"');
    const body = await life.command(panel, { name: 'request-body', conn: 0 });
    expect(JSON.parse((body.value as { text: string }).text)).toMatchObject({ runId: 'r1' });
    expect((await life.command(panel, { name: 'bytes', conn: 0, offset: 0, length: 1e7 })).error).toMatch(/not in the journal/);
  });

  it('rules judge everything anew', async () => {
    const life = startWorker(world);
    const panel = life.panel();
    life.relay().deliver(messageOf(batchesOf(exchange(sseOf(badRun('r2')), { runId: 'r2' }))));
    await life.settle();
    await life.command(panel, { name: 'rules', rules: { 'step-not-open': false } });
    expect(shownBy(panel).findings).toEqual([]);
    expect(shownBy(panel).runs[0]?.status).toBe('succeeded');
    expect(world.known.rules).toEqual({ 'step-not-open': false });
    const later = startWorker(world);
    const again = later.panel();
    await later.settle();
    expect(shownBy(again).findings).toEqual([]);
  });

  it('import gives the same as the live stream, in a session of its own', async () => {
    const life = startWorker(world);
    const panel = life.panel('file:abc');
    const numbered = records.map((record) => ({ ...record, conn: record.conn * 7 + 3 }) as CaptureRecord);
    expect((await life.command(panel, { name: 'import', records: numbered.slice(0, 50), last: false })).error).toBeNull();
    expect((await life.command(panel, { name: 'import', records: numbered.slice(50), last: true })).error).toBeNull();
    expect(verdicts(shownBy(panel))).toEqual(undisturbed(records));
    panel.hangUp();
    await life.settle(120_000);
    const again = life.panel('file:abc');
    await life.settle();
    expect(shownBy(again).rows).toBe(0);
  });
});
