/** A replayed stream is judged like any other, but for the run that the request asked for: Runlens gave it another one's answer. */
import { expect, it } from 'vitest';
import type { CaptureRecord } from '../capture/types.ts';
import { addRecord, createSession } from '../session/index.ts';
import { exchange, goodRun, sseOf } from '../session/testkit.ts';
import { checkRecords } from './check-stream.ts';

/** An exchange that asked for another run, with a replay record in that place: before the body, before the response, or before the first chunk. */
function recordsOf(of: string | null, place = 1): CaptureRecord[] {
  const records = exchange(sseOf(goodRun('r1')), { runId: 'another' });
  return of === null ? records : records.toSpliced(place, 0, { kind: 'replay', conn: 0, replay: { time: 5, of } });
}
function fold(records: readonly CaptureRecord[]) {
  const session = createSession();
  for (const record of records) addRecord(session, record);
  return session;
}
const rulesOf = (records: readonly CaptureRecord[]) => fold(records).findings.map(({ rule }) => rule);

it('is not held against the run id of the request, whenever the page says that it is replayed', () => {
  for (const place of [1, 2, 3]) {
    const session = fold(recordsOf('run r1', place));
    expect(session.findings).toEqual([]);
    expect(session.model.runs.map(({ answersRequest }) => answersRequest)).toEqual([null]);
    expect(checkRecords(recordsOf('run r1', place)).flatMap(({ findings }) => findings)).toEqual([]);
  }
});

it('a live answer is, also where trouble was made on it', () => {
  for (const records of [recordsOf(null), recordsOf('', 1), recordsOf('', 3)]) {
    expect(rulesOf(records)).toEqual(['run-request-id-mismatch']);
    expect(fold(records).model.runs.map(({ answersRequest }) => answersRequest)).toEqual([false]);
    expect(checkRecords(records).flatMap(({ findings }) => findings.map(({ rule }) => rule))).toEqual(['run-request-id-mismatch']);
  }
});
