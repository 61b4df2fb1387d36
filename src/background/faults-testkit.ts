/**
 * What the fault suite shares: random plans with a seed that is printed, and a relay that keeps to its part as the real one does.
 * SEED replays a run, ROUNDS makes it longer, and `npm run faults -- -t NAME` picks one fault.
 */
import fc from 'fast-check';
import type { CaptureRecord } from '../capture/types.ts';
// biome-ignore lint/style/noRestrictedImports: the suite plays the relay, with its real store
import { createStore } from '../relay/store.ts';
import { exchange, goodRun, interleave, sseOf } from '../session/testkit.ts';
import type { RelayAck } from '../wire/relay-to-worker.ts';
import { badRun, batchesOf, type FakePort, type Life, messageOf, startWorker, type World } from './testkit.ts';

const SEED = Number(process.env['SEED'] ?? Date.now() % 2 ** 31);
const ROUNDS = Number(process.env['ROUNDS'] ?? 40);
console.log(`faults: SEED=${SEED} ROUNDS=${ROUNDS} (set both to replay)`);

/** What every round captures: two runs at once, one of them with a violation. */
export const RECORDS: readonly CaptureRecord[] = interleave(
  exchange(sseOf(goodRun('r1', 30)), { cut: 50 }),
  exchange(sseOf(badRun('r2')), { conn: 1, start: 1_003 }),
);

/** Runs `round` with random plans; a failure names the seed, the plan and the smallest plan that fails. */
export async function rounds<T>(plans: fc.Arbitrary<T>, round: (plan: T, no: number) => Promise<void>, share = 1): Promise<void> {
  let no = 0;
  await fc.assert(
    fc.asyncProperty(plans, (plan) => round(plan, no++)),
    { seed: SEED, numRuns: Math.max(1, Math.round(ROUNDS * share)), endOnFailure: Boolean(process.env['CI']) },
  );
}

/** Random values, the same ones for a seed. */
export const sampled = <T>(values: fc.Arbitrary<T>, count: number): T[] => fc.sample(values, { seed: SEED, numRuns: count });

/** A relay with the real store: what is not acknowledged is sent again on the next connection. */
export interface SimulatedRelay {
  /** The page made `count` more batches; they are sent if there is a connection. */
  readonly make: (count: number) => void;
  readonly connect: (life: Life) => void;
  /** The connection is gone; the other side may hear of it or not. */
  readonly drop: (heard: boolean) => void;
  /** Takes the acknowledgements there are. */
  readonly hear: () => void;
  readonly left: () => number;
  readonly unacked: () => number;
}

export function simulateRelay(records: readonly CaptureRecord[], size: number, doc = 'doc'): SimulatedRelay {
  const coming = batchesOf(records, size);
  const store = createStore();
  let port: FakePort | null = null;
  let heardUpTo = 0;
  const send = () => {
    for (let next = port && store.next(); next; next = store.next())
      port?.deliver({ ...messageOf(next.batches, doc), ...(next.lost ? { lost: next.lost } : {}) });
  };
  const hear = () => {
    if (!port) return;
    for (const ack of (port.sent as RelayAck[]).slice(heardUpTo)) store.ack(ack.acked);
    heardUpTo = port.sent.length;
  };
  return {
    make: (count) => {
      for (const batch of coming.splice(0, count)) store.add(batch);
      send();
    },
    connect: (life) => {
      port = life.relay();
      heardUpTo = 0;
      store.rewind();
      send();
    },
    drop: (heard) => {
      if (heard) port?.hangUp();
      port = null;
    },
    hear,
    left: () => coming.length,
    unacked: () => store.size(),
  };
}

/** The worker dies: what it began may still reach the disk, but it begins nothing more. */
export function kill(life: Life): void {
  Object.assign(life.env, { openJournal: () => new Promise(() => undefined), after: () => undefined });
}

/** A worker of a world; a number of its own for each world that a round makes. */
export function begin(world: World, relay: SimulatedRelay): Life {
  const life = startWorker(world);
  relay.connect(life);
  return life;
}

/** Sends all that is left and waits until everything is acknowledged. Throws when it never is. */
export async function finish(life: Life, relay: SimulatedRelay): Promise<void> {
  relay.make(relay.left());
  for (let turns = 0; turns < 200; turns++) {
    await life.settle();
    relay.hear();
    if (relay.unacked() === 0) return;
  }
  throw new Error(`${relay.unacked()} batches were never acknowledged`);
}
