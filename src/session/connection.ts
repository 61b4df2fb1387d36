/** One connection's records, its recognition, and the segments its bytes are decoded in. */
import { sizeWords } from '../capture/limits.ts';
import { isReplayed } from '../capture/replay-note.ts';
import type { CaptureRecord, Chunk, EndRecord, Gap, ReplayRecord, RequestBody, RequestRecord, ResponseRecord } from '../capture/types.ts';
import { createChecker } from '../checker/index.ts';
import { takeAsReplayed } from '../checker/replayed.ts';
import type { StreamEnd } from '../checker/types.ts';
import { foreignName } from '../protocol/foreign.ts';
import { recognise } from '../protocol/recognise.ts';
import { readRunInput } from '../protocol/run-input.ts';
import { codecOf, createStream, feed, finish, MAX_FRAME } from '../stream/index.ts';
import type { Frame } from '../stream/types.ts';
import { createRowList } from './columns.ts';
import { STREAM_ENDS } from './ends.ts';
import { failureOf } from './failure.ts';
import { addRecorded, foldFrame, isJudged, type Judged, judgeAside } from './fold.ts';
import { parseBody, runIdOf, withoutText } from './request.ts';
import { type Coding, isFoundAgain, seekFrame } from './resync.ts';
import type { ConnState, Segment, Session } from './state.ts';
import type { Recognised } from './types.ts';

/** What is held of a connection before it is recognised; past either it is given up as unknown. */
const MOST_HELD_FRAMES = 256;
const MOST_HELD_BYTES = 4 * 1024 * 1024;

/** Answers that are kept of one connection's requests. */
const MOST_RESUMES = 100;

export function createConnection({ conn: id, carrier, document }: Extract<CaptureRecord, { kind: 'request' }>, request: RequestRecord): ConnState {
  return {
    id,
    carrier,
    document,
    request,
    response: null,
    end: null,
    bytes: 0,
    chunks: 0,
    gaps: [],
    replay: null,
    recognised: { as: 'unknown' },
    settled: false,
    codec: null,
    events: 0,
    frames: 0,
    lastRow: -1,
    stopsAtRow: null,
    referenceStopsAtRow: null,
    failure: null,
    body: null,
    requestRunId: null,
    resumes: [],
    runs: [],
    segment: null,
    recorded: null,
  };
}

/** May come when the stream is judged already: the request alone can have told what it is. */
export function takeReplay(session: Session, conn: ConnState, replay: ReplayRecord): void {
  conn.replay = replay;
  if (!isReplayed(replay)) return;
  if (conn.segment && isJudged(conn.segment)) takeAsReplayed(conn.segment.checker);
  noteAnswers(session, conn);
}

/** The request's body, which may come after the request; after recognition it only tells which run answers it. */
export function takeBody(session: Session, conn: ConnState, body: RequestBody): void {
  const parsed = parseBody(body);
  conn.requestRunId = runIdOf(parsed);
  conn.resumes = [...conn.resumes, ...(readRunInput(parsed)?.resume ?? [])].slice(-MOST_RESUMES);
  if (!conn.settled) conn.body = body;
  const isFurther = conn.request.body !== undefined;
  conn.request = { ...conn.request, body: withoutText(body) };
  // a socket's runs of before answered its requests of before
  if (!isFurther) noteAnswers(session, conn);
}

/** Tells of the runs there are whether they answer the request, as far as that is known by now. */
function noteAnswers(session: Session, conn: ConnState): void {
  const { model } = session;
  for (const id of conn.runs) {
    const run = model.runs[id]!;
    run.answersRequest = isReplayed(conn.replay) || conn.requestRunId === null || run.runId === null ? null : run.runId === conn.requestRunId;
    model.changedRuns.add(id);
  }
}

export function takeResponse(conn: ConnState, response: ResponseRecord): void {
  conn.response = response;
  conn.failure = failureOf(conn);
}

export function takeChunk(session: Session, conn: ConnState, chunk: Chunk): void {
  const before = conn.bytes;
  conn.bytes += chunk.bytes.length;
  conn.chunks++;
  session.bytes += chunk.bytes.length;
  if (conn.settled && !conn.segment) return;
  conn.segment ??= createSegment(session, conn, before, conn.gaps.length === 0);
  const { segment } = conn;
  const bytes = segment.seeking === null ? chunk.bytes : skipToBorder(conn, segment, segment.seeking, chunk.bytes);
  if (bytes.length === 0) return;
  const frames = feed(segment.stream, bytes, chunk.came);
  conn.codec ??= codecOf(segment.stream);
  takeFrames(session, conn, segment, frames, chunk.asked);
}

export function takeGap(session: Session, conn: ConnState, gap: Gap): void {
  conn.gaps.push(gap);
  const { segment } = conn;
  if (conn.settled && !segment) return;
  if (segment) retire(session, conn, segment, { kind: 'end', end: 'aborted', time: gap.time });
  conn.segment = resumeAfterGap(session, conn, segment);
  if (!conn.segment) conn.settled = true;
}

/** Findings that a redacted capture brings along: they come when their event comes. */
export function takeRecorded(conn: ConnState, { protocol, rules, findings }: Extract<CaptureRecord, { kind: 'findings' }>): void {
  if (conn.segment || conn.settled) return;
  conn.recorded = { rules, waiting: [...findings].sort((a, b) => a.at - b.at).reverse() };
  if (protocol === undefined) return;
  conn.recognised = { as: 'foreign', name: foreignName(protocol) };
  conn.settled = true;
}

export function takeEnd(session: Session, conn: ConnState, end: EndRecord): void {
  conn.end = end;
  const expected = conn.response !== null && conn.response.status < 400;
  if (!conn.segment && !conn.settled && expected) conn.segment = createSegment(session, conn, conn.bytes, conn.gaps.length === 0);
  const { segment } = conn;
  if (segment && segment.seeking === null) {
    const { frames } = finish(segment.stream, end.time, end.how === 'complete');
    takeFrames(session, conn, segment, frames, end.time);
  }
  if (!conn.settled) settle(session, conn, true);
  if (conn.segment) retire(session, conn, conn.segment, { kind: 'end', end: STREAM_ENDS[end.how], time: end.time });
  conn.segment = null;
  conn.body = null;
  conn.failure = failureOf(conn);
}

function createSegment(session: Session, conn: ConnState, baseBytes: number, fromStart: boolean): Segment {
  const contentType = conn.response?.contentType ?? '';
  const { maxFrame } = session.options;
  return {
    stream: createStream({ codec: conn.carrier === 'eventsource' ? 'sse' : 'auto', contentType, ...(maxFrame === undefined ? {} : { maxFrame }) }),
    checker: null,
    fromStart,
    baseEvents: conn.events,
    baseFrames: conn.frames,
    baseBytes,
    seeking: fromStart ? null : 0,
    rows: createRowList(),
    numbers: { runs: [], spans: [] },
    findings: [],
    held: [],
    heldBytes: 0,
  };
}

function takeFrames(session: Session, conn: ConnState, first: Segment, frames: readonly Frame[], asked: number): void {
  let segment = first;
  for (const own of frames) {
    const frame = segment.fromStart ? own : { ...own, no: own.no + segment.baseFrames, offset: own.offset + segment.baseBytes };
    conn.frames = frame.no + 1;
    if (isLeftOut(session, frame)) {
      segment = passOver(session, conn, segment, frame);
      continue;
    }
    if (isJudged(segment)) {
      foldFrame(session, conn, segment, frame, asked);
      continue;
    }
    segment.held.push({ frame, asked });
    segment.heldBytes += frame.length;
  }
  if (segment.held.length > 0) settle(session, conn, segment.held.length > MOST_HELD_FRAMES || segment.heldBytes > MOST_HELD_BYTES);
}

/** Whether the user's own limit, and not the reference client's, left the frame out. A character takes three bytes at most. */
function isLeftOut({ options: { maxFrame = MAX_FRAME } }: Session, { faults, length }: Frame): boolean {
  return maxFrame < MAX_FRAME && length <= 3 * MAX_FRAME && faults.includes('frame-too-large');
}

/** The same stream goes on behind a frame that was left out; it is judged as after a gap, because nobody knows what the frame held. */
function passOver(session: Session, conn: ConnState, segment: Segment, { length, time }: Frame): Segment {
  session.leftOut++;
  conn.gaps.push({ time, bytes: length, chunks: 0, why: `the frame is over ${sizeWords(session.options.maxFrame!)}, the limit that is set` });
  retire(session, conn, segment, { kind: 'end', end: 'aborted', time });
  const { fromStart, baseFrames, baseBytes } = segment;
  const numbers = { runs: [], spans: [] };
  const base = { baseEvents: conn.events, baseFrames: fromStart ? 0 : baseFrames, baseBytes: fromStart ? 0 : baseBytes };
  const next: Segment = { ...segment, ...base, checker: null, fromStart: false, rows: createRowList(), numbers, findings: [] };
  conn.segment = next;
  if (conn.settled) startJudging(session, conn, next);
  return next;
}

/** Tries to recognise the connection; with `last` it is settled either way. */
function settle(session: Session, conn: ConnState, last: boolean): void {
  const recognised = recogniseConnection(conn, last);
  if (recognised.as === 'unknown' && !last) return;
  conn.recognised = recognised;
  conn.settled = true;
  if (recognised.as === 'ag-ui' && conn.segment && carriesEvents(conn)) startJudging(session, conn, conn.segment);
  else conn.segment = null;
  conn.body = null;
}

function recogniseConnection(conn: ConnState, ended: boolean): Recognised {
  const requestBody = parseBody(conn.body);
  return recognise({
    ...(requestBody === undefined ? {} : { requestBody }),
    requestUrl: conn.request.url,
    contentType: conn.response?.contentType ?? '',
    values: heldValues(conn),
    texts: heldTexts(conn),
    ended,
  });
}

/** An error page answering an AG-UI request is a failed exchange, not a stream to judge, unless events are really in it. */
function carriesEvents(conn: ConnState): boolean {
  if (!conn.response || conn.response.status < 400) return true;
  const { contentType } = conn.response;
  return recognise({ requestUrl: '', contentType, values: heldValues(conn), ended: true }).as === 'ag-ui';
}

function heldValues(conn: ConnState): unknown[] {
  return conn.segment?.held.flatMap((held) => held.frame.values) ?? [];
}

function heldTexts(conn: ConnState): string[] {
  return conn.segment?.held.flatMap((held) => (held.frame.values.length === 0 ? (held.frame.text ?? []) : [])) ?? [];
}

function startJudging(session: Session, conn: ConnState, segment: Segment): void {
  const checker = createChecker({
    rules: { ...session.options.rules, ...Object.fromEntries((conn.recorded?.rules ?? []).map((rule) => [rule, false])) },
    fromStart: segment.fromStart,
    framingHidden: conn.carrier === 'eventsource' || conn.carrier === 'websocket',
    threads: session.threads,
  });
  const judged = Object.assign(segment, { checker });
  if (isReplayed(conn.replay)) takeAsReplayed(checker);
  session.judged.add(conn.id);
  if (segment.fromStart) introduce(session, conn, judged);
  const { held } = segment;
  segment.held = [];
  segment.heldBytes = 0;
  for (const { frame, asked } of held) foldFrame(session, conn, judged, frame, asked);
}

function introduce(session: Session, conn: ConnState, segment: Judged): void {
  const { request, response } = conn;
  // a socket answers any number of requests: its first says nothing of its last run
  const body = conn.carrier === 'websocket' ? null : (parseBody(conn.body) ?? null);
  judgeAside(session, conn, segment, { kind: 'request', body, url: request.url, time: request.time });
  if (!response) return;
  // the network log gives all frames the time of the end: nothing may be read from how long the first one took
  const time = conn.carrier === 'network-log' ? (segment.held[0]?.frame.time ?? response.time) : response.time;
  judgeAside(session, conn, segment, { kind: 'response', status: response.status, contentType: response.contentType, time });
}

function retire(session: Session, conn: ConnState, segment: Segment, end: { kind: 'end'; end: StreamEnd; time: number }): void {
  if (isJudged(segment)) {
    if (conn.end) addRecorded(session, conn, segment, end.time, Number.POSITIVE_INFINITY);
    judgeAside(session, conn, segment, end);
  }
  session.judged.delete(conn.id);
}

/** The segment after a gap; null where the codec has no border to find again (JSON, protobuf): the rest stays undecoded. */
function resumeAfterGap(session: Session, conn: ConnState, before: Segment | null): Segment | null {
  if (!isFoundAgain(codingOf(conn))) return null;
  const segment = createSegment(session, conn, conn.bytes, false);
  if (before) {
    segment.held = before.held;
    segment.heldBytes = before.heldBytes;
  }
  if (conn.settled) startJudging(session, conn, segment);
  return segment;
}

function codingOf({ codec, response }: ConnState): Coding {
  return { codec, contentType: response?.contentType ?? '' };
}

/** Skips to the next frame border; answers what lies behind it. */
function skipToBorder(conn: ConnState, segment: Segment, seen: number, bytes: Uint8Array): Uint8Array {
  const found = seekFrame(codingOf(conn), seen, bytes);
  segment.baseBytes += found.skipped;
  segment.seeking = found.seeking;
  return bytes.subarray(found.skipped);
}
