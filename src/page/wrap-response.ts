/**
 * A response whose body passes by us on its way to the page. The wrapped one is a real Response over a byte stream that reads
 * nothing before the page asks (high-water mark 0) and hands a cancel on, so that back-pressure, cancel and abort reach the network
 * as without us; `clone()` or `tee()` would do neither. What its looks cost is told in docs/page-fidelity.md.
 */
import { clock } from './clock.ts';
import { replace } from './disguise.ts';
import { type Exchange, fail } from './exchange.ts';
import {
  $ByobRequest,
  $Controller,
  $Headers,
  $ReadableStream,
  $Reader,
  $Response,
  $String,
  apply,
  bare,
  find,
  getPrototypeOf,
  getReader,
  keep,
  NativeReadableStream,
  NativeResponse,
  NativeWeakMap,
  own,
  ownField,
  protoOf,
  reject,
  responseProto,
  setPrototypeOf,
  syntaxErrorProto,
  typeErrorProto,
  whenDone,
} from './natives.ts';
import { scrub, scrubbed } from './stack.ts';

/** How the original body ended, shared by a wrapped response and its clones. */
interface Fate {
  failed: boolean;
  reason: unknown;
}

/** Of a response that is not ours: a method of ours was lent to it. */
const NEVER: Fate = { failed: false, reason: undefined };

interface Wrapped {
  readonly original: Response;
  readonly fate: Fate;
}

/**
 * The stream handed to the page, and `attach`, which locks the original body to it. They are two steps, because `new NativeResponse()`
 * refuses some statuses, and a body locked by then would be lost to the page.
 */
function tap(exchange: Exchange, fate: Fate) {
  let reader: ReadableStreamDefaultReader<Uint8Array>;
  let controller: ReadableByteStreamController;
  let pulling = false;
  let ended = false;

  const broke = (reason: unknown) => {
    ended = fate.failed = true;
    fate.reason = reason;
  };
  // ends our stream when the original has ended, but not under a pull that still holds its last chunk: that would empty the body
  const settle = () => {
    if (!ended || pulling) return;
    if (fate.failed) {
      fail(exchange, fate.reason);
      $Controller.error(controller, fate.reason);
      return;
    }
    exchange.end('complete');
    try {
      $Controller.close(controller);
      const pending = $Controller.byobRequest(controller);
      if (pending) $ByobRequest.respond(pending, 0);
    } catch {
      // the page cancelled it meanwhile
    }
  };
  const pull = async () => {
    const asked = clock();
    pulling = true;
    try {
      const { done, value } = await $Reader.read(reader);
      if (done) ended = true;
      else {
        exchange.chunk(asked, value);
        $Controller.enqueue(controller, value as Uint8Array<ArrayBuffer>);
      }
    } catch (reason) {
      broke(reason);
      fail(exchange, reason);
      // a rejected pull fails the stream with none of our frames below it, which the page's readers would otherwise report
      throw reason;
    } finally {
      pulling = false;
    }
    settle();
  };
  const source: UnderlyingByteSource = bare({
    type: 'bytes' as const,
    start(own: ReadableByteStreamController) {
      controller = own;
    },
    pull,
    cancel(reason: unknown) {
      exchange.end('cancelled');
      return $Reader.cancel(reader, reason);
    },
  });
  return {
    stream: new NativeReadableStream(source, bare({ highWaterMark: 0 })),
    attach(body: ReadableStream) {
      reader = getReader(body);
      // an end or a failure shows at once, also when the page is not reading
      whenDone(
        $Reader.closed(reader),
        () => {
          ended = true;
          settle();
        },
        (reason) => {
          broke(reason);
          settle();
        },
      );
    },
  };
}

/** An abort rejects with the page's reason; everything else is the browser's "network error", which text() and kin word in their own way. */
const wasAborted = ({ failed, reason }: Fate): boolean =>
  failed && !(protoOf(reason) === typeErrorProto && ownField(reason as object, 'message') === 'network error');

/** What the browser puts before the message of a SyntaxError that json() found while our stream was being closed. */
const NOISE = "Failed to execute 'close' on 'ReadableByteStreamController': ";

function withoutNoise(error: unknown): void {
  if (protoOf(error) !== syntaxErrorProto) return;
  const { message, stack } = error as SyntaxError;
  if (!$String.startsWith(message, NOISE)) return;
  (error as SyntaxError).message = $String.slice(message, NOISE.length);
  if (stack && $String.startsWith(stack, `SyntaxError: ${NOISE}`)) (error as SyntaxError).stack = `SyntaxError: ${$String.slice(stack, 13 + NOISE.length)}`;
}

/** What text() and kin of a wrapped response promise, with the errors the original would have given. */
async function mended(promise: Promise<unknown>, fate: Fate): Promise<unknown> {
  try {
    return await promise;
  } catch (error) {
    if (wasAborted(fate)) throw fate.reason;
    withoutNoise(error);
    throw scrub(error);
  }
}

const GETTERS = ['type', 'url', 'redirected', 'headers'] as const;
const READERS = ['arrayBuffer', 'blob', 'formData', 'json', 'text', 'bytes'] as const;

const wrapped = new NativeWeakMap<Response, Wrapped>();

/**
 * The looks: a prototype of ours between a wrapped response and Response.prototype. Own properties would show, and a patch of
 * Response.prototype would put us on the stack of every ordinary response's errors.
 */
const look = { __proto__: responseProto };

function dress(response: Response, facts: Wrapped): Response {
  keep(wrapped, response, facts);
  setPrototypeOf(response, look);
  return response;
}

const define = (key: string, part: 'get' | 'value', call: (self: Response, args: readonly never[]) => unknown) =>
  replace(look, key, (self: Response, args: never[]) => scrubbed(call, undefined, [self, args]), responseProto, part);

/** The prototype's method of this moment: what the page patched goes on working. */
const current = (key: string, self: Response, args: readonly never[]) => apply(responseProto[key as 'text'], self, args as unknown as []);

for (const key of GETTERS) {
  const get = own(responseProto, key)?.get as () => unknown;
  define(key, 'get', (self, args) => apply(get, find(wrapped, self)?.original ?? self, args as unknown as []));
}
for (const key of READERS) {
  define(key, 'value', (self, args) => {
    const fate = find(wrapped, self)?.fate ?? NEVER;
    return wasAborted(fate) && !$Response.bodyUsed(self) && !$ReadableStream.locked($Response.body(self) as ReadableStream)
      ? reject(fate.reason)
      : mended(current(key, self, args), fate);
  });
}
define('clone', 'value', (self, args) => {
  const facts = find(wrapped, self);
  const twin = current('clone', self, args) as unknown as Response;
  return facts ? dress(twin, facts) : twin;
});

/** The response to hand to the page, which is the browser's own wherever ours could not stand in for it. */
export function wrap(response: Response, exchange: Exchange): Response {
  // of another realm: fetch was lifted out of a frame
  if (getPrototypeOf(response) !== responseProto) return response;
  const headers = $Response.headers(response);
  const contentType = $Headers.get(headers, 'content-type') ?? '';
  if (!exchange.isWanted(contentType)) return response;
  const status = $Response.status(response);
  const statusText = $Response.statusText(response);
  const head = () => exchange.head($Response.url(response), contentType, status, statusText);
  const body = $Response.body(response);
  try {
    if (body) {
      const fate: Fate = { failed: false, reason: undefined };
      const { stream, attach } = tap(exchange, fate);
      const out = dress(new NativeResponse(stream, bare({ status, statusText, headers })), { original: response, fate });
      attach(body);
      head();
      return out;
    }
  } catch {
    // a status that no Response can be made with: 204, 205, 304, 799
  }
  head();
  exchange.end('complete');
  return response;
}
