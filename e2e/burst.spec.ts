/** 20,000 events that the page reads one at a time: the panel keeps up. */
import { expect, test } from './fixtures.ts';
import { root, summaryOf } from './panel.ts';

const EVENTS = 20_000;
/** Ms between events, tried until the page really gets nine of ten alone: on a busy machine the first is too fast. */
const PACES = [0.6, 1.5, 4];

test('20,000 events read one at a time by a bare reader', async ({ app, panel, agent }, info) => {
  test.setTimeout(300_000);
  let [reads, end] = [0, 0];
  for (const pace of PACES) {
    if (reads >= EVENTS * 0.9) break;
    await app.goto(`${agent.url}bare.html`);
    await expect(root(panel)).toHaveAttribute('data-events', '0');
    reads = await app.evaluate(async (url) => (await window.bare.read(url, 'run-burst')).chunks.length, `${agent.url}agent/burst?pace=${pace}&n=${EVENTS}`);
    end = performance.now();
  }
  expect(reads, 'most events came alone').toBeGreaterThanOrEqual(EVENTS * 0.9);
  await expect(root(panel)).toHaveAttribute('data-events', String(EVENTS), { timeout: 60_000 });
  info.annotations.push({ type: 'ms from the end of the stream to the last event in the panel', description: (performance.now() - end).toFixed(0) });
  await expect.poll(() => summaryOf(panel)).toEqual({ runs: [{ runId: 'run-burst', status: 'succeeded' }], findings: [] });
});
