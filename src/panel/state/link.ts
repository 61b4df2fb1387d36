/** The panel's line to the worker, behind an interface: the real port, or a fake in tests and in the gallery. */
import { type Signal, signal } from '@preact/signals';
import type { HoldEvents, HoldLine } from '../../browser/hold.ts';
import type { CaptureRecord } from '../../capture/types.ts';
import type { Command, SessionId, ToPanel } from '../../wire/worker-to-panel.ts';
import type { PanelsTheme } from './theme.ts';

export interface PanelLink {
  readonly session: SessionId;
  readonly connected: Signal<boolean>;
  /** Resolves with the worker's answer; rejects with its error, or when the line was cut before an answer came. What is sent while there is no line waits for it. */
  readonly send: (command: Command) => Promise<unknown>;
  readonly onMessage: (listener: (message: ToPanel) => void) => void;
  /** Cuts and connects anew: the worker then sends everything again. */
  readonly renew: () => void;
  readonly close: () => void;
}

/** Where the panel runs: what it may ask of the browser. */
export interface Platform {
  readonly session: SessionId;
  /** Version of the extension, for the head of a capture file. */
  readonly version: string;
  readonly panels: PanelsTheme | null;
  readonly connect: (session: SessionId) => PanelLink;
  /** Bytes from the journal; null where it cannot be read from here. */
  readonly readBytes: (session: SessionId, conn: number, offset: number, length: number) => Promise<Uint8Array | null>;
  readonly readRecords: (session: SessionId) => AsyncIterable<CaptureRecord>;
  readonly save: (settings: unknown) => void;
  /** Asks for, or gives back, the right to capture an origin. Must be called in a click. */
  readonly allow: (origin: string) => Promise<boolean>;
  readonly forbid: (origin: string) => Promise<boolean>;
  readonly reload: (() => void) | null;
  /** Opens the way into the inspected page, for a replay; null where there is no page. */
  readonly hold?: ((events: HoldEvents) => Promise<HoldLine>) | null;
  readonly locale?: string;
}

/** What a line tells: connected (again), a message, cut. */
export interface LineEvents {
  readonly onConnect: () => void;
  readonly onMessage: (message: unknown) => void;
  readonly onDisconnect: () => void;
}

/** A line that comes back by itself when it was cut. */
export interface Line {
  readonly send: (message: unknown) => void;
  readonly close: () => void;
}

type Waiting = { readonly resolve: (value: unknown) => void; readonly reject: (error: Error) => void };

const CUT = 'The connection to the extension was cut before it answered.';

/** A link over a line: commands are matched with their answers, and those a cut left without one are refused. */
export function createLink(session: SessionId, open: (events: LineEvents) => Line): PanelLink {
  const connected = signal(false);
  const listeners: ((message: ToPanel) => void)[] = [];
  const waiting = new Map<number, Waiting>();
  /** Commands given while there is no line, for the next one. */
  const held: unknown[] = [];
  let up = false;
  let next = 1;
  let life = 0;

  const dropped = () => {
    connected.value = false;
    up = false;
    held.length = 0;
    for (const { reject } of waiting.values()) reject(new Error(CUT));
    waiting.clear();
  };
  const take = (message: ToPanel) => {
    if (message.kind === 'done') {
      const one = waiting.get(message.id);
      waiting.delete(message.id);
      if (message.error === null) one?.resolve(message.value);
      else one?.reject(new Error(message.error));
      return;
    }
    if (message.kind === 'reset') connected.value = true;
    for (const listener of listeners) listener(message);
  };
  const begin = (): Line => {
    const mine = ++life;
    const alive = (run: () => void) => {
      if (mine === life) run();
    };
    const begun = () => {
      up = true;
      for (const message of held.splice(0)) line.send(message);
    };
    return open({ onConnect: () => alive(begun), onMessage: (message) => alive(() => take(message as ToPanel)), onDisconnect: () => alive(dropped) });
  };
  // listeners are added after this returns: a line may only speak later
  let line = begin();

  return {
    session,
    connected,
    send: (command) =>
      new Promise((resolve, reject) => {
        const id = next++;
        waiting.set(id, { resolve, reject });
        const message = { kind: 'command', id, command };
        if (up) line.send(message);
        else held.push(message);
      }),
    onMessage: (listener) => void listeners.push(listener),
    renew: () => {
      dropped();
      line.close();
      line = begin();
    },
    close: () => {
      life++;
      dropped();
      line.close();
    },
  };
}
