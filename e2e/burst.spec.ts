/** 20,000 events that the page reads one at a time: the panel keeps up. */
import { expect, test } from './fixtures.ts';
import { root, summaryOf } from './panel.ts';

const EVENTS = 20_000;

test('20,000 events read one at a time by a bare reader', async ({ app, panel, agent }, info) => {
  test.setTimeout(420_000);
  await app.goto(`${agent.url}bare.html`);
  await expect(root(panel)).toHaveAttribute('data-events', '0');
  const reads = await app.evaluate(async (n) => (await window.bare.readSingly('burst', 'run-burst', n)).chunks.length, EVENTS);
  const end = performance.now();
  expect(reads, 'each event came alone').toBeGreaterThanOrEqual(EVENTS * 0.9);
  await expect(root(panel)).toHaveAttribute('data-events', String(EVENTS), { timeout: 60_000 });
  info.annotations.push({ type: 'ms from the end of the stream to the last event in the panel', description: (performance.now() - end).toFixed(0) });
  await expect.poll(() => summaryOf(panel)).toEqual({ runs: [{ runId: 'run-burst', status: 'succeeded' }], findings: [] });
});
