/** Made-up captures for the gallery of the panel: a travel agent and a refund agent, as capture records. Times are seconds since the start. */
import type { CaptureRecord, EndHow } from '../../src/capture/types.ts';

export const EPOCH = Date.UTC(2026, 4, 4, 9, 30, 0);
const encoder = new TextEncoder();

/** An event and when it came. */
export type Timed = readonly [number, { readonly type: string; readonly [field: string]: unknown }];

interface ExchangeOptions {
  readonly conn: number;
  readonly url: string;
  readonly asked: number;
  readonly input: unknown;
  readonly events: readonly Timed[];
  /** How and when it ended; null for a stream that is still open. */
  readonly end: readonly [number, EndHow] | null;
  readonly status?: number;
  readonly contentType?: string;
  readonly body?: string;
  readonly comments?: boolean;
}

const at = (seconds: number): number => Math.round((EPOCH + seconds * 1000) * 10) / 10;

/** Records of one exchange over SSE, one chunk an event. */
export function exchange(options: ExchangeOptions): CaptureRecord[] {
  const { conn, url, asked, input, events, end, status = 200, contentType = 'text/event-stream' } = options;
  const document = { doc: 'gallery', url: 'http://localhost:5173/trips', frame: 0, time: EPOCH };
  const stack = 'at runAgent (http://localhost:5173/src/agent.ts:41:18)\nat onSend (http://localhost:5173/src/chat.tsx:112:9)';
  const records: CaptureRecord[] = [
    { kind: 'request', conn, carrier: 'fetch', document, request: { url, method: 'POST', time: at(asked), stack } },
    { kind: 'body', conn, body: { kind: 'text', text: JSON.stringify(input), size: JSON.stringify(input).length } },
    { kind: 'response', conn, response: { time: at(asked + 0.2), status, contentType } },
  ];
  let before = asked + 0.2;
  events.forEach(([time, event], i) => {
    const comment = options.comments && i % 20 === 10 ? ': keep-alive\n\n' : '';
    records.push({ kind: 'chunk', conn, asked: at(before), came: at(time), bytes: encoder.encode(`${comment}data: ${JSON.stringify(event)}\n\n`) });
    before = time;
  });
  if (options.body !== undefined) records.push({ kind: 'chunk', conn, asked: at(asked + 0.2), came: at(asked + 0.3), bytes: encoder.encode(options.body) });
  if (end) records.push({ kind: 'end', conn, end: { time: at(end[0]), how: end[1] } });
  return records;
}

/** All exchanges in the order in which things happened. */
export function merge(...exchanges: CaptureRecord[][]): CaptureRecord[] {
  const timeOf = (record: CaptureRecord): number => {
    if (record.kind === 'request') return record.request.time;
    if (record.kind === 'response') return record.response.time;
    if (record.kind === 'chunk') return record.came;
    if (record.kind === 'gap') return record.gap.time;
    return record.kind === 'end' ? record.end.time : 0;
  };
  const keyed = exchanges.flatMap((list) => {
    let last = 0;
    return list.map((record) => {
      last = Math.max(last, timeOf(record));
      return { record, key: last };
    });
  });
  return keyed.sort((a, b) => a.key - b.key).map(({ record }) => record);
}

const words = (text: string): string[] => text.split(/(?<= )/);

/** Content events of an item, spread between two instants with a silence in the middle. */
function spread(from: number, to: number, parts: readonly string[], make: (delta: string) => Timed[1]): Timed[] {
  const rest = (to - from) * 0.75;
  return parts.map((part, i) => {
    const share = parts.length === 1 ? 0 : i / (parts.length - 1);
    const jump = i >= parts.length / 2 ? (to - from) * 0.25 : 0;
    return [from + share * rest + jump + ((i * 7) % 5) * 0.001, make(part)];
  });
}

export const text = (id: string, from: number, to: number, content: string, more: object = {}): Timed[] => [
  [from, { type: 'TEXT_MESSAGE_START', messageId: id, role: 'assistant', ...more }],
  ...spread(from + 0.06, to - 0.06, words(content), (delta) => ({ type: 'TEXT_MESSAGE_CONTENT', messageId: id, delta, ...more })),
  [to, { type: 'TEXT_MESSAGE_END', messageId: id, ...more }],
];

export const reasoning = (id: string, from: number, to: number, content: string): Timed[] => [
  [from, { type: 'REASONING_START', messageId: id }],
  [from + 0.005, { type: 'REASONING_MESSAGE_START', messageId: id, role: 'reasoning' }],
  ...spread(from + 0.1, to - 0.1, words(content), (delta) => ({ type: 'REASONING_MESSAGE_CONTENT', messageId: id, delta })),
  [to - 0.01, { type: 'REASONING_MESSAGE_END', messageId: id }],
  [to, { type: 'REASONING_END', messageId: id }],
];

export function tool(
  id: string,
  name: string,
  from: number,
  closed: number,
  answered: number | null,
  args: object,
  result: unknown,
  more: object = {},
): Timed[] {
  const parts = JSON.stringify(args).match(/.{1,6}/g) ?? [];
  const events: Timed[] = [
    [from, { type: 'TOOL_CALL_START', toolCallId: id, toolCallName: name, ...more }],
    ...spread(from + 0.05, closed - 0.01, parts, (delta) => ({ type: 'TOOL_CALL_ARGS', toolCallId: id, delta })),
    [closed, { type: 'TOOL_CALL_END', toolCallId: id }],
  ];
  if (answered !== null)
    events.push([answered, { type: 'TOOL_CALL_RESULT', messageId: `${id}_r`, toolCallId: id, content: JSON.stringify(result), role: 'tool' }]);
  return events;
}

export const step = (name: string, from: number, to: number | null): Timed[] => [
  [from, { type: 'STEP_STARTED', stepName: name }],
  ...(to === null ? [] : [[to, { type: 'STEP_FINISHED', stepName: name }] as const]),
];

export const delta = (time: number, ...ops: object[]): Timed => [time, { type: 'STATE_DELTA', delta: ops }];
export const sorted = (...events: readonly (Timed | readonly Timed[])[]): Timed[] => {
  const flat = events.flatMap((one) => (typeof one[0] === 'number' ? [one as Timed] : (one as Timed[])));
  return flat
    .map((one, i) => ({ one, i }))
    .sort((a, b) => a.one[0] - b.one[0] || a.i - b.i)
    .map(({ one }) => one);
};

export const started = (time: number, runId: string, threadId: string): Timed => [time, { type: 'RUN_STARTED', runId, threadId }];
export const finished = (time: number, runId: string, threadId: string, more: object = {}): Timed => [time, { type: 'RUN_FINISHED', runId, threadId, ...more }];
export const usage = (input: number, output: number) => ({ usage: [{ model: 'gpt-5.2', inputTokens: input, outputTokens: output }] });

/** RunAgentInput of a run. */
export const inputOf = (runId: string, threadId: string, asks: readonly string[], more: object = {}) => ({
  threadId,
  runId,
  state: { status: 'planning', progress: 0 },
  messages: asks.map((content, i) => ({ id: `u_${threadId}_${i + 1}`, role: 'user', content })),
  tools: [
    {
      name: 'open_map',
      description: 'Shows a place on the map',
      parameters: { type: 'object', properties: { place: { type: 'string' } } },
    },
  ],
  context: [{ description: 'Locale', value: 'en-GB' }],
  forwardedProps: {},
  ...more,
});
