/** Answers for tests: a good recorded run in any codec, and what a reader receives of an answer. Used by tests only. */
import { createStream, feed, finish } from '../stream/index.ts';
import type { Codec } from '../stream/types.ts';
import { frameFor } from './frames.ts';
import type { Change, Plan } from './plan.ts';
import { utf8 } from './text.ts';
import type { Answer } from './types.ts';

export type AnyEvent = Readonly<Record<string, unknown>>;

/** A run with overlapping steps, reasoning, state, a message and a tool call whose result comes, as it should be. */
export const GOOD_RUN: readonly AnyEvent[] = [
  { type: 'RUN_STARTED', threadId: 't', runId: 'r', protocolVersion: '1.0' },
  { type: 'STATE_SNAPSHOT', snapshot: { plan: [] } },
  { type: 'STEP_STARTED', stepName: 'plan' },
  { type: 'REASONING_START', messageId: 'rs' },
  { type: 'REASONING_MESSAGE_START', messageId: 'rm', role: 'reasoning' },
  { type: 'REASONING_MESSAGE_CONTENT', messageId: 'rm', delta: 'Look it up.' },
  { type: 'REASONING_MESSAGE_END', messageId: 'rm' },
  { type: 'REASONING_END', messageId: 'rs' },
  { type: 'STEP_STARTED', stepName: 'write' },
  { type: 'TEXT_MESSAGE_START', messageId: 'm', role: 'assistant' },
  { type: 'TEXT_MESSAGE_CONTENT', messageId: 'm', delta: 'The weather ' },
  { type: 'STEP_FINISHED', stepName: 'plan' },
  { type: 'TOOL_CALL_START', toolCallId: 'c', toolCallName: 'weather', parentMessageId: 'm' },
  { type: 'TOOL_CALL_ARGS', toolCallId: 'c', delta: '{"city":' },
  { type: 'TOOL_CALL_ARGS', toolCallId: 'c', delta: '"Zürich"}' },
  { type: 'TOOL_CALL_END', toolCallId: 'c' },
  { type: 'TOOL_CALL_RESULT', messageId: 'tr', toolCallId: 'c', content: '21°', role: 'tool' },
  { type: 'STATE_DELTA', delta: [{ op: 'add', path: '/plan/-', value: 'told' }] },
  { type: 'TEXT_MESSAGE_CONTENT', messageId: 'm', delta: 'is fine ☀' },
  { type: 'TEXT_MESSAGE_END', messageId: 'm' },
  { type: 'STEP_FINISHED', stepName: 'write' },
  { type: 'RUN_FINISHED', threadId: 't', runId: 'r', outcome: { type: 'success' } },
];

export const MEDIA: Readonly<Record<Codec, string>> = {
  sse: 'text/event-stream',
  ndjson: 'application/x-ndjson',
  json: 'application/json',
  proto: 'application/vnd.ag-ui.event+proto',
};

/** The frames of these events, one each. */
export function framesOf(codec: Exclude<Codec, 'json'>, events: readonly AnyEvent[]): Uint8Array[] {
  return events.map((event) => frameFor(codec, event, utf8('\n'))!);
}

/** An answer of these chunks, 10 ms apart, the head 5 ms after the request. */
export function answerOf(chunks: readonly Uint8Array[], contentType = MEDIA.sse, more: Partial<Answer> = {}): Answer {
  return {
    status: 200,
    contentType,
    wait: 5,
    answered: true,
    chunks: chunks.map((bytes, no) => ({ after: 10 + 10 * no, bytes })),
    end: 'complete',
    endAfter: 20 + 10 * chunks.length,
    ...more,
  };
}

export function goodAnswer(codec: Exclude<Codec, 'json'> = 'sse'): Answer {
  return answerOf(framesOf(codec, GOOD_RUN), MEDIA[codec]);
}

export function planOf(...changes: readonly Change[]): Plan {
  return { runlens: 'plan', version: 1, name: 'test', changes };
}

/** All bytes of an answer. */
export function bodyOf({ chunks }: Pick<Answer, 'chunks'>): Uint8Array {
  return Uint8Array.from(chunks.flatMap(({ bytes }) => [...bytes]));
}

/** The body as text. */
export function textOf(answer: Pick<Answer, 'chunks'>): string {
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(bodyOf(answer));
}

/** The events a reader makes of an answer. */
export function eventsOf({ chunks, contentType, end }: Answer): unknown[] {
  const stream = createStream({ codec: 'auto', contentType });
  const frames = chunks.flatMap(({ bytes }) => feed(stream, bytes, 0));
  if (end === 'complete') frames.push(...finish(stream, 0).frames);
  return frames.flatMap(({ values }) => values);
}
