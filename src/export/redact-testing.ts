/** For tests: captures of one exchange, redacted and read again. */
import type { CaptureRecord } from '../capture/types.ts';
import { createStream, type Frame, feed, finish } from '../stream/index.ts';
import { writeRecord } from './index.ts';
import { redact } from './redact.ts';
import type { Group } from './redact-groups.ts';

export type Fields = Record<string, unknown>;
export type Kind = 'sse' | 'ndjson' | 'json' | 'proto';

export const encoder = new TextEncoder();
export const decoder = new TextDecoder();
export const SECRET = 'Zk9SecretPlumOrchard';

export const TYPES: Readonly<Record<Kind, string>> = {
  sse: 'text/event-stream',
  ndjson: 'application/x-ndjson',
  json: 'application/json',
  proto: 'application/vnd.ag-ui.event+proto',
};

export function chunksOf(bytes: Uint8Array, cuts: readonly number[]): Uint8Array[] {
  const borders = [0, ...[...cuts].sort((a, b) => a - b), bytes.length];
  return borders.slice(1).map((to, index) => bytes.slice(borders[index]!, to));
}

export function capture(kind: Kind, chunks: readonly Uint8Array[]): CaptureRecord[] {
  return [
    {
      kind: 'request',
      conn: 0,
      carrier: 'fetch',
      document: { doc: 'd', url: 'http://localhost:3000/chat', frame: 0, time: 1 },
      request: { url: 'http://localhost/agent', method: 'POST', time: 2 },
    },
    { kind: 'response', conn: 0, response: { time: 3, status: 200, contentType: TYPES[kind] } },
    ...chunks.map((bytes, no): CaptureRecord => ({ kind: 'chunk', conn: 0, asked: 4 + no, came: 5 + no, bytes })),
    { kind: 'end', conn: 0, end: { time: 99, how: 'complete' } },
  ];
}

export function bodyOf(records: readonly CaptureRecord[]): Uint8Array {
  return Uint8Array.from(records.flatMap((record) => (record.kind === 'chunk' ? [...record.bytes] : [])));
}

export function framesOf(records: readonly CaptureRecord[]): Frame[] {
  const response = records.find((record) => record.kind === 'response');
  const stream = createStream({ codec: 'auto', contentType: response!.response.contentType });
  const frames = records.flatMap((record) => (record.kind === 'chunk' ? feed(stream, record.bytes, record.came) : []));
  return [...frames, ...finish(stream, 99).frames];
}

export const sse = (values: readonly unknown[]) => values.map((value) => `data: ${JSON.stringify(value)}\n\n`).join('');
export const eventsOf = (records: readonly CaptureRecord[]) => framesOf(records).flatMap((frame) => frame.values) as Fields[];
export const textOf = (records: readonly CaptureRecord[]) => records.map(writeRecord).join('') + decoder.decode(bodyOf(records));
export const run = (records: readonly CaptureRecord[], groups: readonly Group[] | 'all' = 'all') => [
  ...redact(records, { groups: groups === 'all' ? 'all' : new Set(groups), salt: 'grain' }),
];
export const runSse = (text: string, groups: readonly Group[] | 'all' = 'all') => run(capture('sse', [encoder.encode(text)]), groups);
export const runEvents = (events: readonly Fields[], groups: readonly Group[] | 'all' = 'all') => eventsOf(runSse(sse(events), groups));
