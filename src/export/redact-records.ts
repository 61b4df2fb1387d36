/** Records other than chunks, redacted field by field: what is not named here is not in the answer. */
import type { CaptureRecord, RequestBody } from '../capture/types.ts';
import { isRule } from '../checker/catalogue.ts';
import { mediaType } from '../stream/index.ts';
import { recordedFindings } from './redact-findings.ts';
import type { FrameWriter } from './redact-frames.ts';
import { URLS } from './redact-groups.ts';
import { rewriteJson } from './redact-json.ts';
import { standIn } from './redact-stand-ins.ts';
import { urlStandIn } from './redact-url.ts';

export interface RecordWriter extends FrameWriter {
  readonly on: number;
}

type Of<K extends CaptureRecord['kind']> = Extract<CaptureRecord, { kind: K }>;

export function redactRecord(writer: RecordWriter, record: Exclude<CaptureRecord, { kind: 'chunk' }>): CaptureRecord {
  switch (record.kind) {
    case 'request':
      return redactRequest(writer, record);
    case 'body':
      return { kind: 'body', conn: record.conn, body: redactBody(writer, record.body) };
    case 'response':
      return redactResponse(writer, record);
    case 'gap': {
      const { time, bytes, chunks } = record.gap;
      return { kind: 'gap', conn: record.conn, gap: { time, bytes, chunks, why: 'the reason was redacted' } };
    }
    case 'replay':
      // a plan may quote what is to be taken out, and so may the words for what was replayed
      return { kind: 'replay', conn: record.conn, replay: { time: record.replay.time, of: record.replay.of === '' ? '' : 'a redacted recording' } };
    case 'findings':
      return recordedFindings(record.rules.filter(isRule), record.conn, record.findings, record.protocol);
    case 'end': {
      const { time, how, message } = record.end;
      return { kind: 'end', conn: record.conn, end: { time, how, ...(message === undefined ? {} : { message: standIn(writer.standIns, message, 'line') }) } };
    }
  }
}

function url(writer: RecordWriter, text: string): string {
  return writer.on & URLS ? urlStandIn(writer.standIns, text) : text;
}

const METHODS: ReadonlySet<string> = new Set(['', 'GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

/** The call stack is left out: it is source positions and addresses throughout. */
function redactRequest(writer: RecordWriter, { conn, carrier, document, request }: Of<'request'>): CaptureRecord {
  const { method, time, body } = request;
  return {
    kind: 'request',
    conn,
    carrier,
    document: document && { doc: writer.policies.id(document.doc), url: url(writer, document.url), frame: document.frame, time: document.time },
    request: {
      url: url(writer, request.url),
      method: METHODS.has(method.toUpperCase()) ? method : standIn(writer.standIns, method, 'solid'),
      time,
      ...(body === undefined ? {} : { body: redactBody(writer, body) }),
    },
  };
}

function redactBody(writer: RecordWriter, { kind, text, size, cut }: RequestBody): RequestBody {
  return {
    kind,
    ...(text === undefined ? {} : { text: bodyText(writer, text) }),
    ...(size === undefined ? {} : { size }),
    ...(cut === undefined ? {} : { cut }),
  };
}

/** A body that is no run input has no known structure at all. */
function bodyText(writer: RecordWriter, text: string): string {
  return rewriteJson(text, writer.policies.body) ?? standIn(writer.standIns, text, 'line');
}

const PHRASES: ReadonlySet<string> = new Set([
  '',
  ...['OK', 'Created', 'Accepted', 'No Content', 'Bad Request', 'Unauthorized', 'Payment Required', 'Forbidden', 'Not Found', 'Method Not Allowed'],
  ...['Not Acceptable', 'Request Timeout', 'Conflict', 'Gone', 'Payload Too Large', 'Unsupported Media Type', 'Unprocessable Entity', 'Too Many Requests'],
  ...['Internal Server Error', 'Not Implemented', 'Bad Gateway', 'Service Unavailable', 'Gateway Timeout'],
]);

function redactResponse(writer: RecordWriter, { conn, response }: Of<'response'>): CaptureRecord {
  const { time, status, statusText, contentType } = response;
  return {
    kind: 'response',
    conn,
    response: {
      time,
      status,
      ...(statusText === undefined ? {} : { statusText: PHRASES.has(statusText) ? statusText : standIn(writer.standIns, statusText, 'solid') }),
      contentType: contentTypeOf(writer, contentType),
      ...(response.url === undefined ? {} : { url: url(writer, response.url) }),
    },
  };
}

const MEDIA: ReadonlySet<string> = new Set([
  ...['', 'text/event-stream', 'application/vnd.ag-ui.event+proto', 'application/json', 'application/problem+json', 'text/plain', 'text/html', 'text/xml'],
  ...['application/x-ndjson', 'application/ndjson', 'application/jsonl', 'application/x-jsonlines', 'application/jsonlines', 'application/json-seq'],
  ...['application/octet-stream', 'multipart/mixed', 'application/xml', 'application/grpc-web+proto', 'application/stream+json'],
]);

/** What a reader tells the codec by stays: known media types, and of others whether they end in `json`. */
function contentTypeOf({ standIns }: RecordWriter, contentType: string): string {
  const media = mediaType(contentType);
  const [head = '', ...parameters] = contentType.split(';');
  const suffix = /json\s*$/i.exec(head)?.[0] ?? '';
  const type = MEDIA.has(media) ? head : head.slice(0, head.length - suffix.length).replaceAll(/[^/+.]+/g, (word) => standIn(standIns, word, 'solid')) + suffix;
  const rest = parameters.map((parameter) => (/^\s*charset="?utf-8"?\s*$/i.test(parameter) ? parameter : standIn(standIns, parameter, 'solid')));
  return [type, ...rest].join(';');
}
