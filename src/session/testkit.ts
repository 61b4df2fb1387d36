/** Capture records for tests: exchanges that carry AG-UI events over SSE. Used by tests only. */
import type { CaptureRecord, EndHow } from '../capture/types.ts';

export const encode = (text: string): Uint8Array => new TextEncoder().encode(text);

/** The events as an SSE body. */
export const sseOf = (events: readonly object[]): string => events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('');

/** One message of `deltas` content events in a run with two overlapping steps and a tool call. */
export function goodRun(runId: string, deltas = 3): object[] {
  const message = `${runId}-m`;
  const call = `${runId}-t`;
  return [
    { type: 'RUN_STARTED', runId, threadId: 'thread' },
    { type: 'STEP_STARTED', stepName: 'plan' },
    { type: 'TEXT_MESSAGE_START', messageId: message, role: 'assistant' },
    { type: 'STEP_STARTED', stepName: 'write' },
    ...Array.from({ length: deltas }, (_, no) => ({ type: 'TEXT_MESSAGE_CONTENT', messageId: message, delta: `word ${no} ` })),
    { type: 'TEXT_MESSAGE_END', messageId: message },
    { type: 'STEP_FINISHED', stepName: 'plan' },
    { type: 'TOOL_CALL_START', toolCallId: call, toolCallName: 'search' },
    { type: 'TOOL_CALL_ARGS', toolCallId: call, delta: '{}' },
    { type: 'TOOL_CALL_END', toolCallId: call },
    { type: 'STEP_FINISHED', stepName: 'write' },
    { type: 'TOOL_CALL_RESULT', toolCallId: call, messageId: `${runId}-r`, content: 'found', role: 'tool' },
    { type: 'RUN_FINISHED', runId, threadId: 'thread' },
  ];
}

export interface ExchangeOptions {
  readonly conn?: number;
  readonly start?: number;
  /** Bytes a chunk; whole frames when absent. */
  readonly cut?: number;
  readonly runId?: string;
  readonly status?: number;
  readonly contentType?: string;
  readonly end?: EndHow | null;
}

/** request, body, response, chunks (10 ms apart) and end of one exchange. */
export function exchange(body: string, options: ExchangeOptions = {}): CaptureRecord[] {
  const { conn = 0, start = 1_000, cut, runId = 'r1', status = 200, contentType = 'text/event-stream', end = 'complete' } = options;
  const document = { doc: 'doc', url: 'http://localhost:3000/', frame: 0, time: 900 };
  const input = { threadId: 'thread', runId, messages: [], tools: [], context: [], state: {}, forwardedProps: {} };
  const chunks = piecesOf(body, cut).map(
    (bytes, no): CaptureRecord => ({ kind: 'chunk', conn, asked: start + 15 + no * 10, came: start + 20 + no * 10, bytes }),
  );
  return [
    { kind: 'request', conn, carrier: 'fetch', document, request: { url: 'http://localhost:8000/agent', method: 'POST', time: start } },
    { kind: 'body', conn, body: { kind: 'text', text: JSON.stringify(input) } },
    { kind: 'response', conn, response: { time: start + 10, status, contentType } },
    ...chunks,
    ...(end === null ? [] : [{ kind: 'end', conn, end: { time: start + 30 + chunks.length * 10, how: end } } as const]),
  ];
}

function piecesOf(body: string, cut: number | undefined): Uint8Array[] {
  if (cut === undefined)
    return body
      .split(/(?<=\n\n)/)
      .filter(Boolean)
      .map(encode);
  const bytes = encode(body);
  return Array.from({ length: Math.ceil(bytes.length / cut) }, (_, no) => bytes.slice(no * cut, (no + 1) * cut));
}

/** The records of several exchanges taken in turn, so that their streams overlap. */
export function interleave(...exchanges: readonly (readonly CaptureRecord[])[]): CaptureRecord[] {
  const longest = Math.max(...exchanges.map(({ length }) => length));
  return Array.from({ length: longest }, (_, no) => exchanges.flatMap((one) => one[no] ?? [])).flat();
}
