/**
 * A response whose body passes by us on its way to the page. The wrapped one is a real Response over a byte stream that reads
 * nothing before the page asks (high-water mark 0) and hands a cancel on, so that back-pressure, cancel and abort reach the network
 * as without us; `clone()` or `tee()` would do neither. What its looks cost is told in docs/page-fidelity.md.
 */
import { disguise } from './disguise.ts';
import type { Exchange } from './exchange.ts';
import {
  apply,
  bare,
  bodyOf,
  bodyUsed,
  byobRequest,
  cancel,
  closedOf,
  closeStream,
  cut,
  defineProperty,
  enqueue,
  failStream,
  find,
  getPrototypeOf,
  getReader,
  headersOf,
  isLocked,
  keep,
  NativeReadableStream,
  NativeResponse,
  NativeWeakMap,
  own,
  ownField,
  protoOf,
  read,
  reject,
  respond,
  responseProto,
  setPrototypeOf,
  startsWith,
  statusOf,
  statusTextOf,
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
      exchange.failed(fate.reason);
      failStream(controller, fate.reason);
      return;
    }
    exchange.end('complete');
    try {
      closeStream(controller);
      const pending = byobRequest(controller);
      if (pending) respond(pending, 0);
    } catch {
      // the page cancelled it meanwhile
    }
  };
  const pull = async () => {
    const asked = exchange.clock();
    pulling = true;
    try {
      const { done, value } = await read(reader);
      if (done) ended = true;
      else {
        exchange.chunk(asked, value);
        enqueue(controller, value as Uint8Array<ArrayBuffer>);
      }
    } catch (reason) {
      broke(reason);
      exchange.failed(reason);
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
      return cancel(reader, reason);
    },
  });
  return {
    stream: new NativeReadableStream(source, bare({ highWaterMark: 0 })),
    attach(body: ReadableStream) {
      reader = getReader(body);
      // an end or a failure shows at once, also when the page is not reading
      whenDone(
        closedOf(reader),
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
  if (!startsWith(message, NOISE)) return;
  (error as SyntaxError).message = cut(message, NOISE.length);
  if (stack && startsWith(stack, `SyntaxError: ${NOISE}`)) (error as SyntaxError).stack = `SyntaxError: ${cut(stack, 13 + NOISE.length)}`;
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

/**
 * The looks: a prototype of ours between a wrapped response and Response.prototype. Own properties would show, and a patch of
 * Response.prototype would put us on the stack of every ordinary response's errors.
 */
function createLooks() {
  const wrapped = new NativeWeakMap<Response, Wrapped>();
  const look = { __proto__: responseProto };
  const define = (key: string, part: 'get' | 'value', call: (self: Response, args: readonly never[]) => unknown) => {
    const descriptor = own(responseProto, key);
    if (!descriptor) return;
    descriptor[part] = disguise(descriptor[part], { apply: (_: unknown, self: Response, args: never[]) => scrubbed(call, undefined, [self, args]) });
    defineProperty(look, key, descriptor);
  };
  /** The prototype's method of this moment: what the page patched goes on working. */
  const current = (key: string, self: Response, args: readonly never[]) => apply(responseProto[key as 'text'], self, args as unknown as []);

  const dress = (response: Response, facts: Wrapped) => {
    keep(wrapped, response, facts);
    setPrototypeOf(response, look);
    return response;
  };
  const defineGetter = (key: string) => {
    const get = own(responseProto, key)?.get as () => unknown;
    define(key, 'get', (self, args) => apply(get, find(wrapped, self)?.original ?? self, args as unknown as []));
  };
  const defineReader = (key: string) =>
    define(key, 'value', (self, args) => {
      const fate = find(wrapped, self)?.fate ?? NEVER;
      return wasAborted(fate) && !bodyUsed(self) && !isLocked(bodyOf(self) as ReadableStream) ? reject(fate.reason) : mended(current(key, self, args), fate);
    });
  for (let i = 0; i < GETTERS.length; i += 1) defineGetter(GETTERS[i] as string);
  for (let i = 0; i < READERS.length; i += 1) defineReader(READERS[i] as string);
  define('clone', 'value', (self, args) => {
    const facts = find(wrapped, self);
    const twin = current('clone', self, args) as unknown as Response;
    return facts ? dress(twin, facts) : twin;
  });
  return dress;
}

/** Gives the wrapper: the response to hand to the page, which is the browser's own wherever ours could not stand in for it. */
export function createWrapper(): (response: Response, exchange: Exchange) => Response {
  const dress = createLooks();
  const wrap = (response: Response, body: ReadableStream, exchange: Exchange) => {
    const fate: Fate = { failed: false, reason: undefined };
    const { stream, attach } = tap(exchange, fate);
    const init = bare({ status: statusOf(response), statusText: statusTextOf(response), headers: headersOf(response) });
    const out = dress(new NativeResponse(stream, init), { original: response, fate });
    attach(body);
    exchange.responded(response);
    return out;
  };
  return (response, exchange) => {
    // of another realm: fetch was lifted out of a frame
    if (getPrototypeOf(response) !== responseProto || !exchange.isWanted(response)) return response;
    const body = bodyOf(response);
    try {
      if (body) return wrap(response, body, exchange);
    } catch {
      // a status that no Response can be made with: 204, 205, 304, 799
    }
    exchange.headOnly(response);
    return response;
  };
}
