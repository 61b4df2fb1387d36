/** A page that means harm. It may fool itself; the browser, the panel and the next good run must not notice. */
import type { BrowserContext, Frame, Page } from '@playwright/test';
import { openPanel } from './browser.ts';
import { expect, test } from './fixtures.ts';
import { root, showTab, summaryOf } from './panel.ts';

/** Everything that reached an error console of the extension: worker, panel, DevTools page and content scripts. */
async function extensionErrors(context: BrowserContext, id: string): Promise<string[]> {
  const page = await context.newPage();
  await page.goto('chrome://extensions/');
  const errors = await page.evaluate(async (wanted) => {
    const { developerPrivate } = (globalThis as unknown as { chrome: { developerPrivate: { getExtensionInfo: (id: string) => Promise<ExtensionInfo> } } })
      .chrome;
    interface ExtensionInfo {
      readonly runtimeErrors: readonly { readonly message: string }[];
      readonly manifestErrors: readonly { readonly message: string }[];
    }
    const { runtimeErrors, manifestErrors } = await developerPrivate.getExtensionInfo(wanted);
    return [...runtimeErrors, ...manifestErrors].map(({ message }) => message);
  }, id);
  await page.close();
  return errors;
}

/** Forged messages on every channel that a page can reach: `window` messages, our private events with data and with ports. */
function forge(): void {
  const names = ['\u200brunlens', '\u200brunlens-ready', '\u200brl', 'runlens', 'message'];
  const html = '<img src=x onerror="alert(1)">';
  const bytes = new Uint8Array(8);
  const batches: unknown[] = [
    null,
    html,
    { no: 1, meta: [1, 'request', 0, 0, { carrier: 'fetch', url: html, method: html }], bytes },
    { no: Number.MAX_SAFE_INTEGER, meta: [1, 'chunk', Number.NaN, Infinity, 1e12], bytes },
    { no: -1, meta: new Array(100_000).fill(html), bytes },
    { no: 2, meta: [1, '__proto__', 0, 0, JSON.parse('{"__proto__":{"polluted":1}}')], bytes: 'no bytes' },
    { no: 3, meta: { length: 1e9 }, bytes },
    { doc: 'x', batches: [{ no: 1 }], acked: 1e9 },
  ];
  for (const data of batches) {
    window.postMessage(data, '*');
    for (const name of names) {
      window.dispatchEvent(new MessageEvent(name, { data, cancelable: true }));
      window.dispatchEvent(new MessageEvent(name, { data: [data, data], cancelable: true }));
      const { port1, port2 } = new MessageChannel();
      window.dispatchEvent(new MessageEvent(name, { data, ports: [port2], cancelable: true }));
      port1.postMessage(data);
      port1.postMessage([data]);
    }
  }
}

/** Plays a hidden scenario and gives what the page's own reader made of it. */
const readIn = (page: Page, agent: string, scenario: string, runId: string) =>
  page.evaluate(
    ([url, run]) => window.bare.read(url!, run!).then(({ chunks, frames, error }) => ({ bytes: chunks.reduce((a, b) => a + b, 0), frames, error })),
    [`${agent}agent/${scenario}?pace=0`, runId],
  );

/**
 * Notes in the panel itself when a run stands there as succeeded, and answers that time in ms since the epoch. Asked from outside, the
 * answer to a question waits for seconds behind what the browser tells its own DevTools of the 50 MB.
 */
async function watchRun(panel: Frame, runId: string): Promise<() => Promise<number>> {
  const seen = await panel.evaluateHandle((row) => {
    const shown = new Promise<number>((resolve) => {
      const look = () => document.querySelector(row) && resolve(Date.now());
      new MutationObserver(look).observe(document, { subtree: true, childList: true, attributes: true });
    });
    return { shown };
  }, `[data-testid="run-row"][data-run-id="${runId}"][data-status="succeeded"]`);
  return () => seen.evaluate(({ shown }) => shown);
}

test('forged messages, hostile strings, a 50 MB frame and replaced fetches', async ({ lens, agent }, info) => {
  test.setTimeout(400_000);
  const page = await lens.context.newPage();
  const dialogs: string[] = [];
  const note = (opened: Page) =>
    opened.on('dialog', (dialog) => {
      dialogs.push(dialog.message());
      void dialog.dismiss();
    });
  note(page);
  // Before us: an init script runs ahead of every content script.
  await page.addInitScript(() => {
    const native = window.fetch;
    window.fetch = function fetch(...args: Parameters<typeof native>) {
      return native.apply(this, args);
    };
  });
  await page.goto(`${agent.url}bare.html`);
  const tools = await openPanel(page);
  note(tools.devtools);
  const panel = tools.frame;

  await page.evaluate(forge);
  await readIn(page, agent.url, 'markup', 'run-markup');
  await readIn(page, agent.url, 'prototypes', 'run-prototypes');
  await expect.poll(() => showTab(panel, 'Runs')).toBe(true);
  const shown = await watchRun(panel, 'run-good');
  const flood = await readIn(page, agent.url, 'huge', 'run-huge');
  expect(flood.error).toBeNull();
  expect(flood.bytes).toBeGreaterThan(50_000_000);
  // After us: the page wraps what we left.
  await page.evaluate(() => {
    const ours = window.fetch;
    window.fetch = async (...args) =>
      new Proxy(await ours(...args), {
        get: (response, key) => {
          const value = Reflect.get(response, key, response);
          return typeof value === 'function' ? value.bind(response) : value;
        },
      });
  });
  await page.evaluate(forge);
  const start = Date.now();
  const good = await readIn(page, agent.url, 'good', 'run-good');
  expect(good.error).toBeNull();
  info.annotations.push({ type: 'ms to the next good run in the panel', description: String((await shown()) - start) });

  const { runs, findings } = await summaryOf(panel);
  expect(runs).toEqual([
    { runId: 'run-markup', status: 'failed-by-report' },
    { runId: 'run-prototypes', status: 'succeeded' },
    { runId: 'run-huge', status: 'succeeded' },
    { runId: 'run-good', status: 'succeeded' },
  ]);
  expect(findings.map(({ rule }) => rule)).toContain('transport-frame-too-large');
  for (const tab of ['Events', 'Runs', 'Findings', 'Request', 'Raw'] as const) await showTab(panel, tab);
  expect(await panel.evaluate(() => document.querySelectorAll('img[src="x"], script:not([src])').length), 'nothing became markup').toBe(0);
  const polluted = () => (({}) as { polluted?: unknown }).polluted ?? null;
  expect([await panel.evaluate(polluted), await lens.worker.evaluate(polluted), await page.evaluate(polluted)]).toEqual([null, null, null]);
  await expect(root(panel)).toHaveAttribute('data-state', 'connected');
  expect(dialogs).toEqual([]);
  expect(await extensionErrors(lens.context, lens.extensionId)).toEqual([]);
  await page.close();
});
