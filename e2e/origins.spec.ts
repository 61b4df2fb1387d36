/**
 * Origins beyond localhost: one that was allowed is captured, also after the extension was reloaded; taken back it is left alone, and
 * says so. The browser's own question cannot be answered from here: so the extension begins as a build whose manifest demands the
 * origin, and goes on as the one that only may ask for it, which keeps what it was given.
 */
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { openPanel } from './browser.ts';
import { expect, test } from './fixtures.ts';
import { launchOwn, type OwnBrowser } from './life/launch.ts';
import { type LifeServer, startLifeServer } from './life/server.ts';
import { root, runsOf } from './panel.ts';
import { DIST } from './root.ts';

const run = (page: Page, runId: string) => page.evaluate((id) => window.ask('/sse/good', id), runId);
const succeeded = (...ids: string[]) => ids.map((runId) => ({ runId, status: 'succeeded' }));

/** Reloads the extension as its folder is now. Its DevTools pages go with it. */
async function reloadExtension({ context, extensionId }: OwnBrowser): Promise<void> {
  const page = await context.newPage();
  await page.goto('chrome://extensions');
  await page.evaluate((id) => {
    const { chrome } = globalThis as unknown as { chrome: { developerPrivate: { reload: (id: string, options: object) => Promise<unknown> } } };
    return chrome.developerPrivate.reload(id, { failQuietly: true });
  }, extensionId);
  await page.close();
}

let server: LifeServer;
test.beforeAll(async () => {
  server = await startLifeServer();
});
test.afterAll(() => server.close());

test('an origin that was enabled is kept over a reload of the extension, and taken back it is left alone and says so', async () => {
  const dist = mkdtempSync(join(tmpdir(), 'runlens-origins-'));
  cpSync(DIST, dist, { recursive: true });
  const path = join(dist, 'manifest.json');
  const manifest = JSON.parse(readFileSync(path, 'utf8')) as Record<string, unknown>;
  writeFileSync(path, JSON.stringify({ ...manifest, host_permissions: ['http://127.0.0.2/*'] }));
  const browser = await launchOwn({ dist });
  try {
    const page = browser.context.pages()[0]!;
    const host = new URL(server.stranger).host;
    writeFileSync(path, JSON.stringify(manifest));
    await page.goto(`${server.stranger}/page.html`);
    await run(page, 'under-the-first-build');
    await reloadExtension(browser);

    // the scripts of the extension as it was have fallen silent: the panel says what to do, and does it
    const tools = await openPanel(page);
    await expect(root(tools.frame)).toHaveAttribute('data-state', 'connected');
    await expect(tools.frame.getByTestId('unheard')).toBeVisible();
    await run(page, 'unheard');
    await tools.frame.getByRole('button', { name: 'Reload the page' }).click();
    await expect(tools.frame.getByTestId('unheard')).toHaveCount(0);
    await run(page, 'allowed');
    await expect.poll(() => runsOf(tools.frame)).toEqual(succeeded('allowed'));

    // taken back, nothing more is taken from the page that is open, nor from the next
    await tools.frame.getByRole('button', { name: `${host} captured` }).click();
    await expect(tools.frame.getByRole('button', { name: `${host} not captured` })).toBeVisible();
    await run(page, 'taken-back');
    expect(await runsOf(tools.frame)).toEqual(succeeded('allowed'));
    await page.reload();
    await expect(tools.frame.getByRole('heading', { name: `${host} is not captured` })).toBeVisible();
    await run(page, 'not-captured');
    await expect(root(tools.frame)).toHaveAttribute('data-events', '0');

    await expect(tools.frame.getByRole('button', { name: `Capture ${host}` })).toBeVisible();
  } finally {
    await browser.close();
    rmSync(dist, { recursive: true, force: true, maxRetries: 5 });
  }
});
