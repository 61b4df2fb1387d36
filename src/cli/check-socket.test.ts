import { expect, it } from 'vitest';
import type { CaptureRecord } from '../capture/types.ts';
import { checkRecords } from './check-stream.ts';

const lines = (runId: string): string =>
  [{ type: 'RUN_STARTED' }, { type: 'RUN_FINISHED' }].map((event) => `${JSON.stringify({ ...event, threadId: 't', runId })}\n`).join('');

it('reads a captured socket as lines, and holds no run against a request of another', () => {
  const records: CaptureRecord[] = [
    { kind: 'request', conn: 0, carrier: 'websocket', document: null, request: { url: 'ws://localhost/agent', method: 'GET', time: 1 } },
    { kind: 'body', conn: 0, body: { kind: 'text', text: '{"threadId":"t","runId":"r1","messages":[]}' } },
    { kind: 'response', conn: 0, response: { time: 2, status: 101, contentType: 'application/x-ndjson' } },
    { kind: 'chunk', conn: 0, asked: 3, came: 3, bytes: new TextEncoder().encode(lines('r1')) },
    { kind: 'chunk', conn: 0, asked: 4, came: 4, bytes: new TextEncoder().encode(lines('r2')) },
    { kind: 'end', conn: 0, end: { time: 5, how: 'complete' } },
  ];
  const [checked] = checkRecords(records);
  expect(checked?.runs.map(({ runId, ending }) => [runId, ending])).toEqual([
    ['r1', 'finished/success'],
    ['r2', 'finished/success'],
  ]);
  expect(checked?.findings).toEqual([]);
});
