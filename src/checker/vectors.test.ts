import { describe, expect, it } from 'vitest';
import vectors from './fixtures/vectors.json';
import { runsOf, stopsAt } from './index.ts';
import { foldEvents, statusesOf, verdictsOf } from './testing.ts';
import type { StreamEnd } from './types.ts';

describe('vectors', () => {
  it.each(vectors)('$name', ({ events, end, findings, runs }) => {
    const state = foldEvents(events, end as StreamEnd);
    expect(verdictsOf(state)).toEqual(findings);
    expect(statusesOf(state)).toEqual(runs);
    const violations = findings.filter(({ severity }) => severity === 'violation');
    expect(stopsAt(state)).toBe(violations[0]?.at ?? null);
  });

  it('are all 40', () => {
    expect(vectors).toHaveLength(40);
  });

  it('mark the runs after the first violation', () => {
    const vector = vectors.find(({ name }) => name === 'two-runs-interleaved');
    const state = foldEvents(vector?.events ?? []);
    expect(runsOf(state).map(({ afterRejection, ending, replacedBy }) => ({ afterRejection, ending, replacedBy }))).toEqual([
      { afterRejection: false, ending: 'cut-off', replacedBy: 1 },
      { afterRejection: true, ending: 'finished/success', replacedBy: null },
    ]);
  });
});
