/** The last thing before the reader: bytes and when they are due, in pieces, late, slowly, up to some byte, in the order they came. */
import type { Act, ActEnd } from './types.ts';

/** What a change does to all bytes behind it. */
export type Turn =
  | { readonly kind: 'later'; readonly ms: number }
  | { readonly kind: 'rate'; readonly bytesPerSecond: number }
  | { readonly kind: 'end'; readonly how: ActEnd };

/** A turn that is taken once this many bytes have gone. */
export interface ByteTurn {
  readonly byte: number;
  readonly change: number;
  readonly turn: Turn;
}

export interface Pieces {
  readonly every: number;
  readonly pause: number;
}

/** Pieces a second at a slow rate, and the most pieces that one chunk is cut into by a rate. */
const PIECES_A_SECOND = 10;
const MOST_PIECES = 10_000;
/** Pieces of `split` in a whole answer; what comes behind them goes whole. */
const MOST_SPLITS = 1_000_000;

export interface Outlet {
  acts: Act[];
  /** Bytes sent. */
  sent: number;
  ended: boolean;
  /** The plan has ended it. */
  isCut: boolean;
  late: number;
  /** When the last act was due. */
  last: number;
  rate: number;
  readonly turns: ByteTurn[];
  readonly splits: readonly Pieces[];
  pieces: number;
  /** The next bytes are a chunk of their own. */
  seam: boolean;
  /** Changes whose byte was reached. */
  readonly taken: Set<number>;
}

export function createOutlet(turns: readonly ByteTurn[], splits: readonly Pieces[]): Outlet {
  const sorted = [...turns].sort((a, b) => a.byte - b.byte);
  const start = { acts: [], sent: 0, ended: false, isCut: false, late: 0, last: 0, rate: Number.POSITIVE_INFINITY, pieces: 0, seam: false };
  return { ...start, turns: sorted, splits, taken: new Set() };
}

/** The acts since the last call. */
export function takeActs(outlet: Outlet): Act[] {
  const { acts } = outlet;
  outlet.acts = [];
  return acts;
}

/** When something that is meant for `time` (ms since the request) is due. */
function due(outlet: Outlet, time: number): number {
  outlet.last = Math.max(outlet.last, time + outlet.late);
  return outlet.last;
}

/** Sends the head and takes the turns that come before the first byte. */
export function sendHead(outlet: Outlet, head: Extract<Act, { kind: 'head' }>): void {
  outlet.acts.push({ ...head, after: due(outlet, head.after) });
  reach(outlet, head.after);
}

export function turn(outlet: Outlet, what: Turn, time: number): void {
  if (outlet.ended) return;
  if (what.kind === 'later') outlet.late += what.ms;
  else if (what.kind === 'rate') outlet.rate = what.bytesPerSecond;
  else {
    outlet.isCut = true;
    sendEnd(outlet, what.how, time);
  }
}

export function sendEnd(outlet: Outlet, how: ActEnd, time: number): void {
  if (outlet.ended) return;
  outlet.ended = true;
  outlet.acts.push({ kind: 'end', after: due(outlet, time), how });
}

/** Sends bytes, cut where a turn or a piece ends. */
export function send(outlet: Outlet, bytes: Uint8Array, time: number): void {
  let from = 0;
  while (from < bytes.length && !outlet.ended) {
    const length = Math.min(bytes.length - from, untilBorder(outlet));
    pass(outlet, bytes.subarray(from, from + length), time);
    from += length;
    for (const { every, pause } of outlet.splits) if (outlet.sent % every === 0) outlet.late += pause;
    reach(outlet, time);
  }
}

function untilBorder({ sent, turns, splits, pieces }: Outlet): number {
  const next = turns[0] === undefined ? Number.POSITIVE_INFINITY : turns[0].byte - sent;
  return pieces > MOST_SPLITS ? next : splits.reduce((least, { every }) => Math.min(least, every - (sent % every)), next);
}

function reach(outlet: Outlet, time: number): void {
  while (outlet.turns[0] && outlet.turns[0].byte <= outlet.sent && !outlet.ended) {
    const { change, turn: what } = outlet.turns.shift()!;
    outlet.taken.add(change);
    turn(outlet, what, time);
  }
}

function pass(outlet: Outlet, bytes: Uint8Array, time: number): void {
  outlet.sent += bytes.length;
  outlet.pieces++;
  const at = due(outlet, time);
  if (outlet.rate === Number.POSITIVE_INFINITY) {
    push(outlet, bytes, at);
    return;
  }
  const size = Math.max(1, Math.round(outlet.rate / PIECES_A_SECOND), Math.ceil(bytes.length / MOST_PIECES));
  for (let from = 0; from < bytes.length; from += size) {
    const piece = bytes.subarray(from, from + size);
    // the line is busy until then
    outlet.last += (piece.length * 1000) / outlet.rate;
    push(outlet, piece, outlet.last);
  }
}

/** Bytes that were one chunk before and are due at one time stay one chunk. */
function push(outlet: Outlet, bytes: Uint8Array, after: number): void {
  const before = outlet.acts.at(-1);
  const { rate, splits } = outlet;
  const isWhole = rate === Number.POSITIVE_INFINITY && splits.length === 0 && !outlet.seam;
  outlet.seam = false;
  if (isWhole && before?.kind === 'bytes' && before.after === after && isNext(before.bytes, bytes)) {
    const { buffer, byteOffset, length } = before.bytes;
    outlet.acts[outlet.acts.length - 1] = { ...before, bytes: new Uint8Array(buffer, byteOffset, length + bytes.length) };
  } else outlet.acts.push({ kind: 'bytes', after, bytes });
}

function isNext(before: Uint8Array, bytes: Uint8Array): boolean {
  return before.buffer === bytes.buffer && before.byteOffset + before.length === bytes.byteOffset;
}
