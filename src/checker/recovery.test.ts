/** M1–M12 of rules.md §2, and the rows on items that the vectors leave out. */
import { describe, expect, it } from 'vitest';
import { findingsOf, referenceStopsAt, runsOf, stopsAt } from './index.ts';
import { briefly, fold, foldEvents, inputsOf, statusesOf, verdictsOf } from './testing.ts';

type Event = Record<string, unknown> & { type: string };

const START: Event = { type: 'RUN_STARTED', threadId: 'th', runId: 'r1' };
const FINISH: Event = { type: 'RUN_FINISHED', threadId: 'th', runId: 'r1' };
const open = (id: string, more: object = {}): Event => ({ type: 'TEXT_MESSAGE_START', messageId: id, ...more });
const say = (id: string, delta = 'x', more: object = {}): Event => ({ type: 'TEXT_MESSAGE_CONTENT', messageId: id, delta, ...more });
const close = (id: string, more: object = {}): Event => ({ type: 'TEXT_MESSAGE_END', messageId: id, ...more });
const chunk = (more: object): Event => ({ type: 'TEXT_MESSAGE_CHUNK', delta: 'x', ...more });
const call = (id: string, more: object = {}): Event => ({ type: 'TOOL_CALL_START', toolCallId: id, toolCallName: 'pay', ...more });
const args = (id: string, delta: string): Event => ({ type: 'TOOL_CALL_ARGS', toolCallId: id, delta });
const called = (id: string): Event => ({ type: 'TOOL_CALL_END', toolCallId: id });
const result = (id: string, more: object = {}): Event => ({ type: 'TOOL_CALL_RESULT', messageId: `res-${id}`, toolCallId: id, content: 'ok', ...more });
const again = (no: number): Event[] => [
  { ...START, runId: `r${no}` },
  { ...FINISH, runId: `r${no}` },
];

function inRun(...events: unknown[]): string[] {
  return briefly(foldEvents([START, ...events, FINISH]));
}

describe('recovery', () => {
  it('M1: checks on after a violation, and marks what comes after it', () => {
    const state = foldEvents([START, close('m1'), FINISH, ...again(2)]);
    expect(statusesOf(state).map(({ status }) => status)).toEqual(['rejected-by-violation', 'succeeded']);
    expect(runsOf(state).map(({ afterRejection, rejectedAt }) => [afterRejection, rejectedAt])).toEqual([
      [false, 1],
      [true, null],
    ]);
    expect([stopsAt(state), referenceStopsAt(state)]).toEqual([1, 1]);
  });

  it('M2: counts repeats on the finding, and frees the subject when it is opened', () => {
    const { state, results } = fold(inputsOf([START, say('m1'), say('m1'), open('m1'), close('m1'), close('m1'), FINISH]));
    expect(briefly(state)).toEqual(['text-not-open@1', 'text-not-open@5']);
    expect(findingsOf(state).map(({ repeats }) => repeats)).toEqual([1, 0]);
    expect(results[2]?.absorbedBy).toEqual([0]);
  });

  it('M3: a second opener leaves a credit for one extra close', () => {
    expect(inRun(open('m1'), open('m1'), close('m1'), say('m1'), close('m1'))).toEqual(['text-already-open@2']);
    expect(inRun(open('m1'), open('m1'), close('m1'), close('m1'), close('m1'))).toEqual(['text-already-open@2', 'text-not-open@5']);
    expect(inRun(call('c1'), call('c1'), called('c1'))).toEqual(['tool-already-open@2']);
  });

  it('M5: an opener that comes after its close may stay open, and be opened again', () => {
    expect(inRun(close('m1'), open('m1'))).toEqual(['text-not-open@1']);
    expect(inRun(close('m1'), open('m1'), open('m1'), close('m1'))).toEqual(['text-not-open@1']);
    expect(inRun(say('m1'), open('m1'))).toEqual(['text-not-open@1', 'run-finished-with-open-items@3']);
  });

  it('M5: what is explained is left out of the list of open items, and nothing else is', () => {
    const state = foldEvents([START, close('m1'), open('m1'), open('m2'), FINISH]);
    expect(verdictsOf(state).map(({ rule, related }) => [rule, related])).toEqual([
      ['text-not-open', []],
      ['run-finished-with-open-items', [3]],
    ]);
  });

  it('M6: a cut-off run hands on what it left open, and its belated close is no close', () => {
    const r2 = { ...START, runId: 'r2' };
    const finish2 = { ...FINISH, runId: 'r2' };
    const state = foldEvents([
      START,
      open('m1'),
      { type: 'STEP_STARTED', stepName: 'a' },
      r2,
      say('m1'),
      { type: 'STEP_FINISHED', stepName: 'a' },
      finish2,
      FINISH,
    ]);
    expect(briefly(state)).toEqual(['run-nested-start@3']);
    expect(runsOf(state).map(({ ending }) => ending)).toEqual(['cut-off', 'finished/success']);
  });

  it('M6: chunks that go on after the cut are absorbed until the lane is opened', () => {
    const events = [
      START,
      chunk({ messageId: 'm1' }),
      { ...START, runId: 'r2' },
      chunk({}),
      chunk({ messageId: 'm2' }),
      { type: 'CUSTOM', name: 'a.b', value: 1 },
      chunk({}),
    ];
    expect(briefly(foldEvents(events, 'open'))).toEqual(['run-nested-start@2', 'text-chunk-missing-opener@6']);
  });

  it('M6: what an opener after the close began is absorbed in the next run', () => {
    const r2 = { ...START, runId: 'r2' };
    expect(briefly(foldEvents([START, FINISH, open('m1'), r2, say('m1'), close('m1'), { ...FINISH, runId: 'r2' }]))).toEqual(['run-event-after-close@2']);
  });

  it('M7: what comes after a close that was reported belongs to that finding', () => {
    const { state, results } = fold(inputsOf([START, open('m1'), FINISH, close('m1'), FINISH]));
    expect(briefly(state)).toEqual(['run-finished-with-open-items@2']);
    expect(results.slice(3, 5).map(({ stray, run, absorbedBy }) => ({ stray, run, absorbedBy }))).toEqual([
      { stray: true, run: 0, absorbedBy: [0] },
      { stray: true, run: 0, absorbedBy: [0] },
    ]);
  });

  it('M7: an item closed in a later run than it was left open in is one mistake', () => {
    const state = foldEvents([START, open('m1'), FINISH, { ...START, runId: 'r2' }, close('m1'), { ...FINISH, runId: 'r2' }]);
    expect(briefly(state)).toEqual(['run-finished-with-open-items@2']);
  });

  it('M8: the preamble is the first run, and lanes live through its naming', () => {
    const { state } = fold(inputsOf([chunk({ messageId: 'm1' }), START, chunk({}), FINISH]));
    expect(briefly(state)).toEqual(['stream-opening-event@0']);
    expect(statusesOf(state)).toEqual([{ runId: 'r1', status: 'rejected-by-violation' }]);
  });

  it('M8: a stream joined in the middle is not blamed for its beginning', () => {
    const state = foldEvents([say('m1'), close('m1'), called('c1'), chunk({}), { type: 'SUBAGENT_FINISHED', subagentRunId: 's1' }, FINISH], 'closed', {
      fromStart: false,
    });
    expect(briefly(state)).toEqual([]);
    expect(statusesOf(state)).toEqual([{ runId: 'r1', status: 'succeeded' }]);
  });

  it('M9: an opener without an id excuses one item, a close without an id one of its kind', () => {
    expect(inRun({ type: 'TEXT_MESSAGE_START' }, say('m1'), close('m1'), say('m2'))).toEqual(['schema-missing-field@1', 'text-not-open@4']);
    expect(inRun(open('m1'), { type: 'TEXT_MESSAGE_END' })).toEqual(['schema-missing-field@2']);
    expect(inRun(open('m1'), open('m2'), { type: 'TEXT_MESSAGE_END' })).toEqual(['schema-missing-field@3', 'run-finished-with-open-items@4']);
    expect(inRun({ type: 'STEP_STARTED', stepName: 'a', subagentRunId: 7 }, { type: 'STEP_FINISHED', stepName: 'a', subagentRunId: 's1' })).toEqual([
      'schema-malformed-value@1',
    ]);
  });

  it('M10: failures on a document are absorbed until its next snapshot', () => {
    const bad = { type: 'STATE_DELTA', delta: [{ op: 'remove', path: '/b' }] };
    const snapshot = { type: 'STATE_SNAPSHOT', snapshot: { a: 1 } };
    expect(inRun(snapshot, bad, bad, { type: 'STATE_DELTA', delta: {} }, bad, snapshot, bad)).toEqual([
      'state-patch-failed@2',
      'state-patch-malformed@4',
      'state-patch-failed@7',
    ]);
  });

  it('M12: related positions are fixed when the finding is made', () => {
    const state = foldEvents([START, open('m1'), open('m2'), FINISH]);
    expect(verdictsOf(state)[0]?.related).toEqual([1, 2]);
  });
});

describe('items', () => {
  it('a message reopened with another role or name', () => {
    expect(inRun(open('m1', { role: 'user' }), close('m1'), open('m1', { role: 'assistant', name: 'Ann' }), close('m1'))).toEqual([
      'text-reopen-mismatch@3',
      'text-reopen-mismatch@3',
    ]);
    expect(inRun(open('m1', { role: 'user' }), close('m1'), open('m1'), close('m1'))).toEqual([]);
  });

  it('an item reopened, closed or answered under another owner', () => {
    const mine = { subagentRunId: 's1' };
    const theirs = { subagentRunId: 's2' };
    expect(inRun(open('m1', mine), close('m1'), open('m1', theirs), close('m1'))).toEqual(['subagent-attribution-mismatch@3']);
    expect(inRun(open('m1', mine), close('m1', theirs))).toEqual(['subagent-attribution-mismatch@2']);
    expect(inRun(call('c1', mine), called('c1'), result('c1', theirs))).toEqual([]);
    expect(inRun(result('c9', mine), open('res-c9', theirs), close('res-c9'))).toContain('subagent-attribution-mismatch@2');
  });

  it('a call reopened with another name or parent', () => {
    expect(inRun(call('c1'), called('c1'), call('c1', { toolCallName: 'ask' }), called('c1'))).toEqual(['tool-reopen-mismatch@3']);
  });

  it('a continuing chunk is compared with its own opening chunk', () => {
    expect(inRun(chunk({ messageId: 'm1', role: 'user' }), chunk({ role: 'user' }), chunk({ messageId: 'm1', role: 'assistant' }))).toEqual([
      'text-chunk-conflict@3',
    ]);
    const tool = (more: object) => ({ type: 'TOOL_CALL_CHUNK', delta: '', ...more });
    expect(inRun(tool({ toolCallId: 'c1', toolCallName: 'pay' }), tool({ parentMessageId: 'm1' }))).toEqual(['tool-chunk-conflict@2']);
    expect(inRun(tool({ toolCallId: 'c1' }), tool({ toolCallId: 'c1' }))).toEqual(['tool-chunk-missing-opener@1']);
  });

  it('a parent message that is no assistant message', () => {
    expect(inRun(open('m1', { role: 'user' }), close('m1'), call('c1', { parentMessageId: 'm1' }), called('c1'))).toEqual(['tool-parent-not-assistant@3']);
  });

  it('results: repeated, early and for nothing', () => {
    expect(inRun(call('c1'), called('c1'), result('c1'), result('c1'), result('c9'))).toEqual(['tool-result-repeated@4', 'tool-result-unknown-call@5']);
    expect(inRun(call('c1'), result('c1'), called('c1'))).toEqual(['tool-result-before-end@2']);
  });

  it('arguments are judged when the call is closed, by chunk lanes too', () => {
    expect(inRun(call('c1'), args('c1', '{"a"'), args('c1', ':1}'), called('c1'))).toEqual([]);
    expect(inRun({ type: 'TOOL_CALL_CHUNK', toolCallId: 'c1', toolCallName: 'pay', delta: '{"a"' })).toEqual(['tool-args-not-json@2']);
  });

  it('history: exact repetition, other text, silence inside one run', () => {
    const one = (delta: string) => [open('m1'), say('m1', delta), close('m1')];
    const second = (delta: string) => [{ ...START, runId: 'r2' }, ...one(delta), { ...FINISH, runId: 'r2' }];
    expect(briefly(foldEvents([START, ...one('ab'), FINISH, ...second('ab')]))).toEqual(['run-history-restreamed@8']);
    expect(briefly(foldEvents([START, ...one('ab'), FINISH, ...second('ba')]))).toEqual(['text-known-id-reopened@8']);
    expect(briefly(foldEvents([START, ...one('ab'), ...one('ab'), FINISH]))).toEqual([]);
    const snapshot = { type: 'MESSAGES_SNAPSHOT', messages: [] };
    expect(briefly(foldEvents([START, ...one('ab'), FINISH, { ...START, runId: 'r2' }, snapshot, ...one('ab'), { ...FINISH, runId: 'r2' }]))).toEqual([]);
  });

  it('one id for two kinds of message', () => {
    expect(
      inRun(open('x'), close('x'), { type: 'REASONING_MESSAGE_START', messageId: 'x', role: 'reasoning' }, { type: 'REASONING_MESSAGE_END', messageId: 'x' }),
    ).toEqual(['text-id-collision@3']);
  });

  it('snapshots: an open message left out, two messages of one id', () => {
    const snapshot = (...ids: string[]) => ({ type: 'MESSAGES_SNAPSHOT', messages: ids.map((id) => ({ id, role: 'assistant', content: 'x' })) });
    expect(inRun(open('m1'), snapshot('m2', 'm2'), close('m1'))).toEqual(['state-snapshot-drops-open-message@2', 'state-messages-duplicate-id@2']);
  });

  it('names and wrappings: CUSTOM without a prefix, RAW around a standard event', () => {
    const raw = { type: 'RAW', event: { type: 'TEXT_MESSAGE_START', messageId: 'm1' } };
    expect(inRun({ type: 'CUSTOM', name: 'tick', value: 1 }, { type: 'CUSTOM', name: 'tick', value: 2 }, raw, raw)).toEqual([
      'stream-custom-unprefixed@1',
      'stream-raw-instead-of-standard@3',
    ]);
  });

  it('rules that are off by default can be turned on', () => {
    const shared = [
      { type: 'STEP_STARTED', stepName: 'a' },
      { type: 'STEP_STARTED', stepName: 'a', subagentRunId: 's1' },
      { type: 'STEP_FINISHED', stepName: 'a', subagentRunId: 's1' },
      { type: 'STEP_FINISHED', stepName: 'a' },
    ];
    const events = [START, ...shared, call('c1', { parentMessageId: 'm9' }), called('c1'), FINISH];
    const rules = { 'step-name-shared-across-owners': true, 'tool-parent-unknown': true, 'run-without-content': true };
    expect(briefly(foldEvents(events, 'closed', { rules }))).toEqual(['step-name-shared-across-owners@2', 'tool-parent-unknown@5']);
    expect(briefly(foldEvents([START, { type: 'STATE_SNAPSHOT', snapshot: {} }, FINISH], 'closed', { rules }))).toEqual(['run-without-content@2']);
    expect(briefly(foldEvents([START, close('m1'), FINISH], 'closed', { rules: { 'text-not-open': false } }))).toEqual([]);
  });

  it('ids such as __proto__ are ids', () => {
    expect(inRun(open('__proto__'), say('__proto__'), close('__proto__'), close('constructor'))).toEqual(['text-not-open@4']);
  });
});

describe('runs', () => {
  it('a cancelled run with a result, an empty error message, an echo of another run', () => {
    const echo = { threadId: 'th', runId: 'r0', messages: [] };
    expect(
      briefly(
        foldEvents([
          { ...START, input: echo },
          { ...FINISH, outcome: { type: 'cancelled' }, result: 1 },
          { type: 'RUN_ERROR', message: ' ' },
        ]),
      ),
    ).toEqual(['run-input-echo-mismatch@0', 'run-cancelled-with-result@1', 'run-error-message-empty@2']);
  });

  it('an empty stream, and one of unknown events alone', () => {
    expect(briefly(foldEvents([]))).toEqual(['stream-empty@-1']);
    expect(briefly(foldEvents([{ type: 'PING' }]))).toEqual(['stream-empty@-1', 'schema-unknown-event-type@0']);
    expect(briefly(foldEvents([], 'aborted'))).toEqual([]);
    expect(runsOf(foldEvents([]))).toEqual([]);
  });

  it('a misspelt opening, after which the client throws at the next event', () => {
    const state = foldEvents([{ type: 'run_started', threadId: 'th', runId: 'r1' }, open('m1'), close('m1'), FINISH]);
    expect(briefly(state)).toEqual(['version-dialect-type@0']);
    expect([stopsAt(state), referenceStopsAt(state)]).toEqual([0, 1]);
  });

  it('a violation before any run is the connection’s', () => {
    const state = foldEvents([7, START, FINISH]);
    expect(findingsOf(state)[0]).toMatchObject({ rule: 'schema-not-an-event', run: null, at: 0 });
    expect(runsOf(state)[0]).toMatchObject({ rejectedAt: null, afterRejection: true });
  });
});
