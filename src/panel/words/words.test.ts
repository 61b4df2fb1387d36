import { describe, expect, test } from 'vitest';
import { runOf } from '../state/testkit.ts';
import { curlOf } from './curl.ts';
import { createFormats } from './format.ts';
import { endingSentence, noteOf } from './status.ts';
import { summarise, summariseDeltas } from './summary.ts';

describe('formats', () => {
  const en = createFormats('en');
  test.each([
    [0, '0:00.000'],
    [69_904, '1:09.904'],
    [59_999.7, '1:00.000'],
    [3_723_004, '1:02:03.004'],
    [-5, '−0:00.005'],
  ])('clock of %d ms', (ms, text) => expect(en.clock(ms)).toBe(text));

  test.each([
    [0, '0 ms'],
    [0.1, '0.1 ms'],
    [704, '704 ms'],
    [999.7, '1.00 s'],
    [13_900, '13.9 s'],
    [59_960, '1 min 0 s'],
    [125_000, '2 min 5 s'],
    [3_840_000, '1 h 4 min'],
  ])('duration of %d ms', (ms, text) => expect(en.duration(ms)).toBe(text));

  test('sizes and counts follow the locale', () => {
    expect([391, 2874, 999_949, 1_250_000].map(en.bytes)).toEqual(['391 B', '2.9 kB', '999.9 kB', '1.3 MB']);
    const de = createFormats('de');
    expect([de.bytes(2874), de.clock(69_904), de.count(100_000)]).toEqual(['2,9 kB', '1:09,904', '100.000']);
  });
});

describe('the two axes of a run', () => {
  const rejected = { status: 'rejected-by-violation', rejectedRow: 559 } as const;
  test.each([
    [{ ...rejected, ending: 'open' }, 'still receiving; a conforming client stopped at #560'],
    [{ ...rejected, ending: 'finished/success' }, 'at #560; the producer then reported success'],
    [{ ...rejected, ending: 'finished/interrupt' }, 'at #560; interrupts delivered, not safe to answer'],
    [{ ...rejected, ending: 'finished/cancelled' }, 'at #560; the producer reported a stop'],
    [{ ...rejected, ending: 'error', endedRow: 600 }, 'at #560; the producer also reported failure at #601: two separate facts'],
    [{ ...rejected, ending: 'late-error', endedRow: 600 }, 'at #560; finished, then reported failure at #601'],
    [{ ...rejected, ending: 'lost' }, 'at #560; then cut'],
    [{ ...rejected, ending: 'cut-off', replacedBy: 1 }, 'at #560; replaced by run run_02 at #601'],
    [{ status: 'succeeded', afterRejection: true }, 'a conforming client never got here'],
    [{ status: 'failed-by-report', ending: 'error', error: { message: 'm', code: 'overloaded' } }, 'RUN_ERROR overloaded'],
    [{ status: 'failed-late', ending: 'late-error', endingBefore: 'finished/success' }, 'reported success, then RUN_ERROR'],
    [{ status: 'truncated', ending: 'lost', lostWhy: 'consumer-abort' }, 'the page stopped reading'],
    [{ status: 'interrupted', interrupts: [{ id: 'i', reason: 'r' }] }, 'waits for 1 answer'],
    [{ status: 'succeeded' }, ''],
  ] as const)('%o', (more, text) => expect(noteOf(runOf(0, more as object), [undefined, runOf(1, { runId: 'run_02', firstRow: 600 })])).toBe(text));

  test('a failure is never told as a rejection, nor the reverse', () => {
    const both = endingSentence(runOf(0, { ...rejected, ending: 'error', endedRow: 5 }));
    expect(both).toEqual({ status: 'failed-by-report', text: 'The producer also reported failure: two separate facts', row: 5 });
    const late = endingSentence(runOf(0, { status: 'failed-late', ending: 'late-error', endingBefore: 'finished/cancelled', endedRow: 5 }));
    expect(late.text).toBe('The producer first reported a stop, then failure');
  });
});

describe('summaries', () => {
  test.each([
    [{ type: 'RUN_STARTED', runId: 'r', threadId: 't' }, 'r, thread t'],
    [{ type: 'RUN_FINISHED', runId: 'r', outcome: { type: 'interrupt', interrupts: [{}] } }, 'r, interrupt, 1 interrupt'],
    [
      {
        type: 'STATE_DELTA',
        delta: [
          { op: 'replace', path: '/a', value: 2 },
          { op: 'add', path: '/b', value: [1, 2] },
          { op: 'remove', path: '/c' },
        ],
      },
      'replace /a 2, add /b [2 items], remove /c',
    ],
    [{ type: 'TOOL_CALL_START', toolCallName: 'search', toolCallId: 'tc' }, 'search, tc'],
    [{ type: 'TEXT_MESSAGE_CONTENT', delta: 'a\n b' }, '“a b”'],
    [{ type: 'STEP_STARTED', stepName: 'plan', subagentRunId: 's1' }, 'plan, for s1'],
    [{ type: 'HEARTBEAT', n: 1 }, '1 member: n'],
    [{ type: '__proto__' }, '0 members'],
    [{ type: 'STATE_DELTA', delta: 'no' }, 'no list of operations'],
    [7, '7'],
  ])('%o', (value, text) => expect(summarise(value)).toBe(text));

  test('deltas of a fold are read as one text', () => {
    expect(summariseDeltas([{ delta: 'Three ' }, undefined, { delta: 'weekends' }], true)).toBe('“Three weekends”');
    expect(summariseDeltas([{ delta: '{"a":' }, { delta: '1}' }], false)).toBe('{"a":1}');
  });
});

test('a copied request quotes its body for the shell and says where headers go', () => {
  const text = curlOf({ url: "http://x/a'b", method: 'POST', time: 0 }, { kind: 'text', text: `{"q":"it's"}` });
  expect(text).toContain(`'http://x/a'\\''b'`);
  expect(text).toContain(`--data-raw '{"q":"it'\\''s"}'`);
  expect(text).toContain('does not capture headers');
});
