/**
 * Isolated world, document_start, every frame: takes the hook's batches and keeps each until the worker has journaled it. Speaks
 * only when there is something to send, so an idle page wakes no worker.
 *
 * The browser's own extension API is used as it is: this script runs in every frame, webextension-polyfill would cost each 10 kB,
 * and of that API it needs one function that is the same everywhere.
 */
import { WORD } from '../wire/hold.ts';
import { isHandOver, isPageBatch } from '../wire/page-batch.ts';
import { OFFER, READY, RELAY_OFF } from '../wire/page-to-relay.ts';
import { isRelayAck, RELAY_PORT, type RelayMessage, SHOWN } from '../wire/relay-to-worker.ts';
import { createStore } from './store.ts';

interface RuntimePort {
  postMessage(message: RelayMessage): void;
  disconnect(): void;
  readonly onMessage: { addListener(listener: (message: unknown) => void): void };
  readonly onDisconnect: { addListener(listener: () => void): void };
}
interface Runtime {
  /** Gone once the extension was reloaded or removed. */
  readonly id?: string;
  readonly lastError?: unknown;
  connect(info: { name: string }): RuntimePort;
}
const scope = globalThis as { readonly browser?: { readonly runtime: Runtime }; readonly chrome?: { readonly runtime: Runtime } };
const runtime = (scope.browser ?? scope.chrome)?.runtime;

/** Firefox only: copies a value into a world. */
declare const cloneInto: undefined | (<T>(value: T, into: object) => T);

/** In Firefox a page's values are seen through a veil that no typed array passes, so they are copied into this world first. */
function own(value: unknown): unknown {
  try {
    return typeof cloneInto === 'function' ? cloneInto(value, globalThis) : value;
  } catch {
    // a page's forgery that cannot be copied
    return null;
  }
}

/** Batches that wait no longer for an idle moment of the page, and ms after which none does. */
const WAITING = 64;
const PATIENCE = 100;
/** Ms before a lost connection is made again: a worker that cannot start is asked less and less often. */
const RETRY = 50;
const RETRY_MOST = 5000;

// randomUUID is for secure contexts; a page enabled by hand may not be one
const makeDoc = () => Array.from(crypto.getRandomValues(new Uint32Array(4)), (part) => part.toString(16).padStart(8, '0')).join('');
let doc = makeDoc();
const store = createStore();
let port: RuntimePort | null = null;
let hook: MessagePort | null = null;
let token = '';
let retry = RETRY;
let waitingSince = 0;
let retired = false;
/** When the document came on show, ms since the epoch. */
let shown = performance.timeOrigin;

/** The extension was reloaded, or the origin is not captured any more: nothing is sent any more from this document. */
function retire(): void {
  retired = true;
  port?.disconnect();
  port = null;
  store.clear();
  hook?.postMessage(RELAY_OFF);
  hook?.close();
  removeEventListener(OFFER, onOffer, true);
  removeEventListener('pagehide', sendAll, true);
  removeEventListener('pageshow', onPageShow, true);
}

function connect(): void {
  try {
    if (!runtime?.id) throw new Error('context invalidated');
    port = runtime.connect({ name: RELAY_PORT });
  } catch {
    retire();
    return;
  }
  const mine = port;
  store.rewind();
  mine.onMessage.addListener((message) => {
    if (!isRelayAck(message, doc)) return;
    retry = RETRY;
    store.ack(message.acked);
    if (message.off) retire();
  });
  mine.onDisconnect.addListener(() => {
    // asked for, or the browser writes it to the extension's error page
    void runtime?.lastError;
    if (port !== mine) return;
    port = null;
    if (!store.size()) return;
    setTimeout(resume, retry);
    retry = Math.min(retry * 2, RETRY_MOST);
  });
}

/** Posts all that waits, at once. */
function sendAll(): void {
  waitingSince = 0;
  if (retired || !store.waiting() || isPrerendering()) return;
  if (!port) connect();
  for (let next = port && store.next(); next; next = store.next()) {
    try {
      port?.postMessage({ doc, url: location.href, timeOrigin: shown, ...next });
    } catch {
      // the port went away under us: sent again after the reconnect
      return;
    }
  }
}

/** Sends again what was not acknowledged, if the connection is gone and there is anything. */
function resume(): void {
  if (retired || port || !store.size()) return;
  store.rewind();
  sendAll();
}

function tellShown(time: number): void {
  shown = time;
  (globalThis as unknown as Record<string, number>)[SHOWN] = time;
}

/** A page that may never be shown: what it has stays here until it is, because until then its tab shows another one. */
function isPrerendering(): boolean {
  return (document as { prerendering?: boolean }).prerendering === true;
}

/** Back from the cache, the document is a page that was navigated to just now. */
function onPageShow(event: PageTransitionEvent): void {
  if (event.isTrusted && event.persisted) {
    // the browser closed it when the page went into the cache, and does not always tell this end
    port?.disconnect();
    port = null;
    // what was not acknowledged is of the document that was left: sent once more under its name, or it would come as this one's
    resume();
    store.clear();
    doc = makeDoc();
    tellShown(performance.timeOrigin + performance.now());
  }
  resume();
}

function onActivated(event: Event): void {
  if (!event.isTrusted) return;
  tellShown(performance.timeOrigin + performance.now());
  sendAll();
}

/** What came in one go leaves in one message, when the page has nothing better to do. */
function sendSoon(): void {
  const time = performance.now();
  if (waitingSince && (store.waiting() >= WAITING || time - waitingSince > PATIENCE)) {
    sendAll();
    return;
  }
  if (waitingSince) return;
  waitingSince = time;
  if (typeof scheduler === 'undefined') setTimeout(sendAll);
  else void scheduler.postTask(sendAll, { priority: 'background' });
}

function take(batch: unknown): void {
  if (retired || !isPageBatch(batch) || !store.add(batch)) return;
  sendSoon();
}

function takePort(offered: MessagePort, word: unknown): void {
  hook = offered;
  token = typeof word === 'string' ? word : '';
  (globalThis as unknown as Record<string, string>)[WORD] = token;
  offered.onmessage = ({ data: theirs }) => {
    const data = own(theirs);
    take(data);
    // an invalid batch can only come from a hook that is broken: confirming it keeps the hook from keeping it
    if (!retired) offered.postMessage((data as { no?: unknown } | null)?.no);
    arm();
  };
}

/** The hook's port, or what it still had when its document went. Anything else under this name is a page's: it gets no sign of us. */
function onOffer(event: Event): void {
  if (!(event instanceof MessageEvent) || retired) return;
  const [offered] = event.ports;
  const isPort = offered !== undefined && !hook;
  const data = offered === undefined ? own(event.data) : null;
  const last = token !== '' && isHandOver(data, token) ? data : null;
  if (!isPort && !last) return;
  event.stopImmediatePropagation();
  event.preventDefault();
  if (isPort) takePort(offered, event.data);
  else if (last) {
    for (const batch of last.batches) take(batch);
    sendAll();
  }
}

/** Again and again, because `document.open()` strips a window of its listeners; a listener that is there is not added twice. */
function arm(): void {
  addEventListener(OFFER, onOffer, true);
  addEventListener('pagehide', sendAll, true);
  addEventListener('pageshow', onPageShow, true);
}

arm();
if (isPrerendering()) document.addEventListener('prerenderingchange', onActivated, { capture: true, once: true });
dispatchEvent(new Event(READY));
