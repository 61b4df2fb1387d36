/** Nothing is lost between the page's reader and the journal: navigations, killed workers, an extension reloaded under the page. */
import { expect, type Page, test, type Worker } from '@playwright/test';
import { bytesByUrl, connections, type Journaled, journal } from './journal.ts';
import { type Launched, launch } from './launch.ts';
import { type PageServer, startPageServer } from './server.ts';

let server: PageServer;
let browser: Launched;
let page: Page;

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
  page = await browser.context.newPage();
  server.pages.set('/reader.html', { html: `<!doctype html><meta charset="utf-8"><title>reader</title><body><script>${READER}</script>` });
  server.pages.set('/next.html', { html: '<!doctype html><title>next</title>' });
});

test.beforeEach(async () => {
  await page.goto(`${server.url}/reader.html`);
  await (await worker()).evaluate('clearJournal()');
});

test.afterAll(async () => {
  await browser?.close();
  await server?.close();
});

/** The worker of this moment: a killed one comes back as another. */
async function worker(): Promise<Worker> {
  return browser.worker();
}

/** Stops the worker as the browser does when it is idle. */
async function killWorker(): Promise<void> {
  const session = await browser.context.newCDPSession(page);
  await session.send('ServiceWorker.enable');
  await session.send('ServiceWorker.stopAllWorkers');
  await session.detach();
}

async function journaled(): Promise<Journaled[]> {
  // a worker may be stopped between the look for it and the question
  for (;;) {
    const answer = await journal(await worker()).catch(() => null);
    if (answer) return answer;
  }
}

const ended = async () => (await journaled()).filter(({ kind }) => kind === 'end').map(({ payload }) => payload.how);
const started = (count: number) => page.waitForFunction((most) => (window as unknown as { got: number }).got >= most, count);

const LEAVINGS: Readonly<Record<string, string>> = {
  'an address': "location.href = '/next.html'",
  'a reload': 'location.reload()',
  'a link': 'link.click()',
  'an address, busy before': "busy(150); location.href = '/next.html'",
  'an address, busy in pagehide': "addEventListener('pagehide', () => busy(100)); location.href = '/next.html'",
  'an address after document.open()':
    "document.open(); document.write('<p>new'); document.close(); const before = got; void start('id=again&ticks=5000'); setInterval(() => { if (got > before + 20) location.href = '/next.html'; }, 5)",
};

for (const [name, leave] of Object.entries(LEAVINGS)) {
  test(`left in mid-stream by ${name}: the journal holds what the reader got`, async () => {
    for (let round = 0; round < 3; round += 1) {
      await page.goto(`${server.url}/reader.html`);
      await (await worker()).evaluate('clearJournal()');
      await page.evaluate(`void start('id=left-${round}&ticks=5000')`);
      await started(30);
      await Promise.all([page.waitForEvent('load'), page.evaluate(leave)]);
      const got = await page.evaluate((reloaded) => sessionStorage.getItem(reloaded ? 'before' : 'got') ?? '', name === 'a reload');
      const streams = name.includes('document.open') ? 2 : 1;
      await expect.poll(ended).toEqual(Array.from({ length: streams }, () => 'navigated'));
      const bytes = Object.values(bytesByUrl(await journaled()));
      // two readers write into one record in turn: compared by what each got, put in order
      expect(lines(bytes.join('')), `round ${round}`).toEqual(lines(got));
    }
  });
}

const lines = (text: string) => text.split('\n\n').toSorted();

test('five killed workers: every chunk once, in order', async () => {
  const lives = new Set<Worker>([await worker()]);
  browser.context.on('serviceworker', (life) => lives.add(life));
  await page.evaluate("window.reading = start('id=killed&ticks=1500')");
  for (let kill = 1; kill <= 5; kill += 1) {
    await started(kill * 150);
    await killWorker();
  }
  await page.evaluate('reading');
  await expect.poll(ended).toEqual(['complete']);
  const records = await journaled();
  const [text] = Object.values(bytesByUrl(records));
  expect(text).toBe(Array.from({ length: 1500 }, (_, i) => `data: ${i}\n\n`).join(''));
  const numbers = [...new Set(records.map(({ no }) => no))];
  expect(numbers).toEqual(Array.from({ length: numbers.length }, (_, i) => i + 1));
  expect(lives.size).toBeGreaterThanOrEqual(5);
});

test('a worker that journals but dies before it acknowledges gets everything again, and nothing twice', async () => {
  const life = await worker();
  await life.evaluate('hold = true');
  await page.evaluate("start('id=held&parts=data: 1%0A%0A|data: 2%0A%0A')");
  await expect.poll(ended).toEqual(['complete']);
  const before = await life.evaluate('messages');
  expect(before).toBeGreaterThan(0);
  await killWorker();
  // the relay has unacknowledged batches, so it reconnects by itself
  await expect.poll(async () => (await worker()).evaluate('messages').catch(() => 0)).toBeGreaterThan(0);
  expect(Object.values(bytesByUrl(await journaled()))).toEqual(['data: 1\n\ndata: 2\n\n']);
});

test('with nothing unacknowledged a dead worker stays dead, and the next stream wakes it', async () => {
  await page.evaluate("start('id=first&parts=data: 1%0A%0A')");
  await expect.poll(ended).toEqual(['complete']);
  const session = await browser.context.newCDPSession(page);
  const running = async () => (await session.send('Target.getTargets')).targetInfos.some(({ type }) => type === 'service_worker');
  await killWorker();
  await expect.poll(running).toBe(false);
  await page.evaluate("fetch('/seen').then((r) => r.json())");
  await page.goto(`${server.url}/reader.html`);
  expect(await running()).toBe(false);
  await page.evaluate("start('id=second&parts=data: 2%0A%0A')");
  await expect.poll(async () => (await ended()).length).toBe(2);
  await session.detach();
});

test('left in mid-stream with the worker dead', async () => {
  await page.evaluate("void start('id=dead&ticks=5000')");
  await started(30);
  await killWorker();
  await Promise.all([page.waitForEvent('load'), page.evaluate("location.href = '/next.html'")]);
  await expect.poll(ended).toEqual(['navigated']);
  expect(Object.values(bytesByUrl(await journaled()))).toEqual([await page.evaluate("sessionStorage.getItem('got')")]);
});

test('the hand-over is of use: what it brought did not come by the port', async () => {
  // every record of the last moment has the time of pagehide or later; without the hand-over the end record would be missing
  await page.evaluate("void start('id=last&ticks=5000')");
  await started(10);
  await Promise.all([page.waitForEvent('load'), page.evaluate("location.href = '/next.html'")]);
  await expect.poll(ended).toEqual(['navigated']);
  const [run] = connections(await journaled());
  expect(run?.at(-1)?.kind).toBe('end');
});

test('an extension reloaded under the page: the page goes on without an error', async () => {
  const own = await launch('with');
  const living = await own.context.newPage();
  const errors: string[] = [];
  living.on('pageerror', (error) => errors.push(error.message));
  living.on('console', (message) => errors.push(message.text()));
  await living.goto(`${server.url}/reader.html`);
  await living.evaluate("window.reading = start('id=reloaded&ticks=400')");
  await living.waitForFunction(() => (window as unknown as { got: number }).got > 50);
  const life = await own.worker();
  await Promise.all([life.waitForEvent('close'), life.evaluate('chrome.runtime.reload()').catch(() => undefined)]);
  await living.evaluate('reading');
  expect(await living.evaluate("sessionStorage.getItem('got')")).toBe(Array.from({ length: 400 }, (_, i) => `data: ${i}\n\n`).join(''));
  // the relay has told the hook to stop: a response is the browser's own again
  await living.waitForFunction(async () => Object.getPrototypeOf(await fetch('/r?id=after&parts=a')) === Response.prototype);
  expect(errors).toEqual([]);
  await own.close();
});
