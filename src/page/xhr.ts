/**
 * XMLHttpRequest. Only `open`, `setRequestHeader` and `send` are ours; what comes is read off the object by listeners of our own,
 * in the steps in which the browser tells the page. Text is written down as UTF-8 again, because its bytes are gone by then
 * (docs/carriers.md says what that loses); other types are there at the end only. Synchronous requests are left alone.
 */
import { around } from './around.ts';
import { isOpen, quietly } from './batches.ts';
import { clock } from './clock.ts';
import { createExchange } from './exchange.ts';
import { jsonOf } from './json.ts';
import { $Blob, $Event, $String, $TextEncoder, $Xhr, bare, encoder, find, keep, listen, NativeUint8Array, NativeWeakMap, test, whenDone } from './natives.ts';

const { prototype } = XMLHttpRequest;

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

function follow(xhr: XMLHttpRequest, watch: Watch, body: unknown): void {
  const { url, method, headers } = watch;
  const isBodiless = typeof method === 'string' && test(/^(?:get|head)$/i, method);
  const { isWanted, head, chunk, lost, end } = createExchange('xhr', url, bare({ method, headers, body: isBodiless ? undefined : body }));
  let headed = false;
  let over = false;
  let seen = 0;

  const takeHead = () => {
    const contentType = $Xhr.getResponseHeader(xhr, 'content-type') ?? '';
    headed = true;
    if (isWanted(contentType)) head($Xhr.responseURL(xhr), contentType, $Xhr.status(xhr), $Xhr.statusText(xhr));
    else over = true;
  };
  const takeText = () => {
    const text = $Xhr.responseText(xhr);
    if (text.length > seen) chunk(clock(), $TextEncoder.encode(encoder, $String.slice(text, seen)));
    seen = text.length;
  };
  /** The body of a type that is there at the end only, then the end. */
  const takeWhole = (type: XMLHttpRequestResponseType) => {
    const whole: unknown = $Xhr.response(xhr);
    const shown = (bytes?: Uint8Array) => {
      if (bytes) chunk(clock(), bytes);
      else lost(`a response of type "${type}" does not show its bytes`);
      end('complete');
    };
    const text = type === 'json' && whole !== null ? jsonOf(whole) : undefined;
    if (type === 'blob' && whole)
      whenDone(
        $Blob.arrayBuffer(whole as Blob),
        (bytes) => shown(new NativeUint8Array(bytes)),
        () => shown(),
      );
    else if (type === 'arraybuffer' && whole) shown(new NativeUint8Array(whole as ArrayBuffer));
    else shown(text === undefined ? text : $TextEncoder.encode(encoder, text));
  };

  watch.look = (event) => {
    if (over) return false;
    const state = $Xhr.readyState(xhr);
    const status = state >= HEADERS ? $Xhr.status(xhr) : 0;
    if (status && !headed) takeHead();
    if (over) return false;
    const type = $Xhr.responseType(xhr);
    const isText = !type || type === 'text';
    if (status && isText) takeText();
    over = true;
    if (state === DONE && status) {
      if (isText) end('complete');
      else takeWhole(type);
    } else if (event === 'abort') end('aborted');
    else if (event === 'error' || event === 'timeout') end('network-error', event === 'timeout' ? event : undefined);
    else over = false;
    return !over;
  };
  watch.dropped = () => {
    over = true;
    end('aborted');
  };
}

/** Puts ours in the place of the three methods of XMLHttpRequest. */
export function hookXhr(): void {
  const watches = new NativeWeakMap<XMLHttpRequest, Watch | null>();
  const look = (self: XMLHttpRequest) => find(watches, self)?.look?.();
  // one function for all: a listener that is there already is not added twice
  const tell = quietly((self: XMLHttpRequest, event: Event) => find(watches, self)?.look?.(event.isTrusted ? $Event.type(event) : undefined));
  function heard(this: XMLHttpRequest, event: Event): void {
    tell(this, event);
  }

  around(prototype, 'open', look, (self, args) => {
    // another request under way on the same object
    if (look(self)) find(watches, self)?.dropped?.();
    keep(watches, self, args.length < 3 || args[2] ? { method: args[0], url: args[1], headers: bare({}) } : null);
  });
  around(prototype, 'setRequestHeader', undefined, (self, args) => {
    const headers = find(watches, self)?.headers;
    const name = args[0];
    const value = args[1];
    if (!headers || typeof name !== 'string' || typeof value !== 'string') return;
    const key = $String.toLowerCase(name);
    headers[key] = headers[key] === undefined ? value : `${headers[key]}, ${value}`;
  });
  around(
    prototype,
    'send',
    (self, args) => {
      const watch = find(watches, self);
      // sent already, or never opened: the browser will refuse it
      if (!watch || watch.look || !isOpen() || $Xhr.readyState(self) !== OPENED) return;
      for (let i = 0; i < EVENTS.length; i += 1) listen(self, EVENTS[i] as string, heard);
      follow(self, watch, args[0]);
    },
    undefined,
    (self) => find(watches, self)?.dropped?.(),
  );
}
