/**
 * `npm run bench:scale`: a million events in one tab, in ten streams at once, some 20,000 events a second, read with DevTools closed. (As
 * fast as the machine can, three times that, the page's own buffers run over, which is told as gaps.) Then the panel opens on them:
 * while DevTools start, as no reader can click; in DevTools that have started; and there with the worker stopped just before the click.
 * Jumps and a filter; memory of all three after a forced collection, JS heap and backing stores. `--quick` takes 200,000.
 */
import type { BrowserContext, CDPSession, Frame, Page } from 'playwright';
import { killWorkers, launch, openPanel } from '../e2e/browser.ts';
import { startBenchServer } from './pages/server.ts';
import { processTimes } from './processes.ts';
import { type Figure, report } from './table.ts';

const EVENTS = process.argv.includes('--quick') ? 200_000 : 1_000_000;
const STREAMS = 10;
/** Ms between writes of 64 KiB, some 440 events, of each stream. */
const PACE = 200;
const MB = 1_000_000;
const HANG = 900_000;

interface Usage {
  readonly usedSize: number;
  readonly backingStorageSize?: number;
}

const size = ({ usedSize, backingStorageSize = 0 }: Usage): number => (usedSize + backingStorageSize) / MB;

/** MB of a document's heap and backing stores after a collection. */
async function heapOf(context: BrowserContext, of: Page | Frame): Promise<number> {
  const session = await context.newCDPSession(of);
  await session.send('HeapProfiler.enable');
  await session.send('HeapProfiler.collectGarbage');
  const usage = (await session.send('Runtime.getHeapUsage')) as Usage;
  await session.detach();
  return size(usage);
}

/** The same of the extension's worker, which only the browser's own session reaches. */
async function heapOfWorker(context: BrowserContext): Promise<number> {
  const browser = await context.browser()!.newBrowserCDPSession();
  const { targetInfos } = await browser.send('Target.getTargets');
  const worker = targetInfos.find(({ type, url }) => type === 'service_worker' && url.startsWith('chrome-extension:'));
  if (!worker) throw new Error('The worker is not running.');
  const { sessionId } = await browser.send('Target.attachToTarget', { targetId: worker.targetId, flatten: false });
  const ask = (id: number, method: string) =>
    new Promise<Usage>((done) => {
      const hear = (event: { sessionId: string; message: string }) => {
        const answer = JSON.parse(event.message) as { id?: number; result: Usage };
        if (event.sessionId !== sessionId || answer.id !== id) return;
        browser.off('Target.receivedMessageFromTarget', hear);
        done(answer.result);
      };
      browser.on('Target.receivedMessageFromTarget', hear);
      void browser.send('Target.sendMessageToTarget', { sessionId, message: JSON.stringify({ id, method }) });
    });
  await ask(1, 'HeapProfiler.enable');
  await ask(2, 'HeapProfiler.collectGarbage');
  const usage = await ask(3, 'Runtime.getHeapUsage');
  await browser.detach();
  return size(usage);
}

/** Resolves once the browser's renderers do next to nothing: DevTools have started. */
async function calm(context: BrowserContext): Promise<void> {
  let { renderers: before } = await processTimes(context);
  for (let looks = 0, all = 0; looks < 3 && all < 100; all++) {
    await new Promise((go) => setTimeout(go, 200));
    const { renderers: now } = await processTimes(context);
    looks = now - before < 0.02 ? looks + 1 : 0;
    before = now;
  }
}

interface Opened {
  readonly frame: Frame;
  readonly wall: number;
  readonly cpu: number;
  readonly close: () => Promise<void>;
}

/**
 * Opens the panel; ms from its document's birth to the frame that shows rows and counts all events, and the CPU ms of all renderers
 * meanwhile. `ready` comes between DevTools and the click on our tab; without it the click comes while DevTools still start.
 */
async function open(page: Page, ready?: () => Promise<void>): Promise<Opened> {
  let before = await processTimes(page.context());
  const tools = await openPanel(
    page,
    ready &&
      (async () => {
        await ready();
        before = await processTimes(page.context());
      }),
  );
  const { frame } = tools;
  const all = `document.querySelector('[data-testid=runlens]')?.dataset.events === '${EVENTS}' && document.querySelector('[data-testid=event-row]')`;
  const wall = (await frame.evaluate(`(async () => {
    while (!(${all})) await new Promise(requestAnimationFrame);
    await new Promise(requestAnimationFrame);
    return performance.now();
  })()`)) as number;
  const after = await processTimes(page.context());
  return { frame, wall, cpu: (after.renderers - before.renderers) * 1000, close: tools.close };
}

async function threadTime(session: CDPSession): Promise<number> {
  const { metrics } = await session.send('Performance.getMetrics');
  return (metrics.find(({ name }) => name === 'ThreadTime')?.value ?? Number.NaN) * 1000;
}

/** CPU and wall of an act in the panel, until the frame that shows its result. */
async function act(frame: Frame, session: CDPSession, name: string, code: string): Promise<Figure> {
  const before = await threadTime(session);
  const wall = (await frame.evaluate(`(async () => {
    const began = performance.now();
    ${code}
    await new Promise((go) => requestAnimationFrame(() => requestAnimationFrame(go)));
    return performance.now() - began;
  })()`)) as number;
  const cpu = (await threadTime(session)) - before;
  return { name: `scale: ${name}`, value: cpu, unit: 'ms', against: `CPU; wall ${wall.toFixed(0)} ms`, bound: { atMost: 200 } };
}

const SCROLL = (share: number) => `
  let box = document.querySelector('[data-testid=event-row]');
  while (box && box.scrollHeight <= box.clientHeight + 4) box = box.parentElement;
  box.scrollTop = (box.scrollHeight - box.clientHeight) * ${share};`;
const CHIP = `[...document.querySelectorAll('fieldset[aria-label=Kinds] button')].find((one) => /step/i.test(one.getAttribute('aria-label') ?? one.textContent)).click();`;

async function main(): Promise<Figure[]> {
  const server = await startBenchServer();
  const browser = await launch();
  const { context } = browser;
  const page = context.pages()[0] ?? (await context.newPage());
  context.setDefaultTimeout(HANG);
  await page.goto(server.url);
  const start = await heapOf(context, page);
  const began = performance.now();
  await page.evaluate(`Promise.all(Array.from({ length: ${STREAMS} }, () => readers.bare('/agent?events=${EVENTS / STREAMS}&pace=${PACE}&full')))`);
  console.error(`read by the page in ${((performance.now() - began) / 1000).toFixed(0)} s`);
  const first = await open(page);
  console.error(`all in the panel after ${((performance.now() - began) / 1000).toFixed(0)} s`);
  await first.close();
  const figures: Figure[] = [];
  const opened = (name: string, { wall, cpu }: Opened): Figure => ({
    name: `scale: panel opens, ${name}`,
    value: wall,
    unit: 'ms',
    against: `wall; CPU of all renderers: ${cpu.toFixed(0)} ms`,
    bound: { atMost: 2000 },
  });
  const early = await open(page);
  figures.push(opened('clicked while DevTools start', early));
  await early.close();
  const second = await open(page, () => calm(context));
  figures.push(opened('worker alive', second));
  const session = await context.newCDPSession(second.frame);
  await session.send('Performance.enable');
  figures.push(await act(second.frame, session, 'jump to the end', SCROLL(1)));
  figures.push(await act(second.frame, session, 'jump to the middle', SCROLL(0.5)));
  figures.push(await act(second.frame, session, 'filter to one kind', CHIP));
  const dropped = (await second.frame.evaluate(`document.querySelector('[data-testid=dropped]')?.textContent ?? ''`)) as string;
  figures.unshift({
    name: 'scale: events dropped',
    value: dropped === '' ? 0 : Number.NaN,
    unit: '',
    against: dropped || `${EVENTS.toLocaleString('en')} events in ${STREAMS} streams, all in the panel`,
    bound: { atMost: 0 },
  });
  await session.detach();
  const memory = (name: string, value: number, atMost: number, against = 'JS heap and backing stores after GC'): Figure => ({
    name: `scale: memory, ${name}`,
    value,
    unit: 'MB',
    against,
    bound: { atMost },
  });
  figures.push(memory('panel', await heapOf(context, second.frame), 350));
  figures.push(memory('worker', await heapOfWorker(context), 250));
  const end = await heapOf(context, page);
  figures.push(memory('page, beyond its start', end - start, 3, `${start.toFixed(1)} MB before, ${end.toFixed(1)} after`));
  await second.close();
  const third = await open(page, async () => {
    await calm(context);
    await killWorkers(page);
  });
  figures.push(opened('worker stopped before', third));
  await browser.close();
  await server.close();
  return figures;
}

report(await main());
