/**
 * What was noted leaves the page in numbered batches through a MessagePort to the relay, which answers the number of the newest batch
 * it holds; what it does not hold yet is kept here. What lies here at pagehide goes as the data of one synchronous event, because a
 * port drops what is in flight when its document goes. There is one recorder a document: its state is this module's. Times are ms
 * since the epoch. No function throws.
 */
import {
  OFFER,
  type PageBatch,
  type PageEnd,
  type PageHandOver,
  type PageLost,
  type PageRecordKind,
  type PageRequest,
  type PageResponse,
  READY,
  RELAY_OFF,
} from '../wire/page-to-relay.ts';
import { clock } from './clock.ts';
import {
  $Event,
  $EventTarget,
  $MessageEvent,
  $PageTransitionEvent,
  $TypedArray,
  apply,
  bare,
  isHidden,
  listen,
  min,
  NativeMessageChannel,
  NativeMessageEvent,
  NativeUint8Array,
  ownField,
  post,
  push,
  shift,
  startTimer,
  whenIdle,
  win,
} from './natives.ts';
import { pageStack } from './stack.ts';

/** Bytes a batch holds: below 64 KiB, where a port message suddenly costs twice. */
const ROOM = 60 * 1024;
/** Milliseconds that records wait for company; the first after a quiet while does not wait. */
const PAUSE = 16;
/** In a burst, when a batch is full before it was sent, all wait until the page has nothing better to do: so many bytes and ms at most. */
const MANY = 24 << 20;
const IDLE = bare({ timeout: 300 });
/** Bytes kept for a relay that does not answer, and for one that has not come yet. */
const LIMIT = 32 << 20;
const LIMIT_ALONE = 1 << 20;

interface Kept {
  readonly batch: PageBatch;
  /** Bytes and characters it holds. */
  readonly size: number;
}

/** A random word that only this hook and the relay know, so that a page's forged hand-over is told from ours; also the name of the event that puts a gate before fetch. */
export const token = crypto.getRandomValues(new Uint32Array(4)).join('-');
const { port1, port2 } = new NativeMessageChannel();

/** The batch being filled. */
const room = new NativeUint8Array(ROOM);
let meta: unknown[] = [];
let used = 0;
let texts = 0;

/** Batches the relay has not confirmed; the last of them it has not been sent either. */
const kept: Kept[] = [];
let keptSize = 0;
let batches = 0;
let unsent = 0;
/** The relay has our port; it has not said that it will take no more. */
let given = false;
let open = true;

/** By connection number: those that have not ended, and what found no room, to be told before their next record. */
const live: Record<number, boolean> = bare({});
const losses: Record<number, { -readonly [K in keyof PageLost]: PageLost[K] } | undefined> = bare({});
let conns = 0;
/** What was asked for and has not come yet. */
let timer = 0;
let idle = 0;
let last = 0;
let leaving = false;

/** False once the relay has said that it will take no more: then nothing need be wrapped. */
export const isOpen = (): boolean => open;

/** An exception of ours never reaches the page. */
export function quietly<A extends unknown[]>(act: (...args: A) => void): (...args: A) => void {
  return (...args) => {
    try {
      apply(act, undefined, args);
    } catch {
      // nothing to tell it to: the recorder itself failed
    }
  };
}

const drop = () => {
  keptSize -= (shift(kept) as Kept).size;
};
const isFull = () => keptSize >= (given ? LIMIT : LIMIT_ALONE);

function offer(): void {
  if (given) return;
  const event = new NativeMessageEvent(OFFER, bare({ data: token, ports: [port2], cancelable: true }));
  $EventTarget.dispatchEvent(win, event);
  given = $Event.defaultPrevented(event);
}

/** Ends the batch being filled. */
function pack(): void {
  if (!meta.length) return;
  // each time: document.open() strips a window of its listeners
  listen(win, 'pagehide', leave, true);
  last = clock();
  batches += 1;
  const batch = { no: batches, meta, bytes: $TypedArray.slice(room, 0, used) as Uint8Array<ArrayBuffer> };
  const size = used + texts;
  meta = [];
  used = texts = 0;
  keptSize += size;
  push(kept, { batch, size });
  unsent += 1;
}

function onPause(): void {
  timer = 0;
  if (!unsent) flush();
}

function onIdle(): void {
  idle = 0;
  flush();
}

function handOver(): void {
  const left: PageBatch[] = [];
  for (let i = 0; i < kept.length; i += 1) push(left, (kept[i] as Kept).batch);
  const data: PageHandOver = { token, batches: left };
  if (left.length) $EventTarget.dispatchEvent(win, new NativeMessageEvent(OFFER, bare({ data })));
}

function flush(): void {
  pack();
  for (; unsent; unsent -= 1) post(port1, (kept[kept.length - unsent] as Kept).batch);
  if (leaving) handOver();
}

/** The first after a quiet while leaves at once; timers of a hidden page come up to a second late. */
function settle(time: number, urgent?: boolean): void {
  if (leaving || isHidden() || keptSize > MANY || (!unsent && (urgent || time - last > PAUSE))) flush();
  else if (unsent) idle = idle || whenIdle(onIdle, IDLE);
  else timer = timer || (startTimer(onPause, PAUSE) as unknown as number);
}

function add(conn: number, kind: PageRecordKind, time: number, payload: object, urgent?: boolean): void {
  // with no relay at all, not even the small records may pile up
  if (!open || (!given && isFull())) return;
  tellLoss(conn, time);
  const text = ownField(payload, 'text');
  if (typeof text === 'string') texts += text.length;
  push(meta, conn, kind, time, 0, payload);
  settle(time, urgent);
}

function tellLoss(conn: number, time: number): void {
  const loss = losses[conn];
  if (!loss) return;
  losses[conn] = undefined;
  push(meta, conn, 'lost', time, 0, loss);
}

/** Once: a body breaks off after pagehide has told why. */
function endNow(conn: number, time: number, payload: PageEnd): void {
  if (live[conn]) add(conn, 'end', time, payload, true);
  live[conn] = false;
}

const leave = quietly((event: PageTransitionEvent) => {
  // a persisted page may come back and read on
  if (!$PageTransitionEvent.persisted(event)) {
    for (let conn = 1; conn <= conns; conn += 1) endNow(conn, clock(), { how: 'navigated' });
    leaving = true;
  }
  flush();
  handOver();
});

/** Notes a record that is none of the others here. */
export const note = quietly(add) as (conn: number, kind: Exclude<PageRecordKind, 'chunk' | 'end'>, time: number, payload: object) => void;

/** Begins a connection. Answers its number, from 1. */
export function begin(carrier: PageRequest['carrier'], time: number, url: string, method: string, place: Error): number {
  conns += 1;
  live[conns] = true;
  note(conns, 'request', time, { carrier, url, method, stack: pageStack(place) } satisfies PageRequest);
  return conns;
}

/** Notes the head of a response. */
export const responded = quietly((conn: number, url: string, contentType: string, status: number, statusText: string) =>
  add(conn, 'response', clock(), { status, statusText, contentType, url } satisfies PageResponse),
);

/** Ends a connection; what comes for it later is not noted. */
export function end(conn: number, how: PageEnd['how'], message?: string): void {
  const time = clock();
  const act = quietly(() => endNow(conn, time, message === undefined ? { how } : { how, message }));
  // bodies of a document that is going break off a moment before a pagehide listener that is not the first
  if (how === 'network-error') startTimer(act);
  else act();
}

/** Copies the bytes at once: the page may transfer or overwrite them. A chunk that does not fit is noted in pieces with the same times. */
export const chunk = quietly((conn: number, asked: number, bytes: Uint8Array) => {
  if (!open) return;
  const time = clock();
  const size = $TypedArray.byteLength(bytes);
  if (isFull()) {
    losses[conn] ??= { bytes: 0, chunks: 0, why: 'the page was too busy' };
    const loss = losses[conn];
    loss.bytes += size;
    loss.chunks += 1;
    return;
  }
  tellLoss(conn, time);
  let from = 0;
  do {
    const length = min(size - from, ROOM - used);
    if (length) $TypedArray.set(room, length < size ? $TypedArray.subarray(bytes, from, from + length) : bytes, used);
    used += length;
    from += length;
    push(meta, conn, 'chunk', time, asked, length);
    if (used === ROOM) pack();
  } while (from < size);
  settle(time);
});

// both scripts run before the page's first: whichever is second finds the other listening
listen(win, READY, offer, { once: true });
listen(win, 'pagehide', leave, true);
offer();

port1.onmessage = (event) => {
  const answer: unknown = $MessageEvent.data(event);
  if (answer === RELAY_OFF) {
    open = false;
    kept.length = keptSize = unsent = 0;
  } else while (kept.length && (kept[0] as Kept).batch.no <= (answer as number)) drop();
};
