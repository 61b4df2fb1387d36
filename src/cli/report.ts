/** What a check prints for machines: one JSON line a file, and GitHub workflow commands. */
import { statusOf } from '../checker/index.ts';
import type { RunVerdict, Severity } from '../checker/types.ts';
import type { CheckedInput } from './check-input.ts';
import type { CheckedConnection } from './check-stream.ts';
import type { JsonConnection, JsonReport } from './formats/json-report.ts';

const RANK: Readonly<Record<Severity, number>> = { advice: 0, deviation: 1, violation: 2 };

/** Findings at or over the threshold. */
export function countOver(input: CheckedInput, threshold: Severity | 'none'): number {
  if (threshold === 'none') return 0;
  return input.connections.reduce((sum, conn) => sum + conn.findings.filter((finding) => RANK[finding.severity] >= RANK[threshold]).length, 0);
}

export function jsonLine(file: string, input: CheckedInput): string {
  return `${JSON.stringify(jsonReport(file, input))}\n`;
}

/** The same as an object, for the formats made from it. */
export function jsonReport(file: string, input: CheckedInput): JsonReport {
  return { file, kind: input.kind, connections: input.connections.map(jsonConnection) };
}

function jsonConnection(conn: CheckedConnection): JsonConnection {
  return {
    end: conn.end,
    events: conn.events,
    findings: conn.findings.map(({ rule, severity, at, frame, related, run, message }) => ({
      rule,
      severity,
      at,
      frame: frame ?? null,
      related,
      run,
      message,
    })),
    runs: conn.runs.map((run) => ({
      runId: run.runId,
      threadId: run.threadId,
      status: statusOf(run),
      ending: run.ending,
      verdict: verdictOf(run),
      firstEvent: run.firstEvent,
      lastEvent: run.lastEvent,
    })),
    stopsAt: conn.stopsAt,
    referenceStopsAt: conn.referenceStopsAt,
    ...(conn.foreign === null ? {} : { foreign: conn.foreign }),
  };
}

/** rules.md §7: `accepted`, or `rejected at i`. */
export function verdictOf(run: RunVerdict): string {
  return run.rejectedAt === null ? 'accepted' : `rejected at ${run.rejectedAt}`;
}

const COMMANDS: Readonly<Record<Severity, string>> = { violation: 'error', deviation: 'warning', advice: 'notice' };

/** One workflow command a finding, shown by GitHub on the file. */
export function githubLines(file: string, input: CheckedInput): string {
  const several = input.connections.length > 1;
  const lines = input.connections.flatMap((conn) =>
    conn.findings.map((finding) => {
      const where = `${several ? `connection ${conn.conn}, ` : ''}${placeOf(finding.at)}`;
      return `::${COMMANDS[finding.severity]} file=${property(file)},title=${property(`${finding.rule} (${where})`)}::${data(finding.message)}\n`;
    }),
  );
  return [...lines, ...input.problems.map((problem) => `::error file=${property(file)},title=could not be read::${data(problem)}\n`)].join('');
}

export function placeOf(at: number): string {
  return at < 0 ? 'the response' : `event ${at}`;
}

function data(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

function property(text: string): string {
  return data(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}
