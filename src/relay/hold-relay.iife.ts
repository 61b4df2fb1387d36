/**
 * Isolated world, only while a replay is armed in this tab: passes what the panel and the hold script of this frame have to say to
 * each other, and keeps the tab armed over a reload where the panel asks for that: at pagehide the rules go into sessionStorage, from
 * where they are taken before the next document's first script. What is there is this tab's and this origin's alone.
 */
import { BATON, type Hello, HOLD_PORT, type HoldRule, OWN_SECRET, readBaton, type ToHold, WORD } from '../wire/hold.ts';

interface RuntimePort {
  readonly name: string;
  postMessage(message: unknown): void;
  readonly onMessage: { addListener(listener: (message: unknown) => void): void };
  readonly onDisconnect: { addListener(listener: () => void): void };
}
interface Runtime {
  readonly lastError?: unknown;
  sendMessage(message: unknown): Promise<unknown>;
  readonly onConnect: { addListener(listener: (port: RuntimePort) => void): void };
}
const scope = globalThis as unknown as Record<string, unknown> & { browser?: { runtime: Runtime }; chrome?: { runtime: Runtime } };
const runtime = (scope.browser ?? scope.chrome)?.runtime as Runtime;

/** Ms within which a panel that is there has connected. */
const PATIENCE = 3_000;

function takeBaton() {
  try {
    const text = sessionStorage.getItem(BATON);
    if (text !== null) sessionStorage.removeItem(BATON);
    return readBaton(text);
  } catch {
    // a document without storage
    return null;
  }
}

function greet(secret: string, kept: boolean, heard: boolean): void {
  const hello: Hello = { kind: 'hello', secret, url: location.href, kept, heard };
  // nobody there to hear it: what is held is let go after the relay's patience
  runtime.sendMessage(hello).catch(() => undefined);
}

/** Links the frame's hold script to the panel. `word` is how the hook is spoken to, `held` what is held before the panel has said so. */
function link(secret: string, word: string, held: readonly HoldRule[]): void {
  const { port1: hold, port2 } = new MessageChannel();
  const waiting: unknown[] = [];
  let panel: RuntimePort | null = null;
  let keep: readonly HoldRule[] = [];
  const tell = (message: ToHold) => hold.postMessage(message);
  const say = (message: unknown) => {
    try {
      if (panel) panel.postMessage(message);
      else waiting.push(message);
    } catch {
      // the panel is gone, which the hold script is being told
    }
  };
  const onGone = () => {
    void runtime.lastError;
    panel = null;
    keep = [];
    tell({ kind: 'gone' });
  };
  runtime.onConnect.addListener((port) => {
    if (port.name !== HOLD_PORT + secret) return;
    panel = port;
    port.onMessage.addListener((value) => {
      const message = value as ToHold;
      if (message.kind === 'rules') keep = message.keep ? message.rules : [];
      tell(message);
    });
    port.onDisconnect.addListener(onGone);
    for (const message of waiting.splice(0)) say(message);
  });
  setTimeout(() => {
    if (!panel) onGone();
  }, PATIENCE);
  hold.onmessage = ({ data }) => say(data);
  addEventListener(
    'pagehide',
    (event) => {
      if (!event.isTrusted) return;
      // a document in the back/forward cache must come back unarmed
      tell({ kind: 'rules', id: 0, rules: [], keep: false });
      try {
        if (keep.length > 0) sessionStorage.setItem(BATON, JSON.stringify({ secret, rules: keep }));
      } catch {
        // no storage, or none left: the panel says that it was not kept
      }
    },
    true,
  );
  addEventListener(
    'pageshow',
    (event) => {
      // back from the cache, in the tab that left it: whether it is still armed the panel knows
      if (event.isTrusted && event.persisted && takeBaton()) greet(secret, true, true);
    },
    true,
  );
  dispatchEvent(new MessageEvent(secret, { data: { word, rules: held }, ports: [port2] }));
}

function begin(): void {
  const baton = takeBaton();
  const own = scope[OWN_SECRET];
  delete scope[OWN_SECRET];
  const kept = typeof own !== 'string';
  const secret = kept ? baton?.secret : own;
  if (!secret) return;
  const word = scope[WORD];
  const heard = typeof word === 'string' && word !== '';
  if (heard) link(secret, word, kept ? (baton?.rules ?? []) : []);
  greet(secret, kept, heard);
}

begin();
