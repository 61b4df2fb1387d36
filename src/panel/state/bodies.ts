/** Event bodies on demand: bytes of the rows that are looked at are read, decoded and kept a while. */
import { type Signal, signal } from '@preact/signals';
import type { ConnectionView } from '../../session/types.ts';
import type { Columns } from './columns.ts';
import { type Decoded, type DecodeFrame, frameDecoder, plainDecoder } from './decode.ts';

export interface Body {
  /** The decoded value; undefined when the frame did not parse. */
  readonly value: unknown;
  readonly raw: Uint8Array;
  readonly faults: Decoded['faults'];
  /** Why nothing could be read, else null. */
  readonly trouble: string | null;
}

export type ReadBytes = (conn: number, offset: number, length: number) => Promise<Uint8Array | null>;

export interface Bodies {
  /** Rises when something was read. */
  readonly version: Signal<number>;
  /** The body of a row if it is there; else it is fetched, and `version` rises. */
  readonly peek: (row: number) => Body | null;
  readonly load: (row: number) => Promise<Body>;
  readonly loadAll: (rows: readonly number[]) => Promise<Body[]>;
  readonly clear: () => void;
  /** Forgets what could not be read, so that it is tried again. */
  readonly retry: () => void;
}

export interface BodySource {
  readonly columns: () => Columns;
  readonly connection: (id: number) => ConnectionView | undefined;
  readonly read: ReadBytes;
  /** Bytes that are at hand without a read, else null. */
  readonly recent?: (conn: number, offset: number, length: number) => Uint8Array | null;
}

const KEPT = 4000;
/** Bytes of bodies kept. One oversized frame must not push all others out: the newest stays in any case. */
const KEPT_BYTES = 24 * 1024 * 1024;
const GAP = 16 * 1024;
const SLICE = 256 * 1024;

/** A frame over this many bytes is not read for a row: kept it would push out all others, not kept it would be read again at every look. */
const LARGEST = 4 * 1024 * 1024;

const GONE: Body = { value: undefined, raw: new Uint8Array(0), faults: [], trouble: 'The capture was cleared.' };

function tooLarge(bytes: number): Body {
  const size = `${(bytes / 1_000_000).toFixed(1)} MB`;
  return {
    value: undefined,
    raw: new Uint8Array(0),
    faults: [],
    trouble: `This frame has ${size}, too much to show here: Raw shows its beginning, Export writes it whole.`,
  };
}

interface Range {
  readonly conn: number;
  readonly from: number;
  to: number;
  readonly rows: number[];
}

/** Ranges of bytes that cover the rows, near ones together. */
export function rangesOf(columns: Columns, rows: readonly number[]): Range[] {
  const sorted = [...rows].sort((a, b) => columns.conn[a]! - columns.conn[b]! || columns.offset[a]! - columns.offset[b]!);
  const ranges: Range[] = [];
  for (const row of sorted) {
    const [conn, from] = [columns.conn[row]!, columns.offset[row]!];
    const to = from + columns.length[row]!;
    const range = ranges[ranges.length - 1];
    if (range && range.conn === conn && from - range.to < GAP && to - range.from < SLICE) {
      range.to = Math.max(range.to, to);
      range.rows.push(row);
    } else ranges.push({ conn, from, to, rows: [row] });
  }
  return ranges;
}

export function createBodies(source: BodySource, soon: (run: () => void) => void = queueMicrotask): Bodies {
  const version = signal(0);
  const kept = new Map<number, Body>();
  const asked = new Map<number, ((body: Body) => void)[]>();
  const queue = new Set<number>();
  let bytes = 0;
  let waiting = false;
  let life = 0;

  const keep = (row: number, body: Body) => {
    const before = kept.get(row);
    if (before) bytes -= before.raw.length;
    kept.delete(row);
    kept.set(row, body);
    bytes += body.raw.length;
    for (const [old, one] of kept) {
      if ((kept.size <= KEPT && bytes <= KEPT_BYTES) || kept.size === 1) break;
      kept.delete(old);
      bytes -= one.raw.length;
    }
  };
  const settle = (row: number, body: Body) => {
    keep(row, body);
    for (const answer of asked.get(row) ?? []) answer(body);
    asked.delete(row);
  };
  const decoded = (row: number, raw: Uint8Array, decode: DecodeFrame): Body => {
    const { values, faults } = decode(raw);
    return { value: values[source.columns().part[row]!], raw, faults, trouble: null };
  };
  /** A row's body from the bytes at hand, if they and a decoder are. */
  const fromRecent = (row: number): Body | null => {
    const { count, conn, offset, length } = source.columns();
    const found = row < count ? source.recent?.(conn[row]!, offset[row]!, length[row]!) : null;
    const decode = found && plainDecoder(source.connection(conn[row]!)?.codec ?? 'sse');
    if (!found || !decode) return null;
    const body = decoded(row, found.slice(), decode);
    settle(row, body);
    return body;
  };
  const readRange = async (range: Range, mine: number) => {
    const columns = source.columns();
    let all: Uint8Array | null = null;
    let decode: DecodeFrame | null = null;
    let trouble = 'These bytes are not in the journal.';
    try {
      all = await source.read(range.conn, range.from, range.to - range.from);
      if (all) decode = await frameDecoder(source.connection(range.conn)?.codec ?? 'sse');
    } catch (error) {
      trouble = error instanceof Error ? error.message : String(error);
    }
    if (mine !== life) return;
    for (const row of range.rows) {
      const start = columns.offset[row]! - range.from;
      const raw = all ? all.slice(start, start + columns.length[row]!) : new Uint8Array(0);
      settle(row, decode ? decoded(row, raw, decode) : { value: undefined, raw, faults: [], trouble });
    }
    version.value++;
  };
  const flush = () => {
    waiting = false;
    const rows = [...queue];
    queue.clear();
    for (const range of rangesOf(source.columns(), rows)) void readRange(range, life);
  };
  const ask = (row: number, answer?: (body: Body) => void) => {
    const there = asked.get(row);
    if (there) {
      if (answer) there.push(answer);
      return;
    }
    asked.set(row, answer ? [answer] : []);
    queue.add(row);
    if (waiting) return;
    waiting = true;
    soon(flush);
  };
  const load = (row: number) =>
    new Promise<Body>((resolve) => {
      const body = kept.get(row) ?? fromRecent(row);
      if (body) resolve(body);
      else ask(row, resolve);
    });

  return {
    version,
    peek: (row) => {
      const body = kept.get(row);
      const length = source.columns().length[row] ?? 0;
      if (length > LARGEST) return tooLarge(length);
      const there = body ?? fromRecent(row);
      if (!there) ask(row);
      return there;
    },
    load,
    loadAll: (rows) => Promise.all(rows.map(load)),
    retry: () => {
      for (const [row, body] of kept) if (body.trouble !== null) kept.delete(row);
      version.value++;
    },
    clear: () => {
      life++;
      kept.clear();
      for (const answers of asked.values()) for (const answer of answers) answer(GONE);
      asked.clear();
      queue.clear();
      bytes = 0;
    },
  };
}
