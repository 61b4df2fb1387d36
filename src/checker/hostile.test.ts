/** Streams made to cost: time grows with the events, whatever they say. The limits are for hangs alone. */
import { describe, expect, it } from 'vitest';
import { findingsOf } from './index.ts';
import { foldEvents } from './testing.ts';

const START = { type: 'RUN_STARTED', threadId: 'th', runId: 'r1' };
const MANY = 20_000;

const times = <T>(make: (no: number) => T): T[] => Array.from({ length: MANY }, (_, no) => make(no));

describe('hostile streams', () => {
  it.each<[string, unknown[], number]>([
    ['orphans', times((no) => ({ type: 'TEXT_MESSAGE_CONTENT', messageId: `m${no}`, delta: '' })), MANY],
    [
      'one step name under many owners, finished by others',
      [
        ...times((no) => ({ type: 'STEP_STARTED', stepName: 'a', subagentRunId: `s${no}` })),
        ...times((no) => ({ type: 'STEP_FINISHED', stepName: 'a', subagentRunId: `t${no}` })),
      ],
      MANY,
    ],
    [
      'many lanes, and chunks of nobody',
      [
        ...times((no) => ({ type: 'TEXT_MESSAGE_CHUNK', messageId: `m${no}`, delta: '', subagentRunId: `s${no}` })),
        ...times(() => ({ type: 'TEXT_MESSAGE_CHUNK', delta: 'x' })),
      ],
      1,
    ],
    [
      'open messages and snapshots without them',
      [...times((no) => ({ type: 'TEXT_MESSAGE_START', messageId: `m${no}` })), ...times(() => ({ type: 'MESSAGES_SNAPSHOT', messages: [] }))],
      50,
    ],
    ['runs that cut each other off', times((no) => ({ ...START, runId: `r${no + 2}` })), MANY],
    [
      'strays that open and close',
      [{ type: 'RUN_ERROR', message: 'x' }, ...times((no) => ({ type: no % 2 ? 'TEXT_MESSAGE_END' : 'TEXT_MESSAGE_START', messageId: `m${no >> 1}` }))],
      1,
    ],
  ])('%s', { timeout: 60_000 }, (_, events, findings) => {
    expect(findingsOf(foldEvents([START, ...events], 'open'))).toHaveLength(findings);
  });

  it('a state that is nested beyond the stack is given up, not thrown at', () => {
    let deep: unknown = 1;
    for (let depth = 0; depth < 100_000; depth += 1) deep = [deep];
    const delta = { type: 'STATE_DELTA', delta: [{ op: 'remove', path: '/0' }] };
    expect(findingsOf(foldEvents([START, { type: 'STATE_SNAPSHOT', snapshot: deep }, delta, { type: 'RAW', event: deep }], 'open'))).toEqual([]);
  });
});
