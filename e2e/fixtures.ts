/**
 * What the specs share: the demo agent, Chromium with the built extension, a page, and the panel in that page's real DevTools.
 * Browser and DevTools live as long as the Playwright worker, so that a file of specs pays for them once; each test begins with
 * a fresh load of the demo page, which empties the panel.
 */
import { test as base, expect, type Frame, type Page } from '@playwright/test';
import { scenarioOf } from './agent/scenarios.ts';
import { type AgentServer, startAgent } from './agent/server.ts';
import { type Browser, type DevTools, type Look, launch, openPanel } from './browser.ts';
import { play as press } from './demo/play.ts';
import { root } from './panel.ts';
import { PAGES } from './root.ts';

interface WorkerFixtures {
  look: Look;
  agent: AgentServer;
  lens: Browser;
  /** The one page whose DevTools stay open. */
  stage: { readonly page: Page; readonly tools: DevTools };
}

interface TestFixtures {
  /** The page of the stage, freshly on the demo page at a pace of 2 ms. */
  app: Page;
  /** The panel's document, connected and empty. */
  panel: Frame;
}

export const test = base.extend<TestFixtures, WorkerFixtures>({
  look: [
    { theme: 'light', dock: 'undocked' },
    { scope: 'worker', option: true },
  ],
  agent: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names it must bring from this pattern
    async ({}, use) => {
      const agent = await startAgent({ pages: PAGES });
      await use(agent);
      await agent.close();
    },
    { scope: 'worker' },
  ],
  lens: [
    async ({ look }, use) => {
      const browser = await launch(look);
      await use(browser);
      await browser.close();
    },
    { scope: 'worker' },
  ],
  stage: [
    async ({ lens, agent }, use) => {
      const page = lens.context.pages()[0] ?? (await lens.context.newPage());
      await page.goto(agent.url);
      await use({ page, tools: await openPanel(page) });
    },
    { scope: 'worker' },
  ],
  app: async ({ stage, agent }, use) => {
    await stage.page.goto(`${agent.url}?pace=2`);
    await use(stage.page);
  },
  panel: async ({ app, stage }, use, info) => {
    const { frame, devtools } = stage.tools;
    await expect(root(frame)).toHaveAttribute('data-state', 'connected');
    await expect(root(frame)).toHaveAttribute('data-events', '0');
    await use(frame);
    if (info.status !== info.expectedStatus) {
      await devtools.screenshot({ path: info.outputPath('devtools.png') });
      await app.screenshot({ path: info.outputPath('page.png') });
    }
  },
});

export { expect };

/** Presses a scenario's button on the demo page and waits until the app has its answer. Gives the run's id and what the client made of it. */
export async function play(page: Page, id: string): Promise<{ runId: string; outcome: string }> {
  const runId = await press(page, scenarioOf(id)!);
  return { runId, outcome: (await page.locator(`#log li[data-run="${runId}"]`).getAttribute('data-outcome')) ?? '' };
}
