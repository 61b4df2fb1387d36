/** 40 seconds of silence, in which the browser takes the worker away; then a run. Chromium by hand, nothing attached to the worker. */
import { PANEL_PATH } from './browser.ts';
import { type Evaluate, launchRaw, type RawBrowser, type Target } from './cdp.ts';
import { expect, test } from './fixtures.ts';

const IDLE = 40_000;

async function target(browser: RawBrowser, fits: (target: Target) => boolean): Promise<Target> {
  let found: Target | undefined;
  const look = async () => {
    found = (await browser.targets()).find(fits);
    return found !== undefined;
  };
  await expect.poll(look, { timeout: 30_000 }).toBe(true);
  return found!;
}

const workers = async (browser: RawBrowser) =>
  (await browser.targets()).filter(({ type, url }) => type === 'service_worker' && url.startsWith('chrome-extension:'));

/** Clicks our tab in the DevTools window: it lies in shadow trees. */
const CHOOSE = `(() => {
  const trees = [document];
  for (const tree of trees) for (const element of tree.querySelectorAll('*')) {
    if (element.shadowRoot) trees.push(element.shadowRoot);
    if (element.getAttribute('role') === 'tab' && element.textContent.trim() === 'Runlens') { element.dispatchEvent(new MouseEvent('mousedown', { bubbles: true, composed: true, button: 0, detail: 1 })); element.click(); return true; }
  }
  return false;
})()`;

const attribute = (name: string) => `document.querySelector('[data-testid="runlens"]')?.getAttribute('${name}') ?? ''`;

/** Opens DevTools' panel of the one tab whose DevTools are not in `known`. */
async function openPanel(browser: RawBrowser, known: readonly string[] = []): Promise<Evaluate> {
  const isNew = ({ targetId }: Target) => !known.includes(targetId);
  const window = await target(browser, (it) => isNew(it) && it.url.startsWith('devtools://devtools/bundled/devtools_app.html'));
  const frontend = await browser.attach(window.targetId);
  await expect.poll(() => frontend<boolean>(CHOOSE), { timeout: 30_000 }).toBe(true);
  const panel = await browser.attach((await target(browser, (it) => isNew(it) && it.url.includes(PANEL_PATH))).targetId);
  await expect.poll(() => panel<string>(attribute('data-state')), { timeout: 15_000 }).toBe('connected');
  return panel;
}

test('a run after 40 s of idle appears, ping off', async ({ agent }) => {
  test.setTimeout(150_000);
  const browser = await launchRaw(`${agent.url}bare.html?first`);
  try {
    // DevTools read at their start whether to ping: the first window says no, the second tab's DevTools obey.
    const before = await openPanel(browser);
    await before('chrome.storage.local.set({ noPing: true })');
    const known = (await browser.targets()).map(({ targetId }) => targetId);
    const first = await target(browser, ({ type, url }) => type === 'page' && url.endsWith('?first'));
    const page = await browser.attach(await browser.open(`${agent.url}bare.html`));
    const panel = await openPanel(browser, known);
    await browser.shut(first.targetId);

    const read = (runId: string) => page<number>(`bare.read('${agent.url}agent/overlapping?pace=5', '${runId}').then((got) => got.frames)`);
    const events = await read('run-before');
    await expect.poll(() => panel<string>(attribute('data-events'))).toBe(String(events));
    const lives = browser.lives().length;
    await new Promise((go) => setTimeout(go, IDLE));
    // The panel's port wakes a new one at once; what counts is that the old one is gone with all that it knew.
    expect(browser.lives().length, 'the browser has taken the worker away').toBeGreaterThan(lives);
    await read('run-after');
    await expect.poll(() => panel<string>(attribute('data-events')), { timeout: 15_000 }).toBe(String(2 * events));
    expect((await workers(browser)).map(({ attached }) => attached)).toEqual([false]);
  } finally {
    await browser.close();
  }
});
