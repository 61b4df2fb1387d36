/** What a replay needs of the browser: the two scripts in the inspected page, their ports, and the registration for a reload. */
import { type FromHold, type Hello, HOLD_PORT, isFromHold, isHello, OWN_SECRET, SECRET, type ToHold } from '../wire/hold.ts';
import { ARMED_PORT, heldScripts } from '../wire/worker-to-panel.ts';
import browser from './browser.ts';
import { createLivePort, type LivePort } from './ports.ts';

/** In the build under these names (scripts/vite-hold.ts). */
const HOLD = 'src/page/hold.iife.js';
const RELAY = 'src/relay/hold-relay.iife.js';

/** One document of the inspected tab that is linked to the panel. */
export interface HoldFrame {
  /** The browser's number of the frame, 0 for the page itself. */
  readonly frame: number;
  readonly url: string;
  /** It was armed before its document was loaded. */
  readonly kept: boolean;
  readonly send: (message: ToHold) => void;
}

export interface HoldEvents {
  readonly onFrame: (frame: HoldFrame) => void;
  /** A document is there in which Runlens was not from the start. */
  readonly onDeaf: (frame: number) => void;
  readonly onMessage: (frame: HoldFrame, message: FromHold) => void;
  readonly onGone: (frame: HoldFrame) => void;
}

export interface HoldLine {
  /** Puts the scripts into every frame of the page as it is now. Rejects with the browser's words where it may not. */
  readonly enter: () => Promise<void>;
  /** Whether pages of this origin hold from their first script on, where this tab left a baton. */
  readonly keep: (origin: string | null) => Promise<void>;
  /** Whether the badge says that the tab is armed. */
  readonly badge: (armed: boolean) => void;
}

type Sender = { readonly tab?: { readonly id?: number }; readonly frameId?: number; readonly documentId?: string };
type Script = Parameters<typeof browser.scripting.registerContentScripts>[0][number];

/** Begins to listen for the documents of a tab. */
export function openHold(tab: number, events: HoldEvents): HoldLine {
  const secret = crypto.randomUUID();
  const [main, isolated] = heldScripts(tab);
  const unregister = () => browser.scripting.unregisterContentScripts({ ids: [main, isolated] }).catch(() => undefined);
  let port: LivePort | null = null;
  let armed = false;
  const tell = () => port?.send({ armed });

  const connect = ({ frameId: frame = 0, documentId }: Sender, { url, kept }: Hello) => {
    // of the document that said hello, or a frame that was navigated meanwhile would be taken for it
    const port = browser.tabs.connect(tab, { name: HOLD_PORT + secret, ...(documentId ? { documentId } : { frameId: frame }) } as object);
    const mine: HoldFrame = {
      ...{ frame, url, kept },
      send: (message) => {
        try {
          port.postMessage(message);
        } catch {
          // the document went; onDisconnect follows
        }
      },
    };
    port.onMessage.addListener((message: unknown) => {
      if (isFromHold(message)) events.onMessage(mine, message);
    });
    port.onDisconnect.addListener(() => {
      void browser.runtime.lastError;
      events.onGone(mine);
    });
    events.onFrame(mine);
  };
  browser.runtime.onMessage.addListener((message: unknown, from: unknown) => {
    const sender = from as Sender;
    if (!isHello(message) || sender.tab?.id !== tab || message.secret !== secret) return undefined;
    if (message.heard) connect(sender, message);
    else events.onDeaf(sender.frameId ?? 0);
    return undefined;
  });
  void unregister();

  return {
    enter: async () => {
      const target = { tabId: tab, allFrames: true };
      const define = (name: string, value: string) => {
        Object.defineProperty(globalThis, name, { value, configurable: true });
      };
      await browser.scripting.executeScript({ target, world: 'MAIN', func: define, args: [SECRET, secret] });
      await browser.scripting.executeScript({ target, func: define, args: [OWN_SECRET, secret] });
      await browser.scripting.executeScript({ target, world: 'MAIN', files: [HOLD] });
      await browser.scripting.executeScript({ target, files: [RELAY] });
    },
    keep: async (origin) => {
      await unregister();
      if (origin === null) return;
      const { protocol, hostname } = new URL(origin);
      const at = { matches: [`${protocol}//${hostname}/*`], runAt: 'document_start', persistAcrossSessions: false } as const;
      await browser.scripting.registerContentScripts([
        { ...at, id: main, js: [HOLD], world: 'MAIN' } as unknown as Script,
        { ...at, id: isolated, js: [RELAY] } as unknown as Script,
      ]);
    },
    badge: (on) => {
      armed = on;
      // opened once: when it ends, the worker knows that the panel is gone
      port ??= createLivePort({ name: ARMED_PORT + tab, onConnect: () => queueMicrotask(tell) });
      tell();
    },
  };
}
