import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import cases from '../checker/fixtures/field-cases.json' with { type: 'json' };
import { EVENT_TYPES } from './events.ts';
import { isRunInput, recognise } from './recognise.ts';

type Hints = Parameters<typeof recognise>[0];
const told = (hints: Partial<Hints>) =>
  recognise({ requestUrl: 'http://localhost/agent', contentType: 'text/event-stream', values: [], ended: false, ...hints });
const AG_UI = { as: 'ag-ui' };
const foreign = (name: string) => ({ as: 'foreign', name });
const runInput = { threadId: 't', runId: 'r', messages: [] };

describe('AG-UI', () => {
  it.each(EVENT_TYPES)('by one event: %s', (type) => {
    expect(told({ values: [{ type }] })).toEqual(AG_UI);
  });

  it.each(['run_started', 'RunStarted', 'runStarted', 'textMessageStart', 'step-started', 'THINKING_START', 'THINKING_TEXT_MESSAGE_CONTENT'])(
    'in another spelling: %s',
    (type) => {
      expect(told({ values: [{ type }] })).toEqual(AG_UI);
    },
  );

  it('after events of a type it does not know', () => {
    expect(told({ values: [{ type: 'HEARTBEAT' }] })).toEqual({ as: 'unknown' });
    expect(told({ values: [{ type: 'HEARTBEAT' }, { type: 'RUN_STARTED' }] })).toEqual(AG_UI);
  });

  it.each([runInput, { thread_id: 't', run_id: 'r', messages: [] }, { method: 'agent/run', params: {}, body: runInput }])(
    'by the request: %j',
    (requestBody) => {
      expect(isRunInput(requestBody)).toBe(true);
      expect(told({ requestBody })).toEqual(AG_UI);
      expect(told({ requestBody, values: [{ type: 'MYSTERY' }], ended: true })).toEqual(AG_UI);
    },
  );

  it.each([{ messages: [] }, { threadId: 't' }, { threadId: 't', messages: 'no' }, [runInput], null, 'x'])(
    'not by a request of another shape: %j',
    (requestBody) => {
      expect(told({ requestBody })).toEqual({ as: 'unknown' });
    },
  );

  it('by the protobuf media type, asked for or sent', () => {
    expect(told({ contentType: 'application/vnd.ag-ui.event+proto; v=1' })).toEqual(AG_UI);
    expect(told({ accept: 'application/vnd.ag-ui.event+proto, text/event-stream' })).toEqual(AG_UI);
  });

  it('inside a JSON string', () => {
    expect(told({ texts: ['"data: {\\"type\\":\\"RUN_STARTED\\",\\"runId\\":\\"r\\"}\\n\\n"'] })).toEqual(AG_UI);
    expect(told({ texts: ['[DONE]', '"type":"CUSTOM"'] })).toEqual({ as: 'unknown' });
  });
});

describe('other protocols, by name', () => {
  it.each([
    ['OpenAI Chat Completions', [{ id: 'x', object: 'chat.completion.chunk', choices: [] }]],
    ['OpenAI Responses', [{ type: 'response.created', response: {} }]],
    ['Anthropic Messages', [{ type: 'message_start', message: { id: 'x' } }, { type: 'ping' }]],
    ['Anthropic Messages', [{ type: 'ping' }, { type: 'content_block_delta', index: 0 }]],
    ['Vercel AI SDK UI message stream', [{ type: 'start', messageId: 'x' }, { type: 'text-delta', id: 'x', delta: 'Hi' }, { type: 'finish' }]],
    ['MCP', [{ jsonrpc: '2.0', id: 1, result: { tools: [] } }]],
    ['A2A', [{ jsonrpc: '2.0', id: 1, result: { kind: 'status-update', taskId: 'x' } }]],
    ['LangGraph Platform', [{ run_id: 'x' }, { messages: [] }]],
    ['CopilotKit debug feed', [{ timestamp: 1, agentId: 'a', threadId: 't', runId: 'r', event: { type: 'RUN_STARTED' } }]],
    ['CopilotKit debug feed', [{ threadId: 't', event: {} }]],
    ['CopilotKit v1 GraphQL', [{ data: { generateCopilotResponse: { messages: [] } }, hasNext: true }]],
  ])('%s %j', (name, values) => {
    expect(told({ values })).toEqual(foreign(name));
    expect(told({ values, requestBody: runInput })).toEqual(foreign(name));
  });

  it.each<[string, Partial<Hints>]>([
    ['A2A', { requestBody: { jsonrpc: '2.0', method: 'message/stream', id: 1 }, values: [{ jsonrpc: '2.0', id: 1, result: {} }] }],
    ['A2A', { requestBody: { jsonrpc: '2.0', method: 'message/stream', id: 1 } }],
    ['MCP', { requestBody: { jsonrpc: '2.0', method: 'tools/call', id: 1 } }],
    ['OpenAI Chat Completions', { requestUrl: 'https://api.example/v1/chat/completions?x=1' }],
    ['CopilotKit v1 GraphQL', { requestBody: { operationName: 'generateCopilotResponse', query: 'mutation…' } }],
    ['CopilotKit debug feed', { requestUrl: 'http://localhost/api/copilotkit/cpk-debug-events' }],
    ['LangGraph Platform', { requestUrl: 'http://localhost/threads/x/runs/stream', requestBody: { assistant_id: 'agent', input: {} } }],
    ['LangGraph Platform', { requestUrl: 'http://localhost/threads/x/runs/stream/', values: [{ run_id: 'x', checkpoint: {} }] }],
    ['OpenAI Responses', { requestUrl: 'https://api.example/v1/responses/' }],
    ['Anthropic Messages', { requestUrl: 'https://api.example/v1/messages#x' }],
  ])('%s by the exchange', (name, hints) => {
    expect(told(hints)).toEqual(foreign(name));
  });

  it('an AG-UI event outweighs an address', () => {
    expect(told({ requestUrl: '/v1/chat/completions', values: [{ type: 'RUN_STARTED' }] })).toEqual(AG_UI);
  });
});

describe('what tells nothing', () => {
  it('an object with an id of some run, at some address', () => {
    const values = [{ run_id: 'x', checkpoint: {} }];
    expect(told({ values })).toEqual({ as: 'unknown' });
    expect(told({ values: [{ event: {} }] })).toEqual({ as: 'unknown' });
  });

  it.each([
    [[{ type: 'start' }]],
    [[{ type: 'finish' }, { type: 'start' }]],
    [[{ type: 'custom', name: 'x' }]],
    [[{ type: 'error' }]],
    [[5, null, 'x', []]],
    [[{}]],
  ])('%j is unknown until the end', (values) => {
    expect(told({ values })).toEqual({ as: 'unknown' });
    expect(told({ values, ended: true })).toEqual(foreign('other event stream'));
  });

  it('is another stream after eight values', () => {
    expect(told({ values: Array.from({ length: 7 }, () => ({ type: 'x' })) })).toEqual({ as: 'unknown' });
    expect(told({ values: Array.from({ length: 8 }, () => ({ type: 'x' })) })).toEqual(foreign('other event stream'));
  });

  it('nothing makes it throw', () => {
    fc.assert(
      fc.property(fc.array(fc.jsonValue()), fc.jsonValue(), fc.string(), fc.string(), (values, requestBody, requestUrl, contentType) => {
        told({ values, requestBody, requestUrl, contentType });
      }),
    );
    told({ requestBody: { query: { toString: 1 }, operationName: { valueOf: null } } });
  });
});

describe('field cases', () => {
  it('every stream of AG-UI events is AG-UI, the others are not', () => {
    for (const entry of cases) {
      if (entry.events.length > 0) expect([entry.id, told({ values: entry.events })]).toEqual([entry.id, AG_UI]);
      else if (entry.id.startsWith('neg-'))
        expect([entry.id, told({ values: [], contentType: entry.transport.contentType })]).toEqual([entry.id, { as: 'unknown' }]);
    }
  });

  it('GraphQL incremental delivery is named by its media type', () => {
    const entry = cases.find(({ id }) => id === 'gql-copilotkit-v1')!;
    expect(told({ contentType: entry.transport.contentType })).toEqual(foreign('GraphQL over multipart (as CopilotKit v1 sends)'));
    expect(told({ contentType: entry.transport.contentType, requestUrl: '/api/copilotkit' })).toEqual(foreign('CopilotKit v1 GraphQL'));
  });
});
