/** The state of one byte stream: plain data that the caller owns, may structured-clone, save and resume at any point. */
import type { BorderScan } from './borders.ts';
import type { Codec, Frame, FrameFault } from './types.ts';

/** The reference client gives up above this many characters a frame (rule `transport-frame-too-large`). */
export const MAX_FRAME = 10 * 1024 * 1024;
/** How much text of a bad frame is kept. */
export const TEXT_HEAD = 2000;

export interface StreamOptions {
  /** `auto`: by the content type, else by the first bytes. */
  readonly codec: Codec | 'auto';
  readonly contentType?: string;
  /** Characters of text, bytes of protobuf. */
  readonly maxFrame?: number;
}

/** Where the JSON tokenizer stands: inside an element (its bytes are held) or between two. */
export interface JsonScan {
  inArray: boolean;
  inElement: boolean;
  depth: number;
  inString: boolean;
  escaped: boolean;
}

export interface StreamState {
  codec: Codec | null;
  readonly contentType: string;
  readonly maxFrame: number;
  /** Frames reported so far. */
  no: number;
  /** Position in the byte stream of the first byte not yet reported or passed over. */
  offset: number;
  /** Bytes of the unfinished frame: the first `heldLength` of `held`, whose capacity doubles. */
  held: Uint8Array;
  heldLength: number;
  /** Characters among the held bytes; -1 until there are enough bytes for it to matter. */
  heldChars: number;
  /** Set while a frame over the limit is passed over: its first characters. */
  head: string | null;
  /** Bytes of that frame so far. */
  skipped: number;
  /** When the last chunk came. */
  lastTime: number;
  readonly border: BorderScan;
  readonly json: JsonScan;
  /** A protobuf frame did not decode: nothing after it can be trusted. */
  stopped: boolean;
}

export const NO_FAULTS: readonly FrameFault[] = Object.freeze([]);

const utf8 = new TextDecoder('utf-8', { ignoreBOM: true });

/** UTF-8 to text; bad sequences become U+FFFD, a BOM is kept. */
export function decodeUtf8(bytes: Uint8Array): string {
  return utf8.decode(bytes);
}

/** Appends a frame to `frames` and moves the stream past its bytes. */
export function report(
  state: StreamState,
  frames: Frame[],
  length: number,
  time: number,
  values: readonly unknown[],
  faults: readonly FrameFault[],
  text?: string,
): void {
  const frame = { no: state.no++, offset: state.offset, length, time, values, faults };
  state.offset += length;
  frames.push(text === undefined ? frame : { ...frame, text: text.slice(0, TEXT_HEAD) });
}

export function isHolding(state: StreamState): boolean {
  return state.heldLength > 0 || state.head !== null;
}

/** Keeps `bytes[from, to)` as part of the unfinished frame; past the limit only its head and size are kept. */
export function hold(state: StreamState, bytes: Uint8Array, from: number, to: number): void {
  if (state.head !== null) {
    state.skipped += to - from;
    return;
  }
  const length = state.heldLength + to - from;
  if (length > state.held.length) {
    const grown = new Uint8Array(Math.max(length, state.held.length * 2));
    grown.set(state.held.subarray(0, state.heldLength));
    state.held = grown;
  }
  state.held.set(bytes.subarray(from, to), state.heldLength);
  // characters are never more than bytes, so short frames need no count
  if (length > state.maxFrame) state.heldChars = state.heldChars < 0 ? countChars(state.held, 0, length) : state.heldChars + countChars(bytes, from, to);
  state.heldLength = length;
  if (state.heldChars > state.maxFrame) giveUp(state);
}

function giveUp(state: StreamState): void {
  state.head = decodeUtf8(state.held.subarray(0, TEXT_HEAD * 4)).slice(0, TEXT_HEAD);
  state.skipped = state.heldLength;
  release(state);
}

/** The held bytes as text. */
export function heldText(state: StreamState): string {
  return decodeUtf8(state.held.subarray(0, state.heldLength));
}

/** Forgets the held bytes; a large buffer goes with them. */
export function release(state: StreamState): void {
  if (state.held.length > 1 << 20) state.held = new Uint8Array(0);
  state.heldLength = 0;
  state.heldChars = -1;
}

/** Reports the frame that was passed over for its size and goes back to reading. */
export function reportPassedOver(state: StreamState, frames: Frame[], time: number): void {
  const head = state.head!;
  const length = state.skipped;
  state.head = null;
  state.skipped = 0;
  reportTooLarge(state, frames, length, time, head);
}

/** Reports a frame over the limit. Of its text less than the limit is told, so that it does not depend on when the limit was noticed. */
export function reportTooLarge(state: StreamState, frames: Frame[], length: number, time: number, text: string): void {
  report(state, frames, length, time, [], ['frame-too-large'], text.slice(0, state.maxFrame / 2));
}

/** Whether a frame that lies whole in `bytes[from, to)` is over the limit; the held ones are judged as they grow. */
export function isTooLarge(state: StreamState, bytes: Uint8Array, from: number, to: number): boolean {
  return to - from > state.maxFrame && countChars(bytes, from, to) > state.maxFrame;
}

/** UTF-16 units that UTF-8 bytes decode to: continuation bytes count nothing, four-byte sequences two. */
function countChars(bytes: Uint8Array, from: number, to: number): number {
  let count = 0;
  for (let i = from; i < to; i++) {
    const byte = bytes[i]!;
    if ((byte & 0xc0) !== 0x80) count += byte >= 0xf0 ? 2 : 1;
  }
  return count;
}
