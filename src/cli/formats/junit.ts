/** Verdicts as JUnit XML, which CI servers show as tests: a suite a connection, a case a run and one for the stream itself. */
import type { Severity } from '../../checker/types.ts';
import { type JsonConnection, type JsonFinding, type JsonReport, placeIn } from './json-report.ts';

export interface JunitOptions {
  /** The least severe finding that fails a case; `violation` unless told. */
  readonly failOn?: Severity | 'none';
}

const RANK: Readonly<Record<Severity | 'none', number>> = { advice: 0, deviation: 1, violation: 2, none: 3 };

interface Case {
  readonly name: string;
  readonly failures: readonly string[];
  readonly error: string | null;
  readonly aside: string;
}

interface Suite {
  readonly name: string;
  readonly file: string;
  readonly cases: readonly Case[];
}

/** A file that could not be read is an error; findings under the threshold are output of their case. */
export function toJunit(reports: readonly JsonReport[], { failOn = 'violation' }: JunitOptions = {}): string {
  const suites = reports.flatMap((report) => suitesOf(report, failOn));
  const all = suites.flatMap(({ cases }) => cases);
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="runlens check" ${countsOf(all)}>\n${suites.map(suiteXml).join('')}</testsuites>\n`;
}

function suitesOf(report: JsonReport, failOn: Severity | 'none'): Suite[] {
  const { file, connections, problems = [] } = report;
  const suites = connections.map((connection, no): Suite => {
    const name = connections.length > 1 ? `${file} · connection ${no}` : file;
    return { name, file, cases: casesOf(report, connection, no, failOn) };
  });
  if (problems.length === 0) return suites;
  return [...suites, { name: `${file} · reading`, file, cases: [{ name: 'file', failures: [], error: problems.join('\n'), aside: '' }] }];
}

function casesOf(report: JsonReport, connection: JsonConnection, no: number, failOn: Severity | 'none'): Case[] {
  const made = (name: string, findings: readonly JsonFinding[], note: string): Case => ({
    name,
    failures: findings.filter(({ severity }) => RANK[severity] >= RANK[failOn]).map((finding) => line(report, no, finding)),
    error: null,
    aside: [note, ...findings.filter(({ severity }) => RANK[severity] < RANK[failOn]).map((finding) => line(report, no, finding))].join('\n'),
  });
  const { findings, runs, end, events, foreign } = connection;
  const stream = foreign === undefined ? `${events} events, ${end}` : `not AG-UI but ${foreign}: not judged`;
  const ofRun = (run: number | null): boolean => run !== null && runs[run] !== undefined;
  return [
    made(
      'stream',
      findings.filter(({ run }) => !ofRun(run)),
      stream,
    ),
    ...runs.map((run, ordinal) =>
      made(
        `run ${ordinal} ${run.runId ?? '(no run id)'}`,
        findings.filter((finding) => finding.run === ordinal),
        `${run.status}, ${run.verdict}`,
      ),
    ),
  ];
}

function line(report: JsonReport, no: number, { rule, severity, at, message }: JsonFinding): string {
  return `${severity} at ${placeIn(report, no, at)}: ${rule}: ${message}`;
}

function countsOf(cases: readonly Case[]): string {
  const failures = cases.filter(({ failures: own }) => own.length > 0).length;
  return `tests="${cases.length}" failures="${failures}" errors="${cases.filter(({ error }) => error !== null).length}" skipped="0" time="0"`;
}

function suiteXml({ name, file, cases }: Suite): string {
  return `  <testsuite name="${xml(name)}" ${countsOf(cases)}>\n${cases.map((test) => caseXml(test, file)).join('')}  </testsuite>\n`;
}

function caseXml({ name, failures, error, aside }: Case, file: string): string {
  const parts = [
    ...(failures.length === 0 ? [] : [`<failure message="${xml(failures[0]!)}" type="finding">${xml(failures.join('\n'))}</failure>`]),
    ...(error === null ? [] : [`<error message="${xml(error.split('\n', 1)[0]!)}" type="unreadable">${xml(error)}</error>`]),
    ...(aside === '' ? [] : [`<system-out>${xml(aside)}</system-out>`]),
  ];
  return `    <testcase name="${xml(name)}" classname="${xml(file)}" time="0">${parts.join('')}</testcase>\n`;
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
  '\n': '&#10;',
  '\r': '&#13;',
  '\t': '&#9;',
};

/** Text or attribute. What XML 1.0 cannot hold at all (§2.2) becomes U+FFFD. */
function xml(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what XML cannot hold
  return text.replaceAll(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|\p{Cs}/gu, '\ufffd').replaceAll(/[&<>"'\n\r\t]/g, (char) => ENTITIES[char]!);
}
