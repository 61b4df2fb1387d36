/** Family transport, and the endings: framing faults, times, content type, and what is left when the stream ends. */

import type { FrameFault } from '../../stream/types.ts';
import { endAll } from '../items.ts';
import type { CheckerInput, LostWhy } from '../types.ts';
import { absorb, fact, NO_FINDING, quote, referenceStops, report, reportOncePerStream, type Work } from '../work.ts';

type Input<K extends CheckerInput['kind']> = Extract<CheckerInput, { kind: K }>;

const PROTO_TYPE = 'application/vnd.ag-ui.event+proto';
const SILENCE = 30_000;
const LEFT_OPEN = 10_000;
const LONG_STREAM = 2_000;
const BUCKET = 10;
const MANY_FRAMES = 20;

/** The response's head. */
export function response(work: Work, input: Input<'response'>): void {
  const { wire, framingHidden } = work.state;
  wire.status = input.status;
  wire.start = input.time;
  if (framingHidden || input.status < 200 || input.status > 299) return;
  const type = input.contentType.trim().toLowerCase();
  const media = (type.split(';', 1)[0] ?? '').trim();
  if (media === 'text/event-stream' || type === PROTO_TYPE) return;
  report(work, {
    rule: 'transport-content-type',
    at: -1,
    run: null,
    subject: type.slice(0, 120),
    message: `The content type is ${type === '' ? 'missing' : quote(type)}; send text/event-stream, or ${PROTO_TYPE} without parameters.`,
  });
}

/** A frame that gave an event: counts it and its time. */
export function frameCame(work: Work, input: Input<'event'>): void {
  const { wire } = work.state;
  const { time } = input;
  if (input.frame !== wire.frame) {
    wire.frame = input.frame;
    wire.frames += 1;
    wire.badFrameBy = -1;
    if (wire.start < 0) wire.start = time;
    const bucket = Math.floor(time / BUCKET);
    const slot = ((bucket % wire.buckets.length) + wire.buckets.length) % wire.buckets.length;
    if (wire.buckets[slot] !== bucket) {
      wire.buckets[slot] = bucket;
      wire.counts[slot] = 0;
    }
    wire.counts[slot] = (wire.counts[slot] ?? 0) + 1;
    if (input.asked !== undefined && wire.last >= 0) silentGap(work, time, Math.max(input.asked, wire.last));
  }
  wire.last = time;
}

function silentGap(work: Work, time: number, since: number): void {
  if (work.state.framingHidden || time - since <= SILENCE) return;
  report(work, {
    rule: 'transport-silent-gap',
    subject: String(work.at),
    message: `No byte came for ${Math.round((time - since) / 1000)} s while the page was waiting; send an SSE comment every few seconds.`,
  });
}

const FAULTS: Readonly<Record<Exclude<FrameFault, 'unterminated-frame'>, string>> = {
  'frame-not-json': 'The data of the frame is not JSON; write one JSON object a frame.',
  'frame-not-one-event': 'The frame does not hold exactly one JSON object; write each event as one frame of its own, encoded once.',
  'line-endings': 'Lines end with carriage returns; @ag-ui/client 1.0.0 splits at LF LF only and sees one frame until the end, so end lines with LF.',
  'frame-too-large': 'The frame passed 10 Mi characters and is not decoded; @ag-ui/client 1.0.0 gives up there, so send large data by reference.',
  'proto-undecodable': 'The bytes of the frame decode to no event, so nothing after them can be read; check the length prefix.',
  'proto-unknown-arm': 'The protobuf envelope holds a variant that is not known here and is dropped.',
};

/** Faults after which a frame may still give its events. */
const HARMLESS: ReadonlySet<FrameFault> = new Set(['line-endings', 'unterminated-frame']);

/** A framing fault. An unterminated frame is judged at the end: only then is it known whether it parsed. */
export function frameFault(work: Work, input: Input<'fault'>): void {
  const { wire, framingHidden } = work.state;
  const { fault, frame } = input;
  if (!HARMLESS.has(fault)) wire.lostFrames += 1;
  if (framingHidden) return;
  if (fault === 'unterminated-frame') {
    wire.unterminated = { frame, at: work.at };
    return;
  }
  const excerpt = input.text === undefined || fault !== 'frame-not-json' ? '' : ` It begins with ${quote(input.text)}.`;
  const told = { rule: `transport-${fault}`, frame, message: `${FAULTS[fault]}${excerpt}` };
  if (fault === 'frame-not-json') {
    if (wire.badFrameBy !== NO_FINDING) absorb(work, wire.badFrameBy);
    else wire.badFrameBy = report(work, told);
    return;
  }
  const whole = fault === 'line-endings';
  const key = whole ? '' : `${work.ordinal}`;
  reportOncePerStream(work, { ...told, key, ...(whole ? { run: null } : {}) });
}

/** The clock. */
export function tick(work: Work, time: number): void {
  const { wire, run, framingHidden, ended } = work.state;
  if (framingHidden || ended || run === null || !run.closed || wire.leftOpenTold || wire.terminalTime < 0) return;
  if (time - wire.terminalTime < LEFT_OPEN) return;
  wire.leftOpenTold = true;
  report(work, {
    rule: 'transport-left-open',
    at: work.state.at - 1,
    related: [wire.terminalAt],
    message: 'The response was still open 10 s after the last terminal event; close it when the run has ended.',
  });
}

/** The stream ended. */
export function streamEnd(work: Work, input: Input<'end'>): void {
  const { state } = work;
  if (input.end === 'open' || state.ended) return;
  state.ended = true;
  const cut = lastFrame(work, input.end === 'closed');
  if (state.run !== null && !state.run.closed) lose(work, input.end === 'closed' ? 'eof' : input.end === 'error' ? 'dropped' : 'consumer-abort', cut);
  if (input.end !== 'closed') return;
  requestedRun(work);
  empty(work);
  buffered(work);
}

/** The frame that no blank line ended. Answers whether its text was cut off in the middle. */
function lastFrame(work: Work, closed: boolean): boolean {
  const { state } = work;
  const { unterminated } = state.wire;
  if (unterminated === null) return false;
  const cut = state.at === unterminated.at;
  if (!closed) return cut;
  if (cut) referenceStops(state, state.at);
  if (cut && state.run !== null && !state.run.closed) return true;
  report(work, {
    rule: 'transport-unterminated-frame',
    frame: unterminated.frame,
    message: cut
      ? 'The body ends in the middle of a frame; write it whole and end it with a blank line.'
      : 'The last frame is not ended by a blank line; end it with two line feeds.',
  });
  return cut;
}

function lose(work: Work, why: LostWhy, cut: boolean): void {
  const { state } = work;
  const run = state.run!;
  const verdict = state.runs[run.ordinal]!;
  if (why !== 'consumer-abort') {
    const open = [...run.open];
    report(work, {
      rule: 'run-truncated',
      at: verdict.lastEvent,
      related: [run.startedAt >= 0 ? run.startedAt : verdict.firstEvent, ...open.map((track) => track.openedAt)],
      message: `The ${why === 'eof' ? 'stream ended' : 'connection was lost'}${cut ? ' in the middle of a frame' : ''} before RUN_FINISHED or RUN_ERROR${open.length === 0 ? '' : `, with ${open.length} ${open.length === 1 ? 'item' : 'items'} open`}; report failures with RUN_ERROR.`,
    });
  }
  endAll(work, 'lost');
  run.closed = true;
  verdict.ending = 'lost';
  verdict.lostWhy = why;
  fact(work, { kind: 'run-changed', run: verdict.ordinal });
}

function requestedRun(work: Work): void {
  const { request, runs, run } = work.state;
  const last = runs.at(-1);
  if (request === null || request.connect || request.runId === null || last === undefined || run === null || last.runId === request.runId) return;
  report(work, {
    rule: 'run-request-id-mismatch',
    at: work.state.at - 1,
    subject: request.runId,
    related: [run.startedAt],
    message: `The request asked for run ${quote(request.runId)}, but the last run of the stream is ${last.runId === null ? 'nameless' : quote(last.runId)}; use the runId of the request.`,
  });
}

function empty(work: Work): void {
  const { state } = work;
  const { wire } = state;
  const failed = wire.status !== 0 && (wire.status < 200 || wire.status > 299);
  const untold = state.stopsAt === null && wire.lostFrames === 0 && wire.unterminated === null;
  // a reconnect to a thread without runs has nothing to replay
  if (!state.fromStart || state.runs.length > 0 || failed || !untold || state.request?.connect) return;
  report(work, {
    rule: 'stream-empty',
    at: -1,
    run: null,
    message: 'The stream ended without a single event; send RUN_STARTED and a terminal event, or RUN_ERROR.',
  });
}

function buffered(work: Work): void {
  const { wire, framingHidden } = work.state;
  if (framingHidden || wire.frames < MANY_FRAMES || wire.last - wire.start <= LONG_STREAM) return;
  const first = Math.floor(wire.last / BUCKET) - 100 / BUCKET;
  const late = wire.buckets.reduce((sum, bucket, slot) => (bucket >= first ? sum + (wire.counts[slot] ?? 0) : sum), 0);
  if (late / wire.frames <= 0.8) return;
  report(work, {
    rule: 'transport-buffered',
    at: -1,
    run: null,
    message: `${late} of ${wire.frames} frames came within the last 100 ms of ${Math.round((wire.last - wire.start) / 100) / 10} s; switch off buffering and flush after each event.`,
  });
}
