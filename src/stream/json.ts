/**
 * JSON bodies: an array whose elements are reported as they complete, or values one after the other. The tokenizer finds only where
 * an element begins and ends; what it holds is JSON.parse's business.
 */
import { readPayload } from './payload.ts';
import {
  decodeUtf8,
  heldText,
  hold,
  isHolding,
  isTooLarge,
  type JsonScan,
  release,
  report,
  reportPassedOver,
  reportTooLarge,
  type StreamState,
} from './state.ts';
import type { Frame } from './types.ts';

const QUOTE = 34;
const BACKSLASH = 92;
const COMMA = 44;
const OPEN_ARRAY = 91;
const CLOSE_ARRAY = 93;
const OPEN_OBJECT = 123;
const CLOSE_OBJECT = 125;

export function newJsonScan(): JsonScan {
  return { inArray: false, inElement: false, depth: 0, inString: false, escaped: false };
}

/** Takes the next bytes; answers a frame a completed element. */
export function feedJson(state: StreamState, bytes: Uint8Array, time: number): Frame[] {
  const frames: Frame[] = [];
  const scan = state.json;
  let from = 0;
  while (from < bytes.length) {
    if (!scan.inElement) {
      from = toElement(state, bytes, from);
      if (!scan.inElement) break;
    }
    const end = elementEnd(scan, bytes, from, isHolding(state));
    if (end < 0) {
      hold(state, bytes, from, bytes.length);
      break;
    }
    closeElement(state, bytes, from, end, time, frames);
    from = end;
  }
  return frames;
}

/** Closes the body. An open array or an element that does not parse was cut. */
export function finishJson(state: StreamState): { frames: Frame[]; cut: boolean } {
  const frames: Frame[] = [];
  if (!isHolding(state)) return { frames, cut: state.json.inArray };
  if (state.head !== null) {
    reportPassedOver(state, frames, state.lastTime);
    return { frames, cut: true };
  }
  const payload = readPayload(heldText(state));
  const cut = payload.faults.includes('frame-not-json');
  const length = state.heldLength;
  release(state);
  report(state, frames, length, state.lastTime, payload.values, cut ? ['unterminated-frame'] : payload.faults, payload.text);
  return { frames, cut: cut || state.json.inArray };
}

/** Passes over what lies between elements. Answers where the next element begins; `scan.inElement` tells whether one does. */
function toElement(state: StreamState, bytes: Uint8Array, from: number): number {
  const scan = state.json;
  for (let i = from; i < bytes.length; i++) {
    const byte = bytes[i]!;
    const bom = state.offset < 3 && (byte === 0xef || byte === 0xbb || byte === 0xbf);
    if (byte <= 32 || byte === COMMA || bom) {
      state.offset++;
    } else if (byte === OPEN_ARRAY && !scan.inArray) {
      scan.inArray = true;
      state.offset++;
    } else if (byte === CLOSE_ARRAY && scan.inArray) {
      scan.inArray = false;
      state.offset++;
    } else {
      scan.inElement = true;
      scan.depth = 0;
      return i;
    }
  }
  return bytes.length;
}

/** The position after the element whose bytes go on at `from`, or -1 when the bytes end first. `begun`: earlier chunks hold its start. */
function elementEnd(scan: JsonScan, bytes: Uint8Array, from: number, begun: boolean): number {
  let { depth, inString, escaped } = scan;
  for (let i = from; i < bytes.length; i++) {
    const byte = bytes[i]!;
    if (inString) {
      if (escaped) escaped = false;
      else if (byte === BACKSLASH) escaped = true;
      else if (byte === QUOTE) {
        inString = false;
        if (depth === 0) return ended(scan, i + 1);
      }
    } else if (byte === QUOTE) inString = true;
    else if (byte === OPEN_OBJECT || byte === OPEN_ARRAY) depth++;
    else if (byte === CLOSE_OBJECT || byte === CLOSE_ARRAY) {
      if (depth === 0) return ended(scan, scan.inArray && byte === CLOSE_ARRAY && (begun || i > from) ? i : i + 1);
      if (--depth === 0) return ended(scan, i + 1);
    } else if (depth === 0 && (byte === COMMA || byte <= 32)) return ended(scan, i);
  }
  scan.depth = depth;
  scan.inString = inString;
  scan.escaped = escaped;
  return -1;
}

function ended(scan: JsonScan, end: number): number {
  scan.depth = 0;
  scan.inString = false;
  scan.escaped = false;
  return end;
}

function closeElement(state: StreamState, bytes: Uint8Array, from: number, end: number, time: number, frames: Frame[]): void {
  state.json.inElement = false;
  const straddles = isHolding(state);
  if (straddles) hold(state, bytes, from, end);
  if (state.head !== null) {
    reportPassedOver(state, frames, time);
    return;
  }
  const text = straddles ? heldText(state) : decodeUtf8(bytes.subarray(from, end));
  const length = straddles ? state.heldLength : end - from;
  release(state);
  if (!straddles && isTooLarge(state, bytes, from, end)) {
    reportTooLarge(state, frames, length, time, text);
    return;
  }
  const payload = readPayload(text);
  report(state, frames, length, time, payload.values, payload.faults, payload.text);
}
