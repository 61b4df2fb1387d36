/** Presses the demo page's buttons from outside, for the demo and the screenshots. */
import type { Page } from '@playwright/test';
import type { Scenario } from '../agent/story.ts';

/** Presses a scenario's button and waits for the app's answer, unless the stream stays open. Gives the run's id. */
export async function play(page: Page, { id, open }: Scenario): Promise<string> {
  await page.locator(`[data-scenario="${id}"]`).click();
  const entry = page.locator('#log li').first();
  const runId = (await entry.getAttribute('data-run')) ?? '';
  if (!open) await page.locator(`#log li[data-run="${runId}"]:not([data-outcome="running"])`).waitFor({ timeout: 60_000 });
  return runId;
}

/** Reads until it reads what is expected, ten seconds at most. Gives what it read last. */
export async function settled<T>(read: () => Promise<T>, expected: T): Promise<T> {
  const until = performance.now() + 10_000;
  let got = await read();
  while (JSON.stringify(got) !== JSON.stringify(expected) && performance.now() < until) {
    await new Promise((go) => setTimeout(go, 50));
    got = await read();
  }
  return got;
}
