/** The pure core in Node: checker, decoding pipeline, patches and the session fold, each against a baseline measured in the same run. */
import { verifyEvents } from '@ag-ui/client';
import { from } from 'rxjs';
import type { CaptureRecord } from '../src/capture/types.ts';
import { check, createChecker } from '../src/checker/index.ts';
import { applyPatch } from '../src/checker/patch.ts';
import type { AgentEvent } from '../src/protocol/events.ts';
import { addRecord, createSession, takeChanges } from '../src/session/index.ts';
import { createStream, feed } from '../src/stream/index.ts';
import { asSseChunks, cleanEvents } from './streams.ts';
import { best, type Figure } from './table.ts';

const MANY = 1_000_000;
const FEW = 100_000;

function checkAll(events: readonly AgentEvent[], schema: boolean): void {
  const state = createChecker({ schema });
  for (let i = 0; i < events.length; i++) check(state, { kind: 'event', value: events[i], frame: i, time: i });
  check(state, { kind: 'end', end: 'closed', time: events.length });
}

function verifyAll(events: readonly AgentEvent[]): void {
  let error: unknown = null;
  from(events as never[])
    .pipe(verifyEvents(false))
    .subscribe({
      error: (e) => {
        error = e;
      },
    });
  if (error) throw error;
}

function decodeAndCheck(chunks: readonly Uint8Array[]): void {
  const stream = createStream({ codec: 'sse' });
  const state = createChecker();
  let time = 0;
  for (const bytes of chunks) {
    time++;
    for (const frame of feed(stream, bytes, time)) for (const value of frame.values) check(state, { kind: 'event', value, frame: frame.no, time });
  }
  check(state, { kind: 'end', end: 'closed', time });
}

/** The whole fold as the worker does it: records in, changes out once a batch. */
function foldSession(chunks: readonly Uint8Array[]): void {
  const session = createSession({});
  const records: CaptureRecord[] = [
    { kind: 'request', conn: 0, carrier: 'fetch', document: null, request: { url: 'http://localhost/agent', method: 'POST', time: 0 } },
    { kind: 'response', conn: 0, response: { time: 1, status: 200, contentType: 'text/event-stream' } },
  ];
  for (const record of records) addRecord(session, record);
  let time = 1;
  for (const bytes of chunks) {
    time++;
    addRecord(session, { kind: 'chunk', conn: 0, asked: time, came: time, bytes });
    takeChanges(session);
  }
}

function deltas(count: number): number {
  const doc = { progress: 0, notes: Array.from({ length: 800 }, (_, i) => ({ id: i, text: 'x'.repeat(80) })) };
  return best(3, () => {
    for (let i = 0; i < count; i++) applyPatch(doc, [{ op: 'replace', path: '/progress', value: i }]);
  });
}

/** Every figure of the core; takes about a minute. */
export function coreFigures(): Figure[] {
  const many = cleanEvents(MANY);
  const verify = best(3, () => verifyAll(many));
  const bare = best(3, () => checkAll(many, false));
  const lines = many.map((event) => JSON.stringify(event));
  const parse = best(3, () => {
    for (const line of lines) JSON.parse(line);
  });
  const chunks = asSseChunks(many);
  const whole = best(3, () => decodeAndCheck(chunks));
  const few = asSseChunks(cleanEvents(FEW));
  const fewTime = best(3, () => decodeAndCheck(few));
  const foldMany = best(2, () => foldSession(chunks));
  const foldFew = best(2, () => foldSession(few));
  return [
    {
      name: 'checker, schema off, against verifyEvents',
      value: verify / bare,
      unit: '×',
      against: `1 M events: ${(MANY / bare / 1000).toFixed(2)} against ${(MANY / verify / 1000).toFixed(2)} M/s`,
      bound: { atLeast: 1 },
    },
    {
      name: 'bytes → frames → JSON → schema → checker',
      value: parse / whole,
      unit: '× JSON.parse',
      against: `1 M events: ${(MANY / whole / 1000).toFixed(2)} against ${(MANY / parse / 1000).toFixed(2)} M/s`,
      bound: { atLeast: 0.3 },
    },
    { name: 'growth, 1 M against 100 k events', value: whole / fewTime, unit: '×', against: 'the same pipeline', bound: { atMost: 11 } },
    {
      name: 'session fold with rows, runs and changes',
      value: parse / foldMany,
      unit: '× JSON.parse',
      against: `1 M events: ${(MANY / foldMany / 1000).toFixed(2)} M/s`,
    },
    { name: 'growth of the session fold, 1 M against 100 k', value: foldMany / foldFew, unit: '×', against: 'the same fold', bound: { atMost: 12 } },
    { name: '40,000 state deltas on an 80 kB state', value: deltas(40_000) / 1000, unit: 's', against: 'CPU time', bound: { atMost: 2 } },
  ];
}
