/**
 * A soak: 50 events a second, a navigation every ten seconds, DevTools open. Nothing is lost and memory stays flat. 2 minutes in the test
 * command; `npm run soak` sets RUNLENS_SOAK to 30 minutes, with a navigation a minute, and shows what it measured.
 */
import { writeFileSync } from 'node:fs';
import { openPanel } from './browser.ts';
import { expect, test } from './fixtures.ts';
import { gaugeOf, gaugeOfWorker } from './life/heap.ts';
import { launchOwn } from './life/launch.ts';
import { startLifeServer } from './life/server.ts';
import { root, summaryOf } from './panel.ts';

/** Seconds in all, and of each document. */
const SECONDS = Number(process.env['RUNLENS_SOAK'] ?? 120);
const EACH = SECONDS >= 600 ? 60 : 10;
const PACE = 20;
const EVENTS = (EACH * 1000) / PACE;

const middle = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

test(`a soak of ${SECONDS} s at 50 events a second`, async ({ browserName: _any }, info) => {
  test.setTimeout(SECONDS * 4_000 + 120_000);
  const server = await startLifeServer();
  const browser = await launchOwn();
  try {
    const page = browser.context.pages()[0]!;
    await page.goto(`${server.url}/page.html`);
    const { frame } = await openPanel(page);
    const gauges = {
      panel: await gaugeOf(browser.context, frame),
      worker: await gaugeOfWorker(browser.context, browser.extensionId),
      page: await gaugeOf(browser.context, page),
    };
    const samples: Record<string, number>[] = [];
    for (let document = 0; document * EACH < SECONDS; document++) {
      const runId = `run-${document}`;
      await page.goto(`${server.url}/page.html?document=${document}`);
      await expect(root(frame)).toHaveAttribute('data-events', '0');
      await page.evaluate(([path, id]) => window.ask(path!, id!), [`/sse/steady?pace=${PACE}&n=${EVENTS}`, runId]);
      await expect(root(frame)).toHaveAttribute('data-events', String(EVENTS));
      await expect.poll(() => summaryOf(frame)).toEqual({ runs: [{ runId, status: 'succeeded' }], findings: [] });
      await expect(frame.getByTestId('dropped')).toHaveCount(0);
      samples.push(Object.fromEntries(await Promise.all(Object.entries(gauges).map(async ([name, gauge]) => [name, await gauge.read()] as const))));
    }
    const third = Math.floor(samples.length / 3);
    const figures = Object.keys(gauges).map((name) => {
      const all = samples.map((sample) => sample[name] ?? 0);
      return { name, middle: middle(all.slice(third, -third)), last: middle(all.slice(-third)), all };
    });
    writeFileSync(info.outputPath('memory.json'), JSON.stringify(figures, null, 1));
    for (const { name, middle: before, last, all } of figures) {
      const words = `${name}: ${before.toFixed(1)} MB in the middle third, ${last.toFixed(1)} MB in the last; ${all.map((mb) => mb.toFixed(1)).join(' ')}`;
      if (process.env['RUNLENS_SOAK']) console.log(words);
      expect.soft(last, words).toBeLessThanOrEqual(before * 1.1);
      expect.soft(before, words).toBeGreaterThan(0);
    }
  } finally {
    await browser.close();
    await server.close();
  }
});
