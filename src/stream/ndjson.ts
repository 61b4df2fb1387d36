/** NDJSON bodies, one JSON value a line; also JSON text sequences, whose lines begin with U+001E (RFC 7464). Blank lines carry nothing. */
import { LF } from './borders.ts';
import { isObject, parseJson, readPayload } from './payload.ts';
import { decodeUtf8, heldText, hold, isHolding, isTooLarge, NO_FAULTS, release, report, reportPassedOver, reportTooLarge, type StreamState } from './state.ts';
import type { Frame } from './types.ts';

/** Takes the next bytes; answers a frame a completed line. */
export function feedNdjson(state: StreamState, bytes: Uint8Array, time: number): Frame[] {
  const frames: Frame[] = [];
  let at = 0;
  if (isHolding(state)) {
    const end = bytes.indexOf(LF) + 1;
    hold(state, bytes, 0, end || bytes.length);
    if (end === 0) return frames;
    closeHeld(state, frames, time);
    at = end;
  }
  if (at < bytes.length) at = wholeLines(state, bytes, at, time, frames);
  if (at < bytes.length) hold(state, bytes, at, bytes.length);
  return frames;
}

/** Closes the body. A last line needs no line end; one that does not parse was cut. */
export function finishNdjson(state: StreamState): { frames: Frame[]; cut: boolean } {
  const frames: Frame[] = [];
  if (!isHolding(state)) return { frames, cut: false };
  if (state.head !== null) {
    reportPassedOver(state, frames, state.lastTime);
    return { frames, cut: true };
  }
  const text = cleanLine(state, heldText(state));
  const length = state.heldLength;
  release(state);
  const payload = readPayload(text);
  const cut = payload.faults.includes('frame-not-json');
  if (text.trim() === '') state.offset += length;
  else report(state, frames, length, state.lastTime, payload.values, cut ? ['unterminated-frame'] : payload.faults, payload.text);
  return { frames, cut: cut && text.trim() !== '' };
}

function closeHeld(state: StreamState, frames: Frame[], time: number): void {
  if (state.head !== null) {
    reportPassedOver(state, frames, time);
    return;
  }
  const text = heldText(state);
  const length = state.heldLength;
  release(state);
  takeLine(state, text, length, time, frames);
}

/** Lines that lie whole in the bytes, decoded at once. Answers where the unfinished one begins. */
function wholeLines(state: StreamState, bytes: Uint8Array, at: number, time: number, frames: Frame[]): number {
  const text = decodeUtf8(at === 0 ? bytes : bytes.subarray(at));
  const ascii = text.length === bytes.length - at;
  let from = 0;
  let byteFrom = at;
  for (let lf = text.indexOf('\n'); lf >= 0; lf = text.indexOf('\n', from)) {
    const byteEnd = ascii ? at + lf + 1 : bytes.indexOf(LF, byteFrom) + 1;
    const line = text.slice(from, lf + 1);
    if (isTooLarge(state, bytes, byteFrom, byteEnd)) reportTooLarge(state, frames, byteEnd - byteFrom, time, line);
    else takeLine(state, line, byteEnd - byteFrom, time, frames);
    from = lf + 1;
    byteFrom = byteEnd;
  }
  return byteFrom;
}

function takeLine(state: StreamState, raw: string, length: number, time: number, frames: Frame[]): void {
  const line = cleanLine(state, raw);
  const value = parseJson(line);
  if (isObject(value)) {
    report(state, frames, length, time, [value], NO_FAULTS);
    return;
  }
  if (line.trim() === '') {
    state.offset += length;
    return;
  }
  const payload = readPayload(line);
  report(state, frames, length, time, payload.values, payload.faults, payload.text);
}

/** Without a byte-order mark at the start of the body and the record separator of a JSON text sequence. */
function cleanLine(state: StreamState, line: string): string {
  const text = state.offset === 0 && line.charCodeAt(0) === 0xfeff ? line.slice(1) : line;
  return text.charCodeAt(0) === 0x1e ? text.slice(1) : text;
}
