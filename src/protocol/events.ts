/** AG-UI words shared by every folder: event types, kinds, and the shape of a decoded event. */

/** Any JSON value. */
export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

/** A decoded AG-UI event: a JSON object with a string `type`. Fields are as sent until `checker/shape` has judged them. */
export interface AgentEvent {
  readonly type: string;
  readonly [field: string]: unknown;
}

/** Every event type of AG-UI 1.1, in the order of the schema. The index is the row column's type code: append, never reorder. */
export const EVENT_TYPES = [
  'TEXT_MESSAGE_START',
  'TEXT_MESSAGE_CONTENT',
  'TEXT_MESSAGE_END',
  'TEXT_MESSAGE_CHUNK',
  'TOOL_CALL_START',
  'TOOL_CALL_ARGS',
  'TOOL_CALL_END',
  'TOOL_CALL_CHUNK',
  'TOOL_CALL_RESULT',
  'STATE_SNAPSHOT',
  'STATE_DELTA',
  'MESSAGES_SNAPSHOT',
  'ACTIVITY_SNAPSHOT',
  'ACTIVITY_DELTA',
  'RAW',
  'CUSTOM',
  'RUN_STARTED',
  'RUN_FINISHED',
  'RUN_ERROR',
  'STEP_STARTED',
  'STEP_FINISHED',
  'REASONING_START',
  'REASONING_MESSAGE_START',
  'REASONING_MESSAGE_CONTENT',
  'REASONING_MESSAGE_END',
  'REASONING_MESSAGE_CHUNK',
  'REASONING_END',
  'REASONING_ENCRYPTED_VALUE',
  'SUBAGENT_STARTED',
  'SUBAGENT_FINISHED',
  'SUBAGENT_ERROR',
] as const;

export type EventType = (typeof EVENT_TYPES)[number];

/** Row type codes beyond EVENT_TYPES. */
export const TYPE_BAD_FRAME = 254;
export const TYPE_UNKNOWN = 255;

/** What the panel colours, filters and lanes by. */
export type Kind = 'run' | 'step' | 'text' | 'reasoning' | 'tool' | 'subagent' | 'state' | 'messages' | 'activity' | 'custom' | 'raw' | 'unknown';

const CODES: ReadonlyMap<string, number> = /* @__PURE__ */ new Map(/* @__PURE__ */ EVENT_TYPES.map((type, code) => [type as string, code]));

/** The row column's code of an event type; TYPE_UNKNOWN for a type AG-UI 1.1 does not have. */
export function typeCode(type: string): number {
  return CODES.get(type) ?? TYPE_UNKNOWN;
}

/** Whether AG-UI 1.1 knows this event type. */
export function isEventType(type: string): type is EventType {
  return CODES.has(type);
}

/** The kind of an event type, by the family its name begins with. */
export function kindOf(type: string): Kind {
  if (type.startsWith('TEXT_MESSAGE_')) return 'text';
  if (type.startsWith('TOOL_CALL_')) return 'tool';
  if (type.startsWith('REASONING_')) return 'reasoning';
  if (type.startsWith('RUN_')) return 'run';
  if (type.startsWith('STEP_')) return 'step';
  if (type.startsWith('SUBAGENT_')) return 'subagent';
  if (type.startsWith('STATE_')) return 'state';
  if (type === 'MESSAGES_SNAPSHOT') return 'messages';
  if (type.startsWith('ACTIVITY_')) return 'activity';
  if (type === 'CUSTOM') return 'custom';
  return type === 'RAW' ? 'raw' : 'unknown';
}
