/** The devtools page's entry: makes the panel, keeps the worker awake while DevTools is open, tells it of navigations and of what the network log has. */
import browser from '../browser/browser.ts';
import { isCaptured } from '../browser/captured.ts';
import { createLivePort } from '../browser/ports.ts';
import { type DevtoolsMessage, isLoggedAck, type LoggedExchange } from '../wire/devtools-to-worker.ts';
import { SHOWN } from '../wire/relay-to-worker.ts';
import { DEVTOOLS_PORT } from '../wire/worker-to-panel.ts';
import { contentOf, type RawEntry, readAll } from './har.ts';
import { createNetworkLog } from './network-log.ts';

/** The browser stops an idle worker after 30 s; a stop would be survived, but tears a live session. */
const PING = 20_000;
/** Waits between asking a page that was just navigated to: DevTools hears of its content scripts a little later than of itself. */
const WAITS = [0, 20, 50, 100, 200];
/** Waits until it is believed that none run there. */
const LONG_WAITS = [500, 1_000, 2_000];
/** Scripts of the extension as it was before an update still answer, but have lost their runtime. */
const OWN = `(globalThis.browser ?? globalThis.chrome)?.runtime?.id ? [globalThis.${SHOWN} ?? performance.timeOrigin, location.href] : null`;
/** Ms after which an answer is given up, so that nothing hangs on it. */
const PATIENCE = 1_000;

const { devtools } = browser;

// both browsers take these paths from the extension's root when they begin with a slash
void devtools.panels.create('Runlens', '/public/icons/32.png', '/src/panel/panel.html');

let asked = 0;
let handed = 0;
/** Exchanges that the worker has not journaled yet. */
const unacked = new Map<number, LoggedExchange>();

const port = createLivePort({
  name: `${DEVTOOLS_PORT}tab:${devtools.inspectedWindow.tabId}`,
  onConnect: () =>
    void tellPage(false).then(() => {
      for (const exchange of unacked.values()) port.send(exchange);
    }),
  onMessage: (message) => {
    if (isLoggedAck(message)) unacked.delete(message.no);
  },
});

const log = createNetworkLog({
  extension: browser.runtime.getURL(''),
  contentOf,
  readAll,
  pageOrigin: async () => {
    const origin = await evaluate('location.origin', false);
    return typeof origin === 'string' && origin.startsWith('http') ? origin : null;
  },
  isCaptured,
  deliver: (key, records) => {
    handed += 1;
    const exchange: LoggedExchange = { kind: 'exchange', no: handed, key, records };
    unacked.set(handed, exchange);
    port.send(exchange);
  },
  every: (ms, run) => {
    const timer = setInterval(run, ms);
    return () => clearInterval(timer);
  },
  wait: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
  now: () => Date.now(),
  word: crypto.randomUUID(),
});

/** Begins to ping, unless `noPing` in storage.local says not to: tests of the worker's death need it gone. */
async function keepAwake(): Promise<void> {
  const { noPing } = await browser.storage.local.get('noPing');
  if (noPing === true) return;
  setInterval(() => port.send({ kind: 'ping' } satisfies DevtoolsMessage), PING);
}

/** The page is asked in our own content script's world, where it can neither notice nor answer; where none runs, only its URL is. */
async function tellPage(navigated: boolean, knownUrl?: string): Promise<void> {
  const mine = ++asked;
  const own = await askOwn(mine, WAITS);
  const there = own?.[1] ?? (await hrefOf(mine, knownUrl === undefined ? LONG_WAITS : []));
  const url = knownUrl ?? there;
  // another navigation came meanwhile: it is the one to be told
  if (mine !== asked || typeof url !== 'string') return;
  tell({ url, timeOrigin: own?.[0] ?? null, heard: own === null ? null : true, navigated });
  // where the browser shows a page of its own, its address is none of the web
  if (own !== null || typeof there !== 'string' || !there.startsWith('http')) return;
  const late = await askOwn(mine, LONG_WAITS);
  if (mine === asked) tell({ url, timeOrigin: late?.[0] ?? null, heard: late !== null, navigated: false });
}

function tell(page: Omit<Extract<DevtoolsMessage, { kind: 'page' }>, 'kind'>): void {
  port.send({ kind: 'page', ...page } satisfies DevtoolsMessage);
}

/** When the document came on show, and its URL; null where our scripts do not answer within these waits. */
async function askOwn(mine: number, waits: readonly number[]): Promise<[shown: number, url: string] | null> {
  for (const wait of waits) {
    if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait));
    const own = await evaluate(OWN, true);
    if (mine !== asked) return null;
    if (Array.isArray(own) && typeof own[0] === 'number' && typeof own[1] === 'string') return [own[0], own[1]];
  }
  return null;
}

/** The page's address, of a page that is too busy to answer at once asked again after these waits. */
async function hrefOf(mine: number, waits: readonly number[]): Promise<unknown> {
  for (const wait of [0, ...waits]) {
    if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait));
    const href = await evaluate('location.href', false);
    if (href !== undefined || mine !== asked) return href;
  }
  return undefined;
}

type Evaluate = (expression: string, options: object, callback: (value: unknown, exception: unknown) => void) => unknown;

/** The value of an expression in the inspected page; undefined when it could not be evaluated. */
function evaluate(expression: string, useContentScriptContext: boolean): Promise<unknown> {
  // Chromium's own `browser` takes a callback here and answers no promise
  const run = devtools.inspectedWindow.eval as unknown as Evaluate;
  return new Promise((resolve) => {
    setTimeout(resolve, PATIENCE);
    try {
      run.call(devtools.inspectedWindow, expression, useContentScriptContext ? { useContentScriptContext } : {}, (value, exception) =>
        resolve(exception === undefined || exception === null ? value : undefined),
      );
    } catch {
      resolve(undefined);
    }
  });
}

devtools.network.onNavigated.addListener((url) => {
  log.navigated();
  void tellPage(true, url);
});
devtools.network.onRequestFinished.addListener((entry) => void log.finished(entry as unknown as RawEntry));
browser.permissions.onAdded.addListener(() => void log.enabled());
void keepAwake();
