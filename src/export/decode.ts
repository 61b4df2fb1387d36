/** The events among the bytes of a connection, with the places they lie at: as a session decodes them, gaps included. */
import type { CaptureRecord, Carrier } from '../capture/types.ts';
import { type Coding, isFoundAgain, seekFrame } from '../session/resync.ts';
import { codecOf, createStream, type Frame, feed, finish, type StreamState } from '../stream/index.ts';

interface Conn {
  readonly carrier: Carrier | null;
  contentType: string;
  stream: StreamState | null;
  /** Where the stream's first byte lies among those of the connection. */
  base: number;
  taken: number;
  seeking: number | null;
  lost: boolean;
}

/** Plain data. */
export type Decoder = Map<number, Conn>;

export function createDecoder(): Decoder {
  return new Map();
}

/** The frames that a record completed, placed among the bytes of its connection. Never throws. */
export function decodeRecord(decoder: Decoder, record: CaptureRecord): Frame[] {
  let conn = decoder.get(record.conn);
  if (!conn) {
    const carrier = record.kind === 'request' ? record.carrier : null;
    conn = { carrier, contentType: '', stream: null, base: 0, taken: 0, seeking: null, lost: false };
    decoder.set(record.conn, conn);
  }
  if (record.kind === 'response') conn.contentType = record.response.contentType;
  else if (record.kind === 'chunk') return takeBytes(conn, record.bytes);
  else if (record.kind === 'gap') loseBytes(conn);
  else if (record.kind === 'end') return endConn(conn, record.end.how === 'complete');
  return [];
}

/** The frames of connections that were still open. */
export function endDecoder(decoder: Decoder): { conn: number; frames: Frame[] }[] {
  return [...decoder].map(([conn, state]) => ({ conn, frames: endConn(state, false) }));
}

function takeBytes(conn: Conn, bytes: Uint8Array): Frame[] {
  const from = conn.taken;
  conn.taken += bytes.length;
  if (conn.lost || bytes.length === 0) return [];
  let own = bytes;
  if (conn.seeking !== null) {
    const found = seekFrame(codingOf(conn), conn.seeking, bytes);
    conn.seeking = found.seeking;
    conn.base = from + found.skipped;
    own = bytes.subarray(found.skipped);
  }
  conn.stream ??= createStream({ codec: conn.carrier === 'eventsource' ? 'sse' : 'auto', contentType: conn.contentType });
  return placed(conn, feed(conn.stream, own, 0));
}

/** How a connection is coded, as far as its stream tells. */
export function codingOf({ stream, contentType }: { readonly stream: StreamState | null; readonly contentType: string }): Coding {
  return { codec: stream === null ? null : codecOf(stream), contentType };
}

function loseBytes(conn: Conn): void {
  const coding = codingOf(conn);
  const { codec } = coding;
  conn.lost ||= !isFoundAgain(coding);
  conn.seeking = 0;
  conn.base = conn.taken;
  conn.stream = codec === null ? null : createStream({ codec });
}

function endConn(conn: Conn, clean: boolean): Frame[] {
  if (conn.lost || conn.seeking !== null || !conn.stream) return [];
  conn.lost = true;
  return placed(conn, finish(conn.stream, 0, clean).frames);
}

function placed({ base }: Conn, frames: Frame[]): Frame[] {
  return base === 0 ? frames : frames.map((frame) => ({ ...frame, offset: frame.offset + base }));
}
