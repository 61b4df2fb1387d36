/** What one input is worked on with, and the few verbs every family uses: report, absorb, tell a fact. */
import type { RecordedFinding } from '../capture/types.ts';
import type { AgentEvent, EventType } from '../protocol/events.ts';
import { isRule, ruleOf } from './catalogue.ts';
import type { CheckerState } from './state.ts';
import type { RunTracking, Track } from './tracking.ts';
import type { Fact, Finding } from './types.ts';

export { isRecord, listOf, ownerName, quote, text } from './wording.ts';

/** Made for one input and dropped after it. */
export interface Work {
  readonly state: CheckerState;
  readonly at: number;
  readonly time: number;
  type: EventType | null;
  /** Normalised; after the schema stage without what the schema rejects. */
  event: AgentEvent;
  /** As sent, names normalised. */
  raw: AgentEvent;
  /** Its subagentRunId, undefined where it has none. */
  tag: string | undefined;
  /** It has a subagentRunId that is no string, so its owner is unknown. */
  tagBroken: boolean;
  run: RunTracking;
  ordinal: number;
  item: number;
  /** The item it belongs to, for rules about its owner. */
  touched: Track | null;
  stray: boolean;
  facts: Fact[] | null;
  findings: Finding[] | null;
  absorbed: number[] | null;
}

export interface Report {
  readonly rule: string;
  readonly message: string;
  readonly related?: readonly number[];
  readonly subject?: string;
  readonly at?: number;
  readonly frame?: number;
  /** Ordinal of the run it is about; default the run of this input. */
  readonly run?: number | null;
  /** False where the reference client lets this very case pass. */
  readonly reference?: boolean;
}

/** Findings about the request of a consumer: no stream stops for them. */
const REQUEST_RULES: ReadonlySet<string> = new Set(['interrupt-resume-uncovered', 'interrupt-resume-expired']);

function positions(related: readonly number[] | undefined, at: number): readonly number[] {
  if (related === undefined || related.length === 0) return [];
  const sorted = [...new Set(related)].filter((position) => position >= 0 && position <= Math.max(at, 0)).sort((a, b) => a - b);
  return sorted;
}

/** In place of a finding's id: there is none. */
export const NO_FINDING = -1;
/** The rule is off: what its finding would absorb is absorbed silently. */
const OFF = -2;

/**
 * Makes a finding, latches the run's verdict and the stream's stop points (M1). Answers its id, or a negative number other than
 * NO_FINDING when the rule is off.
 */
export function report(work: Work, told: Report): number {
  return work.state.off.has(told.rule) ? OFF : make(work, told);
}

/** Takes a finding as it was recorded; one of a rule that the catalogue does not have, or out of place, is passed over. */
export function takeRecorded(work: Work, finding: RecordedFinding): void {
  if (!isRule(finding.rule) || finding.at > work.state.at) return;
  const run = finding.run !== null && finding.run < work.state.runs.length ? finding.run : null;
  const { repeats, ...told } = finding;
  const made = work.state.findings[make(work, { ...told, run })];
  if (made) made.repeats = repeats;
}

function make(work: Work, told: Report): number {
  const { state } = work;
  const rule = ruleOf(told.rule);
  const at = told.at ?? work.at;
  const run = told.run === undefined ? (work.ordinal < 0 ? null : work.ordinal) : told.run;
  const finding: Finding = {
    id: state.findings.length,
    rule: told.rule,
    severity: rule.severity,
    at,
    ...(told.frame === undefined ? {} : { frame: told.frame }),
    related: positions(told.related, at),
    run,
    message: told.message,
    ...(told.subject === undefined ? {} : { subject: told.subject }),
    repeats: 0,
  };
  state.findings.push(finding);
  work.findings ??= [];
  work.findings.push(finding);
  if (rule.severity === 'violation') {
    if (state.stopsAt === null || at < state.stopsAt) state.stopsAt = at;
    const verdict = run === null ? undefined : state.runs[run];
    if (verdict !== undefined && verdict.rejectedAt === null) {
      verdict.rejectedAt = at;
      fact(work, { kind: 'run-changed', run: verdict.ordinal });
    }
  }
  if (rule.reference === 'rejects' && told.reference !== false && !REQUEST_RULES.has(told.rule)) referenceStops(state, at);
  return finding.id;
}

/** Notes where the reference client gives up. */
export function referenceStops(state: CheckerState, at: number): void {
  if (state.referenceStopsAt === null || at < state.referenceStopsAt) state.referenceStopsAt = at;
}

/** Lets an earlier finding absorb this input; a negative id absorbs silently. */
export function absorb(work: Work, finding: number): void {
  const found = work.state.findings[finding];
  if (found === undefined) return;
  found.repeats += 1;
  work.absorbed ??= [];
  if (!work.absorbed.includes(finding)) work.absorbed.push(finding);
}

/** `report`, once per run and subject (M2); repeats are absorbed. `subject` is the key unless `key` refines it. */
export function reportOnce(work: Work, told: Report & { readonly key: string }): number {
  const memory = work.run.reported;
  const key = `${told.rule} ${told.key}`;
  const earlier = memory.get(key);
  if (earlier !== undefined) {
    absorb(work, earlier);
    return earlier;
  }
  const made = report(work, told);
  memory.set(key, made);
  return made;
}

/** `reportOnce` over the whole stream instead of the run. */
export function reportOncePerStream(work: Work, told: Report & { readonly key: string }): number {
  const memory = work.state.reported;
  const key = `${told.rule} ${told.key}`;
  const earlier = memory.get(key);
  if (earlier !== undefined) {
    absorb(work, earlier);
    return earlier;
  }
  const made = report(work, told);
  memory.set(key, made);
  return made;
}

/** Tells a fact. */
export function fact(work: Work, told: Fact): void {
  work.facts ??= [];
  work.facts.push(told);
}
