import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readRunInput } from './run-input.ts';

const camel = {
  threadId: 't',
  runId: 'r',
  parentRunId: 'p',
  protocolVersion: '1.1',
  state: { a: 1 },
  messages: [
    { id: 'm1', role: 'user', content: [{ type: 'text', text: 'a' }, { type: 'image' }, { type: 'text', text: 'b' }] },
    { id: 'm2', role: 'assistant', toolCalls: [{ id: 'c1', type: 'function', function: { name: 'f', arguments: '' } }] },
    { id: 'm3', role: 'tool', content: 'done', toolCallId: 'c1' },
  ],
  tools: [{ name: 'f', description: '' }],
  context: [],
  resume: [{ interruptId: 'i', status: 'resolved' }],
};

const snake = {
  thread_id: 't',
  run_id: 'r',
  parent_run_id: 'p',
  protocol_version: '1.1',
  state: { a: 1 },
  messages: [
    { id: 'm1', role: 'user', content: 'ab' },
    { id: 'm2', role: 'assistant', content: null, tool_calls: [{ id: 'c1', type: 'function', function: { name: 'f', arguments: '' } }] },
    { id: 'm3', role: 'tool', content: 'done', tool_call_id: 'c1' },
  ],
  tools: [{ name: 'f', description: '' }],
  resume: [{ interrupt_id: 'i', status: 'resolved' }],
};

const read = {
  threadId: 't',
  runId: 'r',
  parentRunId: 'p',
  protocolVersion: '1.1',
  hasState: true,
  state: { a: 1 },
  messages: [
    { id: 'm1', role: 'user', text: 'ab', toolCallId: null, toolCalls: [] },
    { id: 'm2', role: 'assistant', text: '', toolCallId: null, toolCalls: [{ id: 'c1', name: 'f' }] },
    { id: 'm3', role: 'tool', text: 'done', toolCallId: 'c1', toolCalls: [] },
  ],
  toolNames: ['f'],
  resume: [{ interruptId: 'i', status: 'resolved' }],
};

describe('readRunInput', () => {
  test('camelCase, snake_case, and either one level down in an envelope', () => {
    expect(readRunInput(camel)).toEqual({ ...read, dialect: 'camel', envelope: false, raw: camel });
    expect(readRunInput(snake)).toEqual({ ...read, dialect: 'snake', envelope: false, raw: snake });
    expect(readRunInput({ method: 'agent/run', params: { agentId: 'a' }, body: camel })).toEqual({ ...read, dialect: 'camel', envelope: true, raw: camel });
    expect(readRunInput({ method: 'agent/run', body: snake })).toEqual({ ...read, dialect: 'snake', envelope: true, raw: snake });
  });

  test('both ids or a messages array make an input', () => {
    expect(readRunInput({ threadId: 't', runId: 'r' })).toMatchObject({ threadId: 't', messages: [], toolNames: null, resume: null, hasState: false });
    expect(readRunInput({ messages: [] })).toMatchObject({ threadId: null, runId: null });
    expect(readRunInput({ messages: [], tools: [], resume: [] })).toMatchObject({ toolNames: [], resume: [] });
  });

  test.each([
    [null],
    [5],
    ['x'],
    [[]],
    [{}],
    [{ threadId: 't' }],
    [{ threadId: 5, runId: 'r' }],
    [{ messages: 'x' }],
    [{ body: {} }],
    [{ body: { body: { messages: [] } } }],
  ])('%j is none', (body) => {
    expect(readRunInput(body)).toBeNull();
  });

  test('what is missing or of another type in a message is left out, the message is not', () => {
    const messages = [
      { content: [{ type: 'text' }, { type: 'text', text: 5 }, null, { type: 'text', text: 'kept' }] },
      { id: 'm', role: 'assistant', toolCalls: [{ function: { name: 'no id' } }, { id: 'c1' }, { id: 'c2', function: { name: 5 } }] },
      'no message',
    ];
    expect(readRunInput({ messages })?.messages).toEqual([
      { id: null, role: '', text: 'kept', toolCallId: null, toolCalls: [] },
      {
        id: 'm',
        role: 'assistant',
        text: '',
        toolCallId: null,
        toolCalls: [
          { id: 'c1', name: '' },
          { id: 'c2', name: '' },
        ],
      },
    ]);
  });

  test('an input that has a body of its own is no envelope', () => {
    expect(readRunInput({ threadId: 't', runId: 'r', body: camel })).toMatchObject({ envelope: false, messages: [] });
  });

  test('null state is no state; false and 0 are', () => {
    expect(readRunInput({ messages: [], state: null })).toMatchObject({ hasState: false, state: undefined });
    expect(readRunInput({ messages: [], state: 0 })).toMatchObject({ hasState: true, state: 0 });
  });

  test('never throws', () => {
    const body = fc.record(
      {
        threadId: fc.jsonValue(),
        runId: fc.jsonValue(),
        messages: fc.array(fc.jsonValue()),
        tools: fc.jsonValue(),
        resume: fc.array(fc.jsonValue()),
        body: fc.jsonValue(),
      },
      { requiredKeys: [] },
    );
    fc.assert(fc.property(fc.oneof(fc.jsonValue(), body), (value) => void readRunInput(value)));
  });
});
