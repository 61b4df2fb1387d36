/**
 * Everything of the browser that the hook uses, taken at document_start, before the page's first script can replace it. Methods
 * and getters are uncurried (`read(reader)` for `reader.read()`): a page that spies on prototypes hears none of our calls, and a
 * page that replaces them breaks none.
 *
 * Rules for the code in this folder that follow from it: after start no method call on a native object, no `for … of`, spread or
 * array destructuring (they look up `Symbol.iterator`), and every options object goes through `bare()`, because natives read
 * missing options from `Object.prototype`, where a page may have put a getter.
 */

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

type Uncurried<P> = { readonly [K in keyof P]: P[K] extends (...args: infer A) => infer R ? (self: P, ...args: A) => R : (self: P) => P[K] };

/** Methods and getters of a class's prototype, each as a function of its object. */
function uncurried<P extends object>({ prototype }: { prototype: P }): Uncurried<P> {
  const all = bare({}) as Record<PropertyKey, unknown>;
  for (const key of ownKeys(prototype)) {
    const { get, value } = own(prototype, key) as PropertyDescriptor;
    if (get || typeof value === 'function') all[key] = uncurry(get ?? value);
  }
  return all as Uncurried<P>;
}

const allUncurried = <C extends readonly { prototype: object }[]>(...classes: C) =>
  classes.map(uncurried) as unknown as { [I in keyof C]: Uncurried<C[I]['prototype']> };

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
export const { setTimeout: startTimer, requestIdleCallback: whenIdle } = globalThis;
export const { min, abs, round } = Math;
export const { isView } = ArrayBuffer;
export const { isArray } = Array;
export const { parse, stringify } = JSON;

export const { prototype: responseProto } = Response;
export const { prototype: typeErrorProto } = TypeError;
export const { prototype: syntaxErrorProto } = SyntaxError;
export const { prototype: exceptionProto } = DOMException;
export const { prototype: eventTarget } = EventTarget;
export const functionText = Function.prototype.toString;
export const decoder = new TextDecoder();
export const encoder = new TextEncoder();

/** Each class's methods and getters. */
export const [
  $Response,
  $Headers,
  $Request,
  $ReadableStream,
  $Reader,
  $Controller,
  $ByobRequest,
  $DOMException,
  $TypedArray,
  $ArrayBuffer,
  $Blob,
  $URLSearchParams,
  $FormData,
  $URL,
  $Node,
  $TextDecoder,
  $TextEncoder,
  $String,
  $Array,
  $Event,
  $MessageEvent,
  $PageTransitionEvent,
  $EventTarget,
  $Document,
  $Promise,
  $WeakMap,
  $RegExp,
  $MessagePort,
  $Xhr,
  $EventSource,
  $WebSocket,
  $CloseEvent,
] = allUncurried(
  Response,
  Headers,
  Request,
  ReadableStream,
  ReadableStreamDefaultReader,
  ReadableByteStreamController,
  ReadableStreamBYOBRequest,
  DOMException,
  { prototype: getPrototypeOf(Uint8Array.prototype) as Uint8Array },
  ArrayBuffer,
  Blob,
  URLSearchParams,
  FormData,
  URL,
  Node,
  TextDecoder,
  TextEncoder,
  String,
  Array,
  Event,
  MessageEvent,
  PageTransitionEvent,
  EventTarget,
  Document,
  Promise,
  WeakMap,
  RegExp,
  MessagePort,
  XMLHttpRequest,
  EventSource,
  WebSocket,
  CloseEvent,
);

export const whenDone = $Promise.then as <T>(self: Promise<T>, done: (value: T) => unknown, failed?: (reason: unknown) => unknown) => Promise<unknown>;
export const reject = Promise.reject.bind(Promise) as (reason: unknown) => Promise<never>;

export const find = $WeakMap.get as <K extends object, V>(map: WeakMap<K, V>, key: K) => V | undefined;
export const keep = $WeakMap.set as <K extends object, V>(map: WeakMap<K, V>, key: K, value: V) => unknown;
/** `RegExp.prototype.test` would look up `exec`, which a page may have replaced. */
export const test = (pattern: RegExp, text: string): boolean => $RegExp.exec(pattern, text) !== null;

export const split = $String.split as unknown as (self: string, by: string) => string[];
const list = $Array as unknown as { join: unknown; shift: unknown; push: unknown };
export const join = list.join as (self: readonly string[], by: string) => string;
export const shift = list.shift as <T>(self: T[]) => T | undefined;
export const push = list.push as <T>(self: T[], ...items: T[]) => number;
export const getReader = $ReadableStream.getReader as unknown as (stream: ReadableStream) => ReadableStreamDefaultReader<Uint8Array>;

export const post = $MessagePort.postMessage as (port: MessagePort, message: unknown) => void;
export const listen = $EventTarget.addEventListener as (
  target: EventTarget,
  type: string,
  listener: (event: never) => void,
  options?: boolean | AddEventListenerOptions,
) => void;
export const unlisten = $EventTarget.removeEventListener as (target: EventTarget, type: string, listener: (event: never) => void) => void;

/** Milliseconds of the page's own clocks; fake timers installed later do not reach them. */
export const { timeOrigin } = performance;
export const now = performance.now.bind(performance);
export const wallClock = Date.now;
export const isHidden = () => $Document.hidden(document);
