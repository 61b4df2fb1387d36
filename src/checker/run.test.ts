/** Runs: their boundaries, ids and outcomes. Exact findings, what is recorded of each run, and what the panel is told. */
import { describe, expect, it } from 'vitest';
import { findingsOf, runsOf } from './index.ts';
import { fold, foldEvents, inputsOf } from './testing.ts';
import type { CheckerOptions } from './types.ts';

type Event = Record<string, unknown> & { type: string };

const start = (runId: unknown = 'r1', more: object = {}): Event => ({ type: 'RUN_STARTED', threadId: 'th', runId, ...more });
const finish = (runId: unknown = 'r1', more: object = {}): Event => ({ type: 'RUN_FINISHED', threadId: 'th', runId, ...more });
const ERROR: Event = { type: 'RUN_ERROR', message: 'failed' };
const say: Event = { type: 'TEXT_MESSAGE_CHUNK', messageId: 'm1', delta: 'x' };
const more: Event = { type: 'TEXT_MESSAGE_CHUNK', delta: 'y' };
const CALL: Event[] = [
  { type: 'TOOL_CALL_START', toolCallId: 'c1', toolCallName: 'pay' },
  { type: 'TOOL_CALL_END', toolCallId: 'c1' },
];

function found(events: readonly unknown[], options: CheckerOptions = {}) {
  return findingsOf(foldEvents(events, 'closed', options)).map(({ rule, at, related, subject }) => ({
    rule,
    at,
    related,
    ...(subject === undefined ? {} : { subject }),
  }));
}
const messages = (events: readonly unknown[]) => findingsOf(foldEvents(events)).map(({ message }) => message);
const factsOf = (events: readonly unknown[]) => fold(inputsOf(events, 'open')).results.map(({ facts }) => facts);
const opened = (run = 0) => ({ kind: 'run-opened', run });
const changed = (run = 0) => ({ kind: 'run-changed', run });

describe('what is recorded and told of a run', () => {
  it('one that is still active', () => {
    expect(runsOf(foldEvents([start('r1', { parentRunId: 'r0' })], 'open'))).toEqual([
      {
        ordinal: 0,
        runId: 'r1',
        threadId: 'th',
        parentRunId: 'r0',
        ending: 'open',
        endingBefore: null,
        lostWhy: null,
        rejectedAt: null,
        afterRejection: false,
        outcomeStripped: false,
        replacedBy: null,
        firstEvent: 0,
        lastEvent: 0,
        endedAt: null,
      },
    ]);
    expect(runsOf(foldEvents([start()], 'open'))[0]?.parentRunId).toBeNull();
  });

  it('its beginning and its end', () => {
    expect(factsOf([start(), finish(), start('r2')])).toEqual([[opened()], [changed()], [opened(1)], []]);
    expect(factsOf([start(), start('r2')])[1]).toEqual([changed(), changed(), opened(1)]);
    expect(factsOf([say, start()])[0]?.slice(0, 2)).toEqual([opened(), changed()]);
    expect(factsOf([say, start()])[1]).toContainEqual(changed());
    expect(factsOf([ERROR])[0]).toEqual([opened(), changed()]);
  });

  it('an error after a finish keeps the finish it had, an error alone has none', () => {
    const [late] = runsOf(foldEvents([start(), finish(), ERROR]));
    expect(late).toMatchObject({ ending: 'late-error', endingBefore: 'finished/success', endedAt: 2 });
    expect(runsOf(foldEvents([start(), ERROR]))[0]).toMatchObject({ ending: 'error', endingBefore: null, endedAt: 1 });
  });

  it('a run of the middle of a stream has the ids of its finish', () => {
    expect(runsOf(foldEvents([say, finish()], 'closed', { fromStart: false }))[0]).toMatchObject({ runId: 'r1', threadId: 'th', firstEvent: 0 });
  });
});

describe('a start inside an open run', () => {
  it('of the same run on the same thread is a repeated announcement', () => {
    expect(found([start(), start(), finish()])).toEqual([{ rule: 'run-nested-start', at: 1, related: [0], subject: 'r1' }]);
    expect(messages([start(), start(), finish()])).toEqual(['RUN_STARTED of run "r1" was sent again while it is active; announce a run once.']);
    expect(runsOf(foldEvents([start(), start(), finish()]))).toHaveLength(1);
  });

  it('of another run or thread cuts it off', () => {
    expect(messages([start(), start('r2'), finish('r2')])).toEqual([
      'RUN_STARTED of run "r2" came while run "r1" was active; close it first, or report delegated work with SUBAGENT_STARTED.',
    ]);
    expect(runsOf(foldEvents([start(), start('r1', { threadId: 'other' }), finish('r1', { threadId: 'other' })])).map(({ ending }) => ending)).toEqual([
      'cut-off',
      'finished/success',
    ]);
  });

  it('without ids cuts it off as well, and is named by nothing', () => {
    const bare = { type: 'RUN_STARTED', threadId: 'th' };
    expect(found([bare, bare, finish()]).filter(({ rule }) => rule === 'run-nested-start')).toEqual([
      { rule: 'run-nested-start', at: 1, related: [0], subject: '' },
    ]);
    expect(messages([bare, bare, finish()])[1]).toBe(
      'RUN_STARTED came while run "" was active; close it first, or report delegated work with SUBAGENT_STARTED.',
    );
  });

  it('absorbs the belated finish of the run it cut off, at its own run', () => {
    const { state, results } = fold(inputsOf([start(), start('r2'), finish('r2'), finish()]));
    expect(findingsOf(state).map(({ rule, repeats }) => [rule, repeats])).toEqual([['run-nested-start', 1]]);
    expect(results[3]).toMatchObject({ run: 0, absorbedBy: [0] });
  });

  it('absorbs the chunks that go on, in that run and in no later one', () => {
    expect(found([start(), say, start('r2'), more, finish('r2')])).toEqual([{ rule: 'run-nested-start', at: 2, related: [0, 1], subject: 'r2' }]);
    expect(found([start(), say, start('r2'), finish('r2'), start('r3'), more, finish('r3')]).map(({ rule, at }) => [rule, at])).toEqual([
      ['run-nested-start', 2],
      ['text-chunk-missing-opener', 5],
    ]);
  });
});

describe('ids', () => {
  it('a run id is used once a thread', () => {
    expect(found([start(), finish(), start(), finish()])).toEqual([{ rule: 'run-id-reused', at: 2, related: [0], subject: 'r1' }]);
    expect(found([say, start(), finish(), start(), finish()])[1]).toEqual({ rule: 'run-id-reused', at: 3, related: [1], subject: 'r1' });
    expect(found([say, finish(), start(), finish()], { fromStart: false })).toEqual([{ rule: 'run-id-reused', at: 2, related: [0], subject: 'r1' }]);
    const bare = { type: 'RUN_FINISHED' };
    const on = (threadId: string) => [start('r1', { threadId }), finish('r1', { threadId })];
    expect(found([...on('a'), ...on('b')]).map(({ rule }) => rule)).toEqual(['run-thread-mismatch']);
    const threadless = [{ type: 'RUN_STARTED', runId: 'r1' }, bare];
    expect(found([...threadless, { type: 'RUN_STARTED', runId: 'r2' }, bare]).map(({ rule }) => rule)).not.toContain('run-id-reused');
    expect(found([...threadless, ...threadless]).map(({ rule }) => rule)).toContain('run-id-reused');
  });

  it('a run without an id uses up none', () => {
    const bare = [{ type: 'RUN_STARTED', threadId: 'th' }, finish()];
    expect(found([...bare, ...bare, start('null'), finish('null')]).map(({ rule }) => rule)).not.toContain('run-id-reused');
  });

  it('another thread is told with the run that began the first, one of the request with none', () => {
    const other = [start('r2', { threadId: 'x' }), finish('r2', { threadId: 'x' })];
    expect(found([start(), finish(), ...other])).toEqual([{ rule: 'run-thread-mismatch', at: 2, related: [0], subject: 'x' }]);
    const request = {
      kind: 'request',
      time: 0,
      body: { threadId: 'th', runId: 'r2', messages: [], tools: [], context: [], state: {}, forwardedProps: {} },
    } as const;
    const ofRequest = fold([request, ...inputsOf(other)]).state;
    expect(findingsOf(ofRequest).map(({ rule, related }) => [rule, related])).toEqual([['run-thread-mismatch', []]]);
    expect(found([{ type: 'RUN_STARTED', runId: 'r1' }, finish(), ...other]).map(({ rule }) => rule)).not.toContain('run-thread-mismatch');
  });

  it('a start without a thread is held against none', () => {
    const threadless = [start(), finish(), { type: 'RUN_STARTED', runId: 'r2' }, finish('r2')];
    expect(found(threadless).map(({ rule }) => rule)).not.toContain('run-thread-mismatch');
  });

  it('the start that names a run begun without one is its own: the next cuts it off', () => {
    const state = foldEvents([say, start('r1'), start('r2'), finish('r2')]);
    expect(runsOf(state).map(({ runId, ending }) => [runId, ending])).toEqual([
      ['r1', 'cut-off'],
      ['r2', 'finished/success'],
    ]);
    expect(findingsOf(state).filter(({ rule }) => rule === 'run-nested-start')).toMatchObject([{ at: 2, related: [0, 1] }]);
  });

  it('a finish repeats the ids of its start', () => {
    expect(messages([start(), finish('r2', { threadId: 'x' })])).toEqual([
      'RUN_FINISHED names run "r2" instead of "r1" and thread "x" instead of "th"; repeat the ids of RUN_STARTED.',
    ]);
    expect(messages([start(), finish('r1', { threadId: 'x' })])).toEqual(['RUN_FINISHED names thread "x" instead of "th"; repeat the ids of RUN_STARTED.']);
    const missing = (events: unknown[]) => found(events).map(({ rule }) => rule);
    expect(missing([start(), { type: 'RUN_FINISHED' }])).not.toContain('run-finished-id-mismatch');
    expect(missing([{ type: 'RUN_STARTED' }, finish()])).not.toContain('run-finished-id-mismatch');
  });

  it('one protocol version is declared, a run without one declares none', () => {
    const version = (protocolVersion?: string) => (protocolVersion === undefined ? {} : { protocolVersion });
    const runs = (...versions: (string | undefined)[]) => versions.flatMap((one, i) => [start(`r${i}`, version(one)), finish(`r${i}`)]);
    expect(found(runs('0.1', undefined, '0.1'))).toEqual([]);
    const changes = found(runs(undefined, '0.1', '0.2', '0.3')).filter(({ rule }) => rule === 'version-changed-mid-stream');
    expect(changes).toEqual([{ rule: 'version-changed-mid-stream', at: 4, related: [2], subject: '0.2' }]);
  });
});

describe('outcomes', () => {
  const outcome = (type: string, rest: object = {}) => ({ outcome: { type, ...rest } });

  it('an unknown outcome is left out and marked, a known one is not', () => {
    const stripped = (...events: unknown[]) => runsOf(foldEvents([start(), ...events]))[0]?.outcomeStripped;
    expect(stripped(finish('r1', outcome('paused')))).toBe(true);
    expect(stripped(finish('r1', outcome('success')))).toBe(false);
    expect(stripped(finish())).toBe(false);
    expect(stripped(finish('r1', { outcome: 'paused' }))).toBe(false);
  });

  it('a result is out of place in a cancelled run alone', () => {
    expect(found([start(), finish('r1', { ...outcome('cancelled'), result: 1 })])).toEqual([{ rule: 'run-cancelled-with-result', at: 1, related: [] }]);
    expect(found([start(), finish('r1', { ...outcome('success'), result: 1 })])).toEqual([]);
    expect(found([start(), finish('r1', outcome('cancelled'))])).toEqual([]);
  });

  it('only an interrupted run has interrupts to answer', () => {
    const rules = (type: string) => found([start(), finish('r1', outcome(type, { interrupts: [] }))]).map(({ rule }) => rule);
    expect(rules('interrupt')).toContain('interrupt-list-empty');
    expect(rules('cancelled')).not.toContain('interrupt-list-empty');
    expect(rules('success')).not.toContain('interrupt-list-empty');
  });

  it('only a run that succeeds leaves its calls to the tools of the request', () => {
    const request = {
      kind: 'request',
      time: 0,
      body: { threadId: 'th', runId: 'r1', messages: [], tools: [], context: [], state: {}, forwardedProps: {} },
    } as const;
    const rules = (type: string) => {
      const rest = type === 'interrupt' ? { interrupts: [{ id: 'i', reason: 'x' }] } : {};
      const inputs = [request, ...inputsOf([start(), ...CALL, finish('r1', outcome(type, rest))])];
      return findingsOf(fold(inputs, { rules: { 'tool-unadvertised': true } }).state).map(({ rule }) => rule);
    };
    expect(rules('success')).toContain('tool-unadvertised');
    expect(rules('interrupt')).not.toContain('tool-unadvertised');
    expect(rules('cancelled')).not.toContain('tool-unadvertised');
  });

  it('of the pending calls a finish lists, what is no id is malformed and nothing else', () => {
    const rules = (pendingToolCallIds: unknown) =>
      found([start(), ...CALL, finish('r1', outcome('success', { pendingToolCallIds }))]).map(({ rule, subject }) => subject ?? rule);
    expect(rules(['c1'])).toEqual([]);
    expect(rules(['c1', 5])).not.toContain('5');
    expect(rules(['c1', 5]).filter((one) => one === 'tool-pending-list-mismatch')).toEqual([]);
  });

  it('a subagent may end suspended only where the run ends interrupted, whatever else its outcome says', () => {
    const suspended: Event[] = [
      { type: 'SUBAGENT_STARTED', subagentRunId: 's1', name: 'scout' },
      { type: 'SUBAGENT_FINISHED', subagentRunId: 's1', outcome: { type: 'suspended' } },
    ];
    const rules = (type: string, rest: object = {}) => found([start(), ...suspended, finish('r1', outcome(type, rest))]).map(({ rule }) => rule);
    expect(rules('success')).toContain('subagent-suspended-without-interrupt');
    expect(rules('cancelled')).toContain('subagent-suspended-without-interrupt');
    expect(rules('interrupt', { interrupts: [{ id: 'i', reason: 'x' }] })).not.toContain('subagent-suspended-without-interrupt');
  });

  it('a thread mismatch names the first start of a thread, and nothing where only the request has one', () => {
    const on = (threadId: string, runId: string): Event[] => [start(runId, { threadId }), finish(runId, { threadId })];
    const mismatches = (events: readonly Event[], request: readonly object[] = []) =>
      findingsOf(fold([...request, ...inputsOf(events)] as Parameters<typeof fold>[0]).state)
        .filter(({ rule }) => rule === 'run-thread-mismatch')
        .map(({ at, related }) => ({ at, related }));
    const before: Event[] = [
      { type: 'CUSTOM', name: 'n', value: 1 },
      { type: 'CUSTOM', name: 'n', value: 2 },
    ];
    expect(mismatches([...before, ...on('a', 'r1'), ...on('b', 'r2')])).toEqual([{ at: 4, related: [2] }]);
    const request = { kind: 'request', time: 0, body: { threadId: 'a', runId: 'r1', messages: [], tools: [], context: [], state: {}, forwardedProps: {} } };
    expect(mismatches([...before, ...on('b', 'r1')], [request])).toEqual([{ at: 2, related: [] }]);
  });

  it('an error after a finish asks nothing of the next request', () => {
    const waits = fold(
      inputsOf([start(), ...CALL, ERROR, start('r2', { input: { threadId: 'th', runId: 'r2', messages: [], tools: [] } }), finish('r2')]),
    ).state;
    expect(findingsOf(waits).map(({ rule }) => rule)).not.toContain('tool-pending-unanswered');
  });
});
