/**
 * Capture records in, verdicts out: one fold a connection, nothing kept but the checker's state and what it found. The panel's
 * session keeps rows and spans besides; a terminal needs none of them.
 */
import { isReplayed, replayNote } from '../capture/replay-note.ts';
import type { CaptureRecord, RecordedFinding, RequestBody } from '../capture/types.ts';
import { orderFindings } from '../checker/catalogue.ts';
import { check, createChecker, findingsOf, referenceStopsAt, runsOf, stopsAt } from '../checker/index.ts';
import { takeAsReplayed } from '../checker/replayed.ts';
import type { CheckerState } from '../checker/state.ts';
import type { CheckerInput, Finding, RunVerdict, StreamEnd, ThreadMemory } from '../checker/types.ts';
import { foreignName } from '../protocol/foreign.ts';
import { recognise } from '../protocol/recognise.ts';
import { STREAM_ENDS } from '../session/ends.ts';
import { createStream, type Frame, feed, finish, parseJson, type StreamState } from '../stream/index.ts';

export interface CheckOptions {
  /** Rule id → on or off. */
  readonly rules?: Readonly<Record<string, boolean>>;
  /** The run input, for connections that captured none. */
  readonly request?: unknown;
  /** How a stream ended that does not say so itself. Default `closed`. */
  readonly end?: StreamEnd;
  /** True for files that were named to be checked: anything but a known other protocol is judged. */
  readonly lenient?: boolean;
  /** True where the file holds events and no framing (JSON lines, arrays): no transport findings. */
  readonly framingHidden?: boolean;
}

export interface CheckedConnection {
  readonly conn: number;
  readonly url: string;
  readonly end: StreamEnd;
  readonly events: number;
  readonly findings: readonly Finding[];
  readonly runs: readonly RunVerdict[];
  readonly stopsAt: number | null;
  readonly referenceStopsAt: number | null;
  /** Another protocol's name; such a connection is not judged. */
  readonly foreign: string | null;
  /** What else there is to know, in sentences. */
  readonly notes: readonly string[];
}

interface ConnFold {
  readonly conn: number;
  url: string;
  time: number;
  framingHidden: boolean;
  /** It may carry the answers to several requests, so no request is its own. */
  isSocket: boolean;
  body: RequestBody | null;
  status: number | null;
  contentType: string;
  stream: StreamState | null;
  checker: CheckerState | null;
  /** The answer was recorded for another request. */
  replayed: boolean;
  /** Inputs and values until the connection is recognised. */
  held: CheckerInput[];
  values: unknown[];
  texts: string[];
  recognised: boolean;
  foreign: string | null;
  /** Nothing more is judged: another protocol, or bytes were lost. */
  closed: boolean;
  end: StreamEnd | null;
  events: number;
  notes: string[];
  /** Of a redacted capture: rules that are not judged, and the findings in their stead that are still to come. */
  rules: readonly string[];
  recorded: RecordedFinding[];
}

export interface Fold {
  readonly options: CheckOptions;
  readonly threads: ThreadMemory;
  readonly conns: Map<number, ConnFold>;
}

/** Inputs held of a connection that tells nothing; then it is settled as it stands. */
const MOST_HELD = 256;

export function createFold(options: CheckOptions = {}): Fold {
  return { options, threads: {}, conns: new Map() };
}

/** All in one go. */
export function checkRecords(records: Iterable<CaptureRecord>, options: CheckOptions = {}): CheckedConnection[] {
  const fold = createFold(options);
  for (const record of records) foldRecord(fold, record);
  return endFold(fold);
}

export function foldRecord(fold: Fold, record: CaptureRecord): void {
  const conn = connOf(fold, record.conn);
  if (record.kind === 'request') {
    conn.url = record.request.url;
    conn.time = record.request.time;
    conn.body = record.request.body ?? conn.body;
    conn.framingHidden ||= record.carrier === 'eventsource' || record.carrier === 'websocket';
    conn.isSocket = record.carrier === 'websocket';
  } else if (record.kind === 'body') conn.body = record.body;
  else if (record.kind === 'response') {
    conn.status = record.response.status;
    conn.contentType = record.response.contentType;
    conn.time = record.response.time;
  } else if (record.kind === 'chunk') {
    if (conn.closed) return;
    conn.stream ??= createStream({ codec: conn.framingHidden && !conn.isSocket ? 'sse' : 'auto', contentType: conn.contentType });
    for (const frame of feed(conn.stream, record.bytes, record.came)) foldFrame(fold, conn, frame, record.asked);
  } else if (record.kind === 'findings') {
    conn.rules = record.rules;
    if (record.rules.length > 0) conn.notes.push(`This stream is redacted: findings of ${record.rules.length} rules are as they were recorded.`);
    conn.recorded = [...record.findings].sort((a, b) => a.at - b.at);
    if (record.protocol !== undefined) {
      conn.foreign = foreignName(record.protocol);
      conn.recognised = true;
      conn.closed = true;
    }
  } else if (record.kind === 'replay') {
    conn.notes.push(replayNote(record.replay));
    conn.replayed = isReplayed(record.replay);
    if (conn.checker && conn.replayed) takeAsReplayed(conn.checker);
  } else if (record.kind === 'gap') loseSight(fold, conn, record.gap.bytes, record.gap.why, record.gap.time);
  else endConnection(fold, conn, STREAM_ENDS[record.end.how], record.end.time);
}

/** Makes a connection that records need not announce, so that one without events is told too. */
export function addConnection(fold: Fold, id: number): void {
  connOf(fold, id);
}

/** One decoded value of a file of events. */
export function foldValue(fold: Fold, id: number, value: unknown, frame: number, time: number): void {
  const conn = connOf(fold, id);
  if (!conn.closed) foldInput(fold, conn, { kind: 'event', value, frame, time });
}

/** Ends what has not ended, with the end the options give (else `closed`), and answers every connection in order of appearance. */
export function endFold(fold: Fold): CheckedConnection[] {
  for (const conn of fold.conns.values()) if (conn.end === null) endConnection(fold, conn, fold.options.end ?? 'closed', conn.time);
  return [...fold.conns.values()].map(verdictOf);
}

function connOf(fold: Fold, id: number): ConnFold {
  let conn = fold.conns.get(id);
  if (!conn) {
    conn = {
      conn: id,
      url: '',
      time: 0,
      framingHidden: fold.options.framingHidden ?? false,
      isSocket: false,
      body: null,
      status: null,
      contentType: '',
      stream: null,
      checker: null,
      held: [],
      values: [],
      texts: [],
      recognised: false,
      foreign: null,
      closed: false,
      end: null,
      events: 0,
      replayed: false,
      notes: [],
      rules: [],
      recorded: [],
    };
    fold.conns.set(id, conn);
  }
  return conn;
}

/** A frame's faults come before its events. */
function foldFrame(fold: Fold, conn: ConnFold, frame: Frame, asked: number): void {
  for (const fault of frame.faults) {
    foldInput(fold, conn, { kind: 'fault', fault, frame: frame.no, time: frame.time, ...(frame.text === undefined ? {} : { text: frame.text }) });
  }
  for (const value of frame.values) foldInput(fold, conn, { kind: 'event', value, frame: frame.no, time: frame.time, asked });
}

function foldInput(fold: Fold, conn: ConnFold, input: CheckerInput): void {
  conn.time = input.time;
  if (conn.checker) {
    judge(conn, input);
    return;
  }
  if (conn.recognised) return;
  conn.held.push(input);
  if (input.kind === 'event') conn.values.push(input.value);
  if (input.kind === 'fault' && input.text !== undefined && conn.texts.length < 8) conn.texts.push(input.text);
  settle(fold, conn, conn.held.length >= MOST_HELD);
}

/** Tries to tell the protocol; with `last` it is decided either way, and what was held is judged or dropped. */
function settle(fold: Fold, conn: ConnFold, last: boolean): void {
  const requestBody = bodyOf(fold, conn);
  const seen = { requestUrl: conn.url, contentType: conn.contentType, values: conn.values, texts: conn.texts, ended: last };
  const told = recognise({ ...seen, ...(requestBody === null ? {} : { requestBody }) });
  if (told.as === 'unknown' && !last) return;
  conn.recognised = true;
  const other = told.as === 'foreign' && told.name !== 'other event stream' ? told.name : null;
  const failed = conn.status !== null && conn.status >= 400 && recognise({ ...seen, requestUrl: '', ended: true }).as !== 'ag-ui';
  if (failed) conn.notes.push(`The server answered ${conn.status} and no events.`);
  if (told.as === 'ag-ui' || (fold.options.lenient && other === null)) {
    if (!failed) startJudging(fold, conn, requestBody);
  } else conn.foreign = told.as === 'foreign' ? told.name : 'other event stream';
  conn.closed = conn.checker === null;
  conn.held = [];
  conn.values = [];
  conn.texts = [];
}

function startJudging(fold: Fold, conn: ConnFold, requestBody: unknown): void {
  const rules = { ...fold.options.rules, ...Object.fromEntries(conn.rules.map((rule) => [rule, false])) };
  conn.recorded = conn.recorded.filter(({ rule }) => fold.options.rules?.[rule] !== false);
  conn.checker = createChecker({ rules, framingHidden: conn.framingHidden, threads: fold.threads });
  if (conn.replayed) takeAsReplayed(conn.checker);
  judge(conn, { kind: 'request', body: conn.isSocket ? null : requestBody, url: conn.url, time: conn.time });
  if (conn.status !== null) judge(conn, { kind: 'response', status: conn.status, contentType: conn.contentType, time: conn.time });
  for (const input of conn.held) judge(conn, input);
}

function judge(conn: ConnFold, input: CheckerInput): void {
  if (!conn.checker) return;
  if (input.kind === 'end') takeRecorded(conn, conn.checker, input.time, Number.POSITIVE_INFINITY);
  const result = check(conn.checker, input);
  if (input.kind !== 'event') return;
  conn.events = Math.max(conn.events, result.at + 1);
  takeRecorded(conn, conn.checker, input.time, result.at);
}

function takeRecorded({ recorded }: ConnFold, checker: CheckerState, time: number, last: number): void {
  while (recorded[0] && recorded[0].at <= last) check(checker, { kind: 'recorded', finding: recorded.shift()!, time });
}

function bodyOf(fold: Fold, conn: ConnFold): unknown {
  const text = conn.body?.kind === 'text' && !conn.body.cut ? conn.body.text : undefined;
  return (text === undefined ? undefined : parseJson(text)) ?? fold.options.request ?? null;
}

/** After lost bytes nothing can be said of what follows: the run is not truncated, we are blind. */
function loseSight(fold: Fold, conn: ConnFold, bytes: number, why: string, time: number): void {
  if (conn.closed || conn.end !== null) return;
  conn.notes.push(`${bytes} bytes of this stream are missing from the capture (${why}); it was checked up to there.`);
  if (!conn.recognised) settle(fold, conn, true);
  judge(conn, { kind: 'end', end: 'aborted', time });
  conn.closed = true;
}

function endConnection(fold: Fold, conn: ConnFold, end: StreamEnd, time: number): void {
  conn.end = end;
  if (conn.closed) return;
  if (conn.stream && end !== 'open') {
    for (const frame of finish(conn.stream, time, end === 'closed').frames)
      if (end === 'closed' || frame.values.length === 0) foldFrame(fold, conn, frame, time);
  }
  if (!conn.recognised) settle(fold, conn, true);
  judge(conn, { kind: 'end', end, time });
  conn.closed = true;
}

function verdictOf(conn: ConnFold): CheckedConnection {
  const { checker } = conn;
  return {
    conn: conn.conn,
    url: conn.url,
    end: conn.end ?? 'open',
    events: conn.events,
    findings: checker ? orderFindings(findingsOf(checker)) : [],
    runs: checker ? runsOf(checker) : [],
    stopsAt: checker ? stopsAt(checker) : null,
    referenceStopsAt: checker ? referenceStopsAt(checker) : null,
    foreign: conn.foreign,
    notes: conn.notes,
  };
}
