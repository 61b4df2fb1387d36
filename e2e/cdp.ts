/**
 * Chromium started by hand and spoken to over raw CDP. Playwright attaches to every service worker, and a worker that somebody is
 * attached to never idles; here nothing is attached but what the caller names.
 */
import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { rmSync } from 'node:fs';
import type { Readable } from 'node:stream';
import { extensionArgs, makeProfile } from './browser.ts';
import { chromiumPath } from './chromium.ts';

export interface Target {
  readonly targetId: string;
  readonly type: string;
  readonly url: string;
  readonly attached: boolean;
}

export interface RawBrowser {
  readonly targets: () => Promise<readonly Target[]>;
  /** Ids of all service workers of the extension that were ever there; each start of a worker is a new target. */
  readonly lives: () => readonly string[];
  /** Attaches to a target; the answer evaluates expressions in it. */
  readonly attach: (targetId: string) => Promise<Evaluate>;
  /** Opens a tab and gives its target id. */
  readonly open: (url: string) => Promise<string>;
  readonly shut: (targetId: string) => Promise<void>;
  readonly close: () => Promise<void>;
}

/** Evaluates an expression (promises awaited) and gives its JSON value. */
export type Evaluate = <T>(expression: string) => Promise<T>;

interface Message {
  readonly id?: number;
  readonly method?: string;
  readonly params?: { readonly targetInfo?: Target; readonly sessionId?: string };
  readonly result?: Record<string, unknown>;
  readonly error?: { readonly message: string };
}

interface Connection {
  readonly send: (method: string, params?: object, sessionId?: string) => Promise<Record<string, unknown>>;
  readonly close: () => void;
}

interface Pending {
  readonly sessionId: string | undefined;
  readonly answer: (message: Pick<Message, 'result' | 'error'>) => void;
}

/** Commands that can get no answer any more, since their socket or their session is gone, are refused. */
function connect(url: string, hear: (message: Message) => void): Promise<Connection> {
  const socket = new WebSocket(url);
  const waiting = new Map<number, Pending>();
  let last = 0;
  const refuse = (message: string, concerns: (one: Pending) => boolean) => {
    for (const one of waiting.values()) if (concerns(one)) one.answer({ error: { message } });
  };
  socket.onmessage = ({ data }) => {
    const message = JSON.parse(String(data)) as Message;
    if (message.id !== undefined) waiting.get(message.id)?.answer(message);
    else hear(message);
    const gone = message.method === 'Target.detachedFromTarget' ? message.params?.sessionId : undefined;
    if (gone) refuse('The target is gone.', ({ sessionId }) => sessionId === gone);
  };
  socket.onclose = () => refuse('The CDP connection is closed.', () => true);
  const send = (method: string, params: object = {}, sessionId?: string) =>
    new Promise<Record<string, unknown>>((resolve, reject) => {
      const id = ++last;
      const answer: Pending['answer'] = ({ result, error }) => {
        waiting.delete(id);
        if (error) reject(new Error(`${method}: ${error.message}`));
        else resolve(result ?? {});
      };
      if (socket.readyState !== WebSocket.OPEN) return answer({ error: { message: 'The CDP connection is closed.' } });
      waiting.set(id, { sessionId, answer });
      socket.send(JSON.stringify({ id, method, params, ...(sessionId ? { sessionId } : {}) }));
    });
  return new Promise((resolve, reject) => {
    socket.onopen = () => resolve({ send, close: () => socket.close() });
    socket.onerror = () => reject(new Error('No CDP connection.'));
  });
}

/** How long Chromium may take to say where it listens, and to end when told to, ms. */
const HANG = 30_000;

/** Where a Chromium that was just started listens; rejects with what it said when it ends or says nothing. */
function endpointOf(child: ChildProcessByStdio<null, null, Readable>): Promise<string> {
  return new Promise((found, fail) => {
    let said = '';
    const late = setTimeout(() => {
      child.kill('SIGKILL');
      fail(new Error(`Chromium did not say where it listens within ${HANG / 1000} s: ${said.slice(-500)}`));
    }, HANG);
    child.stderr.on('data', (part: Buffer) => {
      said += part.toString();
      const address = /DevTools listening on (ws:\S+)/.exec(said)?.[1];
      if (!address) return;
      clearTimeout(late);
      found(address);
    });
    child.once('exit', () => {
      clearTimeout(late);
      fail(new Error(`Chromium ended at once: ${said.slice(-500)}`));
    });
  });
}

/** Starts headless Chromium with the extension on a page, DevTools open from the start unless told otherwise. */
export async function launchRaw(url: string, devtools = true): Promise<RawBrowser> {
  const profile = makeProfile();
  const flags = ['--headless=new', '--remote-debugging-port=0', '--no-first-run', '--disable-gpu', '--window-size=1400,900'];
  if (devtools) flags.push('--auto-open-devtools-for-tabs');
  if (process.getuid?.() === 0) flags.push('--no-sandbox');
  const child = spawn(chromiumPath(), [...flags, `--user-data-dir=${profile}`, ...extensionArgs(), url], { stdio: ['ignore', 'ignore', 'pipe'] });
  const gone = new Promise<void>((done) => child.once('exit', () => done()));
  const endpoint = await endpointOf(child);
  const lives = new Set<string>();
  const cdp = await connect(endpoint, ({ method, params }) => {
    const seen = method === 'Target.targetCreated' ? params?.targetInfo : undefined;
    if (seen?.type === 'service_worker' && seen.url.startsWith('chrome-extension:')) lives.add(seen.targetId);
  });
  await cdp.send('Target.setDiscoverTargets', { discover: true });
  const attach = async (targetId: string): Promise<Evaluate> => {
    const { sessionId } = (await cdp.send('Target.attachToTarget', { targetId, flatten: true })) as { sessionId: string };
    return async <T>(expression: string) => {
      const answer = await cdp.send('Runtime.evaluate', { expression, awaitPromise: true, returnByValue: true }, sessionId);
      const { result, exceptionDetails } = answer as { result: { value: T }; exceptionDetails?: { text: string; exception?: { description?: string } } };
      if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
      return result.value;
    };
  };
  const close = async () => {
    const late = setTimeout(() => child.kill('SIGKILL'), HANG);
    await Promise.race([cdp.send('Browser.close').catch(() => undefined), gone]);
    cdp.close();
    await gone;
    clearTimeout(late);
    rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
  };
  const open = async (address: string) => ((await cdp.send('Target.createTarget', { url: address })) as { targetId: string }).targetId;
  const shut = async (targetId: string) => void (await cdp.send('Target.closeTarget', { targetId }));
  return {
    open,
    shut,
    lives: () => [...lives],
    targets: async () => ((await cdp.send('Target.getTargets')) as { targetInfos: Target[] }).targetInfos,
    attach,
    close,
  };
}
