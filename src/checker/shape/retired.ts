/** Shapes that left the protocol before 1.0 and are still understood: THINKING_* events, grandfathered nulls, `binary` parts. */
import type { AgentEvent } from '../../protocol/events.ts';
import type { ShapeState } from './types.ts';

const REPLACEMENTS: ReadonlyMap<string, string> = new Map([
  ['THINKING_START', 'REASONING_START'],
  ['THINKING_TEXT_MESSAGE_START', 'REASONING_MESSAGE_START'],
  ['THINKING_TEXT_MESSAGE_CONTENT', 'REASONING_MESSAGE_CONTENT'],
  ['THINKING_TEXT_MESSAGE_END', 'REASONING_MESSAGE_END'],
  ['THINKING_END', 'REASONING_END'],
]);

export const RETIRED_TYPES: ReadonlySet<string> = new Set(REPLACEMENTS.keys());

/** The type that took the place of a retired one. */
export function replacementOf(type: string): string {
  return REPLACEMENTS.get(type) ?? type;
}

function invent(state: ShapeState, what: 'span' | 'message'): string {
  state.invented += 1;
  return `thinking-${what}-${state.invented}`;
}

/**
 * A THINKING_* event as the reasoning event that replaced it. It carries no id: an opener gets an invented one, and what follows
 * continues the last opener of its kind. A fragment that follows none names an item that nothing ever opens, always the same one,
 * so that one missing opener stays one mistake.
 */
export function translateThinking(state: ShapeState, event: AgentEvent): AgentEvent {
  const type = replacementOf(event.type);
  switch (event.type) {
    case 'THINKING_START': {
      state.thinkingSpan = invent(state, 'span');
      const { title: _, ...rest } = event;
      return { ...rest, type, messageId: state.thinkingSpan };
    }
    case 'THINKING_END': {
      const messageId = state.thinkingSpan ?? 'thinking-span-0';
      state.thinkingSpan = null;
      return { ...event, type, messageId };
    }
    case 'THINKING_TEXT_MESSAGE_START':
      state.thinkingMessage = invent(state, 'message');
      return { ...event, type, messageId: state.thinkingMessage, role: 'reasoning' };
    case 'THINKING_TEXT_MESSAGE_END': {
      const messageId = state.thinkingMessage ?? 'thinking-message-0';
      state.thinkingMessage = null;
      return { ...event, type, messageId };
    }
    default:
      return { ...event, type, messageId: state.thinkingMessage ?? 'thinking-message-0' };
  }
}

/** Where null was once a legal way to say "absent": object name → fields. */
const GRANDFATHERED: ReadonlyMap<string, readonly string[]> = new Map([
  ['RunFinishedEvent', ['outcome', 'result']],
  ['SubagentFinishedEvent', ['result']],
  ['ToolCallStartEvent', ['parentMessageId']],
  ['ToolCallChunkEvent', ['parentMessageId']],
  ['ImagePart', ['metadata']],
  ['AudioPart', ['metadata']],
  ['VideoPart', ['metadata']],
  ['DocumentPart', ['metadata']],
  ['Tool', ['parameters']],
  ['ResumeEntry', ['payload']],
  ['RunAgentInput', ['forwardedProps']],
]);

/**
 * Whether null for this optional field is a retired shape rather than a mistake. Parts in a tool result are newer than the
 * retirement, so nothing is grandfathered there.
 */
export function isGrandfatheredNull(eventType: string, object: string, field: string): boolean {
  if (field === 'rawEvent') return true;
  if (eventType === 'TOOL_CALL_RESULT') return false;
  return GRANDFATHERED.get(object)?.includes(field) ?? false;
}

function mediaOf(mimeType: string): string {
  const family = mimeType.slice(0, mimeType.indexOf('/'));
  return family === 'image' || family === 'audio' || family === 'video' ? family : 'document';
}

/** A `binary` part as the media part that replaced it, or null when it has neither data nor a URL to carry over. */
export function translateBinary(part: Readonly<Record<string, unknown>>): Record<string, unknown> | null {
  const { mimeType, data, url, filename } = part;
  if (typeof mimeType !== 'string') return null;
  const named = typeof filename === 'string' && filename !== '' ? { metadata: { filename } } : {};
  if (typeof data === 'string' && data !== '') return { type: mediaOf(mimeType), source: { type: 'data', value: data, mimeType }, ...named };
  if (typeof url === 'string' && url !== '') return { type: mediaOf(mimeType), source: { type: 'url', value: url, mimeType }, ...named };
  return null;
}
