import { describe, expect, it } from 'vitest';
import { findingsOf } from './index.ts';
import { briefly, fold, inputsOf } from './testing.ts';
import type { CheckerInput, CheckerOptions, ThreadMemory } from './types.ts';

const START = { type: 'RUN_STARTED', threadId: 'th', runId: 'r1' };
const FINISH = { type: 'RUN_FINISHED', threadId: 'th', runId: 'r1' };
const BODY = { threadId: 'th', runId: 'r1', messages: [], tools: [], context: [], state: {}, forwardedProps: {} };
const CALL = [
  { type: 'TOOL_CALL_START', toolCallId: 'c1', toolCallName: 'pay' },
  { type: 'TOOL_CALL_END', toolCallId: 'c1' },
];
const PAY = { name: 'pay', description: 'Pays.', parameters: {} };

function judged(body: unknown, events: readonly unknown[], options: CheckerOptions = {}, time = 0, url = ''): string[] {
  const request: CheckerInput = { kind: 'request', body, url, time };
  return briefly(fold([request, ...inputsOf(events)], options).state);
}

function interrupt(...interrupts: object[]): object {
  return { ...FINISH, outcome: { type: 'interrupt', interrupts } };
}

function second(body: object): { body: object; events: object[] } {
  return {
    body: { ...BODY, runId: 'r2', ...body },
    events: [
      { ...START, runId: 'r2' },
      { ...FINISH, runId: 'r2' },
    ],
  };
}

describe('the captured request', () => {
  it('is asked for its run', () => {
    expect(judged(BODY, [START, FINISH])).toEqual([]);
    expect(judged({ ...BODY, runId: 'r9' }, [START, FINISH])).toEqual(['run-request-id-mismatch@1']);
    expect(judged({ ...BODY, runId: 'r1' }, [START, FINISH, { ...START, runId: 'r2' }, { ...FINISH, runId: 'r2' }])).toEqual(['run-request-id-mismatch@3']);
    expect(judged({ method: 'agent/connect', body: { ...BODY, runId: 'r9' } }, [START, FINISH])).toEqual([]);
    expect(judged({ ...BODY, runId: 'r9' }, [])).toEqual(['stream-empty@-1']);
  });

  it('may ask for what the thread holds instead of a run, by its method or its address', () => {
    const ways = [
      { body: { method: 'agent/connect', body: { ...BODY, runId: 'r9' } }, url: 'http://localhost/api/copilotkit' },
      { body: { ...BODY, runId: 'r9' }, url: 'http://localhost/api/copilotkit/agent/default/connect' },
      { body: { ...BODY, runId: 'r9' }, url: '/agent/a%20b/connect?x=1' },
    ];
    const seen = (body: unknown, url: string, events: readonly unknown[]) => judged(body, events, {}, 0, url);
    for (const { body, url } of ways) {
      expect(seen(body, url, [START, FINISH])).toEqual([]);
      expect(seen(body, url, []), 'a thread without runs').toEqual([]);
    }
    for (const url of ['http://localhost/connect', 'http://localhost/agent/connect', 'http://localhost/agent/a/run?to=/agent/a/connect']) {
      expect(seen({ ...BODY, runId: 'r9' }, url, [START, FINISH])).toEqual(['run-request-id-mismatch@1']);
    }
  });

  it('sets the thread of the stream', () => {
    expect(judged({ ...BODY, threadId: 'other' }, [START, FINISH])).toEqual(['run-thread-mismatch@0']);
  });

  it('tells the state that deltas apply to, and the tools of the client', () => {
    const delta = { type: 'STATE_DELTA', delta: [{ op: 'remove', path: '/a' }] };
    expect(judged({ ...BODY, state: { a: 1 } }, [START, delta, FINISH])).toEqual([]);
    expect(judged({ thread_id: 'th', run_id: 'r1', messages: [] }, [START, delta, FINISH])).toEqual(['state-patch-failed@1']);
    const answer = { type: 'TOOL_CALL_RESULT', messageId: 'res', toolCallId: 'c1', content: 'ok' };
    expect(judged({ ...BODY, tools: [PAY] }, [START, ...CALL, answer, FINISH])).toEqual(['tool-frontend-answered@3']);
  });

  it('tells the history: calls that are answered, messages that are streamed again', () => {
    const messages = [
      { id: 'm1', role: 'assistant', content: 'Hello', toolCalls: [{ id: 'c9', type: 'function', function: { name: 'pay', arguments: '{}' } }] },
    ];
    const again = ['Hel', 'lo'].map((delta) => ({ type: 'TEXT_MESSAGE_CONTENT', messageId: 'm1', delta }));
    const events = [
      START,
      { type: 'TOOL_CALL_RESULT', messageId: 'res', toolCallId: 'c9', content: 'ok' },
      { type: 'TEXT_MESSAGE_START', messageId: 'm1' },
      ...again,
      { type: 'TEXT_MESSAGE_END', messageId: 'm1' },
      FINISH,
    ];
    const { state } = fold([{ kind: 'request', body: { ...BODY, messages }, time: 0 }, ...inputsOf(events)]);
    expect(briefly(state)).toEqual(['run-history-restreamed@5']);
    expect(findingsOf(state)[0]?.related).toEqual([2]);
  });

  it('is no harm when it is something else', () => {
    for (const body of [null, 7, 'text', [], {}, { messages: 7 }, { body: { messages: [null] } }]) expect(judged(body, [START, FINISH])).toEqual([]);
  });
});

describe('threads across connections', () => {
  function follow(first: readonly unknown[], body: object, options: { firstBody?: object; time?: number } = {}): string[] {
    const threads: ThreadMemory = {};
    const request: CheckerInput[] = options.firstBody === undefined ? [] : [{ kind: 'request', body: options.firstBody, time: 0 }];
    fold([...request, ...inputsOf(first)], { threads });
    const next = second(body);
    return judged(next.body, next.events, { threads: structuredClone(threads) }, options.time);
  }

  it('an interrupted run waits for answers in the next request', () => {
    const first = [START, interrupt({ id: 'i1', reason: 'a' }, { id: 'i2', reason: 'b' })];
    const answer = (id: string) => ({ interruptId: id, status: 'resolved' });
    expect(follow(first, {})).toEqual(['interrupt-resume-uncovered@-1']);
    expect(follow(first, { resume: [answer('i1')] })).toEqual(['interrupt-resume-uncovered@-1']);
    expect(follow(first, { resume: [answer('i1'), answer('i2')] })).toEqual([]);
    expect(follow(first, { resume: [answer('i1'), answer('i2'), answer('i1'), answer('i9')] })).toEqual([
      'interrupt-resume-unknown@-1',
      'interrupt-resume-repeated@-1',
    ]);
  });

  it('answers to a run that was not interrupted, or to a thread never seen', () => {
    const resume = [{ interruptId: 'i1', status: 'resolved' }];
    expect(follow([START, FINISH], { resume })).toEqual(['interrupt-resume-unknown@-1']);
    expect(follow([START, FINISH], { threadId: 'new', resume })).toEqual(['run-thread-mismatch@0']);
    expect(follow([START], { resume })).toEqual([]);
  });

  it('answers that come too late', () => {
    const first = [START, interrupt({ id: 'i1', reason: 'a', expiresAt: '2025-01-01T00:00:00Z' })];
    const late = Date.parse('2025-01-02T00:00:00Z');
    expect(follow(first, { resume: [{ interruptId: 'i1', status: 'resolved' }] }, { time: late })).toEqual(['interrupt-resume-expired@-1']);
    expect(follow(first, { resume: [{ interruptId: 'i1', status: 'cancelled' }] }, { time: late })).toEqual([]);
    expect(follow(first, { resume: [{ interruptId: 'i1', status: 'resolved' }] }, { time: late - 172_800_000 })).toEqual([]);
  });

  it('a frontend call left open is answered by the next request', () => {
    const firstBody = { ...BODY, tools: [PAY] };
    expect(follow([START, ...CALL, FINISH], {}, { firstBody })).toEqual(['tool-pending-unanswered@-1']);
    const messages = [{ id: 't1', role: 'tool', toolCallId: 'c1', content: 'paid' }];
    expect(follow([START, ...CALL, FINISH], { messages }, { firstBody })).toEqual([]);
    expect(follow([START, ...CALL, FINISH], {}, { firstBody: BODY })).toEqual([]);
  });

  it('a reconnect replays what came before what is remembered: answers are asked of the next request, not of the replay', () => {
    const url = 'http://localhost/agent/default/connect';
    const firstBody = { ...BODY, tools: [PAY] };
    for (const [first, rule] of [
      [[interrupt({ id: 'i1', reason: 'a' })], 'interrupt-resume-uncovered@-1'],
      [[...CALL, FINISH], 'tool-pending-unanswered@-1'],
    ] as const) {
      const threads: ThreadMemory = {};
      fold([{ kind: 'request', body: firstBody, time: 0 }, ...inputsOf([START, ...first])], { threads });
      const replay = [{ ...START, input: firstBody }, ...first];
      expect(judged({ ...BODY, runId: 'r9' }, replay, { threads }, 0, url)).toEqual([]);
      expect(judged({ ...BODY, runId: 'r2' }, second({}).events, { threads })).toEqual([rule]);
    }
  });

  it('memory of any shape is no harm', () => {
    for (const kept of [7, null, { ended: true }, { ended: true, interrupts: [7, {}], pending: 'x' }]) {
      const threads: ThreadMemory = { 't:th': kept };
      expect(judged(BODY, [START, FINISH], { threads })).toEqual([]);
    }
    const threads: ThreadMemory = {};
    fold(
      inputsOf([
        { ...START, threadId: '__proto__' },
        { ...FINISH, threadId: '__proto__' },
      ]),
      { threads },
    );
    expect(Object.keys(threads)).toEqual(['t:__proto__']);
  });

  it('the request is judged once, not again by its echo', () => {
    const threads: ThreadMemory = {};
    fold(inputsOf([START, interrupt({ id: 'i1', reason: 'a' })]), { threads });
    const body = { ...BODY, runId: 'r2' };
    const events = [
      { ...START, runId: 'r2', input: body },
      { ...FINISH, runId: 'r2' },
    ];
    expect(judged(body, events, { threads })).toEqual(['interrupt-resume-uncovered@-1']);
  });
});
