/** Frames of a recognised connection → checker → runs → rows and findings. */
import { isReplayed } from '../capture/replay-note.ts';
import { check, findingsOf, referenceStopsAt, runsOf, stopsAt } from '../checker/index.ts';
import type { CheckerState } from '../checker/state.ts';
import type { CheckerInput, CheckResult, Finding } from '../checker/types.ts';
import { TYPE_BAD_FRAME, TYPE_UNKNOWN, typeCode } from '../protocol/events.ts';
import { applyResult, noteFinding } from '../runs/index.ts';
import type { FindingView } from '../runs/types.ts';
import type { Frame } from '../stream/types.ts';
import { pushRow, pushToList, type Row } from './columns.ts';
import type { ConnState, Segment, Session } from './state.ts';
import { ROW_HAS_FINDING, ROW_STRAY } from './types.ts';

export type Judged = Segment & { checker: CheckerState };

/** What one input did, in session numbers. `marked`: a finding sits on the row that is about to be added. */
interface Outcome {
  readonly result: CheckResult;
  readonly run: number;
  readonly span: number;
  readonly marked: boolean;
}

/** Judges a frame (numbered and placed within its connection) and adds its rows: one a value, or one for a frame that gave none. `asked` in ms since the epoch. */
export function foldFrame(session: Session, conn: ConnState, segment: Judged, frame: Frame, asked: number): void {
  let marked = false;
  let run = -1;
  for (const fault of frame.faults) {
    const input: CheckerInput = { kind: 'fault', fault, frame: frame.no, time: frame.time, ...(frame.text === undefined ? {} : { text: frame.text }) };
    const outcome = judge(session, conn, segment, input, session.rows.count, 0);
    marked ||= outcome.marked;
    if (outcome.run >= 0) run = outcome.run;
  }
  if (frame.values.length === 0) {
    conn.lastRow = addRow(session, conn, frame, { type: TYPE_BAD_FRAME, at: conn.events, part: 0, run, span: -1, flags: marked ? ROW_HAS_FINDING : 0 });
  }
  for (let part = 0; part < frame.values.length; part++) {
    const input: CheckerInput = { kind: 'event', value: frame.values[part], frame: frame.no, time: frame.time, asked };
    const outcome = judge(session, conn, segment, input, session.rows.count, part === 0 ? frame.length : 0);
    const { result } = outcome;
    conn.lastRow = addRow(session, conn, frame, {
      type: result.type === null ? TYPE_UNKNOWN : typeCode(result.type),
      at: result.at + segment.baseEvents,
      part: Math.min(part, 255),
      run: outcome.run,
      span: outcome.span,
      flags: (result.stray ? ROW_STRAY : 0) | (outcome.marked || marked ? ROW_HAS_FINDING : 0),
    });
    conn.events++;
    marked = false;
    if (conn.recorded) addRecorded(session, conn, segment, frame.time, conn.events - 1);
  }
}

/** Adds the findings recorded for positions up to `last`, which is the connection's. */
export function addRecorded(session: Session, conn: ConnState, segment: Judged, time: number, last: number): void {
  const waiting = conn.recorded?.waiting ?? [];
  for (let finding = waiting.at(-1); finding && finding.at <= last; finding = waiting.at(-1)) {
    waiting.pop();
    if (session.options.rules?.[finding.rule] === false) continue;
    const base = segment.baseEvents;
    const own = base === 0 ? finding : { ...finding, at: finding.at - base, related: finding.related.map((at) => at - base), run: null };
    judge(session, conn, segment, { kind: 'recorded', finding: own, time }, conn.lastRow, 0);
  }
}

type OwnColumns = Pick<Row, 'type' | 'at' | 'part' | 'run' | 'span' | 'flags'>;

/** Written out because this runs for every event: spreading the common part took a third of the fold's time. */
function addRow(session: Session, conn: ConnState, frame: Frame, own: OwnColumns): number {
  return pushRow(session.rows, {
    time: frame.time,
    type: own.type,
    conn: conn.id,
    at: own.at,
    frame: frame.no,
    part: own.part,
    run: own.run,
    span: own.span,
    offset: frame.offset,
    length: frame.length,
    flags: own.flags,
  });
}

/** An input that makes no row: request, response, tick, end. */
export function judgeAside(session: Session, conn: ConnState, segment: Judged, input: CheckerInput): void {
  judge(session, conn, segment, input, conn.lastRow, 0);
}

/** Whether the segment has a checker. */
export function isJudged(segment: Segment): segment is Judged {
  return segment.checker !== null;
}

function judge(session: Session, conn: ConnState, segment: Judged, input: CheckerInput, row: number, bytes: number): Outcome {
  const result = check(segment.checker, input);
  if (result.at >= 0) pushToList(segment.rows, row);
  const { model, rows } = session;
  const known = model.runs.length;
  const ids = applyResult(model, result, {
    conn: conn.id,
    row,
    time: input.time,
    bytes,
    numbers: segment.numbers,
    verdicts: runsOf(segment.checker),
    rowOf: (at) => rowOf(segment, at),
    timeOf: (no) => rows.time[no]!,
    requestTime: segment.fromStart ? conn.request.time : null,
    requestRunId: isReplayed(conn.replay) ? null : conn.requestRunId,
  });
  for (let id = known; id < model.runs.length; id++) conn.runs.push(id);
  let marked = false;
  for (const finding of result.findings) {
    const at = addFinding(session, conn, segment, finding, {
      row,
      time: input.time,
      span: spanOf(input, row, ids.span, rows.span),
      isFault: input.kind === 'fault',
    });
    marked ||= at === rows.count;
  }
  for (const id of result.absorbedBy) absorb(session, segment, id);
  if (result.findings.length > 0 || input.kind === 'end') noteStops(conn, segment, row);
  return { result, run: ids.run, span: ids.span, marked };
}

/** A recorded finding comes when its row is there already: it sits on that row's span. */
function spanOf(input: CheckerInput, row: number, own: number, spans: Int32Array): number {
  return input.kind === 'recorded' && row >= 0 ? spans[row]! : own;
}

interface Place {
  readonly row: number;
  readonly time: number;
  readonly span: number;
  readonly isFault: boolean;
}

/** Adds a finding in session numbers and answers its row, null for the whole response. */
function addFinding(session: Session, conn: ConnState, segment: Judged, finding: Finding, place: Place): number | null {
  const { id: own, run, related, ...rest } = finding;
  const row = rowOfFinding(segment, finding, place);
  const here = row === null || row === place.row;
  const view: FindingView = {
    ...rest,
    id: session.findings.length,
    conn: conn.id,
    at: finding.at < 0 ? -1 : finding.at + segment.baseEvents,
    run: run === null ? null : (segment.numbers.runs[run] ?? null),
    row,
    relatedRows: related.flatMap((at) => rowOf(segment, at) ?? []),
    time: here ? place.time : session.rows.time[row]!,
    span: concernsItem(finding.rule) ? spanAt(session, row, place) : null,
  };
  segment.findings[own] = view.id;
  session.findings.push(view);
  session.counts[view.severity]++;
  session.changed.findings.add(view.id);
  noteFinding(session.model, view);
  if (row !== null && row < session.rows.count) mark(session, row);
  return row;
}

function rowOfFinding(segment: Segment, finding: Finding, place: Place): number | null {
  if (finding.at < 0) return null;
  // a framing fault's position is that of the next event: its own frame is the row
  if (place.isFault && finding.frame !== undefined) return place.row;
  return rowOf(segment, finding.at) ?? null;
}

function spanAt(session: Session, row: number | null, place: Place): number | null {
  if (row === null) return null;
  const span = row === place.row ? place.span : session.rows.span[row]!;
  return span < 0 ? null : span;
}

/** Findings about a run, the stream or its transport do not belong on the bar of the item that happened to be there. */
function concernsItem(rule: string): boolean {
  return !/^(run|stream|transport|version|usage|interrupt)-/.test(rule);
}

function mark(session: Session, row: number): void {
  const flags = session.rows.flags[row]!;
  if (flags & ROW_HAS_FINDING) return;
  session.rows.flags[row] = flags | ROW_HAS_FINDING;
  if (row < session.taken.rows) session.changed.marked.add(row);
}

function absorb(session: Session, segment: Judged, own: number): void {
  const view = session.findings[segment.findings[own]!]!;
  view.repeats = findingsOf(segment.checker)[own]!.repeats;
  session.changed.findings.add(view.id);
}

function noteStops(conn: ConnState, segment: Judged, row: number): void {
  conn.stopsAtRow ??= stopRow(segment, stopsAt(segment.checker), row);
  conn.referenceStopsAtRow ??= stopRow(segment, referenceStopsAt(segment.checker), row);
}

function stopRow(segment: Segment, at: number | null, row: number): number | null {
  return at === null || at < 0 ? null : (rowOf(segment, at) ?? row);
}

function rowOf(segment: Segment, at: number): number | undefined {
  return at < segment.rows.count ? segment.rows.data[at] : undefined;
}
