/** What is noted of an exchange: every field of every record, for fetch and EventSource. */
import { expect, type Page, test } from '@playwright/test';
import { connections, type Journal, type Journaled } from './journal.ts';
import { type Launched, launch } from './launch.ts';
import { type PageServer, startPageServer } from './server.ts';

let server: PageServer;
let browser: Launched;
let page: Page;
let journal: Journal;

test.beforeAll(async () => {
  server = await startPageServer();
  browser = await launch('with');
  journal = await browser.journal();
  page = await browser.context.newPage();
  server.pages.set('/app.html', { html: '<!doctype html><title>app</title><body>' });
});

test.beforeEach(async () => {
  await page.goto(`${server.url}/app.html`);
  await journal.clear();
});

test.afterAll(async () => {
  await browser?.close();
  await server?.close();
});

/** Runs code in the page and gives the connections the journal then holds, once `count` of them have ended. */
async function noted(code: string, count = 1): Promise<Journaled[][]> {
  await page.evaluate(`(async () => { ${code} })()`);
  await expect.poll(async () => (await journal.ends()).length, { intervals: [20, 50, 100] }).toBe(count);
  return connections(await journal.records());
}

const kinds = (records: readonly Journaled[] | undefined) => records?.map(({ kind }) => kind).join(' ');
const payload = (records: readonly Journaled[] | undefined, kind: Journaled['kind']) => records?.find((record) => record.kind === kind)?.payload;
const text = (records: readonly Journaled[] | undefined) => records?.map((record) => record.text ?? '').join('');

test('a whole exchange, field by field', async () => {
  const input = JSON.stringify({ threadId: 't', runId: 'r', messages: [] });
  const before = Date.now();
  const [run] = await noted(`
    const ask = () => fetch('/r?id=a&parts=data: 1%0A%0A|data: 2%0A%0A#part', { method: 'post', body: ${JSON.stringify(input)}, headers: { authorization: 'secret', cookie2: 'secret' } });
    const theReader = (await ask()).body.getReader();
    while (!(await theReader.read()).done);
  `);
  expect(kinds(run)).toMatch(/^request body response chunk( chunk)* end$/);
  const request = payload(run, 'request');
  expect(request).toEqual({
    carrier: 'fetch',
    url: `${server.url}/r?id=a&parts=data:%201%0A%0A|data:%202%0A%0A#part`,
    method: 'POST',
    stack: expect.any(String),
  });
  expect(request.stack).toMatch(/^ {4}at ask /);
  expect(request.stack).not.toContain('extension');
  expect(payload(run, 'body')).toEqual({ kind: 'text', text: input, size: input.length });
  expect(payload(run, 'response')).toEqual({
    status: 200,
    statusText: 'OK',
    contentType: 'text/event-stream',
    url: `${server.url}/r?id=a&parts=data:%201%0A%0A|data:%202%0A%0A`,
  });
  expect(text(run)).toBe('data: 1\n\ndata: 2\n\n');
  expect(payload(run, 'end')).toEqual({ how: 'complete' });
  const times = run?.map(({ time }) => time) ?? [];
  expect(times.toSorted((a, b) => a - b)).toEqual(times);
  for (const { time, asked, kind } of run ?? []) {
    expect(Math.round(time * 10) / 10).toBe(time);
    expect(time).toBeGreaterThan(before - 1000);
    if (kind === 'chunk') expect(asked).toBeLessThanOrEqual(time);
  }
  expect(JSON.stringify(run)).not.toContain('secret');
});

const BODIES: Readonly<Record<string, readonly [init: string, body: object]>> = {
  'no body': ['{}', { kind: 'none' }],
  text: ['{ method: "POST", body: "grün" }', { kind: 'text', text: 'grün', size: 5 }],
  parameters: ['{ method: "POST", body: new URLSearchParams({ a: "1" }) }', { kind: 'text', text: 'a=1', size: 3 }],
  'a Blob': ['{ method: "POST", body: new Blob(["abc"]) }', { kind: 'text', text: 'abc', size: 3 }],
  'JSON bytes': ['{ method: "POST", body: new TextEncoder().encode("{}") }', { kind: 'text', text: '{}', size: 2 }],
  'other bytes': ['{ method: "POST", body: new Uint8Array(9) }', { kind: 'bytes', size: 9 }],
  'a form': ['{ method: "POST", body: new FormData() }', { kind: 'form' }],
  'a thing with toString': ['{ method: "POST", body: { toString: () => "told" } }', { kind: 'unreadable' }],
  'text beyond the cap': ['{ method: "POST", body: "x".repeat(2097153) }', { kind: 'text', text: 'x'.repeat(2_097_152), size: 2_097_153, cut: true }],
};

for (const [name, [init, body]] of Object.entries(BODIES)) {
  test(`request body: ${name}`, async () => {
    await noted(`await (await fetch('/r?id=b&parts=a', ${init})).text();`);
    // a Blob is read beside the exchange: its record may come after the end
    await expect.poll(async () => payload(connections(await journal.records())[0], 'body')).toEqual(body);
  });
}

test("request body: a Request's, where it is JSON", async () => {
  const init = `{ method: 'POST', body: '{"threadId":"t"}', headers: { 'content-type': 'application/json' } }`;
  const [run] = await noted(`await (await fetch(new Request('/r?id=c&type=text/plain&parts=a', ${init}))).text();`);
  expect(payload(run, 'body')).toEqual({ kind: 'text', text: '{"threadId":"t"}', size: 16 });
  expect(payload(run, 'response').contentType).toBe('text/plain');
  expect(text(run)).toBe('a');
});

const AGENT_SHAPED: Readonly<Record<string, string>> = {
  threadId: '{ method: "POST", body: \'{"threadId":"t"}\' }',
  'snake case': '{ method: "POST", body: \'{"run_id":"t"}\' }',
  messages: '{ method: "POST", body: \'{"messages":[]}\' }',
  'one level down': '{ method: "POST", body: \'{"method":"run","body":{"threadId":"t"}}\' }',
  'accepts a stream': '{ headers: { accept: "application/json, text/event-stream" } }',
  'accepts protobuf': '{ headers: new Headers({ accept: "application/vnd.ag-ui.event+proto" }) }',
};

for (const [name, init] of Object.entries(AGENT_SHAPED)) {
  test(`noted whatever the answer's type: ${name}`, async () => {
    const [run] = await noted(`await (await fetch('/r?id=d&status=500&type=text/html&parts=oops', ${init})).text();`);
    expect(payload(run, 'response')).toMatchObject({ status: 500, contentType: 'text/html' });
    expect(text(run)).toBe('oops');
  });
}

test('not noted: everything else', async () => {
  const runs = await noted(`
    await (await fetch('/r?id=e&type=application/json&parts={}', { method: 'POST', body: '{"deep":{"er":{"messages":[]}},"text":"\\\\"messages\\\\":"}' })).text();
    await (await fetch('/r?id=e&type=application/json&parts={}')).text();
    await (await fetch('/r?id=e&type=text/event-streams&parts={}')).text();
    await (await fetch('/r?id=last&parts=a')).text();
  `);
  expect(runs.map((run) => payload(run, 'request').url)).toEqual([expect.stringContaining('id=last')]);
});

const ENDS: Readonly<Record<string, readonly [code: string, kinds: RegExp, end: object]>> = {
  'cancelled by the reader': [
    'const r = await fetch("/r?id=f&parts=a&end=hang"); const reader = r.body.getReader(); await reader.read(); await reader.cancel();',
    /chunk end$/,
    { how: 'cancelled' },
  ],
  'aborted by the signal': [
    'const c = new AbortController(); const r = await fetch("/r?id=f&end=hang", { signal: c.signal }); c.abort(); await r.text().catch(() => {});',
    /response end$/,
    { how: 'aborted', message: 'AbortError: signal is aborted without reason' },
  ],
  'aborted before the answer': [
    'const c = new AbortController(); const p = fetch("/r?id=f&end=hang", { signal: c.signal, headers: { accept: "text/event-stream" } }); c.abort("enough"); await p.catch(() => {});',
    /^request body end$/,
    { how: 'aborted', message: 'enough' },
  ],
  reset: [
    'await (await fetch("/r?id=f&parts=a&end=reset")).text().catch(() => {});',
    /^request body (response )?(chunk )*end$/,
    { how: 'network-error', message: expect.stringMatching(/^TypeError: /) },
  ],
  'never answered': [
    'await fetch("http://127.0.0.1:9/", { headers: { accept: "text/event-stream" } }).catch(() => {});',
    /^request body end$/,
    { how: 'network-error', message: 'TypeError: Failed to fetch' },
  ],
  'a status that no Response can be made with': ['await fetch("/r?id=f&status=204");', /^request body response end$/, { how: 'complete' }],
  'an empty body': ['await (await fetch("/r?id=f")).text();', /^request body response end$/, { how: 'complete' }],
};

for (const [name, [code, order, end]] of Object.entries(ENDS)) {
  test(`end: ${name}`, async () => {
    // a body is noted for requests that would not be, were they not AG-UI-shaped or answered with a stream
    const [run] = await noted(code.replaceAll('"/r?id=f&status=204"', '"/r?id=f&status=204", { headers: { accept: "text/event-stream" } }'));
    expect(kinds(run)).toMatch(order);
    expect(payload(run, 'end')).toEqual(end);
  });
}

test('a pending request shows before its answer', async () => {
  await page.evaluate('void fetch("/r?id=g&end=hang", { headers: { accept: "text/event-stream" } }).then(() => { window.answered = true; })');
  await expect.poll(async () => (await journal.records()).map(({ kind }) => kind)).toContain('request');
});

test('EventSource: frames, names, ends', async () => {
  const parts =
    'data: 1%0A%0A|id: 7%0Aevent: RUN_STARTED%0Adata: a%0Adata: b%0A%0A|event: mine%0Adata: 3%0A%0A|event: unheard%0Adata: 4%0A%0A|data: last%0A%0A';
  const [run] = await noted(`
    const source = new EventSource('/r?id=h&parts=${parts}&end=hang');
    source.addEventListener('mine', () => {});
    await new Promise((done) => source.addEventListener('message', ({ data }) => data === 'last' && done()));
    source.close();
  `);
  expect(kinds(run)).toBe('request response chunk chunk chunk chunk end');
  expect(payload(run, 'request')).toMatchObject({ carrier: 'eventsource', method: 'GET', url: expect.stringContaining('/r?id=h') });
  expect(payload(run, 'response')).toMatchObject({ status: 200, contentType: 'text/event-stream' });
  expect(text(run)).toBe('data: 1\n\nevent: RUN_STARTED\nid: 7\ndata: a\ndata: b\n\nevent: mine\ndata: 3\n\ndata: last\n\n');
  expect(payload(run, 'end')).toEqual({ how: 'closed' });
});

test('EventSource: each reconnect is a connection', async () => {
  const runs = await noted(
    `
    const source = new EventSource('/r?id=i&parts=retry: 1%0Adata: 1%0A%0A');
    await new Promise((done) => { let n = 0; source.onmessage = () => { n += 1; if (n === 3) done(); }; });
    source.close();
  `,
    3,
  );
  expect(runs.map(kinds)).toEqual(Array.from({ length: 3 }, () => 'request response chunk end'));
  expect(runs.map((run) => payload(run, 'end').how)).toEqual(['network-error', 'network-error', 'closed']);
});

test('EventSource: refused, subclassed', async () => {
  const runs = await noted(
    `
    const refused = new EventSource('/r?id=j&status=500');
    await new Promise((done) => { refused.onerror = done; });
    class Mine extends EventSource {}
    const mine = new Mine('/r?id=k&parts=event: own%0Adata: 1%0A%0A&end=hang');
    await new Promise((done) => mine.addEventListener('own', done));
    mine.close();
  `,
    2,
  );
  expect(runs.map((run) => payload(run, 'end').how)).toEqual(['network-error', 'closed']);
  expect(text(runs[1])).toBe('event: own\ndata: 1\n\n');
});

test('a chunk beyond a batch comes in pieces with one time', async () => {
  const [run] = await noted('const r = await fetch("/r?id=l&random=400000"); await r.text();');
  expect(text(run)).toBe(
    await page.evaluate(
      'fetch("/r?id=m&random=400000&type=text/plain").then((r) => r.arrayBuffer()).then((b) => Array.from(new Uint8Array(b), (c) => String.fromCharCode(c)).join(""))',
    ),
  );
  const batches = new Map<number, number>();
  for (const { no, text: bytes = '' } of run ?? []) batches.set(no, (batches.get(no) ?? 0) + bytes.length);
  expect(Math.max(...batches.values())).toBeLessThanOrEqual(60 * 1024);
});

test('an idle page sends nothing', async () => {
  const before = await journal.messages();
  await page.goto(`${server.url}/app.html`);
  await page.evaluate('fetch("/seen").then((r) => r.json())');
  await page.evaluate('fetch("/r?id=n&parts=a").then((r) => r.text())');
  await expect.poll(journal.messages).toBeGreaterThan(before);
  const urls = (await journal.records()).filter(({ kind }) => kind === 'request').map(({ payload: { url } }) => url);
  expect(urls).toEqual([`${server.url}/r?id=n&parts=a`]);
});
