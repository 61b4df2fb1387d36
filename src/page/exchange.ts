/** One request of fetch or XMLHttpRequest, from the page's call to its end: when it begins to be noted, and what is. */
import type { PageBody, PageEnd, PageReplay, PageRequest } from '../wire/page-to-relay.ts';
import { begin, chunk, end, isOpen, note, responded } from './batches.ts';
import { clock } from './clock.ts';
import { $DOMException, bare, exceptionProto, ownField, protoOf, typeErrorProto, whenDone } from './natives.ts';
import { type Call, describeCall, fitted } from './request.ts';
import { acceptsStream, isAgentBody, isStreamType } from './shape.ts';
import { mark } from './stack.ts';

export interface Exchange {
  /** The response has come, of this content type: whether the exchange is noted, from now on if not before. */
  isWanted(contentType: string): boolean;
  head(url: string, contentType: string, status: number, statusText: string): void;
  chunk(asked: number, bytes: Uint8Array): void;
  lost(why: string): void;
  /** The answer is Runlens' own: noted where the exchange is. */
  replayed(mark: PageReplay): void;
  end(how: PageEnd['how'], message?: string): void;
}

const UNKNOWN: Call = { url: '', method: 'GET', accept: '', body: bare({ known: bare({ kind: 'unreadable' as const }) }) };

function tryDescribe(input: unknown, init: unknown): Call {
  try {
    return describeCall(input, init);
  } catch {
    return UNKNOWN;
  }
}

/** Begins an exchange at the page's call. The arguments are looked at now, because the page may change them after. */
export function createExchange(carrier: PageRequest['carrier'], input: unknown, init: unknown): Exchange {
  const time = clock();
  const place = mark();
  const { url, method, accept, body } = tryDescribe(input, init);
  const { known, soon, later, size } = body;
  let conn = 0;
  let decided = false;
  let over = false;

  const start = () => {
    if (conn) return;
    conn = begin(carrier, time, url, method, place);
    const sent = (it: PageBody) => note(conn, 'body', time, fitted(it));
    const text = soon ?? later?.();
    if (known) sent(known);
    else if (text)
      whenDone(
        text,
        (read) => sent(bare({ kind: 'text' as const, text: read, size })),
        () => sent({ kind: 'unreadable', size }),
      );
  };
  const look = (text?: string) => {
    if (!decided && text !== undefined && isAgentBody(text)) start();
  };
  if (acceptsStream(accept)) start();
  else if (soon) whenDone(soon, look, () => undefined);
  else look(known?.text);

  return {
    isWanted(contentType) {
      decided = true;
      if (isOpen() && isStreamType(contentType)) start();
      return isOpen() && conn !== 0;
    },
    head: (from, contentType, status, statusText) => responded(conn, from, contentType, status, statusText),
    chunk: (asked, bytes) => chunk(conn, asked, bytes),
    lost: (why) => note(conn, 'lost', clock(), { bytes: 0, chunks: 0, why }),
    replayed: (mark) => conn && note(conn, 'replay', clock(), mark),
    end(how, message) {
      if (conn && !over) end(conn, how, message);
      decided = over = true;
    },
  };
}

/** The browser's own words; those of the page's objects are not read. */
function wordsOf(reason: unknown, proto: unknown): string | undefined {
  if (typeof reason === 'string') return reason;
  if (proto === exceptionProto) return `${$DOMException.name(reason as DOMException)}: ${$DOMException.message(reason as DOMException)}`;
  const message: unknown = proto === typeErrorProto ? ownField(reason as object, 'message') : undefined;
  return typeof message === 'string' ? `TypeError: ${message}` : undefined;
}

/** The call or the body was rejected: network trouble is a TypeError of the browser's, any other reason is what the page aborted with. */
export function fail({ end }: Exchange, reason: unknown): void {
  const proto = protoOf(reason);
  end(proto === typeErrorProto ? 'network-error' : 'aborted', wordsOf(reason, proto));
}
