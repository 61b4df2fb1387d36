import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type ChunkBatch, journalOrder, type Source } from './order.ts';

/** Deals ordinals to connections and packs each connection's into batches of at most `size` chunks. */
function batchesOf(dealt: readonly number[], size: number): ChunkBatch[] {
  const batches: ChunkBatch[] = [];
  for (const conn of new Set(dealt)) {
    const own = dealt.flatMap((owner, ordinal) => (owner === conn ? [ordinal] : []));
    for (let at = 0; at < own.length; at += size) {
      const ordinals = own.slice(at, at + size);
      batches.push({
        conn,
        offset: at * 2,
        lengths: Uint32Array.from(ordinals, () => 2),
        came: Float64Array.from(ordinals, (no) => no * 10),
        asked: Float64Array.from(ordinals, (no) => no * 10 - 1),
        ordinals: Float64Array.from(ordinals),
        bytes: Uint8Array.from(ordinals.flatMap((no) => [no & 255, conn])),
      });
    }
  }
  return batches;
}

const sourceOf = (batch: ChunkBatch): Source => ({ first: batch.ordinals[0] ?? 0, load: async () => batch });

async function ordinals(sources: readonly Source[], from = 0) {
  const seen: number[] = [];
  for await (const { ordinal } of journalOrder(sources, from)) seen.push(ordinal);
  return seen;
}

describe('journal order', () => {
  it('is the order in which records came, however they were batched', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.integer({ min: 0, max: 4 }), { maxLength: 60 }), fc.integer({ min: 1, max: 7 }), fc.nat(60), async (dealt, size, from) => {
        const sources = batchesOf(dealt, size).map(sourceOf).reverse();
        expect(await ordinals(sources, from)).toEqual(dealt.map((_, no) => no).slice(from));
      }),
    );
  });

  it('gives each chunk its own bytes and times', async () => {
    const seen = [];
    for await (const { ordinal, record } of journalOrder(batchesOf([0, 1, 0, 0, 1], 2).map(sourceOf))) {
      if (record.kind === 'chunk') seen.push([ordinal, record.conn, record.came, record.asked, ...record.bytes]);
    }
    expect(seen).toEqual([0, 1, 0, 0, 1].map((conn, no) => [no, conn, no * 10, no * 10 - 1, no, conn]));
  });

  it('puts heads among chunks, and passes over a batch that is gone', async () => {
    const heads = [0, 3, 6].map((ordinal) => ({ ordinal, record: { kind: 'end', conn: 0, end: { time: 0, how: 'complete' } } as const }));
    const chunks = batchesOf([9, 0, 0, 9, 1, 1, 9], 9).filter(({ conn }) => conn !== 9);
    const gone: Source = { first: 2, load: async () => null };
    expect(await ordinals([...chunks.map(sourceOf), gone, { first: 0, load: async () => heads }])).toEqual([0, 1, 2, 3, 4, 5, 6]);
  });

  it('takes from a damaged batch what is there, and nothing from an empty one', async () => {
    const [batch] = batchesOf([0, 0, 0], 9);
    const short: ChunkBatch = { ...batch!, lengths: Uint32Array.of(2), came: Float64Array.of(5), asked: Float64Array.of(4) };
    const nothing: Source[] = [
      { first: 0, load: async () => [] },
      { first: 0, load: async () => ({ ...batch!, ordinals: new Float64Array(0) }) },
    ];
    const seen = [];
    for await (const { ordinal, record } of journalOrder([...nothing, sourceOf(short)])) {
      if (record.kind === 'chunk') seen.push([ordinal, record.came, record.asked, record.bytes.length]);
    }
    expect(seen).toEqual([
      [0, 5, 4, 2],
      [1, 0, 0, 0],
      [2, 0, 0, 0],
    ]);
  });
});
