/** For tests: folds whole streams. */
import { orderFindings } from './catalogue.ts';
import { check, createChecker, findingsOf, runsOf, statusOf } from './index.ts';
import type { CheckerState } from './state.ts';
import type { CheckerInput, CheckerOptions, CheckResult, StreamEnd } from './types.ts';

export interface Folded {
  readonly state: CheckerState;
  readonly results: readonly CheckResult[];
}

/** Feeds inputs in order. */
export function fold(inputs: readonly CheckerInput[], options: CheckerOptions = {}): Folded {
  const state = createChecker(options);
  return { state, results: inputs.map((input) => check(state, input)) };
}

/** One input an event, one frame each, then the end. */
export function inputsOf(events: readonly unknown[], end: StreamEnd = 'closed'): CheckerInput[] {
  const inputs: CheckerInput[] = events.map((value, frame) => ({ kind: 'event', value, frame, time: 0 }));
  return [...inputs, { kind: 'end', end, time: 0 }];
}

/** Folds events and their end. */
export function foldEvents(events: readonly unknown[], end: StreamEnd = 'closed', options: CheckerOptions = {}): CheckerState {
  return fold(inputsOf(events, end), options).state;
}

/** Findings as the vectors write them, in the order of the stream. */
export function verdictsOf(state: CheckerState) {
  return orderFindings(findingsOf(state)).map(({ rule, severity, at, related }) => ({ rule, severity, at, related: [...related] }));
}

/** Runs as the vectors write them. */
export function statusesOf(state: CheckerState) {
  return runsOf(state).map((run) => ({ runId: run.runId, status: statusOf(run) }));
}

/** `rule@at` of each finding, in the order of the stream. */
export function briefly(state: CheckerState): string[] {
  return orderFindings(findingsOf(state)).map(({ rule, at }) => `${rule}@${at}`);
}
