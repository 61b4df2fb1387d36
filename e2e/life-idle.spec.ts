/**
 * A tab that does nothing, with DevTools closed: once the browser has taken the worker away, nothing brings it back until the page has
 * something to say. Chromium by hand, nothing attached to the worker. `npm run soak -- idle` waits three minutes instead of 45 s.
 */
import { launchRaw } from './cdp.ts';
import { expect, test } from './fixtures.ts';
import { startLifeServer } from './life/server.ts';

const SECONDS = Number(process.env['RUNLENS_IDLE'] ?? 45);

test(`an idle tab does not wake the worker in ${SECONDS} s`, async () => {
  test.setTimeout(SECONDS * 1000 + 180_000);
  const server = await startLifeServer();
  const browser = await launchRaw(`${server.url}/page.html?first`, false);
  try {
    const target = await browser.open(`${server.url}/page.html?idle`);
    const page = await browser.attach(target);
    await expect.poll(() => page<string>('typeof ask')).toBe('function');
    await page(`ask('/sse/good', 'before')`);
    const workers = async () => (await browser.targets()).filter(({ type, url }) => type === 'service_worker' && url.startsWith('chrome-extension:')).length;
    await expect.poll(workers, 'the run has woken it').toBe(1);
    // the browser takes it away after some 30 s, later on a busy machine; from then on it stays away
    await expect.poll(workers, { timeout: 120_000 }).toBe(0);
    const lives = browser.lives().length;
    await new Promise((go) => setTimeout(go, (SECONDS - 35) * 1000));
    expect([browser.lives().length, await workers()]).toEqual([lives, 0]);
    await page(`ask('/sse/good', 'after')`);
    await expect.poll(() => browser.lives().length, 'the next run wakes it once').toBe(lives + 1);
  } finally {
    await browser.close();
    await server.close();
  }
});
