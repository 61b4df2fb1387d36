/**
 * `npm run bench:import`: a file into the real panel in Chromium, and a captured agent served again. Needs `npm run build`. Exit code 1
 * when a figure misses its bound. A loaded machine makes every figure here worse.
 */
import { createWriteStream, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { HttpAgent } from '@ag-ui/client';
import type { Page } from '@playwright/test';
import { launch, PANEL_PATH } from '../e2e/browser.ts';
import { gaugeOfWorker } from '../e2e/life/heap.ts';
import type { CaptureRecord } from '../src/capture/types.ts';
import { startServer } from '../src/cli/serve.ts';
import { writeHeader, writeRecord } from '../src/export/index.ts';
import { type Figure, kept, print } from './table.ts';

const encoder = new TextEncoder();
const MB = 1_000_000;

/** Records of a run with `events` content events of about `size` bytes, a chunk each. */
function* recordsOf(events: number, size: number): Generator<CaptureRecord> {
  const time = 1_796_000_000_000;
  const delta = 'word '.repeat(Math.max(1, Math.floor(size / 5)));
  const chunk = (no: number, event: object): CaptureRecord => {
    const came = time + no;
    return { kind: 'chunk', conn: 0, asked: came, came, bytes: encoder.encode(`data: ${JSON.stringify(event)}\n\n`) };
  };
  yield { kind: 'request', conn: 0, carrier: 'fetch', document: null, request: { url: 'http://localhost/agent', method: 'POST', time } };
  yield { kind: 'response', conn: 0, response: { time, status: 200, contentType: 'text/event-stream' } };
  yield chunk(0, { type: 'RUN_STARTED', threadId: 't', runId: 'r' });
  for (let no = 1; no < events - 1; no++) {
    const messageId = `m${Math.floor((no - 1) / 500)}`;
    const place = (no - 1) % 500;
    if (place === 0) yield chunk(no, { type: 'TEXT_MESSAGE_START', messageId, role: 'assistant' });
    else if (place === 499 || no === events - 2) yield chunk(no, { type: 'TEXT_MESSAGE_END', messageId });
    else yield chunk(no, { type: 'TEXT_MESSAGE_CONTENT', messageId, delta });
  }
  yield chunk(events, { type: 'RUN_FINISHED', threadId: 't', runId: 'r' });
  yield { kind: 'end', conn: 0, end: { time: time + events, how: 'complete' } };
}

async function writeCapture(path: string, records: Iterable<CaptureRecord>): Promise<number> {
  const file = createWriteStream(path);
  let size = 0;
  const put = async (text: string) => {
    size += text.length;
    if (!file.write(text)) await new Promise<void>((resolve) => file.once('drain', () => resolve()));
  };
  await put(writeHeader({ created: '2026-12-01T10:00:00.000Z', app: 'bench' }));
  for (const record of records) await put(writeRecord(record));
  await new Promise<void>((resolve) => file.end(() => resolve()));
  return size;
}

interface Watch {
  start: number;
  firstRows: number | null;
  longest: number;
  progress: number;
  heap: number;
}

/** Watches, from the panel's own document, what its reader would feel; `watch` lies on its window. */
function watchImport(page: Page): Promise<void> {
  return page.evaluate(() => {
    const watch: Watch = { start: performance.now(), firstRows: null, longest: 0, progress: 0, heap: 0 };
    Object.assign(globalThis, { watch });
    new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) watch.longest = Math.max(watch.longest, duration);
    }).observe({ type: 'longtask' });
    const look = () => {
      if (watch.firstRows === null && document.querySelector('[data-testid="event-row"]')) watch.firstRows = performance.now() - watch.start;
      const bar = document.querySelector('progress');
      if (bar) watch.progress++;
      watch.heap = Math.max(watch.heap, (performance as unknown as { memory: { usedJSHeapSize: number } }).memory.usedJSHeapSize);
      requestAnimationFrame(look);
    };
    // the clock starts when the browser hands the file over
    document.addEventListener('change', () => (watch.start = performance.now()), { capture: true, once: true });
    look();
  });
}

async function importInto(page: Page, extensionId: string, path: string, events: number, workerHeap: () => Promise<number>) {
  await page.goto(`chrome-extension://${extensionId}/${PANEL_PATH}`);
  await page.locator('[data-testid="runlens"][data-state="connected"]').waitFor({ state: 'attached' });
  await watchImport(page);
  // as a reader does it: the button, then the browser's own choice of files
  const choosing = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: 'Import', exact: true }).first().click();
  const chooser = await choosing;
  await page.waitForLoadState('networkidle');
  await chooser.setFiles(path);
  const start = performance.now();
  let worker = 0;
  for (let look = 0; ; look++) {
    // a reading collects garbage, so not at every look
    if (look % 8 === 0) worker = Math.max(worker, await workerHeap());
    const done = await page.locator(`[data-testid="runlens"][data-events="${events}"]`).count();
    if (done > 0) break;
    if (performance.now() - start > 15 * 60_000) throw new Error('The import did not come to its end within 15 minutes.');
    await new Promise((resolve) => setTimeout(resolve, 250));
  }
  const watch = await page.evaluate(() => (globalThis as unknown as { watch: Watch }).watch);
  return { ...watch, worker, whole: performance.now() - start };
}

async function importFigures(): Promise<Figure[]> {
  const folder = mkdtempSync(join(tmpdir(), 'runlens-bench-'));
  const browser = await launch();
  try {
    const page = await browser.context.newPage();
    const small = join(folder, 'small.jsonl');
    await writeCapture(small, recordsOf(50_000, 20));
    const a = await importInto(page, browser.extensionId, small, 50_000, async () => 0);
    // a debugger at the worker costs time, so it comes after what is timed
    const gauge = await gaugeOfWorker(browser.context, browser.extensionId);
    const workerHeap = async () => (await gauge.read()) * MB;
    const large = join(folder, 'large.jsonl');
    const events = 300_000;
    const size = await writeCapture(large, recordsOf(events, 850));
    const b = await importInto(page, browser.extensionId, large, events, workerHeap);
    const against = `a capture of ${Math.round(size / MB)} MB, ${events.toLocaleString('en')} events`;
    return [
      {
        name: 'import, 50,000 events: first rows',
        value: a.firstRows ?? Number.POSITIVE_INFINITY,
        unit: 'ms',
        against: 'from the choice of the file',
        bound: { atMost: 500 },
      },
      {
        name: 'import, 50,000 events: longest block',
        value: a.longest,
        unit: 'ms',
        against: 'longest task of the panel; 0 is under 50',
        bound: { atMost: 100 },
      },
      { name: 'import, 50,000 events: all shown', value: a.whole, unit: 'ms', against: '' },
      { name: 'import, 300 MB: all shown', value: b.whole / 1000, unit: 's', against },
      { name: 'import, 300 MB: longest block', value: b.longest, unit: 'ms', against, bound: { atMost: 200 } },
      { name: 'import, 300 MB: frames with a progress bar', value: b.progress, unit: 'frames', against, bound: { atLeast: 1 } },
      { name: 'import, 300 MB: heap of the panel at most', value: b.heap / MB, unit: 'MB', against, bound: { atMost: 200 } },
      { name: 'import, 300 MB: heap of the worker at most', value: b.worker / MB, unit: 'MB', against, bound: { atMost: 300 } },
    ];
  } finally {
    await browser.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** How far the times at which the real client gets its events lie from the captured ones, at speed 1. */
async function serveFigures(): Promise<Figure[]> {
  const gaps = Array.from({ length: 120 }, (_, no) => [0, 5, 18, 40, 90][no % 5]!);
  const events = gaps.map((_, no) => {
    if (no === 0) return { type: 'RUN_STARTED', threadId: 't', runId: 'r' };
    return no === gaps.length - 1 ? { type: 'RUN_FINISHED', threadId: 't', runId: 'r' } : { type: 'CUSTOM', name: 'bench.tick', value: no };
  });
  let time = 1000;
  const records: CaptureRecord[] = [
    { kind: 'request', conn: 0, carrier: 'fetch', document: null, request: { url: 'http://localhost/agent', method: 'POST', time } },
    { kind: 'response', conn: 0, response: { time, status: 200, contentType: 'text/event-stream' } },
  ];
  const wanted: number[] = [];
  for (const [no, event] of events.entries()) {
    time += gaps[no]!;
    wanted.push(time);
    records.push({ kind: 'chunk', conn: 0, asked: time, came: time, bytes: encoder.encode(`data: ${JSON.stringify(event)}\n\n`) });
  }
  records.push({ kind: 'end', conn: 0, end: { time, how: 'complete' } });
  const serving = await startServer(records, { port: 0, speed: 1 });
  try {
    const agent = new HttpAgent({ url: `${serving.url}/agent`, threadId: 't' });
    const got: { readonly type: string; readonly time: number }[] = [];
    await agent.runAgent({ runId: 'r' }, { onEvent: ({ event }) => void got.push({ type: event.type, time: performance.now() }) });
    const offsets = got.map(({ time: at }, no) => at - got[0]!.time - (wanted[no]! - wanted[0]!));
    const same = got.length === events.length && got.every(({ type }, no) => type === events[no]!.type);
    return [
      {
        name: 'serve, real client: same events in the same order',
        value: same ? 1 : 0,
        unit: '',
        against: `${events.length} events over ${time - 1000} ms`,
        bound: { atLeast: 1 },
      },
      {
        name: 'serve, real client: furthest from the captured time',
        value: Math.max(...offsets.map(Math.abs)),
        unit: 'ms',
        against: 'at speed 1',
        bound: { atMost: 20 },
      },
    ];
  } finally {
    await serving.close();
  }
}

const figures = [...(await serveFigures()), ...(await importFigures())];
console.log(process.argv.includes('--json') ? JSON.stringify(figures, null, 2) : print(figures));
process.exitCode = figures.every(kept) ? 0 : 1;
