/**
 * One call of fetch, from the page's call to its end: when it begins to be noted, and what is. `createExchange` is long because its
 * functions share one state, as plain closures.
 */
import type { PageBody } from '../wire/page-to-relay.ts';
import type { Recorder } from './batches.ts';
import {
  bare,
  exceptionMessage,
  exceptionName,
  exceptionProto,
  header,
  headersOf,
  ownField,
  protoOf,
  responseUrl,
  statusOf,
  statusTextOf,
  typeErrorProto,
  whenDone,
} from './natives.ts';
import { type Body, type Call, describeCall, fitted } from './request.ts';
import { acceptsStream, isAgentBody, isStreamType } from './shape.ts';
import { mark, pageStack } from './stack.ts';

export interface Exchange {
  /** Whether this response is to be wrapped; from then on the exchange is noted. */
  isWanted(response: Response): boolean;
  responded(response: Response): void;
  /** A noted exchange whose body cannot be wrapped (204, opaque, another realm's) ends with its head. */
  headOnly(response: Response): void;
  chunk(asked: number, bytes: Uint8Array): void;
  end(how: 'complete' | 'cancelled'): void;
  /** The call or the body was rejected with this. */
  failed(reason: unknown): void;
  clock(): number;
}

const UNKNOWN: Call = { url: '', method: 'GET', accept: '', body: bare({ known: bare({ kind: 'unreadable' as const }) }) };

function tryDescribe(args: readonly unknown[]): Call {
  try {
    return describeCall(args[0], args[1]);
  } catch {
    return UNKNOWN;
  }
}

/** Network trouble is a TypeError of the browser's; any other reason is what the page aborted with. */
const isNetworkError = (reason: unknown): boolean => protoOf(reason) === typeErrorProto;

/** The browser's own words; those of the page's objects are not read. */
function wordsOf(reason: unknown): string | undefined {
  if (typeof reason === 'string') return reason;
  const proto = protoOf(reason);
  if (proto === exceptionProto) return `${exceptionName(reason as DOMException)}: ${exceptionMessage(reason as DOMException)}`;
  const message: unknown = proto === typeErrorProto ? ownField(reason as object, 'message') : undefined;
  return typeof message === 'string' ? `TypeError: ${message}` : undefined;
}

/** Calls back with what is known of a body, at once or later. */
function withBody({ known, soon, later, size }: Body, note: (body: PageBody) => void): void {
  const text = soon ?? later?.();
  if (known) note(fitted(known));
  else if (text)
    whenDone(
      text,
      (read) => note(fitted(bare({ kind: 'text' as const, text: read, size }))),
      () => note({ kind: 'unreadable', size }),
    );
}

/** Begins an exchange at the page's call. The arguments are looked at now, because the page may change them after. */
export function createExchange(recorder: Recorder, args: readonly unknown[]): Exchange {
  const time = recorder.clock();
  const place = mark();
  const call = tryDescribe(args);
  let conn = 0;
  let decided = false;
  let over = false;

  const begin = () => {
    if (conn) return;
    conn = recorder.begin();
    recorder.note(conn, 'request', time, { carrier: 'fetch', url: call.url, method: call.method, stack: pageStack(place) });
    withBody(call.body, (body) => recorder.note(conn, 'body', time, body));
  };
  const end = (how: 'complete' | 'cancelled' | 'aborted' | 'network-error', message?: string) => {
    if (conn && !over) recorder.end(conn, how, message);
    decided = over = true;
  };
  const responded = (response: Response) => {
    const contentType = header(headersOf(response), 'content-type') ?? '';
    recorder.note(conn, 'response', recorder.clock(), {
      status: statusOf(response),
      statusText: statusTextOf(response),
      contentType,
      url: responseUrl(response),
    });
  };

  const { known, soon } = call.body;
  const sent = known?.text;
  if (acceptsStream(call.accept) || (sent !== undefined && isAgentBody(sent))) begin();
  else if (soon)
    whenDone(
      soon,
      (read) => {
        if (!decided && isAgentBody(read)) begin();
      },
      () => undefined,
    );

  return {
    isWanted(response) {
      decided = true;
      if (!recorder.isOpen()) return false;
      if (isStreamType(header(headersOf(response), 'content-type') ?? '')) begin();
      return conn !== 0;
    },
    responded,
    headOnly(response) {
      if (!conn || over) return;
      responded(response);
      end('complete');
    },
    chunk: (asked, bytes) => recorder.chunk(conn, asked, bytes),
    end,
    failed: (reason) => end(isNetworkError(reason) ? 'network-error' : 'aborted', wordsOf(reason)),
    clock: recorder.clock,
  };
}
