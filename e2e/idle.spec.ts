/** 40 seconds of silence, in which the browser takes the worker away; then a run. Chromium by hand, nothing attached to the worker. */
import { launchRaw, type RawBrowser } from './cdp.ts';
import { expect, test } from './fixtures.ts';
import { attribute, openRawPanel, target } from './raw-panel.ts';

const IDLE = 40_000;

const workers = async (browser: RawBrowser) =>
  (await browser.targets()).filter(({ type, url }) => type === 'service_worker' && url.startsWith('chrome-extension:'));

test('a run after 40 s of idle appears, ping off', async ({ agent }) => {
  test.setTimeout(150_000);
  const browser = await launchRaw(`${agent.url}bare.html?first`);
  try {
    // DevTools read at their start whether to ping: the first window says no, the second tab's DevTools obey.
    const before = await openRawPanel(browser);
    await before('chrome.storage.local.set({ noPing: true })');
    const known = (await browser.targets()).map(({ targetId }) => targetId);
    const first = await target(browser, ({ type, url }) => type === 'page' && url.endsWith('?first'));
    const page = await browser.attach(await browser.open(`${agent.url}bare.html`));
    const panel = await openRawPanel(browser, known);
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
