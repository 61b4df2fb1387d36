/**
 * Everything of the browser that the hook uses, taken at document_start, before the page's first script can replace it. Methods
 * and getters are uncurried (`read(reader)` for `reader.read()`): a page that spies on prototypes hears none of our calls, and a
 * page that replaces them breaks none.
 *
 * Rules for the code in this folder that follow from it: after start no method call on a native object, no `for … of`, spread or
 * array destructuring (they look up `Symbol.iterator`), and every options object goes through `bare()`, because natives read
 * missing options from `Object.prototype`, where a page may have put a getter.
 */

type Args<F> = F extends (...args: infer A) => unknown ? A : never;
type Result<F> = F extends (...args: never[]) => infer R ? R : never;

export const {
  apply,
  construct,
  defineProperty,
  get: lookUp,
  getOwnPropertyDescriptor: own,
  getPrototypeOf,
  ownKeys,
  setPrototypeOf,
} = Reflect as typeof Reflect & {
  get(target: object, key: PropertyKey): unknown;
};

export const { hasOwn } = Object;
const { call } = Function.prototype;
const uncurry = <Self, A extends unknown[], R>(f: (...args: A) => R) => call.bind(f) as (self: Self, ...args: A) => R;

/** A prototype's method as a function of its object. */
export const method = <P extends object, K extends keyof P>(proto: P, key: K) => uncurry<P, Args<P[K]>, Result<P[K]>>(proto[key] as never);

/** A prototype's getter as a function of its object. */
export const getter = <P extends object, K extends keyof P>(proto: P, key: K) => uncurry<P, [], P[K]>(own(proto, key)?.get as never);

/** An object that inherits nothing. */
export const bare = <T extends object>(fields: T): T => ({ __proto__: null, ...fields });

export const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

/** The prototype of an object, which tells the browser's own errors apart without `instanceof`, which can run the page's code. */
export const protoOf = (value: unknown): unknown => (isObject(value) ? getPrototypeOf(value) : undefined);

/** A value's own data field, without running anything of the page's. */
export const ownField = (value: object, key: PropertyKey): unknown => {
  const found = own(value, key);
  // a getter's descriptor has no value of its own: asked for one it would ask Object.prototype
  return found && hasOwn(found, 'value') ? found.value : undefined;
};

export const win = window;
export const NativeResponse = Response;
export const NativeReadableStream = ReadableStream;
export const NativeMessageEvent = MessageEvent;
export const NativeMessageChannel = MessageChannel;
export const NativeProxy = Proxy;
export const NativeUint8Array = Uint8Array;
export const NativeWeakMap = WeakMap;
export const NativeError = Error;
export const NativeURL = URL;
export const NativeEventSource = EventSource;
export const NativeXhr = XMLHttpRequest;
export const NativeWebSocket = WebSocket;
export const { setTimeout: startTimer, clearTimeout: stopTimer } = globalThis;
export const { min, abs, round } = Math;
export const { isView } = ArrayBuffer;
export const { isArray } = Array;
export const { parse, stringify } = JSON;

export const responseProto = Response.prototype;
export const statusOf = getter(responseProto, 'status');
export const statusTextOf = getter(responseProto, 'statusText');
export const headersOf = getter(responseProto, 'headers');
export const bodyOf = getter(responseProto, 'body');
export const bodyUsed = getter(responseProto, 'bodyUsed');
export const responseUrl = getter(responseProto, 'url');
export const header = method(Headers.prototype, 'get');

const requestProto = Request.prototype;
export const requestUrl = getter(requestProto, 'url');
export const requestMethod = getter(requestProto, 'method');
export const requestHeaders = getter(requestProto, 'headers');
export const requestBody = getter(requestProto, 'body');
export const requestUsed = getter(requestProto, 'bodyUsed');
export const cloneRequest = method(requestProto, 'clone');
export const requestText = method(requestProto, 'text');

const readerProto = ReadableStreamDefaultReader.prototype;
const byteController = ReadableByteStreamController.prototype;
export const getReader = method(ReadableStream.prototype, 'getReader') as unknown as (stream: ReadableStream) => ReadableStreamDefaultReader<Uint8Array>;
export const isLocked = getter(ReadableStream.prototype, 'locked');
export const read = method(readerProto, 'read');
export const cancel = method(readerProto, 'cancel');
export const closedOf = getter(readerProto, 'closed');
export const enqueue = method(byteController, 'enqueue');
export const closeStream = method(byteController, 'close');
export const failStream = method(byteController, 'error');
export const byobRequest = getter(byteController, 'byobRequest');
export const respond = method(ReadableStreamBYOBRequest.prototype, 'respond');

export const whenDone = uncurry(Promise.prototype.then) as <T>(
  self: Promise<T>,
  done: (value: T) => unknown,
  failed?: (reason: unknown) => unknown,
) => Promise<unknown>;
export const reject = Promise.reject.bind(Promise) as (reason: unknown) => Promise<never>;
export const typeErrorProto = TypeError.prototype;
export const syntaxErrorProto = SyntaxError.prototype;
export const exceptionProto = DOMException.prototype;
export const exceptionName = getter(DOMException.prototype, 'name');
export const exceptionMessage = getter(DOMException.prototype, 'message');

const typedArray = getPrototypeOf(Uint8Array.prototype) as Uint8Array;
export const sizeOf = getter(typedArray, 'byteLength');
export const copy = method(typedArray, 'slice');
export const part = method(typedArray, 'subarray');
export const put = method(typedArray, 'set');
export const bufferSize = getter(ArrayBuffer.prototype, 'byteLength');

export const blobSize = getter(Blob.prototype, 'size');
export const blobType = getter(Blob.prototype, 'type');
export const blobText = method(Blob.prototype, 'text');
export const blobBytes = method(Blob.prototype, 'arrayBuffer');
export const paramsText = method(URLSearchParams.prototype, 'toString');
export const formHas = method(FormData.prototype, 'has');
export const hrefOf = getter(URL.prototype, 'href');
export const baseOf = getter(Node.prototype, 'baseURI');
export const decode = method(TextDecoder.prototype, 'decode');
export const encode = method(TextEncoder.prototype, 'encode');
export const decoder = new TextDecoder();
export const encoder = new TextEncoder();

export const find = uncurry(WeakMap.prototype.get) as <K extends object, V>(map: WeakMap<K, V>, key: K) => V | undefined;
export const keep = uncurry(WeakMap.prototype.set) as <K extends object, V>(map: WeakMap<K, V>, key: K, value: V) => unknown;
const exec = method(RegExp.prototype, 'exec');
/** `RegExp.prototype.test` would look up `exec`, which a page may have replaced. */
export const test = (pattern: RegExp, text: string): boolean => exec(pattern, text) !== null;
export const functionText = Function.prototype.toString;

const string = String.prototype;
export const includes = method(string, 'includes');
export const startsWith = method(string, 'startsWith');
export const cut = method(string, 'slice');
export const split = uncurry(string.split as (by: string) => string[]) as (self: string, by: string) => string[];
export const lower = method(string, 'toLowerCase');
export const upper = method(string, 'toUpperCase');

const array = Array.prototype;
export const join = method(array, 'join');
export const shift = uncurry(array.shift) as <T>(self: T[]) => T | undefined;
export const push = uncurry(array.push) as <T>(self: T[], ...items: T[]) => number;

export const post = method(MessagePort.prototype, 'postMessage') as (port: MessagePort, message: unknown) => void;
export const eventTarget = EventTarget.prototype;
export const dispatch = method(eventTarget, 'dispatchEvent');
export const listen = method(eventTarget, 'addEventListener') as (
  target: EventTarget,
  type: string,
  listener: (event: never) => void,
  options?: boolean | AddEventListenerOptions,
) => void;
export const unlisten = method(eventTarget, 'removeEventListener') as (target: EventTarget, type: string, listener: (event: never) => void) => void;
export const eventType = getter(Event.prototype, 'type');
export const wasPrevented = getter(Event.prototype, 'defaultPrevented');
export const eventData = getter(MessageEvent.prototype, 'data');
export const lastEventId = getter(MessageEvent.prototype, 'lastEventId');
export const isPersisted = getter(PageTransitionEvent.prototype, 'persisted');

/** Milliseconds of the page's own clocks; fake timers installed later do not reach them. */
export const { timeOrigin } = performance;
export const now = performance.now.bind(performance);
export const wallClock = Date.now;
const hiddenOf = getter(Document.prototype, 'hidden');
export const isHidden = () => hiddenOf(document);
