/**
 * Redaction of a capture by allow-list: what is known to be structure stays, everything else becomes stand-ins of the same size. Bytes
 * are read frame by frame and written in the same framing, so that chunks keep their sizes and times, and events their order and number.
 */
import type { CaptureRecord, Carrier } from '../capture/types.ts';
import { isFoundAgain, seekFrame } from '../session/resync.ts';
import { codecOf, createStream, type Frame, feed, finish, type StreamState } from '../stream/index.ts';
import { dataReader } from '../stream/sse.ts';
import { codingOf } from './decode.ts';
import { contentRules } from './redact-findings.ts';
import { blind, redactBetween, redactFrame } from './redact-frames.ts';
import { type Group, groupsOf, maskOf } from './redact-groups.ts';
import { createPolicies } from './redact-policy.ts';
import { type RecordWriter, redactRecord } from './redact-records.ts';
import { createStandIns } from './redact-stand-ins.ts';
import { RESERVED } from './redact-words.ts';

export interface RedactOptions {
  readonly groups: ReadonlySet<Group> | 'all';
  /**
   * Random text that does not leave with the file. Stand-ins are made from it and the text they replace: without it, anyone who guesses a
   * text can see whether the guess is right.
   */
  readonly salt?: string;
}

/** What was done, for the file's header. */
export interface RedactionSummary {
  readonly groups: readonly Group[];
  /** Rules whose findings depend on redacted content: a reader takes them from the file as recorded and does not judge them again. */
  readonly rules: readonly string[];
  readonly strings: number;
  readonly keys: number;
  readonly numbers: number;
  readonly literals: number;
  /** Bytes that were in no frame that could be read, and became filling. */
  readonly blindBytes: number;
  /** Frames that could not be kept at their size. */
  readonly resizedFrames: number;
}

interface Piece {
  readonly from: number;
  readonly to: number;
  readonly bytes: Uint8Array;
}

interface Conn {
  readonly carrier: Carrier | null;
  contentType: string;
  stream: StreamState | null;
  /** Where the stream's first byte lies among the bytes of the connection. */
  base: number;
  /** Bytes taken, bytes redacted. */
  taken: number;
  done: number;
  held: Uint8Array[];
  readonly pieces: Piece[];
  /** After lost bytes: line ends in a row while the next frame is sought; null otherwise. */
  seeking: number | null;
  lost: boolean;
}

type Waiting =
  | { readonly record: CaptureRecord }
  | { readonly record: Extract<CaptureRecord, { kind: 'chunk' }>; readonly conn: Conn; readonly from: number; readonly to: number };

export interface Redactor extends RecordWriter {
  readonly conns: Map<number, Conn>;
  /** Records in their order; those behind a chunk whose last frame is still to be completed wait for it. */
  readonly waiting: Waiting[];
  blindBytes: number;
  resizedFrames: number;
}

export function createRedactor({ groups, salt = '' }: RedactOptions): Redactor {
  const on = maskOf(groups);
  const standIns = createStandIns(salt, RESERVED);
  const own = { conns: new Map(), waiting: [], blindBytes: 0, resizedFrames: 0 };
  return { on, standIns, policies: createPolicies(standIns, on), read: dataReader(), ...own };
}

/** The records redacted, in their order, lazily. Never throws on any record. */
export function* redact(records: Iterable<CaptureRecord>, options: RedactOptions): Generator<CaptureRecord> {
  const redactor = createRedactor(options);
  for (const record of records) yield* addRecord(redactor, record);
  yield* endRedaction(redactor);
}

/** Takes the next record; answers those that are ready. */
export function addRecord(redactor: Redactor, record: CaptureRecord): CaptureRecord[] {
  if (redactor.on === 0) return [record];
  const conn = connOf(redactor, record);
  if (record.kind === 'chunk') {
    const from = conn.taken;
    takeBytes(redactor, conn, record.bytes);
    redactor.waiting.push({ record, conn, from, to: conn.taken });
  } else {
    if (record.kind === 'response') conn.contentType = record.response.contentType;
    else if (record.kind === 'gap') loseBytes(redactor, conn);
    else if (record.kind === 'end') finishConn(redactor, conn, record.end.how === 'complete');
    redactor.waiting.push({ record: redactRecord(redactor, record) });
  }
  return ready(redactor);
}

/** There are no more records; answers those that waited. */
export function endRedaction(redactor: Redactor): CaptureRecord[] {
  for (const conn of redactor.conns.values()) finishConn(redactor, conn, false);
  return ready(redactor);
}

export function summaryOf({ on, standIns, blindBytes, resizedFrames }: Redactor): RedactionSummary {
  return { groups: groupsOf(on), rules: contentRules(on), ...standIns.counts, blindBytes, resizedFrames };
}

function connOf(redactor: Redactor, record: CaptureRecord): Conn {
  const known = redactor.conns.get(record.conn);
  if (known) return known;
  const carrier = record.kind === 'request' ? record.carrier : null;
  const conn: Conn = { carrier, contentType: '', stream: null, base: 0, taken: 0, done: 0, held: [], pieces: [], seeking: null, lost: false };
  redactor.conns.set(record.conn, conn);
  return conn;
}

function takeBytes(redactor: Redactor, conn: Conn, bytes: Uint8Array): void {
  const from = conn.taken;
  conn.taken += bytes.length;
  if (bytes.length === 0) return;
  conn.held.push(bytes);
  let own = bytes;
  if (conn.seeking !== null) {
    const found = seekFrame(codingOf(conn), conn.seeking, bytes);
    conn.seeking = found.seeking;
    fill(redactor, conn, from + found.skipped);
    conn.base = from + found.skipped;
    own = bytes.subarray(found.skipped);
  }
  if (conn.lost) {
    fill(redactor, conn, conn.taken);
    return;
  }
  conn.stream ??= createStream({ codec: conn.carrier === 'eventsource' ? 'sse' : 'auto', contentType: conn.contentType });
  takeFrames(redactor, conn, conn.stream, feed(conn.stream, own, 0));
  between(redactor, conn, conn.stream, conn.base + conn.stream.offset);
  if (conn.stream.stopped) {
    conn.lost = true;
    fill(redactor, conn, conn.taken);
  }
}

function takeFrames(redactor: Redactor, conn: Conn, stream: StreamState, frames: readonly Frame[]): void {
  for (const frame of frames) {
    const from = conn.base + frame.offset;
    between(redactor, conn, stream, from);
    const bytes = redactFrame(redactor, codecOf(stream), take(conn, from + frame.length), frame);
    if (bytes.length !== frame.length) redactor.resizedFrames++;
    put(conn, from + frame.length, bytes);
  }
}

/** Redacts what lies before `to` and in no frame. */
function between(redactor: Redactor, conn: Conn, stream: StreamState, to: number): void {
  const codec = codecOf(stream);
  if (codec === 'proto') fill(redactor, conn, to);
  else if (to > conn.done) put(conn, to, redactBetween(redactor, codec, take(conn, to)));
}

/** Overwrites what lies before `to`. */
function fill(redactor: Redactor, conn: Conn, to: number): void {
  if (to <= conn.done) return;
  redactor.blindBytes += to - conn.done;
  put(conn, to, blind(take(conn, to)));
}

/** The bytes not yet redacted up to `to`; they are forgotten here. */
function take(conn: Conn, to: number): Uint8Array {
  const length = to - conn.done;
  const all = conn.held.length === 1 ? conn.held[0]! : joined(conn.held);
  conn.held = all.length > length ? [all.subarray(length)] : [];
  return all.subarray(0, length);
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  const all = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

function put(conn: Conn, to: number, bytes: Uint8Array): void {
  conn.pieces.push({ from: conn.done, to, bytes });
  conn.done = to;
}

/** After lost bytes the next frame is found by its line ends, where the codec has any. */
function loseBytes(redactor: Redactor, conn: Conn): void {
  fill(redactor, conn, conn.taken);
  const coding = codingOf(conn);
  const { codec } = coding;
  conn.lost ||= !isFoundAgain(coding);
  conn.seeking = 0;
  conn.base = conn.taken;
  conn.stream = codec === null ? null : createStream({ codec });
}

function finishConn(redactor: Redactor, conn: Conn, clean: boolean): void {
  const { stream } = conn;
  if (stream && !conn.lost && conn.seeking === null) {
    takeFrames(redactor, conn, stream, finish(stream, 0, clean).frames);
    between(redactor, conn, stream, conn.taken);
  }
  fill(redactor, conn, conn.taken);
  conn.lost = true;
}

/** Takes the records off the front of the queue whose bytes are all redacted. */
function ready({ waiting }: Redactor): CaptureRecord[] {
  const out: CaptureRecord[] = [];
  for (const next of waiting) {
    if (!('conn' in next)) out.push(next.record);
    else if (next.conn.done < next.to) break;
    else
      out.push({ kind: 'chunk', conn: next.record.conn, asked: next.record.asked, came: next.record.came, bytes: cut(next.conn.pieces, next.from, next.to) });
  }
  waiting.splice(0, out.length);
  return out;
}

/** The redacted bytes of [from, to). Of a piece that changed its size, the chunk with its end has what is left of it. */
function cut(pieces: Piece[], from: number, to: number): Uint8Array {
  const parts: Uint8Array[] = [];
  let used = 0;
  for (const piece of pieces) {
    if (piece.from >= to) break;
    const start = Math.min(Math.max(0, from - piece.from), piece.bytes.length);
    parts.push(piece.to <= to ? piece.bytes.subarray(start) : piece.bytes.subarray(start, Math.min(to - piece.from, piece.bytes.length)));
    if (piece.to <= to) used++;
  }
  pieces.splice(0, used);
  return joined(parts);
}
