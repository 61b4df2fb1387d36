/**
 * What a call of fetch asks for, read without the page noticing: own and inherited data fields only, no getter, no `toString`, no
 * iterator of the page's is run. Where that is not enough the answer says so ('unreadable') instead of looking harder.
 */
import type { PageBody } from '../wire/page-to-relay.ts';
import {
  $ArrayBuffer,
  $Blob,
  $FormData,
  $Headers,
  $Node,
  $ReadableStream,
  $Request,
  $String,
  $TextDecoder,
  $TextEncoder,
  $TypedArray,
  $URL,
  $URLSearchParams,
  bare,
  decoder,
  encoder,
  getPrototypeOf,
  hasOwn,
  isArray,
  isObject,
  isView,
  NativeUint8Array,
  NativeURL,
  ownField,
  ownKeys,
} from './natives.ts';
import { isJsonType } from './shape.ts';

/** Characters of a body that are noted. */
const BODY_LIMIT = 2 << 20;
const DEPTH = 8;

export interface Call {
  readonly url: string;
  readonly method: string;
  readonly accept: string;
  readonly body: Body;
}

/** A body known now, or one whose text takes a while. */
export interface Body {
  /** As sent, to be noted with `fitted`. */
  readonly known?: PageBody;
  /** Its text in time for the response, where the body may be AG-UI-shaped. */
  readonly soon?: Promise<string>;
  /** Its text when the exchange turns out to be of interest. */
  readonly later?: () => Promise<string>;
  readonly size?: number;
}

/** A native getter as a test of what an object is: undefined where it is something else. */
function tried<S, T>(get: (self: S) => T, self: unknown): T | undefined {
  try {
    return get(self as S);
  } catch {
    return undefined;
  }
}

/** A data field, own or inherited, as `value[key]` would find it; undefined for a getter's. */
function field(value: object, key: string): unknown {
  let at: object | null = value;
  for (let depth = 0; at && depth < DEPTH; depth += 1) {
    if (hasOwn(at, key)) return ownField(at, key);
    at = getPrototypeOf(at);
  }
  return undefined;
}

/** One header of what a page may pass as headers: a Headers object, an array of pairs, a record. Others' values are not looked at. */
function headerOf(headers: unknown, name: string): string {
  if (!isObject(headers)) return '';
  if (isArray(headers)) {
    for (let i = 0; i < headers.length; i += 1) {
      const pair = ownField(headers, i);
      if (isArray(pair) && isNamed(ownField(pair, 0), name)) return textOr(ownField(pair, 1));
    }
    return '';
  }
  const found = tried((self: Headers) => $Headers.get(self, name), headers);
  if (found !== undefined) return found ?? '';
  const keys = ownKeys(headers);
  for (let i = 0; i < keys.length; i += 1) if (isNamed(keys[i], name)) return textOr(ownField(headers, keys[i] as string));
  return '';
}

const isNamed = (key: unknown, name: string): boolean => typeof key === 'string' && $String.toLowerCase(key) === name;
const textOr = (value: unknown): string => (typeof value === 'string' ? value : '');

/** The address as the browser will resolve it; '' where only the page's own code could say it. */
function urlOf(input: unknown): string {
  if (!isObject(input))
    return typeof input === 'string' ? (tried((text: string) => $URL.href(new NativeURL(text, $Node.baseURI(document))), input) ?? input) : '';
  return tried($Request.url, input) ?? tried($URL.href, input) ?? '';
}

/** A body as it is noted: text gets its size and is cut at the cap. */
export function fitted(body: PageBody): PageBody {
  const { text, size: told } = body;
  if (text === undefined) return body;
  const size = told ?? $TypedArray.byteLength($TextEncoder.encode(encoder, text));
  return text.length > BODY_LIMIT ? { kind: 'text', text: $String.slice(text, 0, BODY_LIMIT), size, cut: true } : { kind: 'text', text, size };
}

const known = (body: PageBody): Body => bare({ known: bare(body) });

/** A Blob does not change: it is read when need be, but in time for the response where it says that it is JSON. */
function blobBody(blob: Blob, size: number): Body {
  if (size > BODY_LIMIT) return known({ kind: 'bytes', size });
  return bare(isJsonType($Blob.type(blob)) ? { soon: $Blob.text(blob), size } : { later: () => $Blob.text(blob), size });
}

/** Bytes are text where they begin like a JSON document; copies are made of nothing else, because a page may upload much. */
function bytesBody(bytes: Uint8Array): Body {
  // none of a DataView
  const size = tried($TypedArray.byteLength, bytes);
  const first = bytes[0];
  const isJson = (first === 0x7b || first === 0x5b) && size !== undefined && size <= BODY_LIMIT;
  return known(isJson ? { kind: 'text', text: $TextDecoder.decode(decoder, bytes), size } : { kind: 'bytes', size });
}

/** A body given as an object: told by what it is, read only where that leaves no trace. */
function objectBody(body: object): Body {
  if (isView(body)) return bytesBody(body as Uint8Array);
  if (tried($ArrayBuffer.byteLength, body) !== undefined) return bytesBody(new NativeUint8Array(body as ArrayBuffer));
  const size = tried($Blob.size, body);
  if (size !== undefined) return blobBody(body as Blob, size);
  const params = tried($URLSearchParams.toString, body);
  if (params !== undefined) return known({ kind: 'text', text: params });
  if (tried((form: FormData) => $FormData.has(form, ''), body) !== undefined) return known({ kind: 'form' });
  return known({ kind: tried($ReadableStream.locked, body) === undefined ? 'unreadable' : 'stream' });
}

/**
 * A Request's body is read from a clone (a tee), so only where it is JSON. The page's own use of the Request stays as it was: a
 * used one is left to fetch, which refuses it.
 */
function ownBody(request: Request, contentType: string): Body {
  const body = $Request.body(request);
  if (body === null) return known({ kind: 'none' });
  if (!isJsonType(contentType) || $Request.bodyUsed(request) || $ReadableStream.locked(body)) return known({ kind: 'unreadable' });
  return bare({ soon: $Request.text($Request.clone(request)) });
}

function bodyOfCall(given: unknown, request: Request | undefined, contentType: string): Body {
  if (typeof given === 'string') return known({ kind: 'text', text: given });
  if (given !== undefined && given !== null) return isObject(given) ? objectBody(given) : known({ kind: 'unreadable' });
  return request ? ownBody(request, contentType) : known({ kind: 'none' });
}

/** What `fetch(input, init)` asks for. May throw on what no page passes; the caller takes that as "unknown". */
export function describeCall(input: unknown, init: unknown): Call {
  const options = isObject(init) ? init : undefined;
  const isRequest = isObject(input) && tried($Request.url, input) !== undefined;
  const request = isRequest ? (input as Request) : undefined;
  const option = (key: string) => (options ? field(options, key) : undefined);
  const given = option('headers');
  const headers = given === undefined ? request && $Request.headers(request) : given;
  const method = option('method');
  return {
    url: urlOf(input),
    method: typeof method === 'string' ? $String.toUpperCase(method) : request ? $Request.method(request) : 'GET',
    accept: headerOf(headers, 'accept'),
    body: bodyOfCall(option('body'), request, headerOf(headers, 'content-type')),
  };
}
