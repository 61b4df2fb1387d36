/** Shapes that are legal and that a naive checker flags (rules.md §5): no finding for any. */
import { describe, expect, it } from 'vitest';
import { briefly, fold, foldEvents, inputsOf, statusesOf } from './testing.ts';

type Event = Record<string, unknown> & { type: string };

const START: Event = { type: 'RUN_STARTED', threadId: 'th', runId: 'r1' };
const FINISH: Event = { type: 'RUN_FINISHED', threadId: 'th', runId: 'r1' };
const ERROR: Event = { type: 'RUN_ERROR', message: 'failed' };

function run(...events: Event[]): Event[] {
  return [START, ...events, FINISH];
}

function text(id: string, more: Record<string, unknown> = {}, ...deltas: string[]): Event[] {
  return [
    { type: 'TEXT_MESSAGE_START', messageId: id, ...more },
    ...deltas.map((delta) => ({ type: 'TEXT_MESSAGE_CONTENT', messageId: id, delta })),
    { type: 'TEXT_MESSAGE_END', messageId: id },
  ];
}

const CALL: Event[] = [
  { type: 'TOOL_CALL_START', toolCallId: 'c1', toolCallName: 'pay' },
  { type: 'TOOL_CALL_END', toolCallId: 'c1' },
];

const SHAPES: readonly (readonly [string, readonly unknown[]])[] = [
  ['RUN_ERROR as the first event', [ERROR]],
  ['RUN_ERROR after a finish with success', [...run(), ERROR]],
  ['RUN_ERROR after an interrupt', [START, { ...FINISH, outcome: { type: 'interrupt', interrupts: [{ id: 'i1', reason: 'ask' }] } }, ERROR]],
  ['RUN_ERROR after a cancelled run', [START, { ...FINISH, outcome: { type: 'cancelled' } }, ERROR]],
  [
    'items open when RUN_ERROR arrives',
    [START, { type: 'TEXT_MESSAGE_START', messageId: 'm1' }, { type: 'STEP_STARTED', stepName: 'plan' }, { type: 'REASONING_START', messageId: 'z1' }, ERROR],
  ],
  ['a message reopened', run(...text('m1', {}, 'a'), ...text('m1', {}, 'b'))],
  ['a call reopened', run(...CALL, ...CALL)],
  [
    'two messages open at once',
    run(
      { type: 'TEXT_MESSAGE_START', messageId: 'm1' },
      { type: 'TEXT_MESSAGE_START', messageId: 'm2' },
      { type: 'TEXT_MESSAGE_END', messageId: 'm1' },
      { type: 'TEXT_MESSAGE_END', messageId: 'm2' },
    ),
  ],
  ['an empty delta', run(...text('m1', {}, ''))],
  ['STATE_DELTA without a snapshot', run({ type: 'STATE_DELTA', delta: [{ op: 'replace', path: '/nowhere', value: 1 }] })],
  [
    'a snapshot after deltas, and a root that is no object',
    run(
      { type: 'STATE_SNAPSHOT', snapshot: { a: 1 } },
      { type: 'STATE_DELTA', delta: [{ op: 'remove', path: '/a' }] },
      { type: 'STATE_SNAPSHOT', snapshot: 7 },
    ),
  ],
  [
    'a delta that retypes an activity',
    run(
      { type: 'ACTIVITY_SNAPSHOT', messageId: 'a1', activityType: 'plan', content: { n: 0 } },
      { type: 'ACTIVITY_DELTA', messageId: 'a1', activityType: 'search', patch: [{ op: 'replace', path: '/n', value: 1 }] },
    ),
  ],
  [
    'a patch operation with extra members',
    run({ type: 'STATE_SNAPSHOT', snapshot: {} }, { type: 'STATE_DELTA', delta: [{ op: 'add', path: '/a', value: 1, why: 'because', from: 7 }] }),
  ],
  [
    'steps that overlap, reuse a name and share one across owners',
    run(
      { type: 'STEP_STARTED', stepName: 'a' },
      { type: 'STEP_STARTED', stepName: 'b' },
      { type: 'STEP_STARTED', stepName: 'a', subagentRunId: 's1' },
      { type: 'STEP_FINISHED', stepName: 'a' },
      { type: 'STEP_FINISHED', stepName: 'b' },
      { type: 'STEP_STARTED', stepName: 'a' },
      { type: 'STEP_FINISHED', stepName: 'a', subagentRunId: 's1' },
      { type: 'STEP_FINISHED', stepName: 'a' },
    ),
  ],
  [
    'a reasoning message outside a span, and one that shares its id',
    run(
      { type: 'REASONING_MESSAGE_START', messageId: 'z1', role: 'reasoning' },
      { type: 'REASONING_MESSAGE_END', messageId: 'z1' },
      { type: 'REASONING_START', messageId: 'z2' },
      { type: 'REASONING_MESSAGE_START', messageId: 'z2', role: 'reasoning' },
      { type: 'REASONING_MESSAGE_END', messageId: 'z2' },
      { type: 'REASONING_END', messageId: 'z2' },
    ),
  ],
  ['tagged events without a SUBAGENT lifecycle', run(...text('m1', { subagentRunId: 's1' }, 'x'))],
  [
    'a subagent id seen again in a later run',
    [
      ...run({ type: 'SUBAGENT_STARTED', subagentRunId: 's1', name: 'scout' }, { type: 'SUBAGENT_FINISHED', subagentRunId: 's1' }),
      { ...START, runId: 'r2' },
      { type: 'SUBAGENT_STARTED', subagentRunId: 's1', name: 'scout' },
      { type: 'SUBAGENT_FINISHED', subagentRunId: 's1' },
      { ...FINISH, runId: 'r2' },
    ],
  ],
  [
    'the five types that stand aside inside a chunk stream',
    run(
      { type: 'TEXT_MESSAGE_CHUNK', messageId: 'm1', delta: 'a' },
      { type: 'RAW', event: {} },
      { type: 'ACTIVITY_SNAPSHOT', messageId: 'a1', activityType: 'plan', content: {} },
      { type: 'ACTIVITY_DELTA', messageId: 'a1', activityType: 'plan', patch: [] },
      { type: 'REASONING_ENCRYPTED_VALUE', subtype: 'message', entityId: 'm1', encryptedValue: 'x' },
      { type: 'SUBAGENT_STARTED', subagentRunId: 's1', name: 'scout' },
      { type: 'TEXT_MESSAGE_CHUNK', delta: 'b' },
      { type: 'SUBAGENT_FINISHED', subagentRunId: 's1' },
      { type: 'TEXT_MESSAGE_CHUNK', delta: 'c' },
    ),
  ],
  ['a chunk with metadata only', run({ type: 'TEXT_MESSAGE_CHUNK', messageId: 'm1', delta: 'a' }, { type: 'TEXT_MESSAGE_CHUNK', metadata: { done: true } })],
  [
    'an untagged chunk with the only open id',
    run({ type: 'TEXT_MESSAGE_CHUNK', messageId: 'm1', delta: 'a', subagentRunId: 's1' }, { type: 'TEXT_MESSAGE_CHUNK', delta: 'b' }),
  ],
  ['an explicit START on an id a chunk stream was building', run({ type: 'TEXT_MESSAGE_CHUNK', messageId: 'm1', delta: 'a' }, ...text('m1', {}, 'b'))],
  ['unanswered calls at a successful finish', run(...CALL)],
  [
    'a result tagged with another owner than its call',
    run(...CALL, { type: 'TOOL_CALL_RESULT', messageId: 'res', toolCallId: 'c1', content: 'ok', subagentRunId: 's1' }),
  ],
  [
    'null inside metadata and state, and as a JSON payload',
    run(
      { type: 'TEXT_MESSAGE_START', messageId: 'm1', metadata: { a: null } },
      { type: 'TEXT_MESSAGE_END', messageId: 'm1' },
      { type: 'STATE_SNAPSHOT', snapshot: { a: null } },
      { type: 'STATE_SNAPSHOT', snapshot: null },
      { type: 'CUSTOM', name: 'com.example.x', value: null },
      { type: 'RAW', event: null },
    ),
  ],
  ['an unrecognised CUSTOM name', run({ type: 'CUSTOM', name: 'vendor/thing', value: 1 })],
  [
    'missing, equal and falling timestamps',
    run(
      { type: 'STEP_STARTED', stepName: 'a', timestamp: 5 },
      { type: 'STEP_STARTED', stepName: 'b', timestamp: 5 },
      { type: 'STEP_FINISHED', stepName: 'b', timestamp: 4 },
      { type: 'STEP_FINISHED', stepName: 'a' },
    ),
  ],
];

describe('legal shapes', () => {
  it.each(SHAPES)('%s', (_, events) => {
    expect(briefly(foldEvents(events))).toEqual([]);
  });

  it('an unknown type before the first and after the last event is a deviation alone', () => {
    const state = foldEvents([{ type: 'HEARTBEAT' }, ...run(), { type: 'HEARTBEAT' }]);
    expect(briefly(state)).toEqual(['schema-unknown-event-type@0']);
    expect(statusesOf(state)).toEqual([{ runId: 'r1', status: 'succeeded' }]);
  });

  it('an HTTP error without a stream is a failed request and no empty stream', () => {
    const { state } = fold([{ kind: 'response', status: 502, contentType: 'text/html', time: 0 }, ...inputsOf([])]);
    expect(briefly(state)).toEqual([]);
  });

  it('CUSTOM in the places of the unknown type is two violations', () => {
    const custom = { type: 'CUSTOM', name: 'com.example.x', value: 1 };
    expect(briefly(foldEvents([custom, ...run(), custom]))).toEqual(['stream-opening-event@0', 'run-event-after-close@3']);
  });
});
