/** What the real DevTools show: the Initiator column of their Network panel. */
import type { BrowserContext, Page } from '@playwright/test';
import type { PageServer } from './server.ts';

const FRONTEND = 'devtools://devtools/bundled/devtools_app.html';
/** The Network panel's columns as they are at first. */
const COLUMNS = ['Name', 'Status', 'Type', 'Initiator', 'Size', 'Time'];

/** The page that asks: its one script is asking.js. */
const PAGE = { html: '<!doctype html><script src="/asking.js"></script>' };
const SCRIPT = { html: 'window.ask = (url) => fetch(url).then((response) => response.text());' };

/** Opens a page of one script and its DevTools, has the page fetch, and gives the file that the Initiator cell names. */
export async function shownInitiator(browser: BrowserContext, server: PageServer): Promise<string> {
  server.pages.set('/asking.html', PAGE).set('/asking.js', SCRIPT);
  const page = await browser.newPage();
  await page.goto(`${server.url}/asking.html`);
  const shown = await shownFor(page, '/r?id=asked&parts=a');
  await page.close();
  // the cell says file, line and what kind of thing asked
  return shown.replace(/:\d+.*$/, '');
}

/** Opens the page's DevTools, has it fetch `address`, and gives the text of that request's Initiator cell. */
async function shownFor(page: Page, address: string): Promise<string> {
  const context = page.context();
  const session = await context.newCDPSession(page);
  const { targetInfo } = await session.send('Target.getTargetInfo');
  // a page's own session may not open DevTools; the browser's may
  const browser = await context.browser()!.newBrowserCDPSession();
  const [devtools] = await Promise.all([
    context.waitForEvent('page', (opened) => opened.url().startsWith(FRONTEND)),
    browser.send('Target.openDevTools' as 'Target.getTargets', { targetId: targetInfo.targetId } as object),
  ]);
  await devtools.getByRole('tab', { name: 'Network' }).click();
  await devtools.getByText('Recording network activity').waitFor();
  await page.evaluate((url) => (window as unknown as { ask: (url: string) => Promise<unknown> }).ask(url), address);
  const row = devtools.locator('tr', { hasText: address.slice(1) });
  // the row comes first and its cells are filled later: "Other" or nothing stands there until the stack is known
  const cell = row.locator('td').nth(COLUMNS.indexOf('Initiator'));
  await cell.filter({ hasText: /\.js:\d/ }).waitFor();
  const shown = (await cell.textContent()) ?? '';
  await devtools.close();
  return shown;
}
