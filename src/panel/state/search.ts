/** Looks for a text in the payloads, in slices that leave the frame loop alone. Bytes are compared, so that a hit's place names its row. */
import { type Signal, signal } from '@preact/signals';
import type { Columns } from './columns.ts';

export interface Search {
  readonly text: string;
  /** One bit a row: the payload holds the text. */
  hits: Uint8Array;
  /** Rows looked at, and rows that hold the text. */
  readonly scanned: Signal<number>;
  readonly found: Signal<number>;
  readonly running: Signal<boolean>;
  /** True when the reader stopped it: what was found stays. */
  readonly halted: Signal<boolean>;
  readonly halt: () => void;
  stopped: boolean;
}

export type ReadBytes = (conn: number, offset: number, length: number) => Promise<Uint8Array | null>;

const SLICE = 256 * 1024;
const latin = new TextDecoder('latin1');
const utf8 = new TextEncoder();

export function createSearch(text: string): Search {
  const halted = signal(false);
  const search: Search = {
    text,
    hits: new Uint8Array(0),
    scanned: signal(0),
    found: signal(0),
    running: signal(false),
    halted,
    halt: () => {
      halted.value = true;
    },
    stopped: false,
  };
  return search;
}

/** The spellings under which a text may stand in JSON bytes, each as one character a byte, in lower case. */
function spellings(text: string): string[] {
  const inner = JSON.stringify(text).slice(1, -1);
  const escaped = inner.replace(/[\u0080-\uffff]/g, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`);
  const variants = [inner, inner.toLowerCase(), inner.toUpperCase(), escaped];
  return [...new Set(variants.map((one) => latin.decode(utf8.encode(one)).toLowerCase()))];
}

function mark(search: Search, columns: Columns, rows: readonly number[], base: number, bytes: Uint8Array, needles: readonly string[]): number {
  const text = latin.decode(bytes).toLowerCase();
  let found = 0;
  for (const needle of needles) {
    let row = 0;
    for (let at = text.indexOf(needle); at >= 0; at = text.indexOf(needle, at + 1)) {
      const place = base + at;
      while (row < rows.length && columns.offset[rows[row]!]! + columns.length[rows[row]!]! <= place) row++;
      // several events of one frame share its bytes: all of them are shown
      for (let next = row; next < rows.length && columns.offset[rows[next]!]! <= place; next++) {
        if (search.hits[rows[next]!] === 0) found++;
        search.hits[rows[next]!] = 1;
      }
      if (row >= rows.length) break;
      const jump = columns.offset[rows[row]!]! + columns.length[rows[row]!]! - base - 1;
      if (jump > at) at = jump;
    }
  }
  return found;
}

/** Consecutive rows of one connection whose bytes make one slice. */
function* slices(columns: Columns, from: number, to: number): Generator<{ readonly conn: number; readonly rows: number[] }> {
  const open = new Map<number, number[]>();
  const size = (rows: readonly number[], row: number) => columns.offset[row]! + columns.length[row]! - columns.offset[rows[0]!]!;
  for (let row = from; row < to; row++) {
    const conn = columns.conn[row]!;
    const rows = open.get(conn);
    if (!rows) open.set(conn, [row]);
    else if (size(rows, row) > SLICE) {
      yield { conn, rows };
      open.set(conn, [row]);
    } else rows.push(row);
  }
  for (const [conn, rows] of open) yield { conn, rows };
}

const breath = () => new Promise<void>((resolve) => setTimeout(resolve));

/** Between two calls of `wake`: each has the list made anew, ms. */
const WAKE = 300;

/** Scans the rows that were not looked at yet; `wake` is called now and then when something was found, and at the end. */
export async function runSearch(search: Search, columns: Columns, read: ReadBytes, wake: () => void): Promise<void> {
  if (search.running.peek() || search.stopped || search.halted.peek()) return;
  search.running.value = true;
  const needles = spellings(search.text.trim());
  let [woken, fresh] = [performance.now(), false];
  const ended = () => search.stopped || search.halted.peek();
  while (!ended() && search.scanned.peek() < columns.count) {
    const [from, to] = [search.scanned.peek(), columns.count];
    if (search.hits.length < to) {
      const hits = new Uint8Array(Math.max(to, search.hits.length * 2));
      hits.set(search.hits);
      search.hits = hits;
    }
    let seen = from;
    for (const { conn, rows } of slices(columns, from, to)) {
      if (ended()) break;
      const base = columns.offset[rows[0]!]!;
      const lastRow = rows[rows.length - 1]!;
      const bytes = await read(conn, base, columns.offset[lastRow]! + columns.length[lastRow]! - base).catch(() => null);
      const found = bytes ? mark(search, columns, rows, base, bytes, needles) : 0;
      seen += rows.length;
      search.scanned.value = Math.min(seen, to);
      if (found > 0) {
        search.found.value += found;
        fresh = true;
      }
      if (fresh && performance.now() - woken > WAKE) {
        wake();
        [woken, fresh] = [performance.now(), false];
      }
      await breath();
    }
    if (!ended()) search.scanned.value = to;
  }
  search.running.value = false;
  if (fresh && !search.stopped) wake();
}
