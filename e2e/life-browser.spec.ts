/** What the browser's own life does to captures: a restart that restores a tab, and private windows. */
import type { Page } from '@playwright/test';
import { type DevTools, makeProfile, openPanel } from './browser.ts';
import { expect, test } from './fixtures.ts';
import { deleteProfile, journals, launchOwn } from './life/launch.ts';
import { startLifeServer } from './life/server.ts';
import { chunksOf, runsOf } from './panel.ts';

const autoDone = (page: Page) => page.waitForFunction(() => window.auto?.then(() => true));

test('a restart of the browser wipes what was captured, though a restored tab journals first', async () => {
  const server = await startLifeServer();
  const profile = makeProfile();
  try {
    const first = await launchOwn({ profile });
    const page = first.context.pages()[0]!;
    await page.goto(`${server.url}/page.html?auto=again`);
    await autoDone(page);
    await page.evaluate(() => window.ask('/sse/good', 'of-before'));
    await expect.poll(() => journals(first.worker)).toHaveLength(1);
    const [old] = await journals(first.worker);
    await first.close();

    const second = await launchOwn({ profile, args: ['--restore-last-session'] });
    const restored = () => second.context.pages().find((one) => one.url().endsWith('?auto=again'));
    await expect.poll(() => restored() !== undefined).toBe(true);
    await autoDone(restored()!);
    const names = () => journals(second.worker);
    await expect.poll(async () => (await names()).length).toBe(1);
    expect(await names()).not.toContain(old);
    const tools = await openPanel(restored()!);
    await expect.poll(() => runsOf(tools.frame)).toEqual([{ runId: 'again', status: 'succeeded' }]);
    await second.close();
  } finally {
    deleteProfile(profile);
    await server.close();
  }
});

interface DeveloperPrivate {
  readonly updateExtensionConfiguration: (change: object) => Promise<void>;
}
interface Storage {
  readonly storage: { readonly session: { readonly get: (keys: null) => Promise<object> } };
}

/** What a press on Export puts into the file. The download itself cannot be had here: Playwright cancels those of a private window. */
async function exported({ frame }: DevTools): Promise<string> {
  await frame.evaluate(() => {
    const make = URL.createObjectURL.bind(URL);
    URL.createObjectURL = (blob: Blob) => {
      Object.assign(window, { exported: blob.text() });
      return make(blob);
    };
  });
  await frame.getByRole('button', { name: 'Export', exact: true }).click();
  await frame.getByTestId('export-file').click();
  await frame.waitForFunction(() => 'exported' in window);
  return frame.evaluate(() => (window as unknown as { exported: Promise<string> }).exported);
}

interface Windows {
  readonly create: (what: object) => Promise<unknown>;
}

test('a private window has its own capture, which the disk never sees', async () => {
  const server = await startLifeServer();
  const browser = await launchOwn();
  try {
    const { context, extensionId } = browser;
    const page = context.pages()[0]!;
    await page.goto('chrome://extensions');
    const again = context.waitForEvent('serviceworker');
    await page.evaluate((id) => {
      const { developerPrivate } = (globalThis as unknown as { chrome: { developerPrivate: DeveloperPrivate } }).chrome;
      return developerPrivate.updateExtensionConfiguration({ extensionId: id, incognitoAccess: true });
    }, extensionId);
    const worker = await again;
    await page.goto(`${server.url}/page.html`);
    await page.evaluate(() => window.ask('/sse/good', 'public'));
    const opened = context.waitForEvent('page');
    await worker.evaluate((url) => {
      const { windows } = (globalThis as unknown as { chrome: { windows: Windows } }).chrome;
      void windows.create({ incognito: true, url });
    }, `${server.url}/page.html?auto=secret`);
    const secret = await opened;
    await autoDone(secret);
    const tools = await openPanel(secret);
    await expect.poll(() => runsOf(tools.frame)).toEqual([{ runId: 'secret', status: 'succeeded' }]);
    const ours = await journals(worker);
    expect(ours).toHaveLength(1);
    expect(Buffer.concat(chunksOf(await exported(tools))).toString()).toContain('"runId":"secret"');
    await tools.close();
    await secret.close();
    expect(await worker.evaluate(() => (globalThis as unknown as { chrome: Storage }).chrome.storage.session.get(null))).not.toHaveProperty('closedTabs');
  } finally {
    await browser.close();
    await server.close();
  }
});
