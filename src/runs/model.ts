/**
 * Runs and spans from checker facts. One model serves a whole session; `RunNumbers` translates the ordinals of one checker (one
 * connection) into session ids. Everything is plain data, and an event costs the same whatever came before it.
 */
import { statusOf } from '../checker/index.ts';
import type { CheckResult, Fact, RunVerdict } from '../checker/types.ts';
import type { AgentEvent } from '../protocol/events.ts';
import { detailsOf } from './details.ts';
import type { FindingView, RunView, SpanView, TickView } from './types.ts';

type Mutable<T> = { -readonly [K in keyof T]: T[K] };
export type RunRecord = Mutable<Omit<RunView, 'findings'>> & { findings: Mutable<RunView['findings']> };
export type SpanRecord = Mutable<SpanView>;

export interface Model {
  readonly runs: RunRecord[];
  readonly spans: SpanRecord[];
  readonly ticks: TickView[];
  /** Ids whose record is new or different since the caller last emptied the set. */
  readonly changedRuns: Set<number>;
  readonly changedSpans: Set<number>;
}

/** Checker ordinals (index) → session ids, for one checker. */
export interface RunNumbers {
  readonly runs: number[];
  readonly spans: number[];
}

export interface ApplyContext {
  readonly conn: number;
  /** The row of this input, or for an input without one (`end`, `tick`) the last row before it. */
  readonly row: number;
  readonly time: number;
  /** Bytes this input adds to its run; 0 for further values of one frame. */
  readonly bytes: number;
  readonly numbers: RunNumbers;
  readonly verdicts: readonly RunVerdict[];
  /** Session row of a checker position; undefined where no event has it yet. */
  readonly rowOf: (at: number) => number | undefined;
  readonly timeOf: (row: number) => number;
  /** Of the captured request: when it was made, and the runId it asked for (null: unknown). */
  readonly requestTime: number | null;
  readonly requestRunId: string | null;
}

const LABEL_LENGTH = 120;

export function createModel(): Model {
  return { runs: [], spans: [], ticks: [], changedRuns: new Set(), changedSpans: new Set() };
}

/** Applies what one checker input did. Answers the session ids of the run and the span it belongs to, -1 for none. */
export function applyResult(model: Model, result: CheckResult, context: ApplyContext): { run: number; span: number } {
  const touched: number[] = [];
  for (const fact of result.facts) applyFact(model, fact, context, touched);
  if (result.findings.length > 0 && result.run >= 0) touch(touched, result.run);
  for (const finding of result.findings) if (finding.run !== null) touch(touched, finding.run);
  for (const ordinal of touched) syncRun(model, ordinal, result, context);
  const run = context.numbers.runs[result.run] ?? -1;
  const span = context.numbers.spans[result.item] ?? -1;
  if (result.at >= 0) noteEvent(model, result, context, run, span);
  return { run, span };
}

function touch(touched: number[], run: number): void {
  if (!touched.includes(run)) touched.push(run);
}

/** Counts a finding on its run and remembers the violation that rejected it. */
export function noteFinding(model: Model, finding: FindingView): void {
  const run = finding.run === null ? undefined : model.runs[finding.run];
  if (!run) return;
  run.findings[finding.severity]++;
  model.changedRuns.add(run.id);
}

function applyFact(model: Model, fact: Fact, context: ApplyContext, touched: number[]): void {
  switch (fact.kind) {
    case 'run-opened':
      openRun(model, fact.run, context);
      touch(touched, fact.run);
      return;
    case 'run-changed':
      touch(touched, fact.run);
      return;
    case 'item-opened':
      openSpan(model, fact, context);
      return;
    case 'item-grew':
      growSpan(model, fact, context);
      return;
    case 'item-answered':
      answerSpan(model, fact.item, context);
      return;
    case 'item-closed':
      closeSpan(model, fact, context);
  }
}

function openRun(model: Model, ordinal: number, context: ApplyContext): void {
  const id = model.runs.length;
  context.numbers.runs[ordinal] = id;
  model.runs.push({
    id,
    conn: context.conn,
    ordinal,
    runId: null,
    threadId: null,
    parentRunId: null,
    status: 'active',
    ending: 'open',
    endingBefore: null,
    lostWhy: null,
    rejectedRow: null,
    rejectedTime: null,
    afterRejection: false,
    outcomeStripped: false,
    replacedBy: null,
    answersRequest: null,
    firstRow: context.row,
    lastRow: context.row,
    endedRow: null,
    requestTime: ordinal === 0 ? context.requestTime : null,
    start: context.time,
    end: null,
    finishedTime: null,
    firstTextTime: null,
    events: 0,
    bytes: 0,
    error: null,
    interrupts: [],
    usage: [],
    hasResult: false,
    findings: { violation: 0, deviation: 0, advice: 0 },
  });
}

function syncRun(model: Model, ordinal: number, result: CheckResult, context: ApplyContext): void {
  const verdict = context.verdicts[ordinal];
  const run = model.runs[context.numbers.runs[ordinal] ?? -1];
  if (!verdict || !run) return;
  if (verdict.ending !== run.ending) endRun(run, verdict, context);
  run.runId = verdict.runId;
  run.threadId = verdict.threadId;
  run.parentRunId = verdict.parentRunId;
  run.status = statusOf(verdict);
  run.endingBefore = verdict.endingBefore;
  run.lostWhy = verdict.lostWhy;
  run.afterRejection = verdict.afterRejection;
  run.outcomeStripped = verdict.outcomeStripped;
  run.replacedBy = verdict.replacedBy === null ? null : (context.numbers.runs[verdict.replacedBy] ?? null);
  // on a socket the next request may come while this run is under way
  if (run.answersRequest !== true) run.answersRequest = context.requestRunId === null || verdict.runId === null ? null : verdict.runId === context.requestRunId;
  if (verdict.rejectedAt !== null && run.rejectedRow === null) {
    // a framing fault has the position of the event after it, which may never come: then its own row stands
    run.rejectedRow = verdict.rejectedAt === result.at ? context.row : (context.rowOf(verdict.rejectedAt) ?? context.row);
    run.rejectedTime = run.rejectedRow === context.row ? context.time : context.timeOf(run.rejectedRow);
  }
  model.changedRuns.add(run.id);
}

function endRun(run: RunRecord, verdict: RunVerdict, context: ApplyContext): void {
  run.ending = verdict.ending;
  const late = verdict.ending === 'late-error';
  if (late) run.finishedTime = run.end;
  const ended = late || verdict.endedAt === null ? undefined : context.rowOf(verdict.endedAt);
  run.endedRow = ended ?? (verdict.endedAt === null ? null : context.row);
  run.end = ended === undefined || ended === context.row ? context.time : context.timeOf(ended);
}

function openSpan(model: Model, fact: Extract<Fact, { kind: 'item-opened' }>, context: ApplyContext): void {
  const id = model.spans.length;
  context.numbers.spans[fact.item] = id;
  model.spans.push({
    id,
    conn: context.conn,
    run: context.numbers.runs[fact.run] ?? -1,
    kind: fact.itemKind,
    itemId: fact.id,
    label: fact.name,
    owner: fact.owner,
    parent: fact.parent,
    form: fact.form,
    ...(fact.role === undefined ? {} : { role: fact.role }),
    start: context.time,
    end: null,
    how: null,
    firstRow: context.row,
    lastRow: context.row,
    deltas: 0,
    chars: 0,
    contentStart: null,
    contentEnd: null,
    argsEnd: null,
    resultTime: null,
    resultRow: null,
  });
  model.changedSpans.add(id);
}

function growSpan(model: Model, fact: Extract<Fact, { kind: 'item-grew' }>, context: ApplyContext): void {
  const span = model.spans[context.numbers.spans[fact.item] ?? -1];
  if (!span) return;
  span.deltas++;
  span.chars += fact.delta.length;
  span.contentStart ??= context.time;
  span.contentEnd = context.time;
  span.lastRow = context.row;
  const spoken = span.kind === 'text' || span.kind === 'reasoning';
  if (spoken && span.label.length < LABEL_LENGTH) span.label = cut(span.label + fact.delta.slice(0, LABEL_LENGTH));
  model.changedSpans.add(span.id);
  const run = span.kind === 'text' ? model.runs[span.run] : undefined;
  if (run && run.firstTextTime === null) {
    run.firstTextTime = context.time;
    model.changedRuns.add(run.id);
  }
}

/** The first LABEL_LENGTH characters, never half of a surrogate pair. */
function cut(text: string): string {
  if (text.length <= LABEL_LENGTH) return text;
  const last = text.charCodeAt(LABEL_LENGTH - 1);
  return text.slice(0, last >= 0xd800 && last < 0xdc00 ? LABEL_LENGTH - 1 : LABEL_LENGTH);
}

function answerSpan(model: Model, item: number, context: ApplyContext): void {
  const span = model.spans[context.numbers.spans[item] ?? -1];
  if (!span) return;
  span.resultTime = context.time;
  span.resultRow = context.row;
  model.changedSpans.add(span.id);
}

function closeSpan(model: Model, fact: Extract<Fact, { kind: 'item-closed' }>, context: ApplyContext): void {
  const span = model.spans[context.numbers.spans[fact.item] ?? -1];
  if (!span || span.end !== null) return;
  span.end = context.time;
  span.how = fact.how;
  // what the run's end swept up was not closed by this row
  if (fact.how === 'closed') span.lastRow = context.row;
  if (span.kind === 'tool' && (fact.how === 'closed' || fact.how === 'lane')) span.argsEnd = context.time;
  model.changedSpans.add(span.id);
}

function noteEvent(model: Model, result: CheckResult, context: ApplyContext, runId: number, spanId: number): void {
  const run = model.runs[runId];
  if (run) {
    run.events++;
    run.bytes += context.bytes;
    run.lastRow = context.row;
    if (result.event && !result.stray) Object.assign(run, detailsOf(result.event));
    model.changedRuns.add(runId);
  }
  const span = model.spans[spanId];
  if (span && context.row > span.lastRow && span.end === null) {
    span.lastRow = context.row;
    model.changedSpans.add(spanId);
  }
  const kind = tickKind(result.type);
  if (kind) model.ticks.push({ row: context.row, run: runId, kind, time: context.time, owner: ownerOf(result.event) });
}

function ownerOf(event: AgentEvent | null): string | null {
  const owner = event?.['subagentRunId'];
  return typeof owner === 'string' ? owner : null;
}

function tickKind(type: CheckResult['type']): TickView['kind'] | null {
  switch (type) {
    case null:
      return 'unknown';
    case 'STATE_SNAPSHOT':
      return 'state-snapshot';
    case 'STATE_DELTA':
      return 'state-delta';
    case 'MESSAGES_SNAPSHOT':
      return 'messages';
    case 'ACTIVITY_SNAPSHOT':
    case 'ACTIVITY_DELTA':
      return 'activity';
    case 'CUSTOM':
      return 'custom';
    case 'RAW':
      return 'raw';
    default:
      return null;
  }
}
