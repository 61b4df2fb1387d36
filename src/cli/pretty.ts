/** What a check prints for people. */
import { styleText } from 'node:util';
import { statusOf } from '../checker/index.ts';
import type { Finding, Rule, RunStatus, RunVerdict, Severity } from '../checker/types.ts';
import type { FileKind } from '../export/index.ts';
import type { CheckedInput } from './check-input.ts';
import type { CheckedConnection } from './check-stream.ts';
import { placeOf } from './report.ts';

/** Whose behaviour `referenceStopsAt` tells. */
const REFERENCE = '@ag-ui/client 1.0.0';

export interface Look {
  readonly colour: boolean;
  /** Columns of the terminal. */
  readonly width: number;
}

type Ink = Parameters<typeof styleText>[0];

const KINDS: Readonly<Record<FileKind, string>> = {
  capture: 'Runlens capture',
  'ag-ui-devtools': 'AG-UI DevTools capture',
  'events-jsonl': 'events as JSON lines',
  'events-json': 'events as JSON',
  sse: 'SSE body',
  proto: 'protobuf body',
};

/** Sign, words and colour of each status; the sign alone tells them apart too. */
const STATUSES: Readonly<Record<RunStatus, readonly [string, string, Ink]>> = {
  active: ['◌', 'still running', 'cyan'],
  succeeded: ['✓', 'succeeded', 'green'],
  interrupted: ['‖', 'interrupted: waits for an answer', 'yellow'],
  cancelled: ['◻', 'cancelled', 'gray'],
  'failed-by-report': ['!', 'failed: the agent reported an error', 'magenta'],
  'failed-late': ['!', 'failed late: it had finished, then reported an error', 'magenta'],
  'rejected-by-violation': ['✗', 'rejected', 'red'],
  truncated: ['…', 'truncated: the stream ended inside it', 'yellow'],
};

const INKS: Readonly<Record<Severity, Ink>> = { violation: 'red', deviation: 'yellow', advice: 'cyan' };

/** Findings of one connection beyond these are counted, not listed. */
const MOST_LISTED = 200;

/** One file's part of the report, ended by a blank line. */
export function prettyFile(file: string, input: CheckedInput, look: Look): string {
  const paint = painter(look);
  const kind = input.kind === null ? 'not read' : KINDS[input.kind];
  const events = input.connections.reduce((sum, conn) => sum + conn.events, 0);
  const lines = [`${paint('bold', file)}  ${paint('dim', `${kind}${input.kind === null ? '' : ` · ${counted(events, 'event')}`}`)}`];
  for (const conn of input.connections) lines.push(...connectionLines(conn, input.connections.length > 1, paint, look));
  for (const problem of input.problems) lines.push(...wrapped(`  ${paint('red', 'could not read')}  `, 18, problem, look));
  return `${lines.join('\n')}\n\n`;
}

/** The last line: what was found in all files. */
export function prettySummary(inputs: readonly CheckedInput[], look: Look): string {
  const paint = painter(look);
  const findings = inputs.flatMap((input) => input.connections.flatMap((conn) => conn.findings));
  const of = (severity: Severity): number => findings.filter((finding) => finding.severity === severity).length;
  const events = inputs.reduce((sum, input) => sum + input.connections.reduce((own, conn) => own + conn.events, 0), 0);
  const unread = inputs.filter((input) => input.problems.length > 0).length;
  const parts = [
    counted(inputs.length, 'file'),
    counted(events, 'event'),
    of('violation') > 0 ? paint('red', counted(of('violation'), 'violation')) : paint('green', 'no violation'),
    of('deviation') > 0 ? paint('yellow', counted(of('deviation'), 'deviation')) : 'no deviation',
    of('advice') > 0 ? `${of('advice')} advice` : 'no advice',
    ...(unread > 0 ? [paint('red', `${unread} could not be read whole`)] : []),
  ];
  return `${parts.join(paint('dim', ' · '))}\n`;
}

type Paint = (ink: Ink, text: string) => string;

function painter(look: Look): Paint {
  return look.colour ? (ink, text) => styleText(ink, text, { validateStream: false }) : (_, text) => text;
}

function connectionLines(conn: CheckedConnection, several: boolean, paint: Paint, look: Look): string[] {
  const lines: string[] = [];
  if (several) lines.push('', `  ${paint('bold', `connection ${conn.conn}`)}  ${paint('dim', `${conn.url} · ${counted(conn.events, 'event')} · ${conn.end}`)}`);
  if (conn.foreign !== null) lines.push(`  ${paint('dim', `not AG-UI but ${conn.foreign}: not judged`)}`);
  for (const note of conn.notes) lines.push(...wrapped('  ', 2, note, look));
  if (conn.runs.length > 0) lines.push('');
  const width = Math.max(...conn.runs.map((run) => nameOf(run).length));
  for (const run of conn.runs) lines.push(runLine(run, width, paint));
  if (conn.findings.length > 0) lines.push('');
  for (const finding of conn.findings.slice(0, MOST_LISTED)) lines.push(...findingLines(finding, paint, look));
  if (conn.findings.length > MOST_LISTED) lines.push(`  ${paint('dim', `${conn.findings.length - MOST_LISTED} more findings; --format json lists all`)}`);
  lines.push(...stopLines(conn, paint));
  return lines;
}

function nameOf(run: RunVerdict): string {
  return run.runId ?? '(no run id)';
}

function runLine(run: RunVerdict, width: number, paint: Paint): string {
  const [sign, words, ink] = STATUSES[statusOf(run)];
  const rejected = run.rejectedAt === null ? words : `${words} by the violation at event ${run.rejectedAt}`;
  const said = [rejected, ...asides(run)].join('; ');
  return `  ${paint(ink, sign)} ${nameOf(run).padEnd(width)}  ${paint(ink, said)}  ${paint('dim', `events ${run.firstEvent}–${run.lastEvent}`)}`;
}

/** The other axis of a run, as rules.md §7 words it, and what else a reader should know. */
function asides(run: RunVerdict): string[] {
  const parts: string[] = [];
  if (run.rejectedAt !== null) parts.push(REJECTED[run.ending]);
  else if (run.ending === 'lost' && run.lostWhy === 'dropped') parts.push('the connection dropped');
  else if (run.ending === 'lost' && run.lostWhy === 'consumer-abort') parts.push('the page gave it up');
  if (run.outcomeStripped) parts.push('its unknown outcome reads as success');
  if (run.afterRejection) parts.push('a conforming client never got here');
  return parts;
}

const REJECTED: Readonly<Record<RunVerdict['ending'], string>> = {
  open: 'the stream was still open',
  'finished/success': 'the producer then reported success',
  'finished/interrupt': 'its interrupts are not safe to answer',
  'finished/cancelled': 'the producer reported a stop',
  error: 'the producer also reported failure',
  'late-error': 'it finished, then reported failure',
  lost: 'then it was cut',
  'cut-off': 'another run replaced it',
};

function findingLines(finding: Finding, paint: Paint, look: Look): string[] {
  const place = finding.at < 0 ? '·' : `#${finding.at}`;
  const severity = paint(INKS[finding.severity], finding.severity.padEnd(9));
  const related = finding.related.length > 0 ? `see ${finding.related.map((at) => `#${at}`).join(', ')}` : '';
  const repeats = finding.repeats > 0 ? `${finding.repeats} more of it` : '';
  const more = [related, repeats].filter(Boolean).join(' · ');
  const head = `  ${severity}  ${place.padStart(6)}  ${paint('bold', finding.rule)}${more ? `  ${paint('dim', more)}` : ''}`;
  return [head, ...wrapped(' '.repeat(21), 21, finding.message, look)];
}

function stopLines(conn: CheckedConnection, paint: Paint): string[] {
  const { stopsAt, referenceStopsAt } = conn;
  if (stopsAt === null && referenceStopsAt === null) return [];
  const conforming = stopsAt === null ? 'A conforming client reads it to the end' : `A conforming client stops at ${placeOf(stopsAt)}`;
  const reference = referenceStopsAt === null ? 'reads on' : `stops at ${placeOf(referenceStopsAt)}`;
  return ['', `  ${paint('dim', stopsAt === referenceStopsAt ? `${conforming}, and so does ${REFERENCE}.` : `${conforming}; ${REFERENCE} ${reference}.`)}`];
}

/** A rule as `--explain` tells it. */
export function prettyRule(rule: Rule, look: Look): string {
  const paint = painter(look);
  const reference = { rejects: 'rejects the stream', warns: 'warns and reads on', silent: 'says nothing' }[rule.reference];
  const rows: [string, string][] = [
    ['what it is', rule.meaning],
    ['usual cause', rule.cause],
    ['how to fix', rule.fix],
    ['reference', `${REFERENCE} ${reference}.`],
    ...(rule.off ? ([['default', 'Off; turn it on with --enable.']] as [string, string][]) : []),
    ...(rule.spec === null ? [] : ([['page', rule.spec]] as [string, string][])),
  ];
  const lines = rows.flatMap(([label, text]) => wrapped(`  ${paint('dim', label.padEnd(13))}`, 15, text, look));
  return `${paint('bold', rule.id)}  ${paint(INKS[rule.severity], rule.severity)}  ${rule.title}\n\n${lines.join('\n')}\n`;
}

function counted(count: number, noun: string): string {
  return `${count.toLocaleString('en-US')} ${noun}${count === 1 ? '' : 's'}`;
}

/** `text` broken at spaces, the first line behind `lead`, which takes `indent` columns. */
function wrapped(lead: string, indent: number, text: string, look: Look): string[] {
  const room = Math.max(30, Math.min(look.width, 110) - indent);
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(/\s+/)) {
    if (line !== '' && line.length + 1 + word.length > room) {
      lines.push(line);
      line = word;
    } else line = line === '' ? word : `${line} ${word}`;
  }
  lines.push(line);
  return lines.map((part, index) => (index === 0 ? lead : ' '.repeat(indent)) + part);
}

/** What to say to a name that is no rule. */
export function suggest(name: string, rules: readonly Rule[]): string {
  const words = name.split('-');
  const near = rules.filter((rule) => words.some((word) => word.length > 2 && rule.id.includes(word))).slice(0, 5);
  return `There is no rule "${name}".${near.length > 0 ? ` Did you mean ${near.map((rule) => rule.id).join(', ')}?` : ''}`;
}
