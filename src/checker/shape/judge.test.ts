/** Longer than a file should be: it is one table a rule of the schema stage, and they share one helper. */
import { describe, expect, test } from 'vitest';
import { type AgentEvent, EVENT_TYPES, type EventType } from '../../protocol/events.ts';
import { EXAMPLES, input } from './fixtures/examples.ts';
import { createShapeState, judge, SHAPE_RULES } from './index.ts';

type Fields = Record<string, unknown>;

function judged(type: EventType, fields: Fields, state = createShapeState()) {
  const shape = judge(state, type, { type, ...fields } as AgentEvent);
  const complaints = shape.complaints.filter(({ rule }) => rule !== 'version-undeclared');
  return { ...shape, event: shape.event as Fields | null, complaints, lines: complaints.map(({ rule, subject }) => `${rule} ${subject}`) };
}

describe('well formed', () => {
  test.each(EVENT_TYPES)('%s is silent, full and minimal, and comes back as it is', (type) => {
    for (const example of EXAMPLES[type]) {
      const event = { type, ...example } as unknown as AgentEvent;
      const shape = judge(createShapeState(), type, event);
      expect(shape.complaints).toEqual([]);
      expect(shape.event).toEqual(event);
    }
  });

  test('null is a value where the schema takes any: snapshot, event, value, the state of an echoed input', () => {
    expect(judged('STATE_SNAPSHOT', { snapshot: null }).lines).toEqual([]);
    expect(judged('RAW', { event: null }).lines).toEqual([]);
    expect(judged('CUSTOM', { name: 'a.b', value: null }).lines).toEqual([]);
    expect(judged('RUN_STARTED', { threadId: 't', runId: 'r', input: { threadId: 't', runId: 'r', messages: [], state: null } }).lines).toEqual([]);
  });

  test('what others judge passes: contents of patches, an empty interrupt list', () => {
    expect(judged('STATE_DELTA', { delta: [{ op: 'zzz' }, 5] }).lines).toEqual([]);
    expect(judged('STATE_DELTA', { delta: 'no array' }).lines).toEqual([]);
    expect(judged('ACTIVITY_DELTA', { messageId: 'a', activityType: 'p', patch: null }).lines).toEqual([]);
    const { lines, event } = judged('RUN_FINISHED', { threadId: 't', runId: 'r', outcome: { type: 'interrupt', interrupts: [] } });
    expect(lines).toEqual([]);
    expect(event!['outcome']).toEqual({ type: 'interrupt', interrupts: [] });
  });

  test('a property left undefined by a decoder is absent', () => {
    expect(judged('TEXT_MESSAGE_CONTENT', { messageId: 'm', delta: 'x', name: undefined, timestamp: undefined }).lines).toEqual([]);
    expect(judged('TEXT_MESSAGE_CONTENT', { messageId: 'm', delta: undefined }).lines).toEqual(['schema-missing-field text.delta']);
  });
});

describe('schema-missing-field', () => {
  test('one a field; both boundaries share the subject', () => {
    expect(judged('RUN_STARTED', { runId: 'r' }).lines).toEqual(['schema-missing-field run.threadId']);
    expect(judged('RUN_FINISHED', { runId: 'r' }).lines).toEqual(['schema-missing-field run.threadId']);
    expect(judged('TOOL_CALL_START', {}).lines).toEqual(['schema-missing-field tool.toolCallId', 'schema-missing-field tool.toolCallName']);
    expect(judged('STATE_DELTA', {}).lines).toEqual(['schema-missing-field state.delta']);
    expect(judged('STATE_SNAPSHOT', {}).lines).toEqual(['schema-missing-field state.snapshot']);
  });

  test('the event still acts', () => {
    expect(judged('TEXT_MESSAGE_CONTENT', { messageId: 'm' }).event).toEqual({ type: 'TEXT_MESSAGE_CONTENT', messageId: 'm' });
  });

  test('inside lists the subject has no index, the sentence has', () => {
    const { lines, complaints } = judged('RUN_FINISHED', {
      threadId: 't',
      runId: 'r',
      outcome: { type: 'interrupt', interrupts: [{ id: 'a', reason: 'x' }, { id: 'b' }, { id: 'c' }] },
    });
    expect(lines).toEqual(['schema-missing-field run.outcome.interrupts[].reason']);
    expect(complaints[0]!.message).toBe('RUN_FINISHED.outcome.interrupts[1].reason is required and missing: send a string.');
    expect(judged('RUN_FINISHED', { threadId: 't', runId: 'r', outcome: { type: 'interrupt' } }).lines).toEqual([
      'schema-missing-field run.outcome.interrupts',
    ]);
  });

  test('points at a name that is nearly right', () => {
    expect(judged('RUN_STARTED', { threadID: 't', runId: 'r' }).complaints[0]!.message).toContain('"threadID" is there');
  });
});

describe('schema-malformed-value', () => {
  test.each<[EventType, Fields, string]>([
    ['TEXT_MESSAGE_CONTENT', { messageId: 'm', delta: 42 }, 'text.delta'],
    ['TEXT_MESSAGE_CONTENT', { messageId: 'm', delta: null }, 'text.delta'],
    ['TEXT_MESSAGE_END', { messageId: 'm', timestamp: 1.5 }, 'text.timestamp'],
    ['TEXT_MESSAGE_END', { messageId: 'm', timestamp: '2030-01-01' }, 'text.timestamp'],
    ['TEXT_MESSAGE_END', { messageId: 'm', metadata: [] }, 'text.metadata'],
    ['TEXT_MESSAGE_START', { messageId: 'm', role: 5 }, 'text.role'],
    ['REASONING_MESSAGE_START', { messageId: 'm', role: 'assistant' }, 'reasoning.role'],
    ['TOOL_CALL_RESULT', { messageId: 'm', toolCallId: 'c', content: 'x', role: 'user' }, 'tool.role'],
    ['TOOL_CALL_RESULT', { messageId: 'm', toolCallId: 'c', content: { a: 1 } }, 'tool.content'],
    ['RUN_ERROR', { message: 'm', usage: [{ inputTokens: -1 }] }, 'run.usage[].inputTokens'],
    ['RUN_FINISHED', { threadId: 't', runId: 'r', outcome: 'success' }, 'run.outcome'],
    ['RUN_FINISHED', { threadId: 't', runId: 'r', outcome: [{ type: 'interrupt' }] }, 'run.outcome'],
    ['RUN_FINISHED', { threadId: 't', runId: 'r', outcome: { type: 'interrupt', interrupts: 'no' } }, 'run.outcome.interrupts'],
    ['ACTIVITY_SNAPSHOT', { messageId: 'a', activityType: 'p', content: [] }, 'activity.content'],
    ['ACTIVITY_SNAPSHOT', { messageId: 'a', activityType: 'p', content: {}, replace: 'no' }, 'activity.replace'],
    [
      'MESSAGES_SNAPSHOT',
      { messages: [{ id: 'a', role: 'assistant', toolCalls: [{ id: 'c', type: 'fn', function: { name: 'f', arguments: '' } }] }] },
      'messages.messages[].toolCalls[].type',
    ],
  ])('%s %j', (type, fields, subject) => {
    expect(judged(type, fields).lines).toEqual([`schema-malformed-value ${subject}`]);
  });

  test('the value is gone, the rest stays', () => {
    expect(judged('TEXT_MESSAGE_CONTENT', { messageId: 'm', delta: 42 }).event).toEqual({ type: 'TEXT_MESSAGE_CONTENT', messageId: 'm' });
    expect(judged('TEXT_MESSAGE_CONTENT', { messageId: 'm', delta: 42 }).complaints[0]!.message).toBe(
      'TEXT_MESSAGE_CONTENT.delta is the number 42 and not a string: send a string.',
    );
  });

  test('a list of which every entry is malformed is as good as absent', () => {
    expect(judged('RUN_FINISHED', { threadId: 't', runId: 'r', outcome: { type: 'interrupt', interrupts: [5] } }).event!['outcome']).toEqual({
      type: 'interrupt',
    });
    expect(judged('MESSAGES_SNAPSHOT', { messages: [5, { id: 'a', role: 'assistant' }] }).event!['messages']).toEqual([{ id: 'a', role: 'assistant' }]);
  });
});

describe('nulls', () => {
  test('schema-null-field: never legal for a whole optional field', () => {
    expect(judged('TEXT_MESSAGE_START', { messageId: 'm', name: null, metadata: null, subagentRunId: null }).lines).toEqual([
      'schema-null-field text.name',
      'schema-null-field text.metadata',
      'schema-null-field text.subagentRunId',
    ]);
    expect(judged('SUBAGENT_FINISHED', { subagentRunId: 's', outcome: null }).lines).toEqual(['schema-null-field subagent.outcome']);
    expect(judged('SUBAGENT_STARTED', { subagentRunId: 's', name: 'n', parentMessageId: null }).lines).toEqual(['schema-null-field subagent.parentMessageId']);
    expect(
      judged('TOOL_CALL_RESULT', { messageId: 'm', toolCallId: 'c', content: [{ type: 'image', source: { type: 'url', value: 'u' }, metadata: null }] }).lines,
    ).toEqual(['schema-null-field tool.content[].metadata']);
  });

  test.each<[EventType, Fields, string]>([
    ['RUN_FINISHED', { threadId: 't', runId: 'r', outcome: null }, 'RUN_FINISHED.outcome'],
    ['RUN_FINISHED', { threadId: 't', runId: 'r', result: null }, 'RUN_FINISHED.result'],
    ['SUBAGENT_FINISHED', { subagentRunId: 's', result: null }, 'SUBAGENT_FINISHED.result'],
    ['TOOL_CALL_START', { toolCallId: 'c', toolCallName: 'f', parentMessageId: null }, 'TOOL_CALL_START.parentMessageId'],
    ['TOOL_CALL_CHUNK', { parentMessageId: null }, 'TOOL_CALL_CHUNK.parentMessageId'],
    ['STEP_STARTED', { stepName: 's', rawEvent: null }, 'STEP_STARTED.rawEvent'],
    ['RUN_STARTED', { threadId: 't', runId: 'r', input: { ...input, forwardedProps: null } }, 'RUN_STARTED.input.forwardedProps'],
    [
      'RUN_STARTED',
      { threadId: 't', runId: 'r', input: { ...input, tools: [{ name: 'f', description: '', parameters: null }] } },
      'RUN_STARTED.input.tools[].parameters',
    ],
    [
      'RUN_STARTED',
      { threadId: 't', runId: 'r', input: { ...input, resume: [{ interruptId: 'i', status: 'resolved', payload: null }] } },
      'RUN_STARTED.input.resume[].payload',
    ],
    [
      'MESSAGES_SNAPSHOT',
      { messages: [{ id: 'a', role: 'user', content: [{ type: 'image', source: { type: 'url', value: 'u' }, metadata: null }] }] },
      'MESSAGES_SNAPSHOT.messages[].content[].metadata',
    ],
  ])('version-retired-shape: %s %j', (type, fields, subject) => {
    const state = createShapeState();
    expect(judged(type, fields, state).lines).toEqual([`version-retired-shape ${subject}`]);
    const again = judged(type, fields, state);
    expect(again.lines).toEqual([]);
    expect(again.repeats).toEqual([{ rule: 'version-retired-shape', subject }]);
    expect(JSON.stringify(again.event)).not.toContain('null,"result"');
  });

  test('a grandfathered null is read as absent', () => {
    expect(judged('RUN_FINISHED', { threadId: 't', runId: 'r', outcome: null, result: null }).event).toEqual({
      type: 'RUN_FINISHED',
      threadId: 't',
      runId: 'r',
    });
  });
});

describe('binary parts', () => {
  const snapshot = (part: Fields) => judged('MESSAGES_SNAPSHOT', { messages: [{ id: 'a', role: 'user', content: [{ type: 'text', text: 'x' }, part] }] });
  const partsOf = (event: Fields | null) => (event!['messages'] as { content: unknown[] }[])[0]!.content;

  test.each<[Fields, Fields]>([
    [
      { mimeType: 'image/png', data: 'AA', filename: 'a.png' },
      { type: 'image', source: { type: 'data', value: 'AA', mimeType: 'image/png' }, metadata: { filename: 'a.png' } },
    ],
    [
      { mimeType: 'audio/ogg', url: 'u' },
      { type: 'audio', source: { type: 'url', value: 'u', mimeType: 'audio/ogg' } },
    ],
    [
      { mimeType: 'video/mp4', url: 'u' },
      { type: 'video', source: { type: 'url', value: 'u', mimeType: 'video/mp4' } },
    ],
    [
      { mimeType: 'application/pdf', url: 'u' },
      { type: 'document', source: { type: 'url', value: 'u', mimeType: 'application/pdf' } },
    ],
  ])('%j is read as %j', (sent, read) => {
    const { lines, event } = snapshot({ type: 'binary', ...sent });
    expect(lines).toEqual(['version-retired-shape MESSAGES_SNAPSHOT.messages[].content[]']);
    expect(partsOf(event)[1]).toEqual(read);
  });

  test('one with an id alone is dropped', () => {
    const { lines, event, complaints } = snapshot({ type: 'binary', mimeType: 'image/png', id: 'f1' });
    expect(lines).toEqual(['version-retired-shape MESSAGES_SNAPSHOT.messages[].content[]']);
    expect(complaints[0]!.message).toContain('dropped');
    expect(partsOf(event)).toEqual([{ type: 'text', text: 'x' }]);
  });
});

describe('unknown material', () => {
  test('schema-unknown-property: once a type and path, stripped', () => {
    const state = createShapeState();
    const first = judged('TEXT_MESSAGE_CONTENT', { messageId: 'm', delta: 'x', seq: 1 }, state);
    expect(first.lines).toEqual(['schema-unknown-property TEXT_MESSAGE_CONTENT.seq']);
    expect(first.event).toEqual({ type: 'TEXT_MESSAGE_CONTENT', messageId: 'm', delta: 'x' });
    const second = judged('TEXT_MESSAGE_CONTENT', { messageId: 'm', delta: 'y', seq: 2 }, state);
    expect(second.lines).toEqual([]);
    expect(second.event).toEqual({ type: 'TEXT_MESSAGE_CONTENT', messageId: 'm', delta: 'y' });
    expect(second.repeats).toEqual([{ rule: 'schema-unknown-property', subject: 'TEXT_MESSAGE_CONTENT.seq' }]);
    expect(judged('TEXT_MESSAGE_END', { messageId: 'm', seq: 3 }, state).lines).toEqual(['schema-unknown-property TEXT_MESSAGE_END.seq']);
  });

  test('a subagent tag on run-scoped events is unknown', () => {
    expect(judged('RUN_ERROR', { message: 'm', subagentRunId: 's' }).lines).toEqual(['schema-unknown-property RUN_ERROR.subagentRunId']);
    expect(judged('MESSAGES_SNAPSHOT', { messages: [], subagentRunId: 's' }).lines).toEqual(['schema-unknown-property MESSAGES_SNAPSHOT.subagentRunId']);
  });

  test('names of Object.prototype are unknown like any other', () => {
    const event = JSON.parse('{"messageId":"m","delta":"x","toString":1,"__proto__":{"polluted":true},"constructor":2}');
    const { lines, event: left } = judged('TEXT_MESSAGE_CONTENT', event);
    expect(lines).toContain('schema-unknown-property TEXT_MESSAGE_CONTENT.toString');
    expect(lines).toContain('schema-unknown-property TEXT_MESSAGE_CONTENT.constructor');
    expect((left as unknown as { polluted?: boolean }).polluted).toBeUndefined();
  });

  test('open objects are exempt: metadata, state, activity content, operations', () => {
    expect(judged('STATE_SNAPSHOT', { snapshot: { any: { thing: null } }, metadata: { any: null } }).lines).toEqual([]);
    expect(judged('ACTIVITY_SNAPSHOT', { messageId: 'a', activityType: 'p', content: { any: null } }).lines).toEqual([]);
    expect(judged('STATE_DELTA', { delta: [{ op: 'remove', path: '/a', value: 1 }] }).lines).toEqual([]);
  });

  test('hundreds of unknown properties in one object are listed up to a point, then counted', () => {
    const extra = Object.fromEntries(Array.from({ length: 300 }, (_, i) => [`x${i}`, i]));
    const { complaints } = judged('TEXT_MESSAGE_END', { messageId: 'm', ...extra });
    expect(complaints).toHaveLength(51);
    expect(complaints[50]!.message).toContain('250 more properties');
  });

  test('schema-unknown-union-member: the element goes, or the part with an unknown source', () => {
    const content = [
      { type: 'text', text: 'a' },
      { type: 'hologram' },
      { type: 'image', odd: 1, id: 5, source: { type: 'ipfs' } },
      { type: 'text', text: 'b' },
    ];
    const { lines, event } = judged('TOOL_CALL_RESULT', { messageId: 'm', toolCallId: 'c', content });
    expect(lines).toEqual(['schema-unknown-union-member tool.content[]', 'schema-unknown-union-member tool.content[].source']);
    expect(event!['content']).toEqual([
      { type: 'text', text: 'a' },
      { type: 'text', text: 'b' },
    ]);
    expect(judged('MESSAGES_SNAPSHOT', { messages: [{ id: 'a', role: 'critic', content: '' }, { id: 'b' }] }).lines).toEqual([
      'schema-unknown-union-member messages.messages[]',
    ]);
  });

  test('schema-unknown-enum-value: stripped, and the sentence says that the client rejects it', () => {
    const { lines, event, complaints } = judged('TEXT_MESSAGE_START', { messageId: 'm', role: 'narrator' });
    expect(lines).toEqual(['schema-unknown-enum-value text.role']);
    expect(event).toEqual({ type: 'TEXT_MESSAGE_START', messageId: 'm' });
    expect(complaints[0]!.message).toContain('the 1.0.0 JS client rejects this');
    const echo = judged('RUN_STARTED', { threadId: 't', runId: 'r', input: { ...input, resume: [{ interruptId: 'i', status: 'maybe' }] } });
    expect(echo.lines).toEqual(['schema-unknown-enum-value run.input.resume[].status']);
    expect((echo.event!['input'] as Fields)['resume']).toEqual([]);
  });

  test('schema-reserved-metadata-key: once a stream, kept', () => {
    const state = createShapeState();
    const { lines, event } = judged('TEXT_MESSAGE_END', { messageId: 'm', metadata: { 'ag-ui': 1 } }, state);
    expect(lines).toEqual(['schema-reserved-metadata-key ag-ui']);
    expect(event!['metadata']).toEqual({ 'ag-ui': 1 });
    expect(judged('STEP_STARTED', { stepName: 's', metadata: { 'ag-ui': 1 } }, state).lines).toEqual([]);
  });
});

describe('outcomes', () => {
  const finished = (outcome: unknown) => judged('RUN_FINISHED', { threadId: 't', runId: 'r', outcome });
  const subagent = (outcome: unknown) => judged('SUBAGENT_FINISHED', { subagentRunId: 's', outcome });

  test.each([[{ type: 'escalated' }], [{}], [{ type: 5 }], [{ interrupts: [] }]])('run-unknown-outcome %j', (outcome) => {
    const { lines, event } = finished(outcome);
    expect(lines).toEqual(['run-unknown-outcome outcome']);
    expect(event).not.toHaveProperty('outcome');
  });

  test.each([[{ type: 'success' }], [{ type: 'success', pendingToolCallIds: ['c'] }], [{ type: 'cancelled' }]])('known: %j', (outcome) => {
    expect(finished(outcome).lines).toEqual([]);
  });

  test('interrupt-on-other-outcome: stripped', () => {
    for (const type of ['success', 'cancelled']) {
      const { lines, event } = finished({ type, interrupts: [{ id: 'i', reason: 'x' }] });
      expect(lines).toEqual(['interrupt-on-other-outcome outcome']);
      expect(event!['outcome']).toEqual({ type });
    }
  });

  test('subagent-unknown-outcome and subagent-success-with-interrupts', () => {
    expect(subagent({ type: 'lost' }).lines).toEqual(['subagent-unknown-outcome outcome']);
    expect(subagent({ type: 'success', interruptIds: ['i'] }).lines).toEqual(['subagent-success-with-interrupts outcome']);
    expect(subagent({ type: 'success', interruptIds: ['i'] }).event!['outcome']).toEqual({ type: 'success' });
    expect(subagent({ type: 'suspended', interruptIds: ['i'] }).lines).toEqual([]);
  });
});

describe('encrypted values', () => {
  test('reasoning-encrypted-unknown-subtype drops the event', () => {
    const { lines, event, type } = judged('REASONING_ENCRYPTED_VALUE', { subtype: 'image', entityId: 'm', encryptedValue: 'x', odd: 1 });
    expect(lines).toEqual(['reasoning-encrypted-unknown-subtype reasoning.subtype']);
    expect(event).toBeNull();
    expect(type).toBe('REASONING_ENCRYPTED_VALUE');
  });

  test('encryptedValueType is known, and an orphan without its value', () => {
    const message = { id: 'a', role: 'assistant', encryptedValueType: 'signature' };
    expect(judged('MESSAGES_SNAPSHOT', { messages: [{ ...message, encryptedValue: 'x' }] }).lines).toEqual([]);
    expect(judged('MESSAGES_SNAPSHOT', { messages: [message] }).lines).toEqual(['reasoning-encrypted-type-orphan messages.messages[].encryptedValueType']);
    const call = { id: 'c', type: 'function', function: { name: 'f', arguments: '' }, encryptedValueType: 's' };
    expect(judged('MESSAGES_SNAPSHOT', { messages: [{ id: 'a', role: 'assistant', toolCalls: [call] }] }).lines).toEqual([
      'reasoning-encrypted-type-orphan messages.messages[].toolCalls[].encryptedValueType',
    ]);
    expect(judged('REASONING_ENCRYPTED_VALUE', { subtype: 'message', entityId: 'm', encryptedValueType: 's' }).lines).toEqual([
      'schema-missing-field reasoning.encryptedValue',
    ]);
  });
});

describe('protocolVersion', () => {
  const rules = (protocolVersion?: unknown) =>
    judge(createShapeState(), 'RUN_STARTED', {
      type: 'RUN_STARTED',
      threadId: 't',
      runId: 'r',
      ...(protocolVersion === undefined ? {} : { protocolVersion }),
    } as AgentEvent).complaints.map(({ rule }) => rule);

  test.each<[unknown, string[]]>([
    ['1.0', []],
    ['1.1', []],
    ['0.9', []],
    ['1.2', ['version-newer']],
    ['2.0', ['version-newer']],
    ['1', ['version-uninterpretable']],
    ['1.0.0', ['version-uninterpretable']],
    ['v1', ['version-uninterpretable']],
    ['', ['version-uninterpretable']],
    [undefined, ['version-undeclared']],
    [1, ['schema-malformed-value']],
    [null, ['schema-null-field']],
  ])('%j: %j', (version, expected) => {
    expect(rules(version)).toEqual(expected);
  });
});

test('complaints come in the order of the catalogue, whatever the order of the fields', () => {
  const { complaints } = judge(createShapeState(), 'RUN_FINISHED', {
    type: 'RUN_FINISHED',
    rawEvent: null,
    odd: 1,
    metadata: { 'ag-ui': 1 },
    usage: null,
    timestamp: 'x',
    outcome: { type: 'zzz' },
  });
  const rules = complaints.map(({ rule }) => rule);
  expect(rules).toEqual([
    'run-unknown-outcome',
    'schema-missing-field',
    'schema-missing-field',
    'schema-malformed-value',
    'schema-null-field',
    'schema-unknown-property',
    'schema-reserved-metadata-key',
    'version-retired-shape',
  ]);
  expect(rules).toEqual([...rules].sort((a, b) => SHAPE_RULES.indexOf(a as never) - SHAPE_RULES.indexOf(b as never)));
});
