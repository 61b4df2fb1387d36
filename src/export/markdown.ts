/** A report for an issue tracker. What comes from the stream is text in it and nothing else: no markup, no link, no mention. */
import { replayNote } from '../capture/replay-note.ts';
import type { ReplayRecord } from '../capture/types.ts';
import { ruleOf } from '../checker/catalogue.ts';
import { statusOf } from '../checker/index.ts';
import type { Finding, Rule, RunStatus, RunVerdict, Severity, StreamEnd } from '../checker/types.ts';

export interface ReportConnection {
  readonly conn: number;
  readonly url: string;
  readonly end: StreamEnd;
  readonly events: number;
  readonly runs: readonly RunVerdict[];
  /** In the order they are to be listed. */
  readonly findings: readonly Finding[];
  readonly stopsAt: number | null;
  readonly referenceStopsAt: number | null;
  /** Another protocol's name; such a connection was not judged. */
  readonly foreign?: string | null;
  /** Why the exchange gave no stream, in one sentence. */
  readonly failure?: string | null;
  /** Set where the answer was not, or not all, the agent's. */
  readonly replay?: ReplayRecord | null;
}

export interface ReportInput {
  readonly title: string;
  readonly connections: readonly ReportConnection[];
  /** Whole sentences for the reader: what was redacted, say. */
  readonly notes?: readonly string[];
  /** The rule of an id; the catalogue's unless told. */
  readonly rule?: (id: string) => Rule;
}

/** Findings of one connection beyond these are counted. */
const MOST_LISTED = 100;
const LONGEST = 300;

const STATUSES: Readonly<Record<RunStatus, string>> = {
  active: 'still running',
  succeeded: 'succeeded',
  interrupted: 'interrupted, waits for an answer',
  cancelled: 'cancelled',
  'failed-by-report': 'failed: the agent reported an error',
  'failed-late': 'failed late: it had finished, then reported an error',
  'rejected-by-violation': 'rejected by a violation',
  truncated: 'truncated: the stream ended inside it',
};

const ENDS: Readonly<Record<StreamEnd, string>> = {
  closed: 'complete',
  aborted: 'given up by the page',
  error: 'connection lost',
  open: 'still open',
};

const SEVERITIES: readonly Severity[] = ['violation', 'deviation', 'advice'];

/** GitHub-flavoured Markdown: what ran, how it ended, and each finding with its rule. */
export function toMarkdown(input: ReportInput): string {
  const { title, connections, notes = [], rule = ruleOf } = input;
  const parts = [`# ${plain(title)}`, summary(connections), ...notes.map((note) => `> ${plain(note)}`)];
  for (const connection of connections) parts.push(...section(connection, rule));
  return `${parts.join('\n\n')}\n`;
}

function summary(connections: readonly ReportConnection[]): string {
  const runs = connections.reduce((sum, { runs: own }) => sum + own.length, 0);
  const events = connections.reduce((sum, { events: own }) => sum + own, 0);
  const counts = SEVERITIES.map((severity) => {
    const count = connections.reduce((sum, { findings }) => sum + findings.filter((finding) => finding.severity === severity).length, 0);
    return severity === 'advice' ? `${count} advice` : counted(count, severity);
  });
  return [counted(connections.length, 'connection'), counted(runs, 'run'), counted(events, 'event'), ...counts].join(' · ');
}

function section(connection: ReportConnection, rule: (id: string) => Rule): string[] {
  const { conn, url, end, events, runs, findings, foreign } = connection;
  const parts = [`## Connection ${conn}`, `${code(url)}\n${counted(events, 'event')}, ${ENDS[end]}.`];
  if (connection.replay) parts.push(plain(replayNote(connection.replay)));
  if (foreign !== undefined && foreign !== null) return [...parts, `Not AG-UI but ${plain(foreign)}: not judged.`];
  if (connection.failure) parts.push(plain(connection.failure));
  if (runs.length > 0) parts.push(table(['run', 'thread', 'status', 'events'], runs.map(runRow)));
  if (findings.length > 0)
    parts.push(
      findings
        .slice(0, MOST_LISTED)
        .map((finding) => findingItem(finding, rule(finding.rule)))
        .join('\n'),
    );
  if (findings.length > MOST_LISTED) parts.push(`${findings.length - MOST_LISTED} more findings are not listed.`);
  const stop = stopLine(connection);
  return stop === null ? parts : [...parts, stop];
}

function runRow(run: RunVerdict): string[] {
  const status =
    STATUSES[statusOf(run)] + (run.rejectedAt === null ? '' : ` at event ${run.rejectedAt}`) + (run.afterRejection ? ' (after an earlier rejection)' : '');
  return [run.runId === null ? 'no id' : code(run.runId), run.threadId === null ? 'no id' : code(run.threadId), status, `${run.firstEvent}–${run.lastEvent}`];
}

function findingItem({ severity, at, related, message, repeats }: Finding, rule: Rule): string {
  const place = at < 0 ? 'the response' : `event ${at}`;
  const name = rule.spec === null ? plain(rule.title) : `[${plain(rule.title)}](${rule.spec})`;
  const more = [related.length > 0 ? `see ${related.map((position) => `event ${position}`).join(', ')}` : '', repeats > 0 ? `${repeats} more of it` : ''];
  const aside = more.filter((text) => text !== '').join('; ');
  return `- **${severity}** at ${place}: ${name} (${code(rule.id)}). ${sentence(message)}${aside === '' ? '' : ` (${aside})`}`;
}

function stopLine({ stopsAt, referenceStopsAt }: ReportConnection): string | null {
  if (stopsAt === null && referenceStopsAt === null) return null;
  const place = (at: number | null): string => (at === null ? 'reads to the end' : at < 0 ? 'stops at the response' : `stops at event ${at}`);
  return `A conforming client ${place(stopsAt)}; @\u2060ag-ui/client 1.0.0 ${place(referenceStopsAt)}.`;
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

function oneLine(text: string): string {
  const line = text.replaceAll(/[\s\p{Cc}\p{Cf}\u2028\u2029]+/gu, ' ').trim();
  return line.length > LONGEST ? `${line.slice(0, LONGEST - 1)}…` : line;
}

/** Text without meaning to Markdown or GitHub. A word joiner behind `@` and `#` keeps names from being called and numbers from being linked. */
function plain(text: string): string {
  return oneLine(text)
    .replaceAll(/[\\`*_{}[\]()#+\-.!|<>&~:$^=@/]/g, '\\$&')
    .replaceAll(/[@#]/g, '$&\u2060');
}

/** A code span that its content cannot end. A pipe would end the cell of a table even in there. */
function code(text: string): string {
  const line = oneLine(text).replaceAll('|', '\u2223');
  if (line === '') return '(empty)';
  const fence = '`'.repeat(Math.max(0, ...[...line.matchAll(/`+/g)].map(([run]) => run.length)) + 1);
  const edge = line.startsWith('`') || line.endsWith('`') ? ' ' : '';
  return `${fence}${edge}${line}${edge}${fence}`;
}

/** The sentence of a finding, what it quotes as code. */
function sentence(message: string): string {
  const pieces = oneLine(message).split(/("(?:[^"\\]|\\.)*")/);
  return pieces.map((piece, index) => (index % 2 === 1 ? (piece.length > 2 ? code(piece.slice(1, -1)) : '(empty)') : spaced(piece))).join('');
}

function spaced(piece: string): string {
  const inner = plain(piece);
  if (inner === '') return piece === '' ? '' : ' ';
  return `${piece.startsWith(' ') ? ' ' : ''}${inner}${piece.endsWith(' ') ? ' ' : ''}`;
}
