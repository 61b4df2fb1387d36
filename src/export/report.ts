/** A Markdown report of records: what ran in them, folded as a session folds it. */
import type { CaptureRecord } from '../capture/types.ts';
import type { Finding, RunVerdict } from '../checker/types.ts';
import type { FindingView, RunView } from '../runs/types.ts';
import { STREAM_ENDS } from '../session/ends.ts';
import { addRecord, createSession, type Session } from '../session/index.ts';
import type { ConnState } from '../session/state.ts';
import { type ReportConnection, toMarkdown } from './markdown.ts';

export interface Report {
  readonly take: (record: CaptureRecord) => void;
  readonly end: () => string;
}

export interface ReportOptions {
  readonly title: string;
  readonly notes: readonly string[];
  /** Which runs are told of, by connection and ordinal. */
  readonly isChosen: (conn: number, ordinal: number) => boolean;
  readonly rules: Readonly<Record<string, boolean>>;
}

export function createReport({ title, notes, isChosen, rules }: ReportOptions): Report {
  const session = createSession({ rules });
  return {
    take: (record) => addRecord(session, record),
    end: () => toMarkdown({ title, notes, connections: [...session.conns.values()].map((conn) => connectionOf(session, conn, isChosen)) }),
  };
}

function connectionOf(session: Session, conn: ConnState, isChosen: ReportOptions['isChosen']): ReportConnection {
  const runs = session.model.runs.filter((run) => run.conn === conn.id && isChosen(run.conn, run.ordinal));
  const findings = session.findings.filter((finding) => {
    if (finding.conn !== conn.id) return false;
    const run = finding.run === null ? undefined : session.model.runs[finding.run];
    return run === undefined || isChosen(run.conn, run.ordinal);
  });
  const at = (row: number): number => session.rows.at[row]!;
  return {
    conn: conn.id,
    url: conn.request.url,
    end: conn.end === null ? 'open' : STREAM_ENDS[conn.end.how],
    events: conn.events,
    runs: runs.map((run) => verdictOf(run, at)),
    findings: [...findings].sort((a, b) => a.at - b.at || a.id - b.id).map((finding) => findingOf(finding, at)),
    stopsAt: atOrNone(at, conn.stopsAtRow),
    referenceStopsAt: atOrNone(at, conn.referenceStopsAtRow),
    foreign: conn.recognised.as === 'foreign' ? conn.recognised.name : null,
    failure: conn.failure,
    replay: conn.replay,
  };
}

/** The position in its connection of the event in a row. */
type At = (row: number) => number;

function atOrNone(at: At, row: number | null): number | null {
  return row === null ? null : at(row);
}

function verdictOf(run: RunView, at: At): RunVerdict {
  const { ordinal, runId, threadId, parentRunId, ending, endingBefore, lostWhy, afterRejection, outcomeStripped, replacedBy } = run;
  return {
    ...{ ordinal, runId, threadId, parentRunId, ending, endingBefore, lostWhy, afterRejection, outcomeStripped, replacedBy },
    rejectedAt: atOrNone(at, run.rejectedRow),
    firstEvent: at(run.firstRow),
    lastEvent: at(run.lastRow),
    endedAt: atOrNone(at, run.endedRow),
  };
}

function findingOf({ relatedRows, run: _run, ...finding }: FindingView, at: At): Finding {
  return { ...finding, related: relatedRows.map(at), run: null };
}
