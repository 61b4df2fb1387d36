/** One line that tells what an event says, made from its body. Text only: the views put it into text nodes. */
import type { AgentEvent, Json } from '../../protocol/events.ts';

const LIMIT = 300;
const cut = (text: string): string => (text.length > LIMIT ? `${text.slice(0, LIMIT)}…` : text);
const oneLine = (text: string): string => cut(text.slice(0, LIMIT * 2).replace(/\s+/g, ' '));
const word = (value: unknown): string =>
  typeof value === 'string' ? oneLine(value) : typeof value === 'number' || typeof value === 'boolean' ? String(value) : '';
const quote = (value: unknown): string => (typeof value === 'string' ? `“${oneLine(value)}”` : short(value));
const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value);

/** A value in a few words: small ones as JSON, big ones by their size. */
export function short(value: unknown): string {
  if (value === undefined) return '';
  if (Array.isArray(value)) return value.length === 0 ? '[]' : `[${value.length} ${value.length === 1 ? 'item' : 'items'}]`;
  if (isObject(value)) {
    const keys = Object.keys(value);
    return keys.length === 0 ? '{}' : `{${keys.length} ${keys.length === 1 ? 'member' : 'members'}}`;
  }
  return oneLine(JSON.stringify(value) ?? String(value));
}

function patch(ops: unknown): string {
  if (!Array.isArray(ops)) return 'no list of operations';
  const said = ops.slice(0, 4).map((op) => {
    if (!isObject(op)) return 'not an operation';
    const value = 'value' in op ? ` ${short(op['value'])}` : 'from' in op ? ` from ${word(op['from'])}` : '';
    return `${word(op['op'])} ${word(op['path']) || '/'}${value}`;
  });
  return cut(said.join(', ') + (ops.length > 4 ? `, ${ops.length - 4} more` : '')) || 'no operations';
}

function members(value: unknown): string {
  if (!isObject(value)) return short(value);
  const keys = Object.keys(value);
  return `${keys.length} ${keys.length === 1 ? 'member' : 'members'}${keys.length ? `: ${oneLine(keys.slice(0, 8).join(', '))}${keys.length > 8 ? ', …' : ''}` : ''}`;
}

const list = (...parts: string[]): string => parts.filter(Boolean).join(', ');
const named = (label: string, value: unknown): string => (word(value) ? `${label} ${word(value)}` : '');

function outcome(event: AgentEvent): string {
  const value = event['outcome'];
  if (isObject(value)) {
    const waits = Array.isArray(value['interrupts']) ? `${value['interrupts'].length} ${value['interrupts'].length === 1 ? 'interrupt' : 'interrupts'}` : '';
    return list(word(value['type']), waits);
  }
  return typeof value === 'string' ? value : 'success';
}

const BY_TYPE: Readonly<Record<string, (event: AgentEvent) => string>> = {
  RUN_STARTED: (e) => list(word(e['runId']), named('thread', e['threadId']), named('protocol', e['protocolVersion'])),
  RUN_FINISHED: (e) => list(word(e['runId']), outcome(e), e['result'] === undefined || e['result'] === null ? '' : `result ${short(e['result'])}`),
  RUN_ERROR: (e) => `${word(e['message'])}${word(e['code']) ? ` (${word(e['code'])})` : ''}`,
  STEP_STARTED: (e) => word(e['stepName']),
  STEP_FINISHED: (e) => word(e['stepName']),
  TEXT_MESSAGE_START: (e) => list(word(e['messageId']), named('role', e['role'])),
  TEXT_MESSAGE_CONTENT: (e) => quote(e['delta']),
  TEXT_MESSAGE_CHUNK: (e) => list(word(e['messageId']), e['delta'] === undefined ? '' : quote(e['delta'])),
  TEXT_MESSAGE_END: (e) => word(e['messageId']),
  TOOL_CALL_START: (e) => list(word(e['toolCallName']), word(e['toolCallId'])),
  TOOL_CALL_ARGS: (e) => (typeof e['delta'] === 'string' ? oneLine(e['delta']) : short(e['delta'])),
  TOOL_CALL_CHUNK: (e) => list(word(e['toolCallName']), word(e['toolCallId']), typeof e['delta'] === 'string' ? oneLine(e['delta']) : ''),
  TOOL_CALL_END: (e) => word(e['toolCallId']),
  TOOL_CALL_RESULT: (e) => list(word(e['toolCallId']), typeof e['content'] === 'string' ? oneLine(e['content']) : short(e['content'])),
  STATE_SNAPSHOT: (e) => members(e['snapshot']),
  STATE_DELTA: (e) => patch(e['delta']),
  MESSAGES_SNAPSHOT: (e) => (Array.isArray(e['messages']) ? `${e['messages'].length} messages` : short(e['messages'])),
  ACTIVITY_SNAPSHOT: (e) => list(word(e['activityType']), word(e['messageId']), short(e['content'])),
  ACTIVITY_DELTA: (e) => list(word(e['activityType']), word(e['messageId']), patch(e['patch'])),
  RAW: (e) =>
    list(named('from', e['source']), isObject(e['event']) && typeof e['event']['type'] === 'string' ? oneLine(e['event']['type']) : short(e['event'])),
  CUSTOM: (e) => list(word(e['name']), short(e['value'])),
  REASONING_START: (e) => word(e['messageId']),
  REASONING_END: (e) => word(e['messageId']),
  REASONING_MESSAGE_START: (e) => list(word(e['messageId']), named('role', e['role'])),
  REASONING_MESSAGE_CONTENT: (e) => quote(e['delta']),
  REASONING_MESSAGE_CHUNK: (e) => list(word(e['messageId']), e['delta'] === undefined ? '' : quote(e['delta'])),
  REASONING_MESSAGE_END: (e) => word(e['messageId']),
  REASONING_ENCRYPTED_VALUE: (e) => list(word(e['subtype']), word(e['entityId'])),
  SUBAGENT_STARTED: (e) => list(word(e['name']) || word(e['subagentName']), word(e['subagentRunId'])),
  SUBAGENT_FINISHED: (e) => list(word(e['subagentRunId']), isObject(e['outcome']) ? word(e['outcome']['type']) : ''),
  SUBAGENT_ERROR: (e) => list(word(e['subagentRunId']), word(e['message'])),
};

/** The one-line summary of a decoded value: an event by its type, anything else as shortened JSON. */
export function summarise(value: unknown): string {
  if (!isObject(value) || typeof value['type'] !== 'string') return cut(short(value as Json));
  const teller = Object.hasOwn(BY_TYPE, value['type']) ? BY_TYPE[value['type']] : undefined;
  const text = teller?.(value as AgentEvent) ?? members(Object.fromEntries(Object.entries(value).filter(([key]) => key !== 'type')));
  const owner = typeof value['subagentRunId'] === 'string' && !value['type'].startsWith('SUBAGENT_') ? `, for ${oneLine(value['subagentRunId'])}` : '';
  return cut(text + owner);
}

/** Text of a folded row of deltas, from the deltas read so far. */
export function summariseDeltas(values: readonly unknown[], quoted: boolean): string {
  let text = '';
  for (const value of values) {
    if (text.length > LIMIT) break;
    if (isObject(value) && typeof value['delta'] === 'string') text += value['delta'];
  }
  return quoted ? `“${oneLine(text)}${text.length > LIMIT ? '' : '”'}` : oneLine(text);
}
