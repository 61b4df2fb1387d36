/** Pages that do not come and go by loading: prerendered ones, and ones that come back from the back/forward cache. */
import type { Page } from '@playwright/test';
import { openPanel } from './browser.ts';
import { expect, test } from './fixtures.ts';
import { launchOwn, type OwnBrowser } from './life/launch.ts';
import { type LifeServer, startLifeServer } from './life/server.ts';
import { runsOf } from './panel.ts';

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

  test(`prerendered, ${when}: its streams appear once it is shown, and only then`, async () => {
    const page = await browser.context.newPage();
    await page.goto(`${server.url}/page.html?host`);
    const early = open ? await openPanel(page) : null;
    await run(page, 'of-host');
    await page.evaluate(() => {
      const rules = document.createElement('script');
      rules.type = 'speculationrules';
      rules.textContent = JSON.stringify({ prerender: [{ urls: ['/page.html?auto=ahead'], eagerness: 'immediate' }] });
      document.head.append(rules);
      const link = document.createElement('a');
      link.href = '/page.html?auto=ahead';
      link.textContent = 'go';
      document.body.append(link);
    });
    // the server has answered the whole run by then: the page behind was asked for it before anybody clicked
    await expect.poll(() => server.told('ahead')).toBe(true);
    if (early) await expect.poll(() => runsOf(early.frame)).toEqual(succeeded('of-host'));
    await page.getByText('go').click();
    await page.waitForURL(/ahead$/);
    expect(
      await page.evaluate(() => (performance.getEntriesByType('navigation')[0] as unknown as { activationStart: number }).activationStart),
    ).toBeGreaterThan(0);
    await run(page, 'then');
    const tools = early ?? (await openPanel(page));
    await expect.poll(() => runsOf(tools.frame)).toEqual(succeeded('ahead', 'then'));
    await page.close();
  });
}
