/** What the worker checks of the panel's messages, above all of imported records, which come from a file. */
import type { CaptureRecord, Carrier, EndHow, RequestBody } from '../capture/types.ts';
import type { Command, ToWorker } from './worker-to-panel.ts';

type Fields = Readonly<Record<string, unknown>>;

const CARRIERS: readonly unknown[] = ['fetch', 'eventsource', 'xhr', 'websocket', 'network-log', 'file'] satisfies Carrier[];
const ENDS: readonly unknown[] = ['complete', 'network-error', 'aborted', 'cancelled', 'closed', 'navigated'] satisfies EndHow[];
const BODIES: readonly unknown[] = ['none', 'text', 'bytes', 'form', 'stream', 'unreadable'] satisfies RequestBody['kind'][];

/** Whether a value is a message of the panel. Never throws. */
export function isToWorker(value: unknown): value is ToWorker {
  const message = fieldsOf(value);
  if (message?.['kind'] === 'ping') return true;
  return message?.['kind'] === 'command' && isCount(message['id']) && isCommand(fieldsOf(message['command']));
}

function isCommand(command: Fields | null): boolean {
  switch (command?.['name'] as Command['name'] | undefined) {
    case 'clear':
    case 'forget-closed':
      return true;
    case 'limits':
      return fieldsOf(command?.['limits']) !== null;
    case 'record':
    case 'preserve':
      return typeof command?.['on'] === 'boolean';
    case 'bytes':
      return isCount(command?.['conn']) && isCount(command?.['offset']) && isCount(command?.['length']);
    case 'request-body':
      return isCount(command?.['conn']);
    case 'import':
      return Array.isArray(command?.['records']) && command['records'].every(isCaptureRecord) && typeof command['last'] === 'boolean';
    case 'rules': {
      const rules = fieldsOf(command?.['rules']);
      return rules !== null && Object.values(rules).every((on) => typeof on === 'boolean');
    }
    default:
      return false;
  }
}

/** Whether a value is a capture record in every field. Never throws. */
export function isCaptureRecord(value: unknown): value is CaptureRecord {
  const record = fieldsOf(value);
  if (!record || !isCount(record['conn'])) return false;
  switch (record['kind'] as CaptureRecord['kind'] | undefined) {
    case 'request':
      return (
        CARRIERS.includes(record['carrier']) &&
        (record['document'] === null || isDocument(fieldsOf(record['document']))) &&
        isRequest(fieldsOf(record['request']))
      );
    case 'body':
      return isBody(fieldsOf(record['body']));
    case 'response':
      return isResponse(fieldsOf(record['response']));
    case 'chunk':
      return isTime(record['asked']) && isTime(record['came']) && record['bytes'] instanceof Uint8Array;
    case 'gap': {
      const gap = fieldsOf(record['gap']);
      return gap !== null && isTime(gap['time']) && isCount(gap['bytes']) && isCount(gap['chunks']) && isText(gap['why']);
    }
    case 'end': {
      const end = fieldsOf(record['end']);
      return end !== null && isTime(end['time']) && ENDS.includes(end['how']) && isTextOrNone(end['message']);
    }
    case 'replay': {
      const replay = fieldsOf(record['replay']);
      return replay !== null && isTime(replay['time']) && isText(replay['of']) && isTextOrNone(replay['plan']);
    }
    case 'findings':
      return (
        isTextOrNone(record['protocol']) &&
        isTexts(record['rules']) &&
        Array.isArray(record['findings']) &&
        record['findings'].every((finding) => isFinding(fieldsOf(finding)))
      );
    default:
      return false;
  }
}

function isFinding(finding: Fields | null): boolean {
  if (!finding) return false;
  const { rule, at, frame, related, run, message, repeats } = finding;
  const places = isPlace(at) && Array.isArray(related) && related.every(isPlace) && (frame === undefined || isCount(frame)) && (run === null || isCount(run));
  return places && isText(rule) && isText(message) && isCount(repeats);
}

function isPlace(value: unknown): boolean {
  return isCount(value) || value === -1;
}

function isTexts(value: unknown): boolean {
  return Array.isArray(value) && value.every(isText);
}

function isRequest(request: Fields | null): boolean {
  if (!request) return false;
  const body = request['body'];
  const bodyIsGood = body === undefined || isBody(fieldsOf(body));
  return isText(request['url']) && isText(request['method']) && isTime(request['time']) && isTextOrNone(request['stack']) && bodyIsGood;
}

function isBody(body: Fields | null): boolean {
  if (!body) return false;
  return (
    BODIES.includes(body['kind']) &&
    isTextOrNone(body['text']) &&
    (body['size'] === undefined || isCount(body['size'])) &&
    (body['cut'] === undefined || typeof body['cut'] === 'boolean')
  );
}

function isResponse(response: Fields | null): boolean {
  if (!response) return false;
  const texts = isText(response['contentType']) && isTextOrNone(response['statusText']) && isTextOrNone(response['url']);
  return texts && isTime(response['time']) && isCount(response['status']);
}

function isDocument(document: Fields | null): boolean {
  return document !== null && isText(document['doc']) && isText(document['url']) && isCount(document['frame']) && isTime(document['time']);
}

function fieldsOf(value: unknown): Fields | null {
  return typeof value === 'object' && value !== null ? (value as Fields) : null;
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

function isTextOrNone(value: unknown): boolean {
  return value === undefined || isText(value);
}

function isTime(value: unknown): boolean {
  return typeof value === 'number' && Number.isFinite(value);
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}
