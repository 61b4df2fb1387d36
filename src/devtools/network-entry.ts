/**
 * An entry of DevTools' network log (HAR, with Chromium's `_` fields) as capture records. The log tells when a request began, when it
 * was answered and when it ended; all bytes get the time of the end. Pure, and throws on nothing that an entry may hold.
 */
import type { CaptureRecord, EndHow } from '../capture/types.ts';
import { fromBase64 } from '../export/base64.ts';

interface Header {
  readonly name: string;
  readonly value: string;
}

interface CallFrame {
  readonly functionName?: string;
  readonly url?: string;
  readonly lineNumber?: number;
  readonly columnNumber?: number;
}

/** An event of a stream as DevTools' own EventStream view parsed it. */
interface Parsed {
  readonly eventName: string;
  readonly eventId: string;
  readonly data: string;
}

/** What is read of an entry. */
export interface Entry {
  readonly startedDateTime: string;
  /** ms */
  readonly time: number;
  readonly timings?: Readonly<Record<string, unknown>>;
  readonly request: {
    readonly method: string;
    readonly url: string;
    readonly headers: readonly Header[];
    readonly postData?: { readonly text?: string };
  };
  readonly response: {
    readonly status: number;
    readonly statusText: string;
    readonly headers: readonly Header[];
    readonly content: { readonly size?: number; readonly mimeType?: string };
    readonly _error?: string | null;
  };
  readonly _resourceType?: string;
  readonly _eventSourceMessages?: readonly Parsed[];
  readonly _initiator?: { readonly type?: string; readonly stack?: { readonly callFrames?: readonly CallFrame[] } };
}

/** A body as `getContent` gives it: text, base64, or null. */
export interface Content {
  readonly text: string | null;
  readonly encoding: string;
}

const STREAM_TYPE = /^\s*(?:text\/event-stream|application\/(?:vnd\.ag-ui\.event\+proto|x-ndjson|jsonl|json-seq))\s*(?:;|$)/i;
const STREAM_ACCEPT = /text\/event-stream|application\/vnd\.ag-ui\.event\+proto/i;
const WORKER_SCRIPT = /^(?:shared|service)?worker$/i;
/** Bytes a chunk: a record of the journal holds no more. */
const PIECE = 60 * 1024;

function headerOf(headers: readonly Header[], name: string): string {
  return headers.find((header) => header.name.toLowerCase() === name)?.value ?? '';
}

function frameOf(entry: Entry): CallFrame | undefined {
  return entry._initiator?.stack?.callFrames?.[0];
}

/**
 * Whether the hook has it already: it is among the callers, on top unless somebody wrapped `fetch` before us. The log names no caller of
 * an EventSource, of pages or of workers; those of pages are hooked.
 */
export function isHooked(entry: Entry, extension: string): boolean {
  const frames = entry._initiator?.stack?.callFrames;
  return entry._resourceType === 'eventsource' || (Array.isArray(frames) && frames.some((frame) => frame?.url?.startsWith(extension) ?? false));
}

/** Whether an entry tells that the page has a worker: it loads one's script, or comes from code that the hook is not in. */
export function showsWorker(entry: Entry, extension: string): boolean {
  const { url, headers } = entry.request;
  if (WORKER_SCRIPT.test(headerOf(headers, 'sec-fetch-dest')) || headerOf(headers, 'service-worker') !== '') return true;
  if (entry._resourceType === 'script') return url.startsWith('blob:');
  return entry._resourceType === 'fetch' && frameOf(entry) !== undefined && !isHooked(entry, extension);
}

/** The http(s) origin whose code asked, as far as the entry tells; else null. */
export function askerOf(entry: Entry): string | null {
  const { headers } = entry.request;
  for (const url of [headerOf(headers, 'origin'), headerOf(headers, 'referer'), frameOf(entry)?.url ?? '']) {
    try {
      const { origin } = new URL(url);
      if (/^https?:/.test(origin)) return origin;
    } catch {
      // none, or an opaque one
    }
  }
  return null;
}

function contentTypeOf({ response }: Entry): string {
  const { mimeType } = response.content;
  return headerOf(response.headers, 'content-type') || (mimeType && mimeType !== 'x-unknown' ? mimeType : '');
}

function hasRunKeys(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const fields = value as Record<string, unknown>;
  return ['threadId', 'thread_id', 'runId', 'run_id'].some((key) => typeof fields[key] === 'string') || Array.isArray(fields['messages']);
}

/** The hook's own test of a request body (src/page/shape.ts). */
function isAgentBody(text: string): boolean {
  if (!/"(?:thread_?id|run_?id|messages)"\s*:/i.test(text)) return false;
  try {
    const value: unknown = JSON.parse(text);
    return hasRunKeys(value) || (typeof value === 'object' && value !== null && !Array.isArray(value) && Object.values(value).some(hasRunKeys));
  } catch {
    return false;
  }
}

/** Whether an entry is worth noting, by the same signs as in a page: its type, what it accepts, or its body. */
export function isWanted(entry: Entry): boolean {
  const { method, headers, postData } = entry.request;
  if (method === 'OPTIONS' || !['fetch', 'xhr'].includes(entry._resourceType ?? 'fetch')) return false;
  return STREAM_TYPE.test(contentTypeOf(entry)) || STREAM_ACCEPT.test(headerOf(headers, 'accept')) || isAgentBody(postData?.text ?? '');
}

/** What stays the same while an exchange goes on; two exchanges may share it. */
export function nameOf({ startedDateTime, request }: Entry): string {
  return `${startedDateTime} ${request.method} ${request.url} ${request.postData?.text ?? ''}`;
}

/** Ms from the start to the answer. */
function waitOf({ timings = {}, time }: Entry): number {
  const parts = ['blocked', 'dns', 'connect', 'send', 'wait'].map((name) => Number(timings[name]));
  return Math.min(
    parts.reduce((sum, part) => (part > 0 ? sum + part : sum), 0),
    Math.max(time, 0),
  );
}

function stackOf({ _initiator }: Entry): string | undefined {
  const frames = _initiator?.stack?.callFrames ?? [];
  const lines = frames.map(({ functionName, url, lineNumber = 0, columnNumber = 0 }) => {
    const place = `${url}:${lineNumber + 1}:${columnNumber + 1}`;
    return functionName ? `    at ${functionName} (${place})` : `    at ${place}`;
  });
  return lines.length > 0 ? lines.join('\n') : undefined;
}

/** The records of an exchange up to its answer. */
export function headOf(entry: Entry): CaptureRecord[] {
  const { method, url, postData } = entry.request;
  const { status, statusText } = entry.response;
  const time = Date.parse(entry.startedDateTime) || 0;
  const stack = stackOf(entry);
  const text = postData?.text;
  const body = text === undefined ? ({ kind: method === 'GET' || method === 'HEAD' ? 'none' : 'unreadable' } as const) : ({ kind: 'text', text } as const);
  const request = { url, method, time, body, ...(stack === undefined ? {} : { stack }) };
  const records: CaptureRecord[] = [{ kind: 'request', conn: 0, carrier: 'network-log', document: null, request }];
  if (status > 0)
    records.push({ kind: 'response', conn: 0, response: { time: time + waitOf(entry), status, statusText, contentType: contentTypeOf(entry), url } });
  return records;
}

function howOf({ response }: Entry): EndHow {
  if (response._error) return response._error === 'net::ERR_ABORTED' ? 'aborted' : 'network-error';
  return response.status > 0 ? 'complete' : 'network-error';
}

/** Windows-1252 from 0x80 to 0x9F; the rest of it is Latin-1. */
const WINDOWS = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ';

/** The bytes that Windows-1252 decodes to this text, or null. */
function fromWindows(text: string): Uint8Array | null {
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    const at = code > 0xff ? WINDOWS.indexOf(text[i]!) : -1;
    if (code > 0xff && at < 0) return null;
    bytes[i] = at < 0 ? code : 0x80 + at;
  }
  return bytes;
}

/**
 * The bytes of a body. DevTools decodes text without a charset as Windows-1252 now and then, though event streams are UTF-8; which it
 * was is told by the size that the log knows.
 */
function bytesOf({ text, encoding }: Content, size: number): Uint8Array | null {
  if (text === null) return null;
  if (encoding === 'base64') return fromBase64(text);
  const bytes = new TextEncoder().encode(text);
  const windows = bytes.length === size ? null : fromWindows(text);
  return windows?.length === size ? windows : bytes;
}

function whyMissing(how: EndHow, size: number): string {
  if (how === 'aborted') return 'the network log has this request as given up, and keeps no body of those';
  if (how === 'network-error') return 'the network log keeps none of a connection that broke';
  return `the network log keeps bodies of some 16 MB at most, and this one had ${(size / 1e6).toFixed(1)} MB`;
}

/** Whether DevTools may have parsed the events of a body that it does not give. */
export function mayBeParsed(entry: Entry): boolean {
  return /^\s*text\/event-stream\b/i.test(contentTypeOf(entry));
}

/** The frames that the parsed events came from, as far as they tell. */
function framesOf({ _eventSourceMessages: parsed = [] }: Entry): string {
  let id = '';
  const frames = parsed.map(({ eventName, eventId, data }) => {
    const name = eventName && eventName !== 'message' ? `event: ${eventName}\n` : '';
    const mark = eventId && eventId !== id ? `id: ${eventId}\n` : '';
    id = eventId;
    return `${name}${mark}data: ${data.replaceAll('\n', '\ndata: ')}\n\n`;
  });
  return frames.join('');
}

const PARSED = 'the network log gave no body; this is what DevTools parsed of it';

/**
 * All records of an exchange that has ended; null for one that was answered with nothing, as the log shows a service worker's request
 * whose answer it passed on to the page. Where the log gives no body, the events that DevTools parsed of it stand in: while it parses
 * a stream, the log calls that stream aborted even when it was read to its end.
 */
export function wholeOf(entry: Entry, content: Content): CaptureRecord[] | null {
  const records = headOf(entry);
  const { status } = entry.response;
  const how = howOf(entry);
  const size = Math.max(entry.response.content.size ?? 0, 0);
  const time = (Date.parse(entry.startedDateTime) || 0) + Math.max(entry.time, 0);
  const frames = content.text === null ? framesOf(entry) : '';
  const bytes = frames ? new TextEncoder().encode(frames) : bytesOf(content, size);
  if (bytes?.length === 0 && how === 'complete' && status < 400) return null;
  const pieces = bytes ?? new Uint8Array(0);
  for (let at = 0; at < pieces.length; at += PIECE) {
    records.push({ kind: 'chunk', conn: 0, asked: time, came: time, bytes: pieces.slice(at, at + PIECE) });
  }
  if (!bytes && status > 0) records.push({ kind: 'gap', conn: 0, gap: { time, bytes: size, chunks: 0, why: whyMissing(how, size) } });
  const message = [entry.response._error, frames && PARSED].filter(Boolean).join('; ') || undefined;
  records.push({ kind: 'end', conn: 0, end: { time, how, ...(message === undefined ? {} : { message }) } });
  return records;
}
