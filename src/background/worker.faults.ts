/** The worker, its ports and the clock go wrong. Whatever happens, the verdicts are those of an undisturbed fold. */
import 'fake-indexeddb/auto';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { begin, finish, kill, RECORDS, rounds, sampled, simulateRelay } from './faults-testkit.ts';
import { batchesOf, createWorld, messageOf, shownBy, startWorker, undisturbed, verdicts } from './testkit.ts';

const size = fc.integer({ min: 1, max: 7 });
const expected = undisturbed(RECORDS);

it('the worker is killed at random moments', () => {
  const step = fc.oneof(
    { weight: 4, arbitrary: fc.record({ make: fc.integer({ min: 1, max: 12 }) }) },
    { weight: 2, arbitrary: fc.constant('settle' as const) },
    { weight: 1, arbitrary: fc.constant('breathe' as const) },
    { weight: 2, arbitrary: fc.constant('kill' as const) },
  );
  return rounds(fc.record({ size, steps: fc.array(step, { maxLength: 25 }) }), async (plan, no) => {
    const world = createWorld(`kill-${no}`);
    const relay = simulateRelay(RECORDS, plan.size);
    let life = begin(world, relay);
    for (const what of plan.steps) {
      if (what === 'settle') await life.settle();
      else if (what === 'breathe') await new Promise((resolve) => setImmediate(resolve));
      else if (what === 'kill') {
        kill(life);
        relay.drop(false);
        life = begin(world, relay);
      } else relay.make(what.make);
      relay.hear();
    }
    await finish(life, relay);
    const panel = life.panel();
    await life.settle();
    expect(verdicts(shownBy(panel))).toEqual(expected);
    expect(shownBy(panel).facts?.trouble).toBeNull();
  });
});

it('panels come and go between any two messages', () => {
  const step = fc.oneof(fc.record({ make: fc.integer({ min: 1, max: 9 }) }), fc.constantFrom('open' as const, 'close' as const, 'settle' as const));
  return rounds(fc.record({ size, steps: fc.array(step, { maxLength: 30 }) }), async (plan, no) => {
    const relay = simulateRelay(RECORDS, plan.size);
    const life = begin(createWorld(`panels-${no}`), relay);
    const panels = [life.panel()];
    for (const what of plan.steps) {
      if (what === 'settle') await life.settle();
      else if (what === 'open') panels.push(life.panel());
      else if (what === 'close') panels.pop()?.hangUp();
      else relay.make(what.make);
      relay.hear();
    }
    panels.push(life.panel());
    await finish(life, relay);
    for (const panel of panels) expect(verdicts(shownBy(panel))).toEqual(expected);
  });
});

it('messages come twice, late and again', () =>
  rounds(fc.record({ size, again: fc.array(fc.tuple(fc.nat(), fc.nat()), { maxLength: 20 }), frames: fc.boolean() }), async (plan, no) => {
    const life = startWorker(createWorld(`twice-${no}`));
    const panel = life.panel();
    const relay = life.relay();
    const batches = batchesOf(RECORDS, plan.size);
    for (const [at, batch] of batches.entries()) {
      relay.deliver(messageOf([batch]));
      for (const [when, from] of plan.again) {
        if (when % batches.length !== at) continue;
        const early = from % (at + 1);
        relay.deliver(messageOf(batches.slice(early, at + 1)));
        if (plan.frames) life.relay().deliver(messageOf(batches.slice(0, early)));
      }
    }
    await life.settle();
    expect(verdicts(shownBy(panel))).toEqual(expected);
  }));

it('a page skips and swaps its numbers: what it said of itself is wrong, the next page is whole', () =>
  rounds(fc.record({ size, order: fc.array(fc.nat(), { minLength: 1, maxLength: 30 }) }), async (plan, no) => {
    const life = startWorker(createWorld(`swapped-${no}`));
    const panel = life.panel();
    const batches = batchesOf(RECORDS, plan.size);
    const relay = life.relay(1, 5);
    for (const pick of plan.order) relay.deliver(messageOf([batches[pick % batches.length]!], 'liar'));
    await life.settle();
    const before = shownBy(panel);
    life.relay(1, 6).deliver(messageOf(batches, 'honest'));
    await life.settle();
    const after = shownBy(panel);
    expect(after.facts?.trouble).toBeNull();
    expect(after.rows - before.rows).toBe(expected.rows);
    expect(after.runs.slice(before.runs.length).map((run) => [run.runId, run.status])).toEqual(expected.runs.map((run) => [run.runId, run.status]));
  }));

it('the clock jumps and sleeps', () =>
  rounds(fc.record({ size, jumps: fc.array(fc.integer({ min: -1e10, max: 1e10 }), { minLength: 1, maxLength: 12 }) }), async (plan, no) => {
    const world = createWorld(`clock-${no}`);
    const relay = simulateRelay(RECORDS, plan.size);
    const life = begin(world, relay);
    const panel = life.panel();
    for (const jump of plan.jumps) {
      relay.make(6);
      await life.settle(0);
      world.now += jump;
      // timers count by a clock of their own, which no jump moves
      life.fire();
      relay.hear();
    }
    relay.make(relay.left());
    for (let turn = 0; turn < 20; turn++) {
      await life.settle(0);
      life.fire();
      relay.hear();
    }
    expect(relay.unacked()).toBe(0);
    expect(verdicts(shownBy(panel))).toEqual(expected);
  }));

it('10,000 hostile messages of pages and panels: no trouble, no polluted prototype, and the next page is whole', async () => {
  const life = startWorker(createWorld('hostile'));
  const panel = life.panel();
  const relay = life.relay(1, 3);
  const [good] = batchesOf(RECORDS, 3);
  const anything = fc.anything({ withNullPrototype: false, withTypedArray: true, withSparseArray: true });
  const bent = fc.record({
    doc: fc.oneof(fc.constant('forged'), fc.string(), anything),
    url: fc.oneof(fc.webUrl(), anything),
    timeOrigin: fc.oneof(fc.double(), anything),
    batches: fc.array(
      fc.oneof(
        anything,
        fc.record({
          no: fc.oneof(fc.nat(), anything),
          meta: fc.oneof(fc.constant(good!.meta), fc.array(anything)),
          bytes: fc.oneof(fc.uint8Array(), fc.constant(good!.bytes)),
        }),
      ),
      { maxLength: 4 },
    ),
    lost: anything,
  });
  const command = fc.record({
    kind: fc.constant('command'),
    id: fc.oneof(fc.nat(), anything),
    command: fc.record({ name: fc.constantFrom('bytes', 'import', 'x'), conn: anything, records: anything }),
  });
  let told = 0;
  for (const message of sampled(fc.oneof(anything, bent, command), 10_000)) {
    relay.deliver(message);
    panel.deliver(message);
    if (++told % 500 === 0) await life.settle();
  }
  await life.settle();
  const before = shownBy(panel);
  life.relay(1, 4).deliver(messageOf(batchesOf(RECORDS), 'honest'));
  await life.settle();
  const after = shownBy(panel);
  expect(after.facts?.trouble).toBeNull();
  expect(after.rows - before.rows).toBe(expected.rows);
  expect(Object.keys(Object.prototype)).toEqual([]);
});
