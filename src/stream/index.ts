/** Bytes in, frames out, whatever the codec. Nothing here throws on input; time and memory grow with the bytes, not with how they are cut. */
import { feedJson, finishJson } from './json.ts';
import { feedNdjson, finishNdjson } from './ndjson.ts';
import { feedProto, finishProto } from './proto.ts';
import { sniffCodec } from './sniff.ts';
import { feedSse, finishSse } from './sse.ts';
import { hold, NO_FAULTS, release, type StreamState } from './state.ts';
import type { Codec, Frame } from './types.ts';

export { createStream } from './create.ts';
export { parseJson } from './payload.ts';
export { mediaType } from './sniff.ts';
export { MAX_FRAME, type StreamState } from './state.ts';
export type { Codec, Frame } from './types.ts';

/** White space that may come before a body tells what it is. */
const SNIFF_LIMIT = 4096;

/** The codec in use; null while an `auto` stream has given nothing to tell it by. */
export function codecOf(state: StreamState): Codec | null {
  return state.codec;
}

/** Takes the next bytes, which came at `time` (ms). Answers the frames they completed; the bytes are not kept. */
export function feed(state: StreamState, bytes: Uint8Array, time: number): Frame[] {
  if (bytes.length === 0) return [];
  const frames = state.codec === null ? feedUnknown(state, bytes, time) : feedCodec(state, state.codec, bytes, time);
  state.lastTime = time;
  return frames;
}

/**
 * The body is over. `cut`: it ended inside a frame that does not parse; that frame is reported with its text and no value. With
 * `clean` false (the connection broke or was given up) a remainder is never a frame fault: no end of body was promised there.
 */
export function finish(state: StreamState, time: number, clean = true): { frames: Frame[]; cut: boolean } {
  const { frames, cut } = finishCodec(state, time);
  if (clean) return { frames, cut };
  return { frames: frames.map((frame) => (frame.faults.includes('unterminated-frame') ? { ...frame, faults: NO_FAULTS } : frame)), cut };
}

function feedUnknown(state: StreamState, bytes: Uint8Array, time: number): Frame[] {
  const seen = new Uint8Array(state.heldLength + bytes.length);
  seen.set(state.held.subarray(0, state.heldLength));
  seen.set(bytes, state.heldLength);
  release(state);
  state.codec = sniffCodec(state.contentType, seen) ?? (seen.length > SNIFF_LIMIT ? 'sse' : null);
  if (state.codec !== null) return feedCodec(state, state.codec, seen, time);
  hold(state, seen, 0, seen.length);
  return [];
}

function feedCodec(state: StreamState, codec: Codec, bytes: Uint8Array, time: number): Frame[] {
  if (codec === 'sse') return feedSse(state, bytes, time);
  if (codec === 'ndjson') return feedNdjson(state, bytes, time);
  return codec === 'json' ? feedJson(state, bytes, time) : feedProto(state, bytes, time);
}

function finishCodec(state: StreamState, time: number): { frames: Frame[]; cut: boolean } {
  if (state.codec === 'sse') return finishSse(state, time);
  if (state.codec === 'ndjson') return finishNdjson(state);
  if (state.codec === 'json') return finishJson(state);
  if (state.codec === 'proto') return finishProto(state);
  return { frames: [], cut: false };
}
