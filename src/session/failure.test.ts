import { describe, expect, it } from 'vitest';
import type { CaptureRecord, EndHow } from '../capture/types.ts';
import { addRecord, createSession, everything } from './index.ts';
import { encode, exchange, goodRun, sseOf } from './testkit.ts';

const told = (records: readonly CaptureRecord[]): string | null => {
  const session = createSession();
  for (const record of records) addRecord(session, record);
  return everything(session).connections[0]!.failure;
};

const answer = (status: number, statusText?: string): string | null =>
  told(
    exchange('', { status }).map((record) =>
      record.kind === 'response' && statusText !== undefined ? { ...record, response: { ...record.response, statusText } } : record,
    ),
  );

/** A request that got no answer, from a page, to an agent. */
const unanswered = (how: EndHow, page: string | null, agent: string, message?: string): string | null => {
  const [request] = exchange('');
  if (request?.kind !== 'request') throw new Error('no request');
  const document = page === null ? null : { doc: 'doc', url: page, frame: 0, time: 900 };
  const asked: CaptureRecord = { ...request, document, request: { ...request.request, url: agent } };
  return told([asked, { kind: 'end', conn: 0, end: { time: 1_100, how, ...(message === undefined ? {} : { message }) } }]);
};

describe('an exchange that failed', () => {
  it('names the status and what to look at', () => {
    expect(answer(500)).toBe('The server answered 500: it failed before a run could be streamed.');
    expect(answer(503, 'Service Unavailable')).toBe('The server answered 503 Service Unavailable: it failed before a run could be streamed.');
    for (const status of [401, 403]) expect(answer(status)).toBe(`The server answered ${status}: the request was not allowed, so no run began.`);
    for (const status of [404, 405]) expect(answer(status)).toBe(`The server answered ${status}: check the agent's URL and method.`);
    expect(answer(429, 'Too Many Requests')).toBe('The server answered 429 Too Many Requests instead of a stream.');
  });

  it('without an answer thinks of the server, and of CORS only where the origins are known to differ', () => {
    const [page, agent] = ['http://localhost:3000/', 'http://localhost:8000/agent'];
    const plain = 'No response reached the page: the server is not running, or closed the connection.';
    expect(unanswered('network-error', page, 'http://LOCALHOST:3000/agent')).toBe(plain);
    expect(unanswered('network-error', null, agent)).toBe(plain);
    expect(unanswered('network-error', page, '/agent')).toBe(plain);
    expect(unanswered('network-error', page, agent, 'Failed to fetch')).toMatch(
      /page \(Failed to fetch\): http:\/\/localhost:8000 is not running, .* \(CORS\)\.$/,
    );
    expect(unanswered('aborted', page, agent)).toBe('The page gave the request up before any answer came.');
    expect(unanswered('navigated', page, agent)).toBeNull();
  });

  it('that broke off says after how much, and what the browser said', () => {
    const broken = (message?: string) =>
      told(
        exchange(sseOf(goodRun('r1').slice(0, 1)), { end: 'network-error' }).map((record) =>
          record.kind === 'end' && message !== undefined ? { ...record, end: { ...record.end, message } } : record,
        ),
      );
    const bytes = encode(sseOf(goodRun('r1').slice(0, 1))).length;
    expect([broken(), broken('reset')]).toEqual([`The connection broke off after ${bytes} bytes.`, `The connection broke off after ${bytes} bytes (reset).`]);
  });

  it('that brought no stream says what came instead', () => {
    expect(told(exchange('<html></html>', { contentType: 'text/html' }))).toBe('The server answered text/html instead of an event stream.');
    expect(told(exchange('hello', { contentType: '' }))).toBe('The server answered without a content type instead of an event stream.');
    expect(told(exchange(''))).toBe('The response was empty.');
    // a stream without an event is not the exchange's failure
    expect(told(exchange(': nothing\n\n'))).toBeNull();
    expect(told(exchange(': nothing\n\n', { end: null }))).toBeNull();
  });
});
