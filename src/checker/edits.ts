/** For tests: one mistake at a time, made in a stream. */
import type { Event, Random } from './generator.ts';

export const EDITS = ['drop', 'duplicate', 'swap', 'move', 'owner', 'blank', 'id', 'type', 'garble'] as const;
export type Edit = (typeof EDITS)[number];

const ID_FIELDS = ['messageId', 'toolCallId', 'stepName', 'runId', 'entityId', 'subagentRunId'] as const;

/** The field that says what an event is about. */
function idField(event: Event): string | undefined {
  if (event.type.startsWith('SUBAGENT_')) return 'subagentRunId';
  if (event.type.startsWith('TOOL_CALL_')) return 'toolCallId';
  return ID_FIELDS.find((field) => typeof event[field] === 'string');
}

function without(event: Event, field: string): Event {
  const { [field]: _, ...rest } = event;
  return rest as Event;
}

const TYPES = [
  'TEXT_MESSAGE_START',
  'TEXT_MESSAGE_CONTENT',
  'TEXT_MESSAGE_END',
  'TEXT_MESSAGE_CHUNK',
  'TOOL_CALL_START',
  'TOOL_CALL_ARGS',
  'TOOL_CALL_END',
  'TOOL_CALL_CHUNK',
  'REASONING_START',
  'REASONING_MESSAGE_START',
  'REASONING_MESSAGE_CONTENT',
  'REASONING_MESSAGE_END',
  'REASONING_MESSAGE_CHUNK',
  'REASONING_END',
  'STEP_STARTED',
  'STEP_FINISHED',
  'SUBAGENT_STARTED',
  'SUBAGENT_FINISHED',
  'RUN_STARTED',
  'RUN_FINISHED',
  'RUN_ERROR',
  'CUSTOM',
] as const;

function otherType(random: Random, event: Event): Event {
  const family = event.type.split('_')[0]!;
  const near = TYPES.filter((type) => type !== event.type && type.startsWith(family));
  return { ...event, type: random.pick(near.length > 0 && random.chance(0.8) ? near : TYPES) };
}

function otherId(random: Random, stream: readonly Event[], event: Event, field: string): Event {
  const ids = stream.flatMap((other) => (typeof other[field] === 'string' && other[field] !== event[field] ? [other[field] as string] : []));
  return { ...event, [field]: ids.length > 0 && random.chance(0.5) ? random.pick(ids) : random.pick(['other', '', '__proto__']) };
}

function otherOwner(random: Random, stream: readonly Event[], event: Event): Event {
  const owners = [...new Set(stream.flatMap((other) => (typeof other['subagentRunId'] === 'string' ? [other['subagentRunId']] : [])))];
  const choices = [undefined, '', 'stranger', ...owners].filter((owner) => owner !== event['subagentRunId']);
  const owner = random.pick(choices);
  return owner === undefined ? without(event, 'subagentRunId') : { ...event, subagentRunId: owner };
}

function garble(random: Random, event: Event): Event {
  const fields = Object.keys(event).filter((field) => field !== 'type');
  return { ...event, [fields.length > 0 ? random.pick(fields) : 'timestamp']: random.pick([null, 7, {}, []]) };
}

/** One mistake in a stream, or null where the edit has nothing to do there. The stream is not changed. */
export function editStream(random: Random, stream: readonly Event[], edit: Edit): Event[] | null {
  const at = random.int(stream.length);
  const event = stream[at]!;
  const out = [...stream];
  const field = idField(event);
  switch (edit) {
    case 'drop':
      out.splice(at, 1);
      return out;
    case 'duplicate':
      out.splice(at, 0, event);
      return out;
    case 'swap':
      if (at + 1 >= out.length) return null;
      out.splice(at, 2, out[at + 1]!, event);
      return out;
    case 'move':
      out.splice(at, 1);
      out.splice(random.int(out.length + 1), 0, event);
      return out;
    case 'owner':
      if (event.type.startsWith('RUN_')) return null;
      out[at] = otherOwner(random, stream, event);
      return out;
    case 'blank':
      if (field === undefined || event[field] === undefined) return null;
      out[at] = without(event, field);
      return out;
    case 'id':
      if (field === undefined || event[field] === undefined) return null;
      out[at] = otherId(random, stream, event, field);
      return out;
    case 'type':
      out[at] = otherType(random, event);
      return out;
    case 'garble':
      out[at] = garble(random, event);
      return out;
  }
}
