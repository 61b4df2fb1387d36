import { describe, expect, it } from 'vitest';
import type { CaptureRecord } from '../capture/types.ts';
import { addRecord, createSession, everything } from './index.ts';
import { exchange, goodRun, sseOf } from './testkit.ts';

const MIB = 2 ** 20;

function fold(records: readonly CaptureRecord[], maxFrame?: number) {
  const session = createSession(maxFrame === undefined ? {} : { maxFrame });
  for (const record of records) addRecord(session, record);
  const { findings, connections, rows } = everything(session);
  return { findings, gaps: connections[0]?.gaps ?? [], rows: rows?.count ?? 0, leftOut: session.leftOut };
}

/** A run with one frame of that many bytes in its middle. */
function withLarge(bytes: number): CaptureRecord[] {
  const events = goodRun('r1');
  const large = { type: 'CUSTOM', name: 'large', value: 'x'.repeat(bytes) };
  return exchange(sseOf([...events.slice(0, 4), large, ...events.slice(4)]));
}

describe('a frame over the limit that is set', () => {
  it('leaves a gap and no verdict, and what comes behind it is read', () => {
    const records = withLarge(2 * MIB);
    const whole = fold(records);
    const cut = fold(records, MIB);
    expect(whole).toMatchObject({ gaps: [], leftOut: 0 });
    expect(cut).toMatchObject({ findings: [], gaps: [{ chunks: 0, why: 'the frame is over 1 MiB, the limit that is set' }], leftOut: 1 });
    expect(cut.gaps[0]?.bytes).toBeGreaterThan(2 * MIB);
    expect(cut.rows).toBe(whole.rows - 1);
  });

  it('is the reference client’s business where that would have given up too', () => {
    const records = withLarge(31 * MIB);
    for (const limit of [undefined, MIB]) expect(fold(records, limit).findings.map(({ rule }) => rule)).toContain('transport-frame-too-large');
  });
});
