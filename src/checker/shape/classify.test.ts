import { describe, expect, test } from 'vitest';
import { classify, createShapeState, judge, type Shape } from './index.ts';

type Fields = Record<string, unknown>;

/** Feeds a stream through both stages; one line a complaint. */
function stream(events: readonly unknown[]) {
  const state = createShapeState();
  const lines: string[] = [];
  const shapes: Shape[] = [];
  events.forEach((value, at) => {
    const first = classify(state, value);
    const second = first.event && first.type ? judge(state, first.type, first.event) : null;
    const said = [...first.complaints, ...(second?.complaints ?? [])];
    lines.push(...said.filter(({ rule }) => rule !== 'version-undeclared').map(({ rule, subject }) => `${rule}@${at} ${subject}`));
    shapes.push({ ...(second ?? first), complaints: said, repeats: [...(first.repeats ?? []), ...(second?.repeats ?? [])] });
  });
  return { lines, events: shapes.map(({ event }) => event as Fields | null), shapes };
}

describe('schema-not-an-event', () => {
  test.each([[null], [5], [true], ['RUN_STARTED'], [[]], [{}], [{ type: '' }], [{ type: 5 }], [{ type: null }], [{ event: 'RUN_STARTED' }]])('%j', (value) => {
    const shape = classify(createShapeState(), value);
    expect(shape).toMatchObject({ event: null, type: null, excused: false, complaints: [{ rule: 'schema-not-an-event', subject: 'event' }] });
  });

  test('names what was met', () => {
    const message = (value: unknown) => classify(createShapeState(), value).complaints[0]!.message;
    expect(message(5)).toMatch(/^The frame holds the number 5, so it is no event/);
    expect(message({ a: 1 })).toMatch(/^The object has no type/);
    expect(message({ type: 7 })).toMatch(/^The object's type is the number 7/);
  });
});

describe('schema-unknown-event-type', () => {
  test('once a type and stream, with nothing left of the event', () => {
    const { lines, shapes } = stream([{ type: 'HEARTBEAT' }, { type: 'X_TRACE' }, { type: 'HEARTBEAT' }]);
    expect(lines).toEqual(['schema-unknown-event-type@0 HEARTBEAT', 'schema-unknown-event-type@1 X_TRACE']);
    expect(shapes[2]).toEqual({
      event: null,
      type: null,
      excused: false,
      complaints: [],
      repeats: [{ rule: 'schema-unknown-event-type', subject: 'HEARTBEAT' }],
    });
  });

  test.each([
    ['text_message_content', 'TEXT_MESSAGE_CONTENT'],
    ['StateDelta', 'STATE_DELTA'],
    ['TEXT_MESSAGE_CONTENTS', 'TEXT_MESSAGE_CONTENT'],
    ['RUN_START', 'RUN_STARTED'],
  ])('%s: did you mean %s?', (sent, meant) => {
    const { event, complaints } = classify(createShapeState(), { type: sent, messageId: 'm', delta: 'x' });
    expect(event).toBeNull();
    expect(complaints).toHaveLength(1);
    expect(complaints[0]!.rule).toBe('schema-unknown-event-type');
    expect(complaints[0]!.message).toContain(`did you mean ${meant}?`);
  });

  test.each(['done', 'error', 'USAGE_METADATA', '__proto__', 'constructor', 'toString'])('%s: no hint', (type) => {
    const { complaints } = classify(createShapeState(), { type });
    expect(complaints.map(({ rule }) => rule)).toEqual(['schema-unknown-event-type']);
    expect(complaints[0]!.message).not.toContain('did you mean');
  });

  test('a stream of ever new types stops listing them and says so', () => {
    const events = Array.from({ length: 5_010 }, (_, i) => ({ type: `X_${i}` }));
    const { lines, shapes } = stream(events);
    expect(lines).toHaveLength(5_001);
    expect(shapes[5_000]!.complaints[0]!.message).toContain('Further ones of this kind are counted here.');
    expect(shapes[5_009]!.repeats).toEqual([{ rule: 'schema-unknown-event-type', subject: '…' }]);
  });
});

describe('version-dialect-type', () => {
  test.each(['run_started', 'RunStarted', 'runStarted', 'RUN-STARTED', 'RunStartedEvent'])('%s', (type) => {
    const { event, type: read, complaints } = classify(createShapeState(), { type, threadId: 't', runId: 'r' });
    expect(event).toEqual({ type: 'RUN_STARTED', threadId: 't', runId: 'r' });
    expect(read).toBe('RUN_STARTED');
    expect(complaints.map(({ rule }) => rule)).toEqual(['version-dialect-type']);
    expect(complaints[0]!.message).toContain('RUN_STARTED');
  });

  test('one finding a stream; afterwards types and fields are read silently', () => {
    const { lines, events, shapes } = stream([
      { type: 'run_started', thread_id: 't', run_id: 'r' },
      { type: 'text_message_start', message_id: 'm' },
      { type: 'text_message_content', message_id: 'm', delta: 'x' },
      { type: 'TEXT_MESSAGE_END', message_id: 'm' },
      { type: 'run_finished', thread_id: 't', run_id: 'r' },
    ]);
    expect(lines).toEqual(['version-dialect-type@0 dialect']);
    expect(events[2]).toEqual({ type: 'TEXT_MESSAGE_CONTENT', messageId: 'm', delta: 'x' });
    expect(events[4]).toEqual({ type: 'RUN_FINISHED', threadId: 't', runId: 'r' });
    expect(shapes[2]!.repeats).toContainEqual({ rule: 'version-dialect-type', subject: 'dialect' });
  });

  test('real mistakes are still found under the hold', () => {
    const { lines } = stream([{ type: 'runStarted', threadId: 't', runId: 'r' }, { type: 'textMessageContent', messageId: 'm' }, { type: 'mystery' }]);
    expect(lines).toEqual(['version-dialect-type@0 dialect', 'schema-missing-field@1 text.delta', 'schema-unknown-event-type@2 mystery']);
  });

  test('retired types in another spelling are read once the dialect is known', () => {
    const { lines, events } = stream([{ type: 'run_started', threadId: 't', runId: 'r' }, { type: 'thinking_start' }]);
    expect(lines).toEqual(['version-dialect-type@0 dialect', 'version-retired-event@1 THINKING']);
    expect(events[1]!['type']).toBe('REASONING_START');
  });
});

describe('version-dialect-fields', () => {
  test('one finding a stream, everything after it read as if spelt right', () => {
    const { lines, events, shapes } = stream([
      { type: 'RUN_STARTED', thread_id: 't', run_id: 'r', parent_run_id: 'p' },
      { type: 'TEXT_MESSAGE_START', message_id: 'm', subagent_run_id: 's' },
      { type: 'TEXT_MESSAGE_CONTENT', message_id: 'm', delta: 'x' },
      { type: 'TOOL_CALL_START', tool_call_id: 'c', tool_call_name: 'f', parent_message_id: null },
      { type: 'MESSAGES_SNAPSHOT', messages: [{ id: 'a', role: 'tool', content: 'x', tool_call_id: 'c' }] },
      { type: 'RUN_FINISHED', thread_id: 't', run_id: 'r', usage: [{ input_tokens: 5 }] },
    ]);
    expect(lines).toEqual(['version-dialect-fields@0 dialect', 'version-retired-shape@3 TOOL_CALL_START.parentMessageId']);
    expect(events[0]).toEqual({ type: 'RUN_STARTED', threadId: 't', runId: 'r', parentRunId: 'p' });
    expect(events[1]).toEqual({ type: 'TEXT_MESSAGE_START', messageId: 'm', subagentRunId: 's' });
    expect(events[4]!['messages']).toEqual([{ id: 'a', role: 'tool', content: 'x', toolCallId: 'c' }]);
    expect(events[5]!['usage']).toEqual([{ inputTokens: 5 }]);
    expect(shapes.every(({ excused }) => !excused)).toBe(true);
  });

  test('found inside an event too', () => {
    const { lines, events } = stream([
      { type: 'MESSAGES_SNAPSHOT', messages: [{ id: 'a', role: 'tool', content: 'x', subagent_run_id: 's', tool_call_id: 'c' }] },
      { type: 'RUN_STARTED', thread_id: 't', run_id: 'r' },
    ]);
    expect(lines).toEqual(['version-dialect-fields@0 dialect']);
    expect(events[0]!['messages']).toEqual([{ id: 'a', role: 'tool', content: 'x', subagentRunId: 's', toolCallId: 'c' }]);
  });

  test('a chunk without the camelCase id is a dialect, though no field of it is required', () => {
    const { lines, events } = stream([{ type: 'TEXT_MESSAGE_CHUNK', message_id: 'm', delta: 'x' }]);
    expect(lines).toEqual(['version-dialect-fields@0 dialect']);
    expect(events[0]).toEqual({ type: 'TEXT_MESSAGE_CHUNK', messageId: 'm', delta: 'x' });
  });

  test('a snake_case twin of an optional field alone rejects nothing: it is an unknown property, with a hint', () => {
    const { complaints } = judge(createShapeState(), 'TOOL_CALL_START', {
      type: 'TOOL_CALL_START',
      toolCallId: 'c',
      toolCallName: 'f',
      parent_message_id: 'm',
    });
    expect(complaints.map(({ rule }) => rule)).toEqual(['schema-unknown-property']);
    expect(complaints[0]!.message).toContain('parentMessageId');
  });
});

describe('version-retired-event', () => {
  test('THINKING_* become reasoning events with invented ids, reported once', () => {
    const { lines, events, shapes } = stream([
      { type: 'THINKING_START', title: 'Plan' },
      { type: 'THINKING_TEXT_MESSAGE_START' },
      { type: 'THINKING_TEXT_MESSAGE_CONTENT', delta: 'hm' },
      { type: 'THINKING_TEXT_MESSAGE_END' },
      { type: 'THINKING_TEXT_MESSAGE_START' },
      { type: 'THINKING_TEXT_MESSAGE_END' },
      { type: 'THINKING_END' },
    ]);
    expect(lines).toEqual(['version-retired-event@0 THINKING']);
    expect(events).toEqual([
      { type: 'REASONING_START', messageId: 'thinking-span-1' },
      { type: 'REASONING_MESSAGE_START', messageId: 'thinking-message-2', role: 'reasoning' },
      { type: 'REASONING_MESSAGE_CONTENT', messageId: 'thinking-message-2', delta: 'hm' },
      { type: 'REASONING_MESSAGE_END', messageId: 'thinking-message-2' },
      { type: 'REASONING_MESSAGE_START', messageId: 'thinking-message-3', role: 'reasoning' },
      { type: 'REASONING_MESSAGE_END', messageId: 'thinking-message-3' },
      { type: 'REASONING_END', messageId: 'thinking-span-1' },
    ]);
    expect(shapes[6]!.repeats).toEqual([{ rule: 'version-retired-event', subject: 'THINKING' }]);
  });

  test('says that a title is lost', () => {
    expect(classify(createShapeState(), { type: 'THINKING_START', title: 'Plan' }).complaints[0]!.message).toContain('its title is lost');
    expect(classify(createShapeState(), { type: 'THINKING_START' }).complaints[0]!.message).not.toContain('title');
  });

  test('a fragment without an opener names an item nothing opens, the same each time', () => {
    const { events } = stream([
      { type: 'THINKING_TEXT_MESSAGE_CONTENT', delta: 'a' },
      { type: 'THINKING_TEXT_MESSAGE_END' },
      { type: 'THINKING_TEXT_MESSAGE_CONTENT', delta: 'b' },
    ]);
    expect(new Set(events.map((event) => event!['messageId']))).toEqual(new Set(['thinking-message-0']));
  });
});

describe('excused (M9)', () => {
  test.each<[Fields, boolean]>([
    [{ type: 'TEXT_MESSAGE_START' }, true],
    [{ type: 'TEXT_MESSAGE_START', messageId: 5 }, true],
    [{ type: 'TEXT_MESSAGE_START', messageId: '' }, false],
    [{ type: 'TOOL_CALL_END', toolCallId: null }, true],
    [{ type: 'STEP_FINISHED' }, true],
    [{ type: 'SUBAGENT_STARTED', name: 'n' }, true],
    [{ type: 'REASONING_ENCRYPTED_VALUE', subtype: 'message', encryptedValue: '' }, true],
    [{ type: 'RUN_STARTED', threadId: 't' }, true],
    [{ type: 'RUN_ERROR' }, false],
    [{ type: 'TEXT_MESSAGE_CHUNK', delta: 'x' }, false],
    [{ type: 'TEXT_MESSAGE_CHUNK', messageId: 5 }, true],
    [{ type: 'TOOL_CALL_CHUNK', toolCallId: 'c', toolCallName: 5 }, true],
    [{ type: 'CUSTOM' }, false],
  ])('%j: %s', (event, excused) => {
    const state = createShapeState();
    const first = classify(state, event);
    expect(first.excused).toBe(excused);
    expect(judge(state, first.type!, first.event!).excused).toBe(excused);
  });
});
