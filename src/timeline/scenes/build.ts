/** Made-up captures, told in seconds, for tests and for looking at the timeline. Deterministic: the same story gives the same model. */
import type { Ending, RunStatus, Severity } from '../../checker/types.ts';
import type { FindingView, RunView, SpanKind, SpanView, TickView } from '../../runs/types.ts';
import type { TimelineModel } from '../types.ts';

/** A span of a story. `quiet` is where nothing arrives; a tool call's arguments end where it begins. */
export interface SpanStory {
  readonly kind: SpanKind;
  readonly name: string;
  readonly a: number;
  /** Null while open, or until the run ends. */
  readonly b: number | null;
  readonly owner?: string;
  readonly parent?: string;
  readonly quiet?: readonly [number, number];
  /** When a tool call's result came. */
  readonly result?: number;
}

export interface FindingStory {
  readonly severity: Severity;
  readonly rule: string;
  readonly at: number;
  /** Name of the span it is on, and of the spans that began what it refers to. */
  readonly span?: string;
  readonly related?: readonly string[];
  readonly message?: string;
}

export interface RunStory {
  readonly id: string;
  readonly thread: string | null;
  readonly url?: string;
  readonly conn?: number;
  readonly request?: number;
  readonly a: number;
  readonly b: number | null;
  /** Of a late RUN_ERROR: `b` is the finish, this the error. */
  readonly late?: number;
  readonly status: RunStatus;
  /** What the stream said, where the status does not tell. */
  readonly ending?: Ending;
  readonly more?: Partial<RunView>;
  readonly spans?: readonly SpanStory[];
  readonly ticks?: readonly (readonly [number, TickView['kind']])[];
  readonly findings?: readonly FindingStory[];
  /** Where `@ag-ui/client` stops, when elsewhere. */
  readonly referenceStop?: number;
  /** Interrupts that its request answers. */
  readonly resume?: readonly { readonly interruptId: string; readonly status: string }[];
}

/** Where the clock of all stories begins, ms since the epoch. */
export const EPOCH = 1_764_547_200_000;
const DELTA = 0.07;

const ENDING: Record<RunStatus, Ending> = {
  active: 'open',
  succeeded: 'finished/success',
  interrupted: 'finished/interrupt',
  cancelled: 'finished/cancelled',
  'failed-by-report': 'error',
  'failed-late': 'late-error',
  'rejected-by-violation': 'finished/success',
  truncated: 'lost',
};

const HOW = { open: null, error: 'run-error', lost: 'lost', 'cut-off': 'cut-off' } as const;

interface Moment {
  readonly time: number;
  readonly set: (row: number) => void;
}

const ms = (seconds: number): number => EPOCH + Math.round(seconds * 10_000) / 10;

/** Times of the deltas of a message, uneven as real ones are. */
function deltaTimes(story: SpanStory, end: number): number[] {
  if (story.kind !== 'text' && story.kind !== 'reasoning') return [];
  const times: number[] = [];
  let seed = Math.round(story.a * 1000) % 2147483647 || 1;
  for (let t = story.a + 0.05; t < end - 0.01; ) {
    if (!story.quiet || t < story.quiet[0] || t > story.quiet[1]) times.push(ms(t));
    seed = (seed * 16807 + 11) % 2147483647;
    t += DELTA * (0.6 + (seed % 1000) / 1250);
  }
  return times;
}

type Writable<T> = { -readonly [K in keyof T]: T[K] };

interface Draft {
  readonly runs: Writable<RunView>[];
  readonly spans: Writable<SpanView>[];
  readonly ticks: Writable<TickView>[];
  readonly findings: Writable<FindingView>[];
  readonly deltas: Map<number, number[]>;
  readonly moments: Moment[];
  readonly references: Map<number, number>;
}

function draftRun(story: RunStory, id: number): Writable<RunView> {
  const ending = story.ending ?? ENDING[story.status];
  const stop = story.status === 'rejected-by-violation' ? story.findings?.find((one) => one.severity === 'violation') : undefined;
  return {
    id,
    conn: story.conn ?? id,
    ordinal: 0,
    runId: story.id,
    threadId: story.thread,
    parentRunId: null,
    status: story.status,
    ending,
    endingBefore: story.late === undefined ? null : 'finished/success',
    lostWhy: ending === 'lost' ? 'dropped' : null,
    rejectedRow: null,
    rejectedTime: stop ? ms(stop.at) : null,
    afterRejection: false,
    outcomeStripped: false,
    replacedBy: null,
    answersRequest: true,
    firstRow: 0,
    lastRow: 0,
    endedRow: null,
    requestTime: story.request === undefined ? null : ms(story.request),
    start: ms(story.a),
    end: story.b === null ? null : ms(story.late ?? story.b),
    finishedTime: story.late !== undefined && story.b !== null ? ms(story.b) : null,
    firstTextTime: null,
    events: 0,
    bytes: 0,
    error: ending === 'error' ? { message: 'The model is overloaded', code: 'overloaded' } : null,
    interrupts: ending === 'finished/interrupt' ? [{ id: 'i_1', reason: 'approval' }] : [],
    usage: [],
    hasResult: false,
    findings: { violation: 0, deviation: 0, advice: 0 },
    ...story.more,
  };
}

function draftSpan(story: SpanStory, run: RunView, id: number, end: number, draft: Draft): Writable<SpanView> {
  const deltas = deltaTimes(story, end);
  draft.deltas.set(id, deltas);
  const argsEnd = story.kind === 'tool' ? (story.quiet ? ms(story.quiet[0]) : story.b === null ? null : ms(story.b)) : null;
  const ended = story.b === null ? (run.end === null ? null : (run.finishedTime ?? run.end)) : ms(story.b);
  const closed = story.kind === 'tool' && argsEnd !== null && story.result !== undefined ? argsEnd : ended;
  const open = run.ending in HOW ? HOW[run.ending as keyof typeof HOW] : 'run-finished';
  return {
    id,
    conn: run.conn,
    run: run.id,
    kind: story.kind,
    itemId: story.kind === 'step' || story.kind === 'subagent' ? story.name : `${story.kind}_${id}`,
    label: story.name,
    owner: story.owner ?? null,
    parent: story.parent ?? null,
    form: 'explicit',
    start: ms(story.a),
    end: closed,
    how: closed === null ? null : story.b === null ? open : 'closed',
    firstRow: 0,
    lastRow: 0,
    deltas: deltas.length,
    chars: deltas.length * 6,
    contentStart: story.kind === 'tool' ? ms(story.a) : (deltas[0] ?? null),
    contentEnd: story.kind === 'tool' ? argsEnd : (deltas.at(-1) ?? null),
    argsEnd,
    resultTime: story.result === undefined ? null : ms(story.result),
    resultRow: null,
  };
}

function addSpans(story: RunStory, run: Writable<RunView>, draft: Draft, now: number): Map<string, Writable<SpanView>> {
  const byName = new Map<string, Writable<SpanView>>();
  for (const one of story.spans ?? []) {
    const span = draftSpan(one, run, draft.spans.length, one.b ?? story.b ?? now, draft);
    draft.spans.push(span);
    if (!byName.has(one.name)) byName.set(one.name, span);
    draft.moments.push({
      time: span.start,
      set: (row) => {
        span.firstRow = row;
        span.lastRow = Math.max(span.lastRow, row);
      },
    });
    const after = (row: number) => {
      span.lastRow = Math.max(span.lastRow, row);
    };
    for (const time of draft.deltas.get(span.id)!) draft.moments.push({ time, set: after });
    if (span.kind === 'text' && run.firstTextTime === null) run.firstTextTime = span.contentStart;
    if (span.how === 'closed' && span.end !== null) draft.moments.push({ time: span.end, set: after });
    if (span.resultTime !== null) draft.moments.push({ time: span.resultTime, set: (row) => (span.resultRow = row) });
  }
  return byName;
}

function addFindings(story: RunStory, run: Writable<RunView>, draft: Draft, byName: ReadonlyMap<string, SpanView>): void {
  for (const one of story.findings ?? []) {
    const related: number[] = [];
    const finding: Writable<FindingView> = {
      id: draft.findings.length,
      conn: run.conn,
      run: run.id,
      rule: one.rule,
      severity: one.severity,
      at: 0,
      message: one.message ?? `Finding of rule ${one.rule}.`,
      repeats: 0,
      row: null,
      relatedRows: related,
      time: ms(one.at),
      span: one.span === undefined ? null : (byName.get(one.span)?.id ?? null),
    };
    draft.findings.push(finding);
    run.findings = { ...run.findings, [one.severity]: run.findings[one.severity] + 1 };
    draft.moments.push({
      time: finding.time,
      set: (row) => {
        finding.row = row;
        finding.at = row;
        if (run.rejectedTime === finding.time && one.severity === 'violation') run.rejectedRow = row;
        for (const name of one.related ?? []) related.push(byName.get(name)!.firstRow);
      },
    });
  }
}

function addRun(story: RunStory, draft: Draft, now: number): void {
  const run = draftRun(story, draft.runs.length);
  draft.runs.push(run);
  draft.moments.push({ time: run.start, set: (row) => (run.firstRow = row) });
  const byName = addSpans(story, run, draft, now);
  for (const [at, kind] of story.ticks ?? []) {
    const tick: Writable<TickView> = { row: 0, run: run.id, kind, time: ms(at), owner: null };
    draft.ticks.push(tick);
    draft.moments.push({ time: tick.time, set: (row) => (tick.row = row) });
  }
  addFindings(story, run, draft, byName);
  if (story.referenceStop !== undefined) draft.moments.push({ time: ms(story.referenceStop), set: (row) => draft.references.set(run.conn, row) });
  if (run.end !== null && run.ending !== 'lost') draft.moments.push({ time: run.end, set: (row) => (run.endedRow = row) });
}

/** Builds the model of some stories; `now` in seconds. Rows are numbered by time over all of them. */
export function buildModel(stories: readonly RunStory[], now: number): TimelineModel {
  const draft: Draft = { runs: [], spans: [], ticks: [], findings: [], deltas: new Map(), moments: [], references: new Map() };
  for (const story of stories) {
    const before = draft.moments.length;
    addRun(story, draft, now);
    draft.runs.at(-1)!.events = draft.moments.length - before;
  }
  const order = draft.moments.map((moment, i) => ({ moment, i })).sort((a, b) => a.moment.time - b.moment.time || a.i - b.i);
  order.forEach(({ moment }, row) => {
    moment.set(row);
  });
  const times = order.map(({ moment }) => moment.time);
  for (const run of draft.runs) {
    const last = times.findLastIndex((time) => run.end === null || time <= run.end);
    run.lastRow = run.endedRow ?? last;
  }
  const connections = draft.runs.map((run, i) => {
    const reference = draft.references.get(run.conn) ?? null;
    return {
      id: run.conn,
      url: `http://localhost:5173${stories[i]!.url ?? '/api/agent'}`,
      stopsAtRow: run.rejectedRow,
      referenceStopsAtRow: reference ?? run.rejectedRow,
      resumes: stories[i]!.resume ?? [],
    };
  });
  return {
    runs: draft.runs,
    spans: draft.spans,
    ticks: draft.ticks,
    findings: draft.findings,
    connections,
    timeOfRow: (row) => times[row] ?? Number.NaN,
    deltasOf: (span) => draft.deltas.get(span) ?? [],
    now: ms(now),
  };
}
