/** What happens around the stream: reloads, a panel that comes late, two tabs, and a capture that leaves and comes back. */
import { readFileSync, writeFileSync } from 'node:fs';
import { scenarioOf } from './agent/scenarios.ts';
import { openPanel } from './browser.ts';
import { expect, play, test } from './fixtures.ts';
import { clear, eventCount, exportTo, importFrom, root, summaryOf } from './panel.ts';

test('a reload empties the panel, and every run after it appears', async ({ app, panel }) => {
  for (let time = 0; time < 5; time++) {
    const { runId } = await play(app, 'cancelled');
    await expect.poll(() => summaryOf(panel)).toEqual({ runs: [{ runId, status: 'cancelled' }], findings: [] });
    await app.reload();
    await expect(root(panel)).toHaveAttribute('data-events', '0');
  }
});

test('a panel opened after the run shows it', async ({ lens, agent }) => {
  const page = await lens.context.newPage();
  await page.goto(`${agent.url}?pace=2`);
  const { runId } = await play(page, 'step-already-open');
  const tools = await openPanel(page);
  await expect
    .poll(() => summaryOf(tools.frame))
    .toEqual({
      runs: [{ runId, status: 'rejected-by-violation' }],
      findings: scenarioOf('step-already-open')!.build({ threadId: '', runId }).expected.findings,
    });
  await page.close();
});

test('two tabs do not see each other', async ({ app, panel, lens, agent }) => {
  const other = await lens.context.newPage();
  await other.goto(`${agent.url}?pace=2`);
  const tools = await openPanel(other);
  const [here, there] = await Promise.all([play(app, 'interrupted'), play(other, 'run-error')]);
  await expect.poll(() => summaryOf(panel)).toEqual({ runs: [{ runId: here.runId, status: 'interrupted' }], findings: [] });
  await expect.poll(() => summaryOf(tools.frame)).toEqual({ runs: [{ runId: there.runId, status: 'failed-by-report' }], findings: [] });
  await other.close();
});

test('a run that stays open is active, and truncated once the app has stopped it', async ({ app, panel }) => {
  await app.locator('[data-scenario="slow"]').click();
  const runId = (await app.locator('#log li').getAttribute('data-run')) ?? '';
  await expect.poll(() => summaryOf(panel)).toEqual({ runs: [{ runId, status: 'active' }], findings: [] });
  await app.locator('#stop').click();
  await expect.poll(() => summaryOf(panel)).toEqual({ runs: [{ runId, status: 'truncated' }], findings: [] });
});

test('an exported capture comes back the same in an empty panel', async ({ app, panel, stage, lens, agent }, info) => {
  for (const id of ['good', 'several', 'step-already-open', 'late-run-error', 'cut', 'foreign']) await play(app, id);
  const { runs, findings } = await summaryOf(panel);
  expect(runs).toHaveLength(7);
  const events = await eventCount(panel);
  const first = info.outputPath('first.jsonl');
  await exportTo(stage.tools, first);

  const page = await lens.context.newPage();
  await page.goto(`${agent.url}blank`);
  const tools = await openPanel(page);
  await expect(root(tools.frame)).toHaveAttribute('data-events', '0');
  await importFrom(tools, first);
  await expect(root(tools.frame)).toHaveAttribute('data-events', String(events));
  await expect.poll(() => summaryOf(tools.frame)).toEqual({ runs, findings });

  const second = info.outputPath('second.jsonl');
  await exportTo(tools, second);
  const records = (path: string) => readFileSync(path, 'utf8').trim().split('\n').slice(1);
  expect(records(second)).toEqual(records(first));
  await page.close();
});

test('a foreign file is refused with a sentence', async ({ panel, stage }, info) => {
  const path = info.outputPath('notes.jsonl');
  writeFileSync(path, 'These are my notes.\n');
  await importFrom(stage.tools, path);
  await expect(panel.getByRole('alert')).toContainText(/line 1/i);
  await expect(root(panel)).toHaveAttribute('data-events', '0');
});

test('clear empties the panel, and the next run appears', async ({ app, panel }) => {
  await play(app, 'good');
  await expect.poll(() => eventCount(panel)).toBeGreaterThan(50);
  await clear(panel);
  const { runId } = await play(app, 'chunks');
  await expect.poll(() => summaryOf(panel)).toEqual({ runs: [{ runId, status: 'succeeded' }], findings: [] });
});
