/**
 * XMLHttpRequest. Only `open`, `setRequestHeader` and `send` are ours; what comes is read off the object by listeners of our own,
 * in the steps in which the browser tells the page. Text is written down as UTF-8 again, because its bytes are gone by then
 * (docs/carriers.md says what that loses); other types are there at the end only. Synchronous requests are left alone.
 */
import type { PageBody, PageEnd } from '../wire/page-to-relay.ts';
import { quietly, type Recorder } from './batches.ts';
import { disguise } from './disguise.ts';
import { jsonOf } from './json.ts';
import {
  bare,
  blobBytes,
  cut,
  defineProperty,
  encode,
  encoder,
  eventType,
  find,
  getter,
  keep,
  listen,
  lower,
  method,
  NativeUint8Array,
  NativeWeakMap,
  NativeXhr,
  own,
  test,
  whenDone,
} from './natives.ts';
import { describeCall, fitted } from './request.ts';
import { acceptsStream, isAgentBody, isStreamType } from './shape.ts';
import { mark, pageStack, scrubbed } from './stack.ts';

const { prototype } = NativeXhr;
const { open, send, setRequestHeader } = prototype;
const readyStateOf = getter(prototype, 'readyState');
const responseTypeOf = getter(prototype, 'responseType');
const responseTextOf = getter(prototype, 'responseText');
const responseOf = getter(prototype, 'response');
const statusOf = getter(prototype, 'status');
const statusTextOf = getter(prototype, 'statusText');
const responseUrlOf = getter(prototype, 'responseURL');
const responseHeader = method(prototype, 'getResponseHeader');

const OPENED = 1;
const HEADERS = 2;
const DONE = 4;
const EVENTS = ['readystatechange', 'progress', 'load', 'error', 'abort', 'timeout'];

/** One request of an object: `open` makes it, `send` lets it be noted. */
interface Watch {
  readonly url: unknown;
  readonly method: unknown;
  readonly headers: Record<string, string>;
  /** Looks at the object as it is now; `type` is that of the browser's event. Answers whether the request is still under way. */
  look?(type?: string): boolean;
  /** Given up without an event: the page began another request on the same object, or the browser would not send. */
  dropped?(): void;
}

function follow(xhr: XMLHttpRequest, recorder: Recorder, watch: Watch, body: unknown): void {
  const time = recorder.clock();
  const place = mark();
  const { url, method, headers } = watch;
  const isBodiless = typeof method === 'string' && test(/^(?:get|head)$/i, method);
  const call = describeCall(url, bare({ method, headers, body: isBodiless ? undefined : body }));
  const { known, soon, later, size } = call.body;
  let conn = 0;
  let headed = false;
  let over = false;
  let seen = 0;

  const begin = () => {
    if (conn) return;
    conn = recorder.begin();
    recorder.note(conn, 'request', time, { carrier: 'xhr', url: call.url, method: call.method, stack: pageStack(place) });
    const note = (sent: PageBody) => recorder.note(conn, 'body', time, fitted(sent));
    const text = soon ?? later?.();
    if (known) note(known);
    else if (text)
      whenDone(
        text,
        (read) => note(bare({ kind: 'text', text: read, size })),
        () => note(bare({ kind: 'unreadable', size })),
      );
  };
  const end = (how: PageEnd['how'], message?: string) => {
    over = true;
    if (conn) recorder.end(conn, how, message);
  };
  const chunk = (bytes: Uint8Array) => recorder.chunk(conn, recorder.clock(), bytes);
  const takeHead = () => {
    const contentType = responseHeader(xhr, 'content-type') ?? '';
    headed = true;
    if (isStreamType(contentType)) begin();
    over = !conn;
    if (conn) recorder.note(conn, 'response', recorder.clock(), { status: statusOf(xhr), statusText: statusTextOf(xhr), contentType, url: responseUrlOf(xhr) });
  };
  const takeText = () => {
    const text = responseTextOf(xhr);
    if (text.length > seen) chunk(encode(encoder, cut(text, seen)));
    seen = text.length;
  };
  /** The body of a type that is there at the end only, then the end. */
  const takeWhole = (type: XMLHttpRequestResponseType) => {
    const whole: unknown = responseOf(xhr);
    const hidden = () => {
      recorder.note(conn, 'lost', recorder.clock(), { bytes: 0, chunks: 0, why: `a response of type "${type}" does not show its bytes` });
      end('complete');
    };
    const shown = (bytes: ArrayBuffer) => {
      chunk(new NativeUint8Array(bytes));
      end('complete');
    };
    const text = type === 'json' && whole !== null ? jsonOf(whole) : undefined;
    if (type === 'arraybuffer' && whole) shown(whole as ArrayBuffer);
    else if (type === 'blob' && whole) whenDone(blobBytes(whole as Blob), quietly(shown), quietly(hidden));
    else if (text !== undefined) {
      chunk(encode(encoder, text));
      end('complete');
    } else hidden();
  };

  watch.look = (event) => {
    if (over) return false;
    const state = readyStateOf(xhr);
    const status = state >= HEADERS ? statusOf(xhr) : 0;
    if (status && !headed) takeHead();
    const type = responseTypeOf(xhr);
    const isText = !type || type === 'text';
    if (status && conn && isText) takeText();
    if (over) return false;
    if (state === DONE && status) {
      over = true;
      if (!isText) takeWhole(type);
      else end('complete');
    } else if (event === 'abort') end('aborted');
    else if (event === 'error' || event === 'timeout') end('network-error', event === 'timeout' ? event : undefined);
    return !over;
  };
  watch.dropped = () => end('aborted');

  const sent = known?.text;
  if (acceptsStream(call.accept) || (sent !== undefined && isAgentBody(sent))) begin();
  else if (soon)
    whenDone(
      soon,
      quietly((read: string) => {
        if (!over && !headed && isAgentBody(read)) begin();
      }),
      () => undefined,
    );
}

/** Puts ours in the place of the three methods of XMLHttpRequest. */
export function hookXhr(recorder: Recorder): void {
  const watches = new NativeWeakMap<XMLHttpRequest, Watch | null>();
  const look = quietly((self: XMLHttpRequest, event?: Event) => {
    find(watches, self)?.look?.(event?.isTrusted ? eventType(event) : undefined);
  });
  // one function for all: a listener that is there already is not added twice
  function heard(this: XMLHttpRequest, event: Event): void {
    look(this, event);
  }
  const opened = quietly((self: XMLHttpRequest, args: readonly unknown[]) => {
    const before = find(watches, self);
    if (before?.look?.()) before.dropped?.();
    const isAsync = args.length < 3 || Boolean(args[2]);
    keep(watches, self, isAsync ? { method: args[0], url: args[1], headers: bare({}) } : null);
  });
  const headed = quietly((self: XMLHttpRequest, name: unknown, value: unknown) => {
    const headers = find(watches, self)?.headers;
    if (!headers || typeof name !== 'string' || typeof value !== 'string') return;
    const key = lower(name);
    headers[key] = headers[key] === undefined ? value : `${headers[key]}, ${value}`;
  });
  const sending = quietly((self: XMLHttpRequest, body: unknown) => {
    const watch = find(watches, self);
    // sent already, or never opened: the browser will refuse it
    if (!watch || watch.look || !recorder.isOpen() || readyStateOf(self) !== OPENED) return;
    for (let i = 0; i < EVENTS.length; i += 1) listen(self, EVENTS[i] as string, heard);
    follow(self, recorder, watch, body);
  });
  const refused = quietly((self: XMLHttpRequest) => find(watches, self)?.dropped?.());
  const put = (key: 'open' | 'send' | 'setRequestHeader', call: (self: XMLHttpRequest, args: never[]) => void) =>
    defineProperty(prototype, key, {
      ...own(prototype, key),
      value: disguise<object>(prototype[key], { apply: (_: unknown, self: XMLHttpRequest, args: never[]) => call(self, args) }),
    });

  put('open', (self, args) => {
    look(self);
    scrubbed(open, self, args);
    opened(self, args);
  });
  put('setRequestHeader', (self, args) => {
    scrubbed(setRequestHeader, self, args);
    headed(self, args[0], args[1]);
  });
  put('send', (self, args) => {
    sending(self, args[0]);
    try {
      scrubbed(send, self, args);
    } catch (error) {
      refused(self);
      throw error;
    }
  });
}
