/** The checker: `check` folds one input after the other into the state. Positions, runs and findings are as rules.md defines them. */
import { type AgentEvent, EVENT_TYPES, type EventType } from '../protocol/events.ts';
import { withFileRules } from './families/by-file.ts';
import { encryptedValue, reasoningChunk, reasoningContent, reasoningEnd, reasoningStart, spanEnd, spanStart } from './families/reasoning.ts';
import { openPreamble, runError, runFinished, runStarted } from './families/run.ts';
import { activityDelta, activitySnapshot, messagesSnapshot, stateDelta, stateSnapshot } from './families/state.ts';
import { stepFinished, stepStarted } from './families/step.ts';
import { belatedClose, stray } from './families/stray.ts';
import { custom, raw } from './families/stream.ts';
import { afterFinish, subagentEnded, subagentStarted } from './families/subagent.ts';
import { textChunk, textContent, textEnd, textStart } from './families/text.ts';
import { toolArgs, toolChunk, toolEnd, toolResult, toolStart } from './families/tool.ts';
import { frameCame, frameFault, response, streamEnd, tick } from './families/transport.ts';
import { noteRequest } from './request.ts';
import { classify, judge, type Shape } from './shape/index.ts';
import type { CheckerState } from './state.ts';
import type { RunTracking } from './tracking.ts';
import type { CheckerInput, CheckResult, Fact, Finding, RunStatus, RunVerdict } from './types.ts';
import { absorb, referenceStops, report, takeRecorded, type Work } from './work.ts';

export type { CheckerState } from './state.ts';
export { createChecker } from './state.ts';

const HANDLERS: Readonly<Record<EventType, (work: Work) => void>> = withFileRules({
  TEXT_MESSAGE_START: textStart,
  TEXT_MESSAGE_CONTENT: textContent,
  TEXT_MESSAGE_END: textEnd,
  TEXT_MESSAGE_CHUNK: textChunk,
  TOOL_CALL_START: toolStart,
  TOOL_CALL_ARGS: toolArgs,
  TOOL_CALL_END: toolEnd,
  TOOL_CALL_CHUNK: toolChunk,
  TOOL_CALL_RESULT: toolResult,
  STATE_SNAPSHOT: stateSnapshot,
  STATE_DELTA: stateDelta,
  MESSAGES_SNAPSHOT: messagesSnapshot,
  ACTIVITY_SNAPSHOT: activitySnapshot,
  ACTIVITY_DELTA: activityDelta,
  RAW: raw,
  CUSTOM: custom,
  RUN_STARTED: runStarted,
  RUN_FINISHED: runFinished,
  RUN_ERROR: runError,
  STEP_STARTED: stepStarted,
  STEP_FINISHED: stepFinished,
  REASONING_START: spanStart,
  REASONING_MESSAGE_START: reasoningStart,
  REASONING_MESSAGE_CONTENT: reasoningContent,
  REASONING_MESSAGE_END: reasoningEnd,
  REASONING_MESSAGE_CHUNK: reasoningChunk,
  REASONING_END: spanEnd,
  REASONING_ENCRYPTED_VALUE: encryptedValue,
  SUBAGENT_STARTED: subagentStarted,
  SUBAGENT_FINISHED: subagentEnded,
  SUBAGENT_ERROR: subagentEnded,
});

/** Types whose subagentRunId is no tag: their own identity, or nothing at all. */
const UNTAGGED: ReadonlySet<string> = new Set(
  EVENT_TYPES.filter((type) => type.startsWith('SUBAGENT_') || type.startsWith('RUN_') || type === 'MESSAGES_SNAPSHOT'),
);

const NO_FACTS: readonly Fact[] = Object.freeze([]);
const NO_FINDINGS: readonly Finding[] = Object.freeze([]);
const NO_IDS: readonly number[] = Object.freeze([]);
const NO_EVENT: AgentEvent = Object.freeze({ type: '' });

function createWork(state: CheckerState, at: number, time: number): Work {
  return {
    state,
    at,
    time,
    type: null,
    event: NO_EVENT,
    raw: NO_EVENT,
    tag: undefined,
    tagBroken: false,
    // Set by the boundary stage before any family reads it.
    run: state.run as RunTracking,
    ordinal: state.run === null ? -1 : state.run.ordinal,
    item: -1,
    touched: null,
    stray: false,
    facts: null,
    findings: null,
    absorbed: null,
  };
}

function resultOf(work: Work, at: number, event: AgentEvent | null, run: number): CheckResult {
  return {
    at,
    event,
    type: event === null ? null : work.type,
    run,
    item: work.item,
    stray: work.stray,
    facts: work.facts ?? NO_FACTS,
    findings: work.findings ?? NO_FINDINGS,
    absorbedBy: work.absorbed ?? NO_IDS,
  };
}

/** Turns the shape stage's complaints into findings: once a run and subject (M2). */
function complain(work: Work, shape: Shape): void {
  const { state } = work;
  const memory = state.run === null ? state.reported : work.run.reported;
  for (const { rule, subject, message } of shape.complaints) {
    const key = `${rule} ${subject}`;
    const earlier = memory.get(key);
    if (earlier !== undefined) {
      absorb(work, earlier);
      continue;
    }
    const made = report(work, { rule, subject, message });
    memory.set(key, made);
    state.reported.set(key, made);
  }
  if (shape.repeats === undefined) return;
  for (const { rule, subject } of shape.repeats) {
    const earlier = state.reported.get(`${rule} ${subject}`);
    if (earlier !== undefined) absorb(work, earlier);
  }
}

/** The reference client drops misspelt types; what it sees first has to be a boundary (rules.md §6 no. 14). */
function followReference(work: Work, sent: unknown): void {
  const { state } = work;
  const type = (sent as { type?: unknown }).type;
  if (type !== work.type && !String(type).startsWith('THINKING_')) {
    state.referenceDropped = true;
    return;
  }
  state.referenceStarted = true;
  if (state.referenceDropped && work.type !== 'RUN_STARTED' && work.type !== 'RUN_ERROR') referenceStops(state, work.at);
}

function isAdmitted(work: Work): boolean {
  if (work.type === 'RUN_STARTED') return true;
  return work.type === 'RUN_ERROR' && work.state.runs[work.run.ordinal]?.ending.startsWith('finished/') === true;
}

function setTag(work: Work, type: EventType, event: AgentEvent): void {
  const tag = event['subagentRunId'];
  if (tag === undefined || UNTAGGED.has(type)) return;
  if (typeof tag !== 'string') {
    work.tagBroken = true;
    return;
  }
  work.tag = tag;
}

/** Position in the run, then schema, then the event's family. */
function place(work: Work, type: EventType): Shape | null {
  const { state } = work;
  const belated = belatedClose(work);
  if (belated !== undefined) {
    work.ordinal = belated.ordinal;
    absorb(work, belated.by);
    return null;
  }
  if (state.run === null) {
    if (type !== 'RUN_STARTED' && type !== 'RUN_ERROR') openPreamble(work);
  } else if (state.run.closed && !isAdmitted(work)) {
    stray(work);
    return null;
  }
  const judged = state.schema ? judge(state.shape, type, work.event) : null;
  if (judged !== null) {
    // Nothing is left of it: it keeps its place and does nothing.
    if (judged.event === null) return judged;
    work.event = judged.event;
  }
  HANDLERS[type](work);
  if (work.tag !== undefined && !work.run.firstTagged.has(work.tag)) work.run.firstTagged.set(work.tag, work.at);
  if (work.run.tracks.subagent.size > 0 && !UNTAGGED.has(type)) afterFinish(work);
  return judged;
}

function checkEvent(state: CheckerState, input: Extract<CheckerInput, { kind: 'event' }>): CheckResult {
  const { at } = state;
  state.at += 1;
  const work = createWork(state, at, input.time);
  frameCame(work, input);
  const shape = classify(state.shape, input.value);
  const { event, type } = shape;
  if (event === null || type === null) {
    complain(work, shape);
    return resultOf(work, at, null, state.run !== null && !state.run.closed ? state.run.ordinal : -1);
  }
  work.type = type;
  work.event = event;
  work.raw = event;
  setTag(work, type, event);
  if (!state.referenceStarted) followReference(work, input.value);
  const judged = place(work, type);
  if (shape.complaints.length > 0 || shape.repeats !== undefined) complain(work, shape);
  if (judged !== null && (judged.complaints.length > 0 || judged.repeats !== undefined)) complain(work, judged);
  const verdict = state.runs[work.ordinal];
  if (verdict !== undefined) verdict.lastEvent = at;
  return resultOf(work, at, work.event, work.ordinal);
}

/**
 * Takes the next input and updates `state`. Never throws. Findings of a request or a response have position -1; those of a framing
 * fault, of the end and of the clock have the position rules.md §4.15 gives them, and the result's `at` is -1.
 */
export function check(state: CheckerState, input: CheckerInput): CheckResult {
  if (input.kind === 'event') return checkEvent(state, input);
  const work = createWork(state, input.kind === 'request' ? -1 : state.at, input.time);
  switch (input.kind) {
    case 'request':
      noteRequest(work, input.body, input.url ?? '');
      break;
    case 'response':
      response(work, input);
      break;
    case 'fault':
      frameFault(work, input);
      break;
    case 'tick':
      tick(work, input.time);
      break;
    case 'end':
      streamEnd(work, input);
      break;
    case 'recorded':
      takeRecorded(work, input.finding);
      break;
  }
  return resultOf(work, -1, null, work.ordinal);
}

/** The runs of the connection, in order of appearance. */
export function runsOf(state: CheckerState): readonly RunVerdict[] {
  return state.runs;
}

/** All findings, in the order they were made: a finding's id is its index. `orderFindings` puts them in the order of the stream. */
export function findingsOf(state: CheckerState): readonly Finding[] {
  return state.findings;
}

/** Position of the first violation: a conforming client stops there. Null while there is none. */
export function stopsAt(state: CheckerState): number | null {
  return state.stopsAt;
}

/** Position where `@ag-ui/client` 1.0.0 gives up, or null. */
export function referenceStopsAt(state: CheckerState): number | null {
  return state.referenceStopsAt;
}

/** The status of a run, from its two axes (rules.md §7). */
export function statusOf(run: RunVerdict): RunStatus {
  if (run.rejectedAt !== null) return 'rejected-by-violation';
  switch (run.ending) {
    case 'finished/success':
      return 'succeeded';
    case 'finished/interrupt':
      return 'interrupted';
    case 'finished/cancelled':
      return 'cancelled';
    case 'error':
      return 'failed-by-report';
    case 'late-error':
      return 'failed-late';
    case 'lost':
    case 'cut-off':
      return 'truncated';
    default:
      return 'active';
  }
}
