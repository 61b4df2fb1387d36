import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createRecentBytes } from './recent.ts';

const stream = Uint8Array.from({ length: 300_000 }, (_, i) => (i * 7919) % 251);
/** As text: thousands of numbers compared one by one take minutes. */
const text = (bytes: Uint8Array | null) => bytes && Buffer.from(bytes).toString('latin1');
const piece = (offset: number, length: number, conn = 0) => ({ conn, offset, bytes: stream.slice(offset, offset + length) });

test('what it gives are the bytes of the stream, however they came, and it holds the newest', () => {
  fc.assert(
    fc.property(fc.array(fc.record({ length: fc.integer({ min: 1, max: 20_000 }), lost: fc.integer({ min: 0, max: 3 }) }), { maxLength: 12 }), (pieces) => {
      const recent = createRecentBytes();
      let end = 0;
      for (const { length, lost } of pieces) {
        const offset = end + (lost === 3 ? 50 : 0);
        recent.take([piece(offset, length)]);
        end = offset + length;
        expect(text(recent.read(0, offset, length)) === text(stream.slice(offset, end))).toBe(true);
        expect(recent.read(0, end - 1, 2), 'past the end').toBeNull();
        for (let back = 1; back <= end; back += 9_973) {
          const got = recent.read(0, end - back, back);
          if (got) expect(text(got) === text(stream.slice(end - back, end))).toBe(true);
        }
      }
    }),
  );
});

test('bytes of a stream run on over updates, but not for ever', () => {
  const recent = createRecentBytes();
  for (let offset = 0; offset < 200_000; offset += 10_000) recent.take([piece(offset, 10_000)]);
  expect(text(recent.read(0, 140_000, 60_000)) === text(stream.slice(140_000, 200_000))).toBe(true);
  expect(recent.read(0, 120_000, 60_000)).toBeNull();
});

test('few streams are kept, the latest; cleared, none', () => {
  const recent = createRecentBytes();
  for (let conn = 0; conn < 40; conn++) recent.take([piece(0, 10, conn)]);
  expect(recent.read(39, 0, 10)).toEqual(stream.slice(0, 10));
  expect(recent.read(0, 0, 10)).toBeNull();
  recent.clear();
  expect(recent.read(39, 0, 10)).toBeNull();
});
