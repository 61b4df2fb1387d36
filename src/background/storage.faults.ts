/** IndexedDB goes wrong. The panel shows what came all the same and says what is lost; when the storage is back, nothing more is. */
import 'fake-indexeddb/auto';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { JournalDb } from '../browser/journal-db.ts';
import { exchange, goodRun, sseOf } from '../session/testkit.ts';
import { begin, finish, kill, RECORDS, rounds, simulateRelay } from './faults-testkit.ts';
import { batchesOf, createWorld, type Life, messageOf, shownBy, startWorker, undisturbed, verdicts } from './testkit.ts';

const size = fc.integer({ min: 1, max: 7 });
const expected = undisturbed(RECORDS);
const NEXT = exchange(sseOf(goodRun('r9')));

/** A run on another frame after the fault: it must be shown, acknowledged, and there after a restart. */
async function nextRunIsKept(life: Life, restart: () => Life): Promise<void> {
  const panel = life.panel();
  const relay = life.relay(1, 7);
  relay.deliver(messageOf(batchesOf(NEXT), 'next'));
  await life.settle();
  expect(shownBy(panel).runs.map(({ runId, status }) => [runId, status])).toContainEqual(['r9', 'succeeded']);
  expect(relay.sent.length).toBeGreaterThan(0);
  kill(life);
  const second = restart();
  const again = second.panel();
  await second.settle();
  expect(shownBy(again).runs.map(({ runId, status }) => [runId, status])).toContainEqual(['r9', 'succeeded']);
}

/** Lets a journal's transactions fail while `broken` says so, as a full disk does. */
function breakWrites(life: Life, broken: () => DOMException | null): void {
  const open = life.env.openJournal;
  const patched = new WeakSet<object>();
  const openBroken = async (session: string): Promise<JournalDb> => {
    const db = await open(session);
    if (patched.has(db)) return db;
    patched.add(db);
    return new Proxy(db, {
      get: (target, key) => {
        const value = Reflect.get(target, key) as unknown;
        if (key !== 'transaction') return typeof value === 'function' ? value.bind(target) : value;
        return (stores: never, mode: 'readonly' | 'readwrite', options: never) => {
          const error = mode === 'readwrite' ? broken() : null;
          if (error) throw error;
          return target.transaction(stores, mode as 'readonly', options);
        };
      },
    });
  };
  Object.assign(life.env, { openJournal: openBroken });
}

it('the disk is full for a while, at random moments', () =>
  rounds(fc.record({ size, full: fc.array(fc.boolean(), { minLength: 4, maxLength: 12 }) }), async (plan, no) => {
    const world = createWorld(`full-${no}`);
    const life = startWorker(world);
    let full = false;
    let refused = 0;
    breakWrites(life, () => {
      if (full) refused++;
      return full ? new DOMException('Encountered full disk while committing.', 'QuotaExceededError') : null;
    });
    const relay = simulateRelay(RECORDS, plan.size);
    relay.connect(life);
    const panel = life.panel();
    for (const now of plan.full) {
      full = now;
      relay.make(5);
      await life.settle();
      relay.hear();
    }
    full = false;
    await finish(life, relay);
    expect(verdicts(shownBy(panel))).toEqual(expected);
    if (refused > 1) expect(shownBy(panel).facts?.trouble).toMatch(/could not be written \(QuotaExceededError/);
    else expect(shownBy(panel).facts?.trouble).toBeNull();
    await nextRunIsKept(life, () => startWorker(world));
  }));

it('the database cannot be opened, once or often', () =>
  rounds(fc.record({ size, refusals: fc.integer({ min: 1, max: 8 }), at: fc.nat({ max: 20 }) }), async (plan, no) => {
    const world = createWorld(`refused-${no}`);
    const relay = simulateRelay(RECORDS, plan.size);
    const life = begin(world, relay);
    const panel = life.panel();
    relay.make(plan.at);
    await life.settle();
    world.refusals = plan.refusals;
    await finish(life, relay);
    world.refusals = 0;
    expect(verdicts(shownBy(panel))).toEqual(expected);
    await nextRunIsKept(life, () => startWorker(world));
  }));

it('the database is blocked: everything is shown, acknowledged only when it lies there', () =>
  rounds(fc.record({ size, at: fc.nat({ max: 20 }) }), async (plan, no) => {
    const world = createWorld(`blocked-${no}`);
    const relay = simulateRelay(RECORDS, plan.size);
    const life = begin(world, relay);
    const panel = life.panel();
    relay.make(plan.at);
    await life.settle();
    relay.hear();
    let unblock = () => {};
    world.stall = new Promise((resolve) => {
      unblock = resolve;
    });
    relay.make(relay.left());
    await life.sessions.use('tab:1', () => undefined);
    life.fire();
    expect(verdicts(shownBy(panel))).toEqual(expected);
    relay.hear();
    const waiting = relay.unacked();
    unblock();
    await finish(life, relay);
    expect(waiting === 0).toBe(plan.at >= batchesOf(RECORDS, plan.size).length);
    expect(shownBy(panel).facts?.trouble).toBeNull();
  }));

it('the user clears the storage while it records', () =>
  rounds(fc.record({ size, clears: fc.array(fc.nat({ max: 12 }), { minLength: 1, maxLength: 4 }) }), async (plan, no) => {
    const world = createWorld(`cleared-${no}`);
    const relay = simulateRelay(RECORDS, plan.size);
    const life = begin(world, relay);
    const panel = life.panel();
    for (const make of plan.clears) {
      relay.make(make);
      await life.settle();
      relay.hear();
      const names = (await indexedDB.databases()).flatMap(({ name }) => (name?.includes(`cleared-${no}-`) ? [name] : []));
      for (const name of names) {
        await new Promise((resolve, reject) => Object.assign(indexedDB.deleteDatabase(name), { onsuccess: resolve, onerror: reject }));
      }
    }
    await finish(life, relay);
    expect(verdicts(shownBy(panel)), 'what is shown stays').toEqual(expected);
    await nextRunIsKept(life, () => startWorker(world));
  }));

it('a newer version of the database lies there', () =>
  rounds(
    fc.record({ size, version: fc.integer({ min: 2, max: 1_000 }) }),
    async (plan, no) => {
      const world = createWorld(`newer-${no}`);
      const name = `runlens-newer-${no}-tab-1`;
      const newer = await new Promise<IDBDatabase>((resolve, reject) => {
        const request = indexedDB.open(name, plan.version);
        request.onsuccess = () => resolve(request.result);
        request.onerror = reject;
      });
      newer.close();
      const relay = simulateRelay(RECORDS, plan.size);
      const life = begin(world, relay);
      const panel = life.panel();
      await finish(life, relay);
      expect(verdicts(shownBy(panel))).toEqual(expected);
      expect(shownBy(panel).facts?.trouble).toMatch(/VersionError|version/i);
      await life.command(panel, { name: 'clear' });
      await nextRunIsKept(life, () => startWorker(world));
    },
    0.5,
  ));

it('the extension is updated while it records: the state of the old one is not taken up, its records are', () =>
  rounds(fc.record({ size, at: fc.nat({ max: 40 }), rows: fc.nat({ max: 3 }) }), async (plan, no) => {
    const world = createWorld(`update-${no}`);
    const relay = simulateRelay(RECORDS, plan.size);
    const old = begin(world, relay);
    relay.make(plan.at);
    await old.settle();
    relay.hear();
    const db = await old.env.openJournal('tab:1');
    // what the old version saved has another shape than this one's
    const session = { rows: { count: plan.rows }, options: {} };
    await db.put('checkpoints', { version: '0.9.0', session, nextOrdinal: 10_000, nextConn: 9, keys: new Map() }, 'last');
    kill(old);
    relay.drop(false);
    world.version = '1.1.0';
    const life = begin(world, relay);
    const panel = life.panel();
    await finish(life, relay);
    expect(verdicts(shownBy(panel))).toEqual(expected);
  }));

it('what the database holds is junk', () => {
  const junk = fc.oneof(fc.anything({ withDate: true, withMap: true, withSet: true, withTypedArray: true }), fc.object());
  const plan = fc.record({
    size,
    checkpoint: fc.option(junk, { nil: undefined }),
    state: fc.option(junk, { nil: undefined }),
    head: fc.option(fc.object(), { nil: undefined }),
  });
  return rounds(plan, async ({ size: each, checkpoint, state, head }, no) => {
    const world = createWorld(`junk-${no}`);
    const relay = simulateRelay(RECORDS, each);
    const first = begin(world, relay);
    await finish(first, relay);
    const db = await first.env.openJournal('tab:1');
    const tx = db.transaction(['checkpoints', 'sessions', 'heads'], 'readwrite');
    const put = async (write: () => Promise<unknown>) => write().catch(() => undefined);
    if (checkpoint !== undefined) await put(async () => tx.objectStore('checkpoints').put(checkpoint, 'last'));
    if (state !== undefined) await put(async () => tx.objectStore('sessions').put(state, 'state'));
    if (head !== undefined) await put(async () => tx.objectStore('heads').put({ ...head, ordinal: 3 } as never));
    await tx.done.catch(() => undefined);
    kill(first);
    const second = startWorker(world);
    const panel = second.panel();
    await second.settle();
    await second.command(panel, { name: 'clear' });
    await nextRunIsKept(second, () => startWorker(world));
  });
});
