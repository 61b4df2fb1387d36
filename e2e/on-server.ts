/** For spec files that bring a server of their own: its page, freshly loaded for each test, and the panel in that page's DevTools. */
import type { Frame, Page } from '@playwright/test';
import { type DevTools, openPanel } from './browser.ts';
import { test as base, expect } from './fixtures.ts';
import { root } from './panel.ts';

interface OwnServer {
  /** Without a slash at its end; the page lies at /page.html. */
  readonly url: string;
  readonly close: () => Promise<void>;
}

interface Fixtures {
  /** The server's page, freshly loaded. */
  readonly page: Page;
  /** The panel's document, connected and empty. */
  readonly panel: Frame;
}

interface WorkerFixtures<S> {
  readonly server: S;
  readonly scene: { readonly page: Page; readonly tools: DevTools };
}

/** The fixtures over a server that `start` starts, once a Playwright worker. */
export function onServer<S extends OwnServer>(start: () => Promise<S>) {
  return base.extend<Fixtures, WorkerFixtures<S>>({
    server: [
      // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names it must bring from this pattern
      async ({}, use) => {
        const server = await start();
        await use(server);
        await server.close();
      },
      { scope: 'worker' },
    ],
    scene: [
      async ({ lens, server }, use) => {
        const page = lens.context.pages()[0] ?? (await lens.context.newPage());
        await page.goto(`${server.url}/page.html`);
        await use({ page, tools: await openPanel(page) });
      },
      { scope: 'worker' },
    ],
    page: async ({ scene, server }, use) => {
      // another address than that of the first load, so that it is a navigation to the page in each case
      await scene.page.goto(`${server.url}/page.html?fresh`);
      await use(scene.page);
    },
    panel: async ({ scene, page: _loaded }, use, info) => {
      const { frame, devtools } = scene.tools;
      await expect(root(frame)).toHaveAttribute('data-state', 'connected');
      await expect(root(frame)).toHaveAttribute('data-events', '0');
      await use(frame);
      if (info.status !== info.expectedStatus) await devtools.screenshot({ path: info.outputPath('devtools.png') });
    },
  });
}
