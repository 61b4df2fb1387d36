/** What a chunk event stands for: the events a client makes of it. */
import type { SpanView } from '../../runs/types.ts';

const FAMILIES: Readonly<Record<string, readonly [start: string, content: string, end: string]>> = {
  TEXT_MESSAGE_CHUNK: ['TEXT_MESSAGE_START', 'TEXT_MESSAGE_CONTENT', 'TEXT_MESSAGE_END'],
  TOOL_CALL_CHUNK: ['TOOL_CALL_START', 'TOOL_CALL_ARGS', 'TOOL_CALL_END'],
  REASONING_MESSAGE_CHUNK: ['REASONING_MESSAGE_START', 'REASONING_MESSAGE_CONTENT', 'REASONING_MESSAGE_END'],
};

export interface Expansion {
  readonly types: readonly string[];
  /** The closing event that follows of itself after this chunk, when it is the item's last. */
  readonly closes: string | null;
}

/** The events a chunk expands to, by its place in its item; null for events that are no chunks. */
export function expandChunk(type: string, value: unknown, row: number, span: SpanView | undefined): Expansion | null {
  const family = FAMILIES[type];
  if (!family) return null;
  const [start, content, end] = family;
  const delta = typeof value === 'object' && value !== null ? (value as { delta?: unknown }).delta : undefined;
  const types = [...(span?.firstRow === row ? [start] : []), ...(typeof delta === 'string' && delta !== '' ? [content] : [])];
  return { types, closes: span && span.end !== null && span.lastRow === row && span.how !== 'lost' ? end : null };
}
