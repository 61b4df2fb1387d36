import fc from 'fast-check';
import { expect, it } from 'vitest';
import { codecOf, createStream, type Frame, feed, finish } from './index.ts';

const encoder = new TextEncoder();

function run(bytes: Uint8Array, size: number) {
  const state = createStream({ codec: 'auto' });
  const frames: Frame[] = [];
  for (let at = 0; at < bytes.length; at += size) frames.push(...feed(state, bytes.slice(at, at + size), at));
  const last = finish(state, bytes.length);
  return { frames: [...frames, ...last.frames], cut: last.cut, codec: codecOf(state) };
}

const json = fc.jsonValue({ maxDepth: 3 });

it('the elements of an array are those of JSON.parse, for any chunking and spacing', () => {
  const event = fc.dictionary(fc.string(), json, { maxKeys: 4 });
  fc.assert(
    fc.property(
      fc.array(event, { maxLength: 8 }),
      fc.integer({ min: 1, max: 20 }),
      fc.constantFrom(undefined, 2, '\t'),
      fc.boolean(),
      (events, size, indent, bom) => {
        const text = (bom ? '\ufeff' : '') + JSON.stringify(events, null, indent);
        const bytes = encoder.encode(text);
        const result = run(bytes, size);
        expect(result).toMatchObject({ codec: 'json', cut: false });
        expect(result.frames.flatMap((frame) => frame.values)).toEqual(JSON.parse(JSON.stringify(events)));
        for (const frame of result.frames)
          expect(JSON.parse(new TextDecoder().decode(bytes.subarray(frame.offset, frame.offset + frame.length)))).toEqual(frame.values[0]);
      },
    ),
    { numRuns: 500 },
  );
});
