/** One frame's bytes back into its values. */
import { createStream } from '../../stream/create.ts';
import { feedNdjson, finishNdjson } from '../../stream/ndjson.ts';
import { parseJson } from '../../stream/payload.ts';
import { feedSse, finishSse } from '../../stream/sse.ts';
import type { Codec, Frame, FrameFault } from '../../stream/types.ts';

export interface Decoded {
  readonly values: readonly unknown[];
  readonly faults: readonly FrameFault[];
}

/** Takes the bytes of one frame as they lie in the stream. What does not parse has no values. */
export type DecodeFrame = (bytes: Uint8Array) => Decoded;

const asDecoded = (frames: readonly Frame[]): Decoded => ({
  values: frames.flatMap((frame) => frame.values),
  faults: frames.flatMap((frame) => frame.faults).filter((fault) => fault !== 'unterminated-frame'),
});

const sse: DecodeFrame = (bytes) => {
  const stream = createStream({ codec: 'sse' });
  return asDecoded([...feedSse(stream, bytes, 0), ...finishSse(stream, 0).frames]);
};

const ndjson: DecodeFrame = (bytes) => {
  const stream = createStream({ codec: 'ndjson' });
  return asDecoded([...feedNdjson(stream, bytes, 0), ...finishNdjson(stream).frames]);
};

// an element of a JSON array stands alone here, without its array
const json: DecodeFrame = (bytes) => {
  const value = parseJson(new TextDecoder().decode(bytes));
  return value === undefined ? { values: [], faults: ['frame-not-json'] } : { values: [value], faults: [] };
};

/** The decoder of a codec that is always there; null for protobuf. */
export function plainDecoder(codec: Codec): DecodeFrame | null {
  return codec === 'proto' ? null : { sse, ndjson, json }[codec];
}

/** The decoder of a codec. Protobuf's schemas are half a megabyte of script, so they are loaded with the first frame that needs them. */
export async function frameDecoder(codec: Codec): Promise<DecodeFrame> {
  const plain = plainDecoder(codec);
  if (plain) return plain;
  const { feed, finish } = await import('../../stream/index.ts');
  return (bytes) => {
    const stream = createStream({ codec });
    return asDecoded([...feed(stream, bytes, 0), ...finish(stream, 0).frames]);
  };
}
