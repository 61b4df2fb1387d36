/**
 * SSE bodies. Frame borders, offsets and line ends are found here on bytes, because the library works on text and tells neither; what
 * the lines of a frame mean is `eventsource-parser`'s business. Frames that lie whole in a chunk are read from one decoding of the
 * chunk: text and bytes hold the same line ends in the same order, so both are walked in step and nothing is decoded twice.
 */
import { createParser, type EventSourceParser } from 'eventsource-parser';
import { CR, LF, nextBorder, nextLfBorder, resetBorderScan } from './borders.ts';
import { isObject, parseJson, readPayload } from './payload.ts';
import { decodeUtf8, heldText, hold, isHolding, isTooLarge, NO_FAULTS, release, report, reportPassedOver, reportTooLarge, type StreamState } from './state.ts';
import type { Frame, FrameFault } from './types.ts';

const SPACE = 32;

/** Reads the `data` of a frame's text, null where it has none. Made once a call of `feed`, and its parser with the first frame that needs it. */
export type DataReader = (frame: string) => string | null;

export function dataReader(): DataReader {
  let parser: EventSourceParser | null = null;
  let data: string | null = null;
  return (frame) => {
    if (!parser) {
      parser = createParser({
        onEvent(event) {
          data = event.data;
        },
      });
      // the library drops a leading "ï»¿" from its first chunk; ours is not the first chunk of a body
      parser.feed('');
    }
    data = null;
    parser.feed(frame.charCodeAt(frame.length - 1) === CR ? `${frame}\n` : frame);
    return data;
  };
}

/** Takes the next bytes of an SSE body; answers the frames they completed. */
export function feedSse(state: StreamState, bytes: Uint8Array, time: number): Frame[] {
  const frames: Frame[] = [];
  const read = dataReader();
  let at = 0;
  if (isHolding(state)) {
    const end = nextBorder(state.border, bytes, 0);
    hold(state, bytes, 0, end < 0 ? bytes.length : end);
    if (end < 0) return frames;
    closeHeld(state, read, frames, end === 0 ? state.lastTime : time);
    at = end;
  }
  at = bytes.indexOf(CR, at) < 0 ? wholeLfFrames(state, bytes, at, time, read, frames) : wholeFrames(state, bytes, at, time, read, frames);
  if (at < bytes.length) {
    resetBorderScan(state.border);
    nextBorder(state.border, bytes, at);
    hold(state, bytes, at, bytes.length);
  }
  return frames;
}

/** Closes an SSE body. A remainder is a frame if it parses; `cut` tells that it does not. */
export function finishSse(state: StreamState, time: number): { frames: Frame[]; cut: boolean } {
  const frames: Frame[] = [];
  if (!isHolding(state)) return { frames, cut: false };
  const read = dataReader();
  if (state.border.ends) {
    closeHeld(state, read, frames, state.lastTime);
    return { frames, cut: false };
  }
  if (state.head !== null) {
    reportPassedOver(state, frames, time);
    return { frames, cut: true };
  }
  const text = withoutBom(state, heldText(state));
  const length = state.heldLength;
  const data = read(`${text}\n\n`);
  release(state);
  if (data === null) {
    state.offset += length;
    return { frames, cut: /^[^:]/.test(text.slice(lastLine(text))) };
  }
  const payload = readPayload(data);
  const cut = payload.faults.includes('frame-not-json');
  const faults: FrameFault[] = cut ? ['unterminated-frame'] : [...payload.faults, 'unterminated-frame'];
  if (state.border.sawCr) faults.unshift('line-endings');
  report(state, frames, length, state.lastTime, payload.values, faults, payload.text);
  return { frames, cut };
}

function lastLine(text: string): number {
  return Math.max(text.lastIndexOf('\n'), text.lastIndexOf('\r')) + 1;
}

/** The frame begun in earlier chunks is complete: its bytes are all held. */
function closeHeld(state: StreamState, read: DataReader, frames: Frame[], time: number): void {
  const cr = state.border.sawCr;
  resetBorderScan(state.border);
  if (state.head !== null) {
    reportPassedOver(state, frames, time);
    return;
  }
  const text = heldText(state);
  const length = state.heldLength;
  release(state);
  takeFrame(state, text, length, cr, time, read, frames);
}

/** Frames that lie whole in bytes without a CR. Answers where the unfinished one begins. */
function wholeLfFrames(state: StreamState, bytes: Uint8Array, at: number, time: number, read: DataReader, frames: Frame[]): number {
  const text = decodeUtf8(at === 0 ? bytes : bytes.subarray(at));
  const ascii = text.length === bytes.length - at;
  let from = 0;
  let byteFrom = at;
  for (;;) {
    const lf = text.indexOf('\n', from);
    if (lf < 0) break;
    if (lf === from) {
      state.offset++;
      from++;
      byteFrom++;
      continue;
    }
    const oneLine = text.charCodeAt(lf + 1) === LF;
    const border = oneLine ? lf : text.indexOf('\n\n', lf + 1);
    if (border < 0) break;
    const byteEnd = ascii ? at + border + 2 : nextLfBorder(bytes, byteFrom);
    const length = byteEnd - byteFrom;
    if (isTooLarge(state, bytes, byteFrom, byteEnd)) reportTooLarge(state, frames, length, time, text.slice(from, border + 2));
    else if (!(oneLine && text.startsWith('data:', from) && takeLine(state, text, from, lf, length, time, frames))) {
      takeFrame(state, text.slice(from, border + 2), length, false, time, read, frames);
    }
    from = border + 2;
    byteFrom = byteEnd;
  }
  return byteFrom;
}

/** The frame nearly all streams are made of: one `data:` line that is one JSON object. Answers false if it is anything else. */
function takeLine(state: StreamState, text: string, from: number, lf: number, length: number, time: number, frames: Frame[]): boolean {
  const value = parseJson(text.slice(text.charCodeAt(from + 5) === SPACE ? from + 6 : from + 5, lf));
  if (!isObject(value)) return false;
  frames.push({ no: state.no++, offset: state.offset, length, time, values: [value], faults: NO_FAULTS });
  state.offset += length;
  return true;
}

/** Frames that lie whole in bytes with CRs. Answers where the unfinished one begins. */
function wholeFrames(state: StreamState, bytes: Uint8Array, at: number, time: number, read: DataReader, frames: Frame[]): number {
  const text = decodeUtf8(bytes.subarray(at));
  const ascii = text.length === bytes.length - at;
  let from = at;
  for (;;) {
    resetBorderScan(state.border);
    const end = nextBorder(state.border, bytes, from);
    if (end < 0) return from;
    const frame = ascii ? text.slice(from - at, end - at) : decodeUtf8(bytes.subarray(from, end));
    if (isTooLarge(state, bytes, from, end)) reportTooLarge(state, frames, end - from, time, frame);
    else takeFrame(state, frame, end - from, state.border.sawCr, time, read, frames);
    from = end;
  }
}

const LINE_ENDINGS: readonly FrameFault[] = Object.freeze(['line-endings'] as const);

/** Judges one complete frame by its text; a frame without data only moves the offset. */
function takeFrame(state: StreamState, frame: string, length: number, cr: boolean, time: number, read: DataReader, frames: Frame[]): void {
  const data = read(withoutBom(state, frame));
  if (data === null) {
    state.offset += length;
    return;
  }
  const payload = readPayload(data);
  const faults = cr ? [...LINE_ENDINGS, ...payload.faults] : payload.faults;
  report(state, frames, length, time, payload.values, faults, payload.text);
}

/** A body may begin with one byte-order mark; anywhere else U+FEFF is text. */
function withoutBom(state: StreamState, text: string): string {
  return state.offset === 0 && text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;
}
