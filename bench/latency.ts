/**
 * `npm run bench:latency`: from the server's write of an event until the open panel has drawn it, at 100 events a second, in the
 * real DevTools window. The clock of both is the machine's.
 */
import { launch, openPanel } from '../e2e/browser.ts';
import { root } from '../e2e/panel.ts';
import { startBenchServer } from './pages/server.ts';
import { processTimes } from './processes.ts';
import { type Figure, median, percentile, report } from './table.ts';

const EVENTS = process.argv.includes('--quick') ? 1000 : 3000;
const PACE = 10;
/** The first second goes to starting up: the worker wakes, the panel draws its table for the first time. */
const WARM = 100;

/**
 * Notes in the panel how many events its document says it has, and when that was drawn. Evaluated there. The document changes inside a
 * frame (at once after a callback of that frame); the first task after it runs when the frame has been laid out and painted. A change
 * outside a frame is drawn with the next one.
 */
const WATCH = `(() => {
  const element = document.querySelector('[data-testid=runlens]');
  const seen = [];
  const { port1, port2 } = new MessageChannel();
  const waiting = [];
  port1.onmessage = () => seen.push([waiting.shift(), performance.timeOrigin + performance.now()]);
  const painted = (count) => {
    waiting.push(count);
    port2.postMessage(null);
  };
  let inFrame = false;
  const request = requestAnimationFrame;
  globalThis.requestAnimationFrame = (run) => request((time) => {
    inFrame = true;
    run(time);
    queueMicrotask(() => queueMicrotask(() => { inFrame = false; }));
  });
  new MutationObserver(() => {
    const count = Number(element.dataset.events);
    if (inFrame) painted(count);
    else request(() => painted(count));
  }).observe(element, { attributeFilter: ['data-events'] });
  globalThis.seen = seen;
})()`;

async function main(): Promise<Figure[]> {
  const server = await startBenchServer();
  const browser = await launch();
  browser.context.setDefaultTimeout(300_000);
  const page = browser.context.pages()[0] ?? (await browser.context.newPage());
  await page.goto(server.url);
  const { frame } = await openPanel(page);
  await root(frame).and(frame.locator('[data-state=connected]')).waitFor({ state: 'attached' });
  await frame.evaluate(WATCH);
  const [before, began] = [await processTimes(browser.context), performance.now()];
  await page.evaluate(`readers.bare('/agent?events=${EVENTS}&pace=${PACE}')`);
  await frame.locator(`[data-testid=runlens][data-events="${EVENTS}"]`).waitFor({ state: 'attached', timeout: 60_000 });
  const [after, took] = [await processTimes(browser.context), (performance.now() - began) / 1000];
  const share = ((after.all - before.all) / took) * 100;
  const seen = (await frame.evaluate('seen')) as [count: number, time: number][];
  const delays: number[] = [];
  let at = 0;
  for (let event = 0; event < EVENTS; event++) {
    while (seen[at]![0] <= event) at++;
    if (event >= WARM) delays.push(seen[at]![1] - server.written[event]!);
  }
  await browser.close();
  await server.close();
  const [middle, most] = [median(delays), Math.max(...delays)];
  const against = `${delays.length.toLocaleString('en')} events; median ${middle.toFixed(0)}, most ${most.toFixed(0)} ms; the browser used ${share.toFixed(0)} % of a core`;
  return [{ name: 'latency, server to pixel at 100 events/s, p95', value: percentile(delays, 0.95), unit: 'ms', against, bound: { atMost: 100 } }];
}

report(await main());
