/** The other protocols that arrive as event streams on the same pages, by name. */

type Fields = Record<string, unknown>;

const AI_SDK_PARTS = new Set([
  'start',
  'finish',
  'start-step',
  'finish-step',
  'text-start',
  'text-delta',
  'text-end',
  'reasoning-start',
  'reasoning-delta',
  'reasoning-end',
  'tool-input-start',
  'tool-input-delta',
  'tool-input-available',
  'tool-input-error',
  'tool-output-available',
  'tool-output-error',
  'source-url',
  'source-document',
  'message-metadata',
]);
/** Parts of its own names only: `start` and `finish` alone could be anybody's. */
const AI_SDK_PLAIN = new Set(['start', 'finish']);
const ANTHROPIC = new Set(['message_start', 'content_block_start', 'content_block_delta', 'content_block_stop', 'message_delta', 'message_stop']);
const A2A_KINDS = new Set(['task', 'message', 'status-update', 'artifact-update']);
const A2A_METHOD = /^(message\/(send|stream)|tasks\/|SendMessage|SendStreamingMessage)/;

const NAMES: ReadonlySet<string> = new Set([
  ...['A2A', 'MCP', 'OpenAI Chat Completions', 'OpenAI Responses', 'Anthropic Messages', 'Vercel AI SDK UI message stream', 'LangGraph Platform'],
  ...['CopilotKit debug feed', 'CopilotKit v1 GraphQL', 'GraphQL over multipart (as CopilotKit v1 sends)'],
]);

/** A protocol's name as a file gives it; one that is none of ours says nothing. */
export function foreignName(name: string): string {
  return NAMES.has(name) ? name : 'other event stream';
}

/** The protocol whose shape the values have, or null. */
export function foreignByContent(values: readonly Fields[], requestBody: unknown, requestUrl: string): string | null {
  for (const value of values) {
    const name = nameOf(value, requestBody);
    if (name) return name;
  }
  if (isAiSdk(values)) return 'Vercel AI SDK UI message stream';
  return isLangGraph(values, requestUrl) ? 'LangGraph Platform' : null;
}

function nameOf(value: Fields, requestBody: unknown): string | null {
  const { type, object } = value;
  if (typeof object === 'string' && object.startsWith('chat.completion')) return 'OpenAI Chat Completions';
  if (typeof type === 'string' && /^response\.[a-z_.]+$/.test(type)) return 'OpenAI Responses';
  if (typeof type === 'string' && ANTHROPIC.has(type)) return 'Anthropic Messages';
  if (value['jsonrpc'] === '2.0') return isA2a(value, requestBody) ? 'A2A' : 'MCP';
  if (isFields(value['event']) && type === undefined && ('agentId' in value || 'threadId' in value)) return 'CopilotKit debug feed';
  const data = value['data'];
  return isFields(data) && 'generateCopilotResponse' in data ? 'CopilotKit v1 GraphQL' : null;
}

function isA2a(value: Fields, requestBody: unknown): boolean {
  const { result } = value;
  const method = isFields(requestBody) ? requestBody['method'] : value['method'];
  if (typeof method === 'string' && A2A_METHOD.test(method)) return true;
  return isFields(result) && typeof result['kind'] === 'string' && A2A_KINDS.has(result['kind']);
}

function isAiSdk(values: readonly Fields[]): boolean {
  const types = values.map((value) => value['type']);
  if (types.length === 0 || !types.every((type) => typeof type === 'string' && (AI_SDK_PARTS.has(type) || type.startsWith('data-')))) return false;
  return types.some((type) => typeof type === 'string' && AI_SDK_PARTS.has(type) && !AI_SDK_PLAIN.has(type));
}

/** Its event names decide, and those are not in the values: the first value is the run's metadata. */
function isLangGraph(values: readonly Fields[], requestUrl: string): boolean {
  const first = values[0];
  if (!first || 'type' in first || typeof first['run_id'] !== 'string') return false;
  const keys = Object.keys(first);
  return keys.every((key) => ['run_id', 'attempt', 'thread_id', 'assistant_id'].includes(key)) || /\/runs(\/stream)?$/.test(pathOf(requestUrl));
}

/** The protocol the exchange shows while its values show none, or null. */
export function foreignByExchange(requestBody: unknown, requestUrl: string, contentType: string): string | null {
  const path = pathOf(requestUrl);
  const body = isFields(requestBody) ? requestBody : {};
  const asked = [body['operationName'], body['query']];
  if (asked.some((text) => typeof text === 'string' && text.includes('generateCopilotResponse'))) return 'CopilotKit v1 GraphQL';
  if (/^multipart\/mixed/i.test(contentType)) return /copilot/i.test(requestUrl) ? 'CopilotKit v1 GraphQL' : 'GraphQL over multipart (as CopilotKit v1 sends)';
  if (path.endsWith('/cpk-debug-events')) return 'CopilotKit debug feed';
  if (body['jsonrpc'] === '2.0') return isA2a({}, body) ? 'A2A' : 'MCP';
  if (path.endsWith('/chat/completions')) return 'OpenAI Chat Completions';
  if (path.endsWith('/v1/responses')) return 'OpenAI Responses';
  if (path.endsWith('/v1/messages')) return 'Anthropic Messages';
  return typeof body['assistant_id'] === 'string' && path.endsWith('/runs/stream') ? 'LangGraph Platform' : null;
}

function pathOf(url: string): string {
  return url.replace(/[?#].*$/, '').replace(/\/+$/, '');
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
