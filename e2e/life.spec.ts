/** The life of a capture: what other protocols send, navigations, pauses, tabs that close, and the limits. */
import type { Frame, Page } from '@playwright/test';
import { killWorkers, openPanel } from './browser.ts';
import { expect } from './fixtures.ts';
import { FOREIGN, startLifeServer } from './life/server.ts';
import { onServer } from './on-server.ts';
import { clear, root, runsOf, showTab, summaryOf } from './panel.ts';

const test = onServer(startLifeServer);

const run = (page: Page, runId: string, story = 'good') => page.evaluate(([path, id]) => window.ask(path!, id!), [`/sse/${story}`, runId]);
const succeeded = (...ids: string[]) => ids.map((runId) => ({ runId, status: 'succeeded' }));
const expectRuns = (panel: Frame, ...ids: string[]) => expect.poll(() => runsOf(panel)).toEqual(succeeded(...ids));

async function bands(panel: Frame): Promise<string[]> {
  await showTab(panel, 'Events');
  return panel.getByTestId('band-row').allTextContents();
}

test('streams of other protocols are listed by their names and not judged', async ({ page, panel }) => {
  for (const name of Object.keys(FOREIGN)) await page.evaluate((path) => window.ask(path, 'none'), `/foreign/${encodeURIComponent(name)}`);
  // in an empty panel too
  await expect(panel.getByTestId('seen-row')).toHaveCount(Object.keys(FOREIGN).length);
  await run(page, 'ours');
  await expectRuns(panel, 'ours');
  await showTab(panel, 'Runs');
  await expect(panel.getByTestId('other-row')).toHaveText(Object.keys(FOREIGN).map((name) => new RegExp(`POST/foreign/.*${name}`)));
  expect((await summaryOf(panel)).findings).toEqual([]);
});

test('preserve log keeps what was before a navigation, with a divider; without it the log begins anew', async ({ page, panel, server }) => {
  await run(page, 'first', 'short');
  await expectRuns(panel, 'first');
  await panel.getByRole('checkbox', { name: 'Preserve log' }).check();
  await page.goto(`${server.url}/page.html?second`);
  await run(page, 'second', 'short');
  await expectRuns(panel, 'first', 'second');
  expect(await bands(panel)).toEqual([expect.stringContaining('Navigated to /page.html?second.')]);
  await page.reload();
  await expect.poll(() => bands(panel)).toHaveLength(2);
  await panel.getByRole('checkbox', { name: 'Preserve log' }).uncheck();
  await page.goto(`${server.url}/page.html?third`);
  await expect(root(panel)).toHaveAttribute('data-events', '0');
  await run(page, 'third', 'short');
  await expectRuns(panel, 'third');
});

test('without a panel a navigation begins the log anew too', async ({ lens, server }) => {
  const page = await lens.context.newPage();
  await page.goto(`${server.url}/page.html`);
  await run(page, 'before');
  await page.reload();
  await run(page, 'after');
  const tools = await openPanel(page);
  await expectRuns(tools.frame, 'after');
  await page.close();
});

test('a pause is the tab’s own, outlives worker and page, and what it leaves out is counted', async ({ page, panel, lens, server }) => {
  const record = panel.getByRole('button', { name: 'Record' });
  await record.click();
  await expect(record).toHaveAttribute('aria-pressed', 'false');
  await run(page, 'unseen');
  await expect(panel.getByTestId('dropped')).toContainText('records that came while recording was off');
  await killWorkers(page);
  await page.reload();
  await expect(root(panel)).toHaveAttribute('data-state', 'connected');
  await expect(record).toHaveAttribute('aria-pressed', 'false');
  await run(page, 'unseen-too');
  await expect(panel.getByTestId('dropped')).toBeVisible();
  const other = await lens.context.newPage();
  await other.goto(`${server.url}/page.html`);
  await run(other, 'elsewhere');
  const tools = await openPanel(other);
  await expectRuns(tools.frame, 'elsewhere');
  await tools.close();
  await other.close();
  await record.click();
  await expect(record).toHaveAttribute('aria-pressed', 'true');
  await run(page, 'seen');
  await expectRuns(panel, 'seen');
});

test('a closed tab is listed and opens again, also after the worker was stopped; forgotten, it is gone', async ({ page, panel, lens, server }) => {
  const other = await lens.context.newPage();
  await other.goto(`${server.url}/page.html?closed`);
  await run(other, 'over');
  await other.evaluate(() => void window.ask('/sse/steady?hold', 'cut-off'));
  await other.waitForFunction(() => (window.got ?? 0) > 100_000);
  await other.close();
  await panel.getByRole('button', { name: 'Closed tabs' }).click();
  const rows = panel.getByRole('dialog', { name: 'Closed tabs' }).getByTestId('closed-tab');
  await expect(rows.first()).toContainText('/page.html');
  await expect(rows.first()).toContainText('2 runs');
  await panel.getByRole('button', { name: 'Close', exact: true }).click();
  await killWorkers(page);
  await expect(root(panel)).toHaveAttribute('data-state', 'connected');
  await panel.getByRole('button', { name: 'Closed tabs' }).click();
  await rows.first().click();
  await expect
    .poll(() => runsOf(panel))
    .toEqual([
      { runId: 'over', status: 'succeeded' },
      { runId: 'cut-off', status: 'truncated' },
    ]);
  expect((await summaryOf(panel)).findings.filter(({ rule }) => rule !== 'run-truncated')).toEqual([]);
  await showTab(panel, 'Events');
  await panel.getByTestId('event-row').first().click();
  await expect(panel.getByTestId('detail'), 'its bytes are read from the journal').toContainText(/Raw frame\s*\{\s*"type"/);
  await panel.getByTitle('Close this file').click();
  await run(page, 'live');
  await expectRuns(panel, 'live');
  await panel.getByRole('button', { name: 'Closed tabs' }).click();
  await panel.getByRole('button', { name: 'Forget them all' }).click();
  await expect(panel.getByText('No closed tab is kept.')).toBeVisible();
  await panel.getByRole('button', { name: 'Close', exact: true }).click();
  await expect(panel.getByRole('button', { name: 'Closed tabs' })).toHaveCount(0);
});

async function setLimit(panel: Frame, name: string, size: string): Promise<void> {
  await panel.getByRole('button', { name: 'Settings' }).click();
  await panel.getByRole('combobox', { name }).selectOption({ label: size });
  await panel.getByRole('button', { name: 'Close', exact: true }).click();
}

test('a tab that is full says so, counts the rest, and blames nobody', async ({ page, panel }) => {
  await setLimit(panel, 'A tab may hold', '16 MiB');
  try {
    await page.evaluate(() => window.ask('/big?frames=40&bytes=500000', 'big'));
    await expect(panel.getByTestId('dropped')).toContainText('bytes past the 16 MiB that a tab may hold');
    await expect.poll(() => bands(panel)).toEqual([expect.stringContaining('the capture of this tab is full (16 MiB)')]);
    expect((await summaryOf(panel)).findings).toEqual([]);
    await clear(panel);
    await expect(panel.getByTestId('dropped')).toHaveCount(0);
    await run(page, 'after');
    await expectRuns(panel, 'after');
  } finally {
    await setLimit(panel, 'A tab may hold', '1 GiB (default)');
  }
});

test('a frame over the limit is passed over with a mark, and read when the limit allows', async ({ page, panel }) => {
  await setLimit(panel, 'Largest frame', '1 MiB');
  try {
    await page.evaluate(() => window.ask('/big?frames=1&bytes=1500000', 'large'));
    await expect(panel.getByTestId('dropped')).toContainText('1 frames over 1 MiB');
    await expect.poll(() => bands(panel)).toEqual([expect.stringContaining('the frame is over 1 MiB, the limit that is set')]);
    expect((await summaryOf(panel)).findings).toEqual([]);
    await setLimit(panel, 'Largest frame', '4 MiB');
    await expect(panel.getByTestId('dropped')).toHaveCount(0);
    await expectRuns(panel, 'large');
    expect(await bands(panel)).toEqual([]);
  } finally {
    await setLimit(panel, 'Largest frame', '10 MiB (default)');
  }
});

interface Tabs {
  readonly query: (what: object) => Promise<{ id: number }[]>;
  readonly duplicate: (id: number) => Promise<unknown>;
  readonly discard: (id: number) => Promise<{ id: number } | undefined>;
}

/** Does something with the tab in front, by the browser's own tabs. */
const withTabs = (panel: Frame, what: 'query' | 'duplicate' | 'discard', id = 0): Promise<number> =>
  panel.evaluate(
    async ([name, tab]) => {
      const { tabs } = (globalThis as unknown as { chrome: { tabs: Tabs } }).chrome;
      if (name === 'query') return (await tabs.query({ active: true, windowType: 'normal' }))[0]!.id;
      return ((await tabs[name](tab)) as { id: number } | undefined)?.id ?? 0;
    },
    [what, id] as const,
  );

test('a duplicate of a tab has its own capture; a discarded tab keeps what it had', async ({ panel, lens, server }) => {
  const other = await lens.context.newPage();
  await other.goto(`${server.url}/page.html?auto=original`);
  await other.waitForFunction(() => window.auto?.then(() => true));
  const tab = await withTabs(panel, 'query');
  const copied = lens.context.waitForEvent('page');
  await withTabs(panel, 'duplicate', tab);
  const copy = await copied;
  await copy.waitForFunction(() => window.auto?.then(() => true));
  await run(copy, 'copy');
  const tools = await openPanel(copy);
  await expectRuns(tools.frame, 'original', 'copy');
  await tools.close();
  // Chromium gives a discarded tab another number: the old one's capture is that of a closed tab
  expect(await withTabs(panel, 'discard', tab)).not.toBe(tab);
  await panel.getByRole('button', { name: 'Closed tabs' }).click();
  await panel.getByRole('dialog', { name: 'Closed tabs' }).getByTestId('closed-tab').first().click();
  await expectRuns(panel, 'original');
  await panel.getByTitle('Close this file').click();
  await copy.close();
});
