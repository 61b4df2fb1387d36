/**
 * A browser that is left alone: it takes the worker away after some 30 s. With the panel open, the next run must appear all the same; with
 * DevTools closed, an idle tab must not bring the worker back. Chromium by hand, nothing attached to the worker. Both wait at the same
 * time. `npm run soak -- idle` waits three minutes for the second instead of 45 s.
 */
import { launchRaw, type RawBrowser } from './cdp.ts';
import { expect, test } from './fixtures.ts';
import { startLifeServer } from './life/server.ts';
import { attribute, openRawPanel, target } from './raw-panel.ts';

const IDLE = 40_000;
const SECONDS = Number(process.env['RUNLENS_IDLE'] ?? 45);

const workers = async (browser: RawBrowser) =>
  (await browser.targets()).filter(({ type, url }) => type === 'service_worker' && url.startsWith('chrome-extension:'));

async function runAfterIdle(agentUrl: string): Promise<void> {
  const browser = await launchRaw(`${agentUrl}bare.html?first`);
  try {
    // DevTools read at their start whether to ping: the first window says no, the second tab's DevTools obey.
    const before = await openRawPanel(browser);
    await before('chrome.storage.local.set({ noPing: true })');
    const known = (await browser.targets()).map(({ targetId }) => targetId);
    const first = await target(browser, ({ type, url }) => type === 'page' && url.endsWith('?first'));
    const page = await browser.attach(await browser.open(`${agentUrl}bare.html`));
    const panel = await openRawPanel(browser, known);
    await browser.shut(first.targetId);

    const read = (runId: string) => page<number>(`bare.read('${agentUrl}agent/overlapping?pace=5', '${runId}').then((got) => got.frames)`);
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
}

async function idleTab(): Promise<void> {
  const server = await startLifeServer();
  const browser = await launchRaw(`${server.url}/page.html?first`, false);
  try {
    const page = await browser.attach(await browser.open(`${server.url}/page.html?idle`));
    await expect.poll(() => page<string>('typeof ask')).toBe('function');
    await page(`ask('/sse/good', 'before')`);
    const count = async () => (await workers(browser)).length;
    await expect.poll(count, 'the run has woken it').toBe(1);
    // later than after 30 s on a busy machine; from then on it stays away
    await expect.poll(count, { timeout: 120_000 }).toBe(0);
    const lives = browser.lives().length;
    await new Promise((go) => setTimeout(go, (SECONDS - 35) * 1000));
    expect([browser.lives().length, await count()]).toEqual([lives, 0]);
    await page(`ask('/sse/good', 'after')`);
    await expect.poll(() => browser.lives().length, 'the next run wakes it once').toBe(lives + 1);
  } finally {
    await browser.close();
    await server.close();
  }
}

test(`a run after 40 s of idle appears, ping off; an idle tab does not wake the worker in ${SECONDS} s`, async ({ agent }) => {
  test.setTimeout(SECONDS * 1000 + 180_000);
  // both to their end, so that no browser stays behind a failure
  const ends = await Promise.allSettled([runAfterIdle(agent.url), idleTab()]);
  for (const end of ends) if (end.status === 'rejected') throw end.reason;
});
