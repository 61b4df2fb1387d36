/** Runtime ports that come back: a port is connected anew when its other end, mostly a stopped worker, went away. */
import type { Runtime } from 'webextension-polyfill';
import browser from './browser.ts';

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
}

const FIRST_WAIT = 50;
const LONGEST_WAIT = 2_000;

/** Keeps a port of that name connected until closed; waits 50 ms to 2 s between attempts. */
export function createLivePort({ name, onConnect, onMessage, onDisconnect }: LivePortOptions): LivePort {
  let port: Runtime.Port | null = null;
  let closed = false;
  let wait = FIRST_WAIT;

  const retry = () => {
    port = null;
    if (closed) return;
    setTimeout(connect, wait);
    wait = Math.min(LONGEST_WAIT, wait * 2);
  };
  const connect = () => {
    if (closed || port) return;
    try {
      const fresh = browser.runtime.connect({ name });
      port = fresh;
      fresh.onMessage.addListener((message) => {
        wait = FIRST_WAIT;
        if (port === fresh) onMessage?.(message);
      });
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
  connect();

  return {
    send: (message) => {
      try {
        port?.postMessage(message);
      } catch {
        // the port died between its end and our hearing of it; onDisconnect connects anew
      }
    },
    close: () => {
      closed = true;
      port?.disconnect();
      port = null;
    },
  };
}
