/** The worker dies, the panel comes and goes, the page navigates away: every event is there afterwards, once and in order. */
import { readFileSync } from 'node:fs';
import type { Page } from '@playwright/test';
import { scenarioOf } from './agent/scenarios.ts';
import { countLives, killWorkers, openPanel } from './browser.ts';
import { expect, test } from './fixtures.ts';
import { chunksOf, exportTo, root, summaryOf } from './panel.ts';

const EVENTS = 2000;

/** Starts a stream in the page's bare reader and leaves it running. */
async function start(page: Page, agent: string, scenario: string, runId: string, pace = 2): Promise<void> {
  await page.goto(`${agent}bare.html`);
  await page.evaluate(([url, run]) => void window.bare.read(url!, run!), [`${agent}agent/${scenario}?pace=${pace}&n=${EVENTS}`, runId]);
}

const reached = (page: Page, frames: number) => page.waitForFunction((least) => window.bare.progress.frames >= least, frames, { timeout: 60_000 });

/** The bytes that the agent sends for that story. */
function sent(scenario: string, runId: string): string {
  const { moves } = scenarioOf(scenario)!.build({ threadId: `thread-of-${runId}`, runId, n: EVENTS });
  return [...moves].map((move) => ('event' in move ? `data: ${JSON.stringify(move.event)}\n\n` : '')).join('');
}

const undisturbed = (runId: string) => scenarioOf('restless')!.build({ threadId: '', runId, n: EVENTS }).expected;

test('the worker dies five times in mid-stream', async ({ app, panel, stage, agent }, info) => {
  const lives = await countLives(app);
  const runId = 'run-killed';
  await start(app, agent.url, 'restless', runId);
  for (let kill = 1; kill <= 5; kill++) {
    await reached(app, kill * 320);
    // so that each kill hits a living worker
    await expect.poll(() => lives.started(), { intervals: [20, 50] }).toBe(kill - 1);
    await killWorkers(app);
  }
  await reached(app, EVENTS);
  await expect(root(panel)).toHaveAttribute('data-events', String(EVENTS));
  const { runs, findings } = undisturbed(runId);
  await expect.poll(() => summaryOf(panel)).toEqual({ runs, findings });
  expect(lives.started(), 'the worker was really gone each time').toBe(5);
  await lives.stop();
  const file = info.outputPath('capture.jsonl');
  await exportTo(stage.tools, file);
  const chunks = chunksOf(readFileSync(file, 'utf8'));
  expect(chunks.map((bytes) => bytes.toString()).join('') === sent('restless', runId), 'the journal holds the very bytes').toBe(true);
  expect(chunks.map((bytes) => bytes.length)).toEqual(await app.evaluate(() => window.bare.progress.chunks));
});

test('the panel is closed and reopened in mid-stream', async ({ lens, agent }) => {
  const page = await lens.context.newPage();
  const runId = 'run-reopened';
  await start(page, agent.url, 'restless', runId);
  const first = await openPanel(page);
  await reached(page, 600);
  await first.close();
  await reached(page, 1200);
  const second = await openPanel(page);
  await reached(page, EVENTS);
  await expect(root(second.frame)).toHaveAttribute('data-events', String(EVENTS));
  const { runs, findings } = undisturbed(runId);
  await expect.poll(() => summaryOf(second.frame)).toEqual({ runs, findings });
  await page.close();
});

for (const way of ['href', 'reload'] as const) {
  test(`a navigation in mid-stream (${way}): the journal holds what the reader got`, async ({ app, panel, stage, agent }, info) => {
    await panel.getByRole('checkbox', { name: 'Preserve log' }).check();
    try {
      await start(app, agent.url, 'steady', 'run-navigated', 3);
      await reached(app, 700);
      if (way === 'reload') await app.reload();
      else await app.evaluate(() => location.assign('bare.html?again'));
      await app.waitForFunction(() => window.bare?.before() !== null);
      const got = await app.evaluate(() => window.bare.before()!);
      expect(got.frames).toBeGreaterThan(699);
      expect(got.frames, 'the stream was not over').toBeLessThan(EVENTS);
      const lengths = async () => {
        const file = info.outputPath('capture.jsonl');
        await exportTo(stage.tools, file);
        return chunksOf(readFileSync(file, 'utf8')).map((bytes) => bytes.length);
      };
      await expect.poll(lengths).toEqual(got.chunks);
      await expect.poll(async () => (await summaryOf(panel)).runs).toEqual([{ runId: 'run-navigated', status: 'truncated' }]);
    } finally {
      await panel.getByRole('checkbox', { name: 'Preserve log' }).uncheck();
    }
  });
}
