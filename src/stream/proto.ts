/** Protobuf bodies (`application/vnd.ag-ui.event+proto`): frames of a four-byte big-endian length and one encoded event. */
import { AGUIUnknownEventTypeError, decode } from '@ag-ui/proto';
import { hold, isHolding, NO_FAULTS, release, report, reportPassedOver, type StreamState } from './state.ts';
import type { Frame, FrameFault } from './types.ts';

const PREFIX = 4;

/** Takes the next bytes; answers the frames they completed. After a frame that does not decode nothing more is read. */
export function feedProto(state: StreamState, bytes: Uint8Array, time: number): Frame[] {
  const frames: Frame[] = [];
  let at = 0;
  while (at < bytes.length && !state.stopped) {
    const missing = missingBytes(state);
    const to = Math.min(bytes.length, at + missing);
    hold(state, bytes, at, to);
    at = to;
    if (state.head === null && state.heldLength === PREFIX && PREFIX + declaredLength(state) > state.maxFrame) passOver(state);
    if (missingBytes(state) === 0) closeFrame(state, time, frames);
  }
  return frames;
}

/** Closes the body. Bytes short of a whole frame are reported without a value. */
export function finishProto(state: StreamState): { frames: Frame[]; cut: boolean } {
  const frames: Frame[] = [];
  if (state.stopped || !isHolding(state)) return { frames, cut: false };
  if (state.head !== null) reportPassedOver(state, frames, state.lastTime);
  else report(state, frames, state.heldLength, state.lastTime, [], NO_FAULTS);
  release(state);
  return { frames, cut: true };
}

/** Bytes until the prefix or the frame is whole. While a frame is passed over, its declared length stays in `held`. */
function missingBytes(state: StreamState): number {
  if (state.head !== null) return PREFIX + declaredLength(state) - state.skipped;
  if (state.heldLength < PREFIX) return PREFIX - state.heldLength;
  return PREFIX + declaredLength(state) - state.heldLength;
}

function declaredLength(state: StreamState): number {
  const [a = 0, b = 0, c = 0, d = 0] = state.held;
  return a * 0x1000000 + b * 0x10000 + c * 0x100 + d;
}

function passOver(state: StreamState): void {
  state.head = '';
  state.skipped = PREFIX;
}

function closeFrame(state: StreamState, time: number, frames: Frame[]): void {
  if (state.head !== null) {
    release(state);
    reportPassedOver(state, frames, time);
    return;
  }
  const length = state.heldLength;
  const decoded = decodeEvent(state.held.slice(PREFIX, length));
  release(state);
  report(state, frames, length, time, decoded.values, decoded.faults);
  if (decoded.faults.includes('proto-undecodable')) state.stopped = true;
}

/** One event as plain JSON, the way a text body would have carried it. */
function decodeEvent(message: Uint8Array): { values: readonly unknown[]; faults: readonly FrameFault[] } {
  try {
    return { values: [JSON.parse(JSON.stringify(decode(message)))], faults: NO_FAULTS };
  } catch (error) {
    return { values: [], faults: [error instanceof AGUIUnknownEventTypeError ? 'proto-unknown-arm' : 'proto-undecodable'] };
  }
}
