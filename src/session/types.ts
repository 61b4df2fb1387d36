/** A session is all that was captured in one tab (or one imported file). `session/` folds capture records into rows, runs, spans and findings. */
import type { Connection, RequestRecord } from '../capture/types.ts';
import type { FindingView, RunView, SpanView, TickView } from '../runs/types.ts';

/** What kind of stream a connection carries: AG-UI, a named other protocol (never judged), or not yet known. */
export type Recognised = { readonly as: 'ag-ui' } | { readonly as: 'foreign'; readonly name: string } | { readonly as: 'unknown' };

export interface ConnectionView extends Omit<Connection, 'request'> {
  /** The request without its body text; the panel reads the body from the journal. */
  readonly request: RequestRecord | null;
  readonly recognised: Recognised;
  readonly codec: 'sse' | 'ndjson' | 'json' | 'proto' | null;
  readonly events: number;
  /** Row of "a conforming client stops here" and, where it differs, of "@ag-ui/client stops here". */
  readonly stopsAtRow: number | null;
  readonly referenceStopsAtRow: number | null;
  /** Interrupts that its requests answer, as sent in `resume`. */
  readonly resumes?: readonly { readonly interruptId: string; readonly status: string | null }[] | undefined;
  /** A failed exchange (HTTP error, network error, no stream): one sentence, else null. */
  readonly failure: string | null;
}

/** Rows are columns: one entry a decoded event or bad frame, numbered from 0 per session in order of arrival. All arrays have `count` entries. */
export interface Rows {
  readonly from: number;
  readonly count: number;
  /** ms since the epoch. */
  readonly time: Float64Array;
  /** Index into EVENT_TYPES, TYPE_UNKNOWN or TYPE_BAD_FRAME. */
  readonly type: Uint8Array;
  readonly conn: Uint32Array;
  /** Position among the connection's decoded events (for a bad frame: events before it). */
  readonly at: Uint32Array;
  readonly frame: Uint32Array;
  /** Index of the value inside its frame. */
  readonly part: Uint8Array;
  /** Session run id and span id, -1 for none. */
  readonly run: Int32Array;
  readonly span: Int32Array;
  /** The frame's bytes in the connection's byte stream. */
  readonly offset: Float64Array;
  readonly length: Uint32Array;
  /** ROW_* bits. */
  readonly flags: Uint8Array;
}

export const ROW_STRAY = 1;
export const ROW_HAS_FINDING = 2;

/** What changed since the last call: whole records of what is new or different. */
export interface SessionChanges {
  readonly connections: readonly ConnectionView[];
  readonly runs: readonly RunView[];
  readonly spans: readonly SpanView[];
  readonly ticks: readonly TickView[];
  readonly findings: readonly FindingView[];
  /** New rows, or null: views of the session's columns. */
  readonly rows: Rows | null;
  /** Rows of before whose ROW_HAS_FINDING bit came up since. */
  readonly marked: readonly number[];
}
/*
 * session/index.ts exports:
 *   createSession(options): Session             // plain, structured-cloneable
 *   addRecord(session, record: CaptureRecord): void      // never throws
 *   tickSession(session, now): void
 *   takeChanges(session): SessionChanges        // and forgets them
 *   everything(session): SessionChanges         // for a panel that just opened
 */
