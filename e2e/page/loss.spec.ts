/** Nothing is lost between the page's reader and the journal: navigations, killed workers, an extension reloaded under the page. */
import { expect, type Page, test } from '@playwright/test';
import type { Journal } from './journal.ts';
import { type Launched, launch } from './launch.ts';
import { type PageServer, startPageServer } from './server.ts';

let server: PageServer;
let browser: Launched;
let page: Page;
let journal: Journal;

/** Reads a stream and writes down at once, where a navigation cannot take it, what its reader got; a reload keeps the last record as 'before'. */
const READER = `
  sessionStorage.setItem('before', sessionStorage.getItem('got') ?? '');
  sessionStorage.setItem('got', '');
  window.got = 0;
  window.start = async (query) => {
    const reader = (await fetch('/r?' + query)).body.getReader();
    const decoder = new TextDecoder();
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      got += 1;
      sessionStorage.setItem('got', sessionStorage.getItem('got') + decoder.decode(value));
    }
  };
  window.busy = (ms) => { const until = performance.now() + ms; while (performance.now() < until); };
  const link = document.createElement('a');
  link.href = '/next.html';
`;

test.beforeAll(async () => {
  server = await startPageServer();
  browser = await launch('with');
  journal = await browser.journal();
  page = await browser.context.newPage();
  server.pages.set('/reader.html', { html: `<!doctype html><meta charset="utf-8"><title>reader</title><body><script>${READER}</script>` });
  server.pages.set('/next.html', { html: '<!doctype html><title>next</title>' });
});

test.beforeEach(async () => {
  await page.goto(`${server.url}/reader.html`);
  await journal.clear();
});

test.afterAll(async () => {
  await browser?.close();
  await server?.close();
});

/** Stops the worker as the browser does when it is idle. */
async function killWorker(): Promise<void> {
  const session = await browser.context.newCDPSession(page);
  await session.send('ServiceWorker.enable');
  await session.send('ServiceWorker.stopAllWorkers');
  await session.detach();
}

const started = (count: number) => page.waitForFunction((most) => (window as unknown as { got: number }).got >= most, count);

const LEAVINGS: Readonly<Record<string, string>> = {
  'an address': "location.href = '/next.html'",
  'a reload': 'location.reload()',
  'a link': 'link.click()',
  'an address, busy before': "busy(150); location.href = '/next.html'",
  'an address, busy in pagehide': "addEventListener('pagehide', () => busy(100)); location.href = '/next.html'",
  'an address after document.open()':
    "document.open(); document.write('<p>new'); document.close(); const before = got; void start('id=again&ticks'); setInterval(() => { if (got > before + 20) location.href = '/next.html'; }, 5)",
};

for (const [name, leave] of Object.entries(LEAVINGS)) {
  test(`left in mid-stream by ${name}: the journal holds what the reader got`, async () => {
    for (let round = 0; round < 3; round += 1) {
      await page.goto(`${server.url}/reader.html`);
      await journal.clear();
      await page.evaluate(`void start('id=left-${round}&ticks')`);
      await started(30);
      await Promise.all([page.waitForEvent('load'), page.evaluate(leave)]);
      const got = await page.evaluate((reloaded) => sessionStorage.getItem(reloaded ? 'before' : 'got') ?? '', name === 'a reload');
      const streams = name.includes('document.open') ? 2 : 1;
      await expect.poll(journal.ends).toEqual(Array.from({ length: streams }, () => 'navigated'));
      const bytes = Object.values(await journal.bytes());
      // two readers write into one record in turn: compared by what each got, put in order
      expect(lines(bytes.join('')), `round ${round}`).toEqual(lines(got));
    }
  });
}

/** More than a page can read while the next one is on its way, however slow that is: it takes 20 ms for each 64 KiB then. */
const BURST = Array.from({ length: 240_000 }, (_, no) => `data: ${no} ${'x'.repeat(120)}\n\n`).join('');

test('left in a burst, before the page had an idle moment: the journal holds what the reader got', async () => {
  server.pages.set('/burst', { html: BURST, headers: { 'content-type': 'text/event-stream' } });
  for (let round = 0; round < 3; round += 1) {
    await page.goto(`${server.url}/reader.html`);
    await journal.clear();
    const read = `(async () => {
      const reader = (await fetch('/burst')).body.getReader();
      let size = 0;
      addEventListener('pagehide', () => sessionStorage.setItem('size', size));
      for (;;) {
        const { done, value } = await reader.read();
        if (done) break;
        size += value.length;
        busy(window.leaving ? 20 : 5);
        if (size > 1_000_000 && !window.leaving) { window.leaving = true; location.href = '/next.html'; }
      }
    })()`;
    await Promise.all([page.waitForEvent('load'), page.evaluate(`void ${read}`)]);
    const size = Number(await page.evaluate("sessionStorage.getItem('size')"));
    await expect.poll(journal.ends).toEqual(['navigated']);
    expect(size, 'more than a batch was read, and not all').toBeGreaterThan(1_000_000);
    expect(size).toBeLessThan(BURST.length);
    expect(Object.values(await journal.bytes()).join('') === BURST.slice(0, size), `round ${round}: ${size} bytes`).toBe(true);
  }
});

const lines = (text: string) => text.split('\n\n').toSorted();

test('five killed workers: every chunk once, in order', async () => {
  await page.evaluate("void (window.reading = start('id=killed&ticks'))");
  for (let kill = 1; kill <= 5; kill += 1) {
    await started(kill * 100);
    // a life counts when it has journaled
    await expect.poll(journal.lives).toBe(kill);
    await killWorker();
  }
  await expect.poll(journal.lives).toBe(6);
  await page.evaluate("fetch('/release?id=killed').then(() => reading)");
  await expect.poll(journal.ends).toEqual(['complete']);
  expect(Object.values(await journal.bytes())).toEqual([await page.evaluate("sessionStorage.getItem('got')")]);
  const numbers = [...new Set((await journal.records()).map(({ no }) => no))];
  expect(numbers).toEqual(Array.from({ length: numbers.length }, (_, i) => i + 1));
});

test('a worker that journals but dies before it acknowledges gets everything again, and nothing twice', async () => {
  await journal.clear(true);
  await page.evaluate("start('id=held&parts=data: 1%0A%0A|data: 2%0A%0A')");
  await expect.poll(journal.ends).toEqual(['complete']);
  await killWorker();
  // the relay has unacknowledged batches, so it reconnects by itself
  await expect.poll(journal.lives).toBe(2);
  expect(Object.values(await journal.bytes())).toEqual(['data: 1\n\ndata: 2\n\n']);
});

test('with nothing unacknowledged a dead worker stays dead, and the next stream wakes it', async () => {
  await page.evaluate("start('id=first&parts=data: 1%0A%0A')");
  await expect.poll(journal.ends).toEqual(['complete']);
  const session = await browser.context.newCDPSession(page);
  const running = async () => (await session.send('Target.getTargets')).targetInfos.some(({ type }) => type === 'service_worker');
  await killWorker();
  await expect.poll(running).toBe(false);
  await page.evaluate("fetch('/seen').then((r) => r.json())");
  await page.goto(`${server.url}/reader.html`);
  expect(await running()).toBe(false);
  await page.evaluate("start('id=second&parts=data: 2%0A%0A')");
  await expect.poll(journal.ends).toEqual(['complete', 'complete']);
  await session.detach();
});

test('left in mid-stream with the worker dead', async () => {
  await page.evaluate("void start('id=dead&ticks')");
  await started(30);
  await killWorker();
  // a page that goes in the very moment of the kill still believes in its port, and what it sends there is lost: docs/architecture.md
  const read = await page.evaluate<number>('got');
  await started(read + 25);
  await Promise.all([page.waitForEvent('load'), page.evaluate("location.href = '/next.html'")]);
  await expect.poll(journal.ends).toEqual(['navigated']);
  expect(Object.values(await journal.bytes())).toEqual([await page.evaluate("sessionStorage.getItem('got')")]);
});

test('an extension reloaded under the page: the page goes on without an error', async () => {
  const own = await launch('with');
  const living = await own.context.newPage();
  const errors: string[] = [];
  living.on('pageerror', (error) => errors.push(error.message));
  living.on('console', (message) => errors.push(message.text()));
  await living.goto(`${server.url}/reader.html`);
  await living.evaluate("void (window.reading = start('id=reloaded&ticks'))");
  await living.waitForFunction(() => (window as unknown as { got: number }).got > 50);
  await (await own.journal()).reloadExtension();
  await living.evaluate("fetch('/release?id=reloaded').then(() => reading)");
  const got = (await living.evaluate("sessionStorage.getItem('got')")) as string;
  const events = got.split('\n\n').length - 1;
  expect(got).toBe(Array.from({ length: events }, (_, i) => `data: ${i}\n\n`).join(''));
  // the relay has told the hook to stop: a response is the browser's own again
  await living.waitForFunction(async () => Object.getPrototypeOf(await fetch('/r?id=after&parts=a')) === Response.prototype);
  expect(errors).toEqual([]);
  await own.close();
});
