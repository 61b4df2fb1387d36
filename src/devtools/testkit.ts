/** An entry of the network log for tests: a worker's run over SSE, begun at 1,000 ms and ended 250 ms later. Used by tests only. */
import type { Entry } from './network-entry.ts';

export const RUN = '{"threadId":"t","runId":"r","messages":[]}';

export interface Told {
  readonly type?: string;
  readonly text?: string;
  readonly status?: number;
  readonly error?: string;
  readonly size?: number;
  readonly url?: string;
}

export function entryOf({
  type = 'text/event-stream; charset=utf-8',
  text = RUN,
  status = 200,
  error,
  size = 10,
  url = 'http://localhost/agent',
}: Told = {}): Entry {
  return {
    startedDateTime: new Date(1_000).toISOString(),
    time: 250,
    timings: { blocked: 5, dns: -1, connect: -1, ssl: -1, send: 0, wait: 40, receive: 205, _blocked_queueing: 2 },
    request: { method: 'POST', url, headers: [{ name: 'Referer', value: 'http://localhost/worker.js' }], postData: { text } },
    response: {
      status,
      statusText: status === 200 ? 'OK' : '',
      headers: [{ name: 'content-type', value: type }],
      content: { size, mimeType: 'x-unknown' },
      _error: error ?? null,
    },
    _resourceType: 'fetch',
    _initiator: {
      type: 'script',
      stack: {
        callFrames: [
          { functionName: 'read', url: 'http://localhost/worker.js', lineNumber: 2, columnNumber: 25 },
          { functionName: '', url: 'http://localhost/worker.js', lineNumber: 16, columnNumber: 43 },
        ],
      },
    },
  };
}
