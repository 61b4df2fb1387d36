/** The state of a session: plain, structured-cloneable data, so that it can be saved as a checkpoint and resumed. */
import type { Carrier, DocumentInfo, EndRecord, Gap, RecordedFinding, ReplayRecord, RequestBody, RequestRecord, ResponseRecord } from '../capture/types.ts';
import type { CheckerState } from '../checker/state.ts';
import type { Severity, ThreadMemory } from '../checker/types.ts';
import type { Model, RunNumbers } from '../runs/index.ts';
import { createModel } from '../runs/index.ts';
import type { FindingView } from '../runs/types.ts';
import type { StreamState } from '../stream/index.ts';
import type { Frame } from '../stream/types.ts';
import { type Columns, createColumns, type RowList } from './columns.ts';
import type { ConnectionView, Recognised } from './types.ts';

export interface SessionOptions {
  /** Rule id → on or off, over the catalogue's default. */
  readonly rules?: Readonly<Record<string, boolean>>;
  /** Frames over it are not decoded: characters of text, bytes of protobuf. At most, and by default, the stream's own limit. */
  readonly maxFrame?: number;
}

export interface Session {
  readonly options: SessionOptions;
  readonly threads: ThreadMemory;
  readonly conns: Map<number, ConnState>;
  /** Connections with a living checker: those the clock concerns. */
  readonly judged: Set<number>;
  readonly rows: Columns;
  readonly model: Model;
  readonly findings: FindingView[];
  readonly counts: Record<Severity, number>;
  readonly changed: { readonly conns: Set<number>; readonly findings: Set<number>; readonly marked: Set<number> };
  /** What `takeChanges` has handed out already. */
  readonly taken: { rows: number; ticks: number };
  /** Bytes of all connections. */
  bytes: number;
  /** Records folded so far, and those among them that concerned no known or an ended connection. */
  records: number;
  ignored: number;
  /** Frames that `maxFrame` left out though the reference client would have read them. */
  leftOut: number;
}

export interface ConnState {
  readonly id: number;
  readonly carrier: Carrier;
  readonly document: DocumentInfo | null;
  request: RequestRecord;
  response: ResponseRecord | null;
  end: EndRecord | null;
  bytes: number;
  chunks: number;
  readonly gaps: Gap[];
  replay: ReplayRecord | null;
  recognised: Recognised;
  /** Recognition is over: by content, or given up at a cap. */
  settled: boolean;
  codec: ConnectionView['codec'];
  events: number;
  frames: number;
  /** Its own last row, -1 for none. */
  lastRow: number;
  stopsAtRow: number | null;
  referenceStopsAtRow: number | null;
  failure: string | null;
  /** Kept until the checker has had it. */
  body: RequestBody | null;
  requestRunId: string | null;
  /** Interrupts that its requests answer. */
  resumes: NonNullable<ConnectionView['resumes']>;
  /** Session ids of its runs. */
  readonly runs: number[];
  segment: Segment | null;
  /** Of a redacted capture: rules that are not judged, and the findings in their stead that are still to come, the next one last. */
  recorded: { readonly rules: readonly string[]; readonly waiting: RecordedFinding[] } | null;
}

/**
 * An unbroken stretch of one connection's bytes. A gap ends a segment: what follows is decoded from the next frame border on and
 * judged by a fresh checker that knows it has not seen the beginning, so that no finding is made of what we lost ourselves.
 */
export interface Segment {
  stream: StreamState;
  /** Null until the connection is recognised as AG-UI. */
  checker: CheckerState | null;
  readonly fromStart: boolean;
  /** What the connection had before this segment: added to the segment's own positions. */
  readonly baseEvents: number;
  readonly baseFrames: number;
  baseBytes: number;
  /** Newlines seen in a row while looking for a frame border; null when in step. */
  seeking: number | null;
  /** Position in the segment → session row. */
  readonly rows: RowList;
  readonly numbers: RunNumbers;
  /** Finding id of the checker (index) → session finding id. */
  readonly findings: number[];
  /** Frames that wait for recognition. */
  held: HeldFrame[];
  heldBytes: number;
}

export interface HeldFrame {
  readonly frame: Frame;
  readonly asked: number;
}

/** An empty session. */
export function createSession(options: SessionOptions = {}): Session {
  return {
    options,
    threads: {},
    conns: new Map(),
    judged: new Set(),
    rows: createColumns(),
    model: createModel(),
    findings: [],
    counts: { violation: 0, deviation: 0, advice: 0 },
    changed: { conns: new Set(), findings: new Set(), marked: new Set() },
    taken: { rows: 0, ticks: 0 },
    bytes: 0,
    records: 0,
    ignored: 0,
    leftOut: 0,
  };
}
