/** Pages that do not come and go by loading: prerendered ones, and ones that come back from the back/forward cache. */
import type { Page } from '@playwright/test';
import { openPanel } from './browser.ts';
import { launchRaw } from './cdp.ts';
import { expect, test } from './fixtures.ts';
import { launchOwn, type OwnBrowser } from './life/launch.ts';
import { type LifeServer, startLifeServer } from './life/server.ts';
import { runsOf } from './panel.ts';
import { openRawPanel } from './raw-panel.ts';

let server: LifeServer;
let browser: OwnBrowser;
test.beforeAll(async () => {
  server = await startLifeServer();
  browser = await launchOwn({ without: ['--disable-back-forward-cache'] });
});
test.afterAll(async () => {
  await browser.close();
  await server.close();
});

const run = (page: Page, runId: string) => page.evaluate((id) => window.ask('/sse/good', id), runId);
const succeeded = (...ids: string[]) => ids.map((runId) => ({ runId, status: 'succeeded' }));

for (const open of [true, false]) {
  const when = open ? 'with DevTools open' : 'with DevTools opened later';

  test(`back from the back/forward cache, ${when}: what it does then is captured`, async () => {
    const page = await browser.context.newPage();
    await page.goto(`${server.url}/page.html?one`);
    const early = open ? await openPanel(page) : null;
    await run(page, 'first');
    await page.evaluate(() => Object.assign(window, { kept: true }));
    await page.evaluate(() => location.assign('/page.html?two'));
    await page.waitForURL(/two$/);
    await run(page, 'second');
    if (early) await expect.poll(() => runsOf(early.frame)).toEqual(succeeded('second'));
    await page.evaluate(() => history.back());
    await page.waitForFunction(() => location.search === '?one' && window.shown === 2);
    expect(await page.evaluate('window.kept'), 'it is the very document').toBe(true);
    await run(page, 'third');
    const tools = early ?? (await openPanel(page));
    await expect.poll(() => runsOf(tools.frame)).toEqual(succeeded('third'));
    await page.close();
  });
}

/** Runs that the panel shows. */
const RUNS = `(() => {
  document.querySelector('[role="tab"][id="tab-runs"]')?.click();
  return [...document.querySelectorAll('[data-testid="run-row"]')].map((row) => row.dataset.runId + ' ' + row.dataset.status).join(', ');
})()`;

// nothing is prerendered where anything but DevTools itself is attached to the page, so this one drives itself
test('prerendered: its streams appear once it is shown, and only then', async () => {
  const raw = await launchRaw(`${server.url}/page.html?auto=of-host&ahead=ahead&then=then`);
  try {
    const panel = await openRawPanel(raw);
    await expect.poll(() => server.told('ahead'), 'the page behind has read its run').toBe(true);
    await expect.poll(() => panel(RUNS)).toBe('of-host succeeded');
    server.let();
    await expect.poll(() => panel(RUNS)).toBe('ahead succeeded, then succeeded');
  } finally {
    await raw.close();
  }
});
