/**
 * The file of the AG-UI DevTools extension (`*.agui.jsonl`, schema 1): a header line, then one line for each request, event and
 * keep-alive, each with the id of its connection and ms since the capture began. It holds decoded events and no bytes, so they are
 * given the SSE frames that would have carried them.
 */
import type { CaptureRecord } from '../capture/types.ts';
import { parseJson } from '../stream/index.ts';
import { toJson } from './events.ts';
import { contentRules } from './redact-findings.ts';
import { ANY, GROUPS, type Group } from './redact-groups.ts';
import type { Redacted } from './write.ts';

interface Conn {
  readonly id: number;
  last: number;
  open: boolean;
}

/** Plain data. */
export interface DevtoolsFile {
  /** What `tMs` counts from, ms since the epoch. */
  base: number;
  url: string | null;
  readonly conns: Map<string, Conn>;
  redacted: Redacted | null;
}

type Fields = Readonly<Record<string, unknown>>;

const encoder = new TextEncoder();

/** `base` in ms since the epoch, for a file that does not say when it was made. */
export function createDevtoolsFile(base: number): DevtoolsFile {
  return { base, url: null, conns: new Map(), redacted: null };
}

/** The records a line stands for, or what is wrong with it, as the end of a sentence. Never throws. */
export function devtoolsLine(file: DevtoolsFile, text: string): CaptureRecord[] | string {
  const line = parseJson(text);
  if (typeof line !== 'object' || line === null || Array.isArray(line)) return 'is not a JSON object and was left out';
  const fields = line as Fields;
  const kind = fields['kind'];
  if (kind === 'header') return takeHeader(file, fields);
  if (kind !== 'request' && kind !== 'event' && kind !== 'keepalive' && kind !== 'close') {
    return `was left out: its kind ${typeof kind === 'string' ? `"${kind.slice(0, 40)}"` : 'is missing or'} is not one this format has`;
  }
  if (typeof fields['connId'] !== 'string') return 'was left out: it names no connection ("connId")';
  const bytes = kind === 'event' ? eventBytes(fields) : kind === 'keepalive' ? encoder.encode(':\n\n') : null;
  if (kind === 'event' && bytes === null) return 'was left out: its event is nested too deeply';
  const known = file.conns.get(fields['connId']);
  const time = typeof fields['tMs'] === 'number' && Number.isFinite(fields['tMs']) ? file.base + fields['tMs'] : (known?.last ?? file.base);
  const records: CaptureRecord[] = [];
  const conn = known ?? begin(file, fields, time, records);
  conn.last = Math.max(conn.last, time);
  if (bytes) records.push({ kind: 'chunk', conn: conn.id, asked: conn.last, came: conn.last, bytes });
  if (kind === 'close' && conn.open) {
    conn.open = false;
    const reason = textOf(fields['reason']);
    records.push({
      kind: 'end',
      conn: conn.id,
      end: { time: conn.last, how: /abort/i.test(reason) ? 'aborted' : /error/i.test(reason) ? 'network-error' : 'complete' },
    });
  }
  return records;
}

/** The ends of the connections that the file leaves open: it does not say how they ended. */
export function endDevtoolsFile(file: DevtoolsFile): CaptureRecord[] {
  return [...file.conns.values()].filter(({ open }) => open).map(({ id, last }) => ({ kind: 'end', conn: id, end: { time: last, how: 'complete' } }));
}

function takeHeader(file: DevtoolsFile, { capturedAt, url, redacted }: Fields): CaptureRecord[] {
  const time = Date.parse(textOf(capturedAt));
  if (Number.isFinite(time)) file.base = time;
  if (typeof url === 'string') file.url = url;
  if (Array.isArray(redacted) && redacted.length > 0) {
    const names = redacted.map(textOf).map((name) => (name.startsWith('tool') ? 'tool' : name));
    file.redacted = { groups: GROUPS.filter((group: Group) => names.includes(group)), rules: contentRules(ANY) };
  }
  return [];
}

/** A connection begins with its request; where the file has none, with its first line. */
function begin(file: DevtoolsFile, fields: Fields, time: number, records: CaptureRecord[]): Conn {
  const conn: Conn = { id: file.conns.size, last: time, open: true };
  file.conns.set(String(fields['connId']), conn);
  const { method, url, input } = fields;
  const text = toJson(input) ?? undefined;
  records.push({
    kind: 'request',
    conn: conn.id,
    carrier: 'file',
    document: file.url === null ? null : { doc: 'file', url: file.url, frame: 0, time: file.base },
    request: {
      url: textOf(url),
      method: textOf(method),
      time,
      ...(text === undefined ? {} : { body: { kind: 'text', text, size: encoder.encode(text).length } }),
    },
  });
  if (file.redacted) records.push({ kind: 'findings', conn: conn.id, rules: file.redacted.rules, findings: [] });
  records.push({ kind: 'response', conn: conn.id, response: { time, status: 200, contentType: 'text/event-stream' } });
  return conn;
}

/** The frame that would have carried the event; null for one nested beyond the stack. */
function eventBytes({ event = null, raw }: Fields): Uint8Array | null {
  const text = event === null && typeof raw === 'string' ? raw : toJson(event);
  if (text === null) return null;
  return encoder.encode(
    `${text
      .split(/\r\n|\r|\n/)
      .map((part) => `data: ${part}`)
      .join('\n')}\n\n`,
  );
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
