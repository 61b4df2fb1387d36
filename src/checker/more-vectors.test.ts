/** Streams for families that the other two collections leave out. Each quotes its row of the catalogue and has a mended twin. */
import { describe, expect, it } from 'vitest';
import moreVectors from './fixtures/more-vectors.json';
import { fold, inputsOf, statusesOf, verdictsOf } from './testing.ts';
import type { CheckerInput, StreamEnd } from './types.ts';

interface Stream {
  readonly request?: unknown;
  readonly events: readonly unknown[];
  readonly runs: readonly unknown[];
}

interface Vector extends Stream {
  readonly name: string;
  readonly row: string;
  readonly end: string;
  readonly rules?: Record<string, boolean>;
  readonly findings: readonly { readonly rule: string }[];
  readonly mended: Stream;
}

const VECTORS = moreVectors as unknown as readonly Vector[];

function verdictOf(stream: Stream, { end, rules }: Vector) {
  const request: CheckerInput[] = stream.request === undefined ? [] : [{ kind: 'request', body: stream.request, time: 0 }];
  return fold([...request, ...inputsOf(stream.events, end as StreamEnd)], rules === undefined ? {} : { rules }).state;
}

describe('more vectors', () => {
  it.each(VECTORS)('$name', (vector) => {
    const state = verdictOf(vector, vector);
    expect(verdictsOf(state)).toEqual(vector.findings);
    expect(statusesOf(state)).toEqual(vector.runs);
  });

  it.each(VECTORS)('$name, mended', (vector) => {
    const state = verdictOf(vector.mended, vector);
    expect(verdictsOf(state)).toEqual([]);
    expect(statusesOf(state)).toEqual(vector.mended.runs);
  });

  it('are at least 30, and name the rule of their row', () => {
    expect(VECTORS.length).toBeGreaterThanOrEqual(30);
    for (const { row, findings, name } of VECTORS) {
      const quoted = [row.split(/[ :]/, 1)[0], ...[...row.matchAll(/\b(?:schema|reasoning)-[a-z-]+/g)].map(([id]) => id)];
      expect(
        findings.some(({ rule }) => quoted.includes(rule)),
        name,
      ).toBe(true);
    }
  });
});
