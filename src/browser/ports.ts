/** Runtime ports that come back: a port is connected anew when its other end, mostly a stopped worker, went away. */
import type { Runtime } from 'webextension-polyfill';
import browser from './browser.ts';
import { offerChannel } from './channels.ts';

export interface LivePort {
  /** Sends at once; a message that could not be sent is lost, the answer to `onConnect` is to begin anew. */
  readonly send: (message: unknown) => void;
  readonly close: () => void;
}

export interface LivePortOptions {
  readonly name: string;
  /** Called with each fresh connection, the first included. */
  readonly onConnect?: () => void;
  readonly onMessage?: (message: unknown) => void;
  readonly onDisconnect?: () => void;
  /** Messages go by a channel straight to the service worker, where there is one; of what is sent that way, this keeps the worker awake, by the port. */
  readonly straight?: { readonly ping: unknown };
}

const FIRST_WAIT = 50;
const LONGEST_WAIT = 2_000;
/** What comes by a channel does not count as work for a worker that would stop after 30 s. */
const PING = 10_000;

/** The extension's service worker, or null where it has none (Firefox). */
async function findWorker(): Promise<ServiceWorker | null> {
  const { background } = browser.runtime.getManifest();
  if (!background || !('service_worker' in background)) return null;
  try {
    return (await navigator.serviceWorker.getRegistration())?.active ?? null;
  } catch {
    return null;
  }
}

/** Keeps a port of that name connected until closed; waits 50 ms to 2 s between attempts. */
export function createLivePort({ name, onConnect, onMessage, onDisconnect, straight }: LivePortOptions): LivePort {
  let worker: ServiceWorker | null = null;
  let port: Runtime.Port | null = null;
  let end: MessagePort | null = null;
  let pinged = Number.NEGATIVE_INFINITY;
  let closed = false;
  let wait = FIRST_WAIT;
  // what is sent while the worker is looked for
  let early: unknown[] | null = straight ? [] : null;

  const retry = () => {
    port = null;
    end?.close();
    end = null;
    if (closed) return;
    setTimeout(connect, wait);
    wait = Math.min(LONGEST_WAIT, wait * 2);
  };
  const connect = () => {
    if (closed || port) return;
    try {
      const offer = worker ? offerChannel(worker, name) : null;
      const fresh = browser.runtime.connect({ name: offer?.name ?? name });
      port = fresh;
      end = offer?.end ?? null;
      const take = (message: unknown) => {
        wait = FIRST_WAIT;
        if (port === fresh) onMessage?.(message);
      };
      fresh.onMessage.addListener(take);
      if (end) end.onmessage = ({ data }) => take(data);
      fresh.onDisconnect.addListener(() => {
        // asked for, or the browser writes it to the extension's error page
        void browser.runtime.lastError;
        if (port !== fresh) return;
        onDisconnect?.();
        retry();
      });
      onConnect?.();
    } catch {
      retry();
    }
  };
  const send = (message: unknown) => {
    if (early) {
      early.push(message);
      return;
    }
    try {
      (end ?? port)?.postMessage(message);
      if (!end || performance.now() - pinged < PING) return;
      pinged = performance.now();
      port?.postMessage(straight?.ping);
    } catch {
      // the port died between its end and our hearing of it; onDisconnect connects anew
    }
  };
  if (straight)
    void findWorker().then((found) => {
      worker = found;
      connect();
      const waiting = early ?? [];
      early = null;
      for (const message of waiting) send(message);
    });
  else connect();

  return {
    send,
    close: () => {
      closed = true;
      port?.disconnect();
      end?.close();
      port = null;
      end = null;
    },
  };
}
