/** One frame's bytes back into its values. */
import { createStream, feed, finish, parseJson } from '../../stream/index.ts';
import type { Codec, FrameFault } from '../../stream/types.ts';

export interface Decoded {
  readonly values: readonly unknown[];
  readonly faults: readonly FrameFault[];
}

/** Decodes the bytes of one frame as they lie in the stream. What does not parse has no values. */
export function decodeFrame(codec: Codec, bytes: Uint8Array): Decoded {
  if (codec === 'json') {
    // an element of a JSON array stands alone here, without its array
    const value = parseJson(new TextDecoder().decode(bytes));
    return value === undefined ? { values: [], faults: ['frame-not-json'] } : { values: [value], faults: [] };
  }
  const stream = createStream({ codec });
  const frames = [...feed(stream, bytes, 0), ...finish(stream, 0).frames];
  return { values: frames.flatMap((frame) => frame.values), faults: frames.flatMap((frame) => frame.faults).filter((fault) => fault !== 'unterminated-frame') };
}
