/**
 * What the test command checks: bundle sizes, and that no cost grows faster than the work. No wall time: growth is a ratio of CPU time
 * with a limit that only a square law passes.
 */
import type { CaptureRecord } from '../src/capture/types.ts';
import { addRecord, createSession, takeChanges } from '../src/session/index.ts';
import { sizeFigures } from './sizes.ts';
import { asSseChunks, cleanEvents } from './streams.ts';
import { best, type Figure, report } from './table.ts';

const [FEW, MANY] = [20_000, 200_000];

function fold(chunks: readonly Uint8Array[]): void {
  const session = createSession({});
  const head: CaptureRecord[] = [
    { kind: 'request', conn: 0, carrier: 'fetch', document: null, request: { url: 'http://localhost/agent', method: 'POST', time: 0 } },
    { kind: 'response', conn: 0, response: { time: 1, status: 200, contentType: 'text/event-stream' } },
  ];
  for (const record of head) addRecord(session, record);
  for (const [time, bytes] of chunks.entries()) {
    addRecord(session, { kind: 'chunk', conn: 0, asked: time, came: time, bytes });
    takeChanges(session);
  }
}

function growth(): Figure {
  const [few, many] = [asSseChunks(cleanEvents(FEW)), asSseChunks(cleanEvents(MANY))];
  fold(few);
  return {
    name: 'growth of the session fold, 200 k against 20 k events',
    value: best(2, () => fold(many)) / best(3, () => fold(few)),
    unit: '×',
    against: 'the same fold',
    bound: { atMost: 30 },
  };
}

report([...sizeFigures(process.cwd()), growth()]);
