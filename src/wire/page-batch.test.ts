import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { batchSize, coveredBy, isHandOver, isPageBatch, withoutBytes } from './page-batch.ts';
import type { PageBatch } from './page-to-relay.ts';
import { isRelayAck } from './relay-to-worker.ts';

const META: readonly (readonly unknown[])[] = [
  [1, 'request', 10, 0, { carrier: 'fetch', url: 'http://a/', method: 'POST', stack: 'at a' }],
  [1, 'body', 10, 0, { kind: 'text', text: 'abc', size: 3, cut: true }],
  [1, 'response', 11, 0, { status: 200, statusText: 'OK', contentType: 'text/event-stream', url: 'http://a/' }],
  [1, 'chunk', 12.1, 11.5, 2],
  [2, 'chunk', 12.2, 12, 1],
  [1, 'chunk', 13, 12.5, 0],
  [2, 'lost', 13, 0, { bytes: 5, chunks: 1, why: 'x' }],
  [2, 'replay', 13, 0, { of: 'run r', plan: '{}' }],
  [1, 'end', 14, 0, { how: 'complete' }],
];
const batch = (meta: readonly (readonly unknown[])[] = META, bytes = 3): PageBatch => ({ no: 1, meta: meta.flat(), bytes: new Uint8Array(bytes) });

describe('isPageBatch', () => {
  it('takes what the hook sends', () => {
    expect(isPageBatch(batch())).toBe(true);
    expect(isPageBatch(batch([], 0))).toBe(true);
  });

  it('takes nothing else and never throws', () => {
    fc.assert(fc.property(fc.anything({ withTypedArray: true, withNullPrototype: true }), (value) => !isPageBatch(value)));
  });

  it.each([
    ['bytes that do not add up', batch(META, 4)],
    ['too few fields', { ...batch(), meta: META.flat().slice(1) }],
    ['no number', { ...batch(), no: 0 }],
    ['a fraction as number', { ...batch(), no: 1.5 }],
    ['bytes as an array', { ...batch(), bytes: [1, 2, 3] }],
  ])('refuses %s', (_, value) => {
    expect(isPageBatch(value)).toBe(false);
  });

  it('refuses a record with any one field of another type', () => {
    for (const [at, record] of META.entries()) {
      for (let field = 0; field < record.length; field += 1) {
        const forged = META.map((kept, i) => (i === at ? kept.with(field, Symbol('forged')) : kept));
        expect(isPageBatch(batch(forged)), `${at} ${field}`).toBe(false);
      }
      const payload = record[4];
      if (typeof payload === 'number') continue;
      for (const key of Object.keys(payload as object)) {
        const forged = META.map((kept, i) => (i === at ? kept.with(4, { ...(payload as object), [key]: {} }) : kept));
        expect(isPageBatch(batch(forged)), `${at} ${key}`).toBe(false);
      }
    }
  });
});

describe('withoutBytes', () => {
  it("keeps number and records, and tells each connection's loss once, in place", () => {
    const stripped = withoutBytes(batch(), 'no room');
    expect(isPageBatch(stripped)).toBe(true);
    expect(stripped.no).toBe(1);
    const records = Array.from({ length: stripped.meta.length / 5 }, (_, i) => stripped.meta.slice(i * 5, i * 5 + 5));
    expect(records.map(([conn, kind]) => `${conn} ${kind}`)).toEqual(['1 request', '1 body', '1 response', '1 lost', '2 lost', '2 lost', '2 replay', '1 end']);
    expect(records[3]?.[4]).toEqual({ bytes: 2, chunks: 2, why: 'no room' });
    expect(records[4]?.[4]).toEqual({ bytes: 1, chunks: 1, why: 'no room' });
  });
});

it('batchSize counts bytes, bodies and stacks', () => {
  expect(batchSize(batch())).toBe(3 + 'abc'.length + 'at a'.length);
});

it('what goes with a batch that is dropped: its chunks, and what it tells as lost', () => {
  expect(coveredBy(batch())).toEqual({ bytes: 3 + 5, chunks: 3 + 1 });
  expect(coveredBy(withoutBytes(batch(), 'no room'))).toEqual(coveredBy(batch()));
  expect(coveredBy(batch([], 0))).toEqual({ bytes: 0, chunks: 0 });
});

it('isHandOver asks for the token', () => {
  expect(isHandOver({ token: 'a', batches: [] }, 'a')).toBe(true);
  for (const value of [null, 5, [], { token: 'b', batches: [] }, { token: 'a', batches: 5 }]) expect(isHandOver(value, 'a')).toBe(false);
});

it('isRelayAck asks for the document', () => {
  expect(isRelayAck({ doc: 'a', acked: 4 }, 'a')).toBe(true);
  for (const value of [null, 'x', {}, { doc: 'b', acked: 4 }, { doc: 'a', acked: '4' }]) expect(isRelayAck(value, 'a')).toBe(false);
});
