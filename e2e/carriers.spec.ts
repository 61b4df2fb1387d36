/**
 * Every way into a page beyond a page's own fetch and EventSource: one line a carrier and place. Each shows the bytes that were sent,
 * the verdict of the story, and a page that got what it asked for. Over 300 lines: one matrix, whose lines share server, page and capture.
 */
import { readFileSync } from 'node:fs';
import type { Frame, Page } from '@playwright/test';
import type { CaptureRecord, Carrier } from '../src/capture/types.ts';
import { createReader, endReader, readText } from '../src/export/index.ts';
import { type DevTools, openPanel } from './browser.ts';
import { CHECKS, watchers } from './carriers/checks.ts';
import { type CarrierServer, linesOf, sseOf, startCarrierServer, storyOf } from './carriers/server.ts';
import { expect } from './fixtures.ts';
import { onServer } from './on-server.ts';
import { type Launched, launch } from './page/launch.ts';
import { startPageServer } from './page/server.ts';
import { runChecks, toolkit } from './page/tools.ts';
import { exportTo, showTab, summaryOf } from './panel.ts';

declare global {
  interface Window {
    read: (url: string, init?: RequestInit) => Promise<string>;
    input: (runId: string) => RequestInit;
    errors: string[];
  }
}

const test = onServer(startCarrierServer).extend({
  page: async ({ page }, use) => {
    await use(page);
    expect(await page.evaluate(() => window.errors)).toEqual([]);
  },
});

interface Seen {
  readonly carrier: Carrier;
  readonly url: string;
  readonly body: string | undefined;
  readonly status: number | undefined;
  readonly contentType: string | undefined;
  readonly text: string;
  readonly how: string | undefined;
  readonly gaps: readonly string[];
}

const isOf =
  <K extends CaptureRecord['kind']>(kind: K, conn: number) =>
  (record: CaptureRecord): record is Extract<CaptureRecord, { kind: K }> =>
    record.kind === kind && record.conn === conn;

/** What the capture of the panel holds, a connection an entry. */
async function captured(tools: DevTools, path: string): Promise<Seen[]> {
  await exportTo(tools, path);
  const reader = createReader();
  const records = [...readText(reader, readFileSync(path, 'utf8')), ...endReader(reader)];
  return records.filter((record) => record.kind === 'request').map((record) => seenOf(records, record));
}

function seenOf(records: readonly CaptureRecord[], { conn, carrier, request }: Extract<CaptureRecord, { kind: 'request' }>): Seen {
  const bodies = [request.body, ...records.filter(isOf('body', conn)).map(({ body }) => body)];
  const response = records.find(isOf('response', conn))?.response;
  return {
    carrier,
    url: request.url,
    body: bodies.findLast((body) => body?.text !== undefined)?.text,
    status: response?.status,
    contentType: response?.contentType,
    text: Buffer.concat(records.filter(isOf('chunk', conn)).map(({ bytes }) => bytes)).toString(),
    how: records.find(isOf('end', conn))?.end.how,
    gaps: records.filter(isOf('gap', conn)).map(({ gap }) => gap.why),
  };
}

/** Asks by XMLHttpRequest as an app does; gives all text, read as it came. */
const byXhr = (place: Frame, url: string, runId: string): Promise<string> =>
  place.evaluate(
    ([address, run]) =>
      new Promise<string>((resolve, reject) => {
        const xhr = new XMLHttpRequest();
        let text = '';
        const take = () => {
          text += xhr.responseText.slice(text.length);
        };
        xhr.open('POST', address!);
        xhr.setRequestHeader('content-type', 'application/json');
        xhr.onprogress = take;
        xhr.onload = () => {
          take();
          resolve(text);
        };
        xhr.onerror = () => reject(new Error('network error'));
        xhr.send(JSON.stringify({ threadId: `thread-${run}`, runId: run, messages: [] }));
      }),
    [url, runId],
  );

/** Runs an agent over a WebSocket, bare events; gives what came, a line a frame. */
const bySocket = (place: Frame, url: string, runId: string): Promise<string> =>
  place.evaluate(
    ([address, run]) =>
      new Promise<string>((resolve) => {
        const socket = new WebSocket(address!.replace('http', 'ws'));
        let text = '';
        socket.onopen = () => socket.send(JSON.stringify({ threadId: `thread-${run}`, runId: run, messages: [], last: true }));
        socket.onmessage = ({ data }) => {
          text += `${data}\n`;
        };
        socket.onclose = () => resolve(text);
      }),
    [url, runId],
  );

const byFetch = (place: Frame, url: string, runId: string): Promise<string> =>
  place.evaluate(
    async ([address, run]) => {
      const body = JSON.stringify({ threadId: `thread-${run}`, runId: run, messages: [] });
      const response = await fetch(address!, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
      return response.text();
    },
    [url, runId],
  );

const CARRIERS = { fetch: byFetch, xhr: byXhr, websocket: bySocket } as const;

/** A frame of that kind in the page. */
async function frameIn(page: Page, kind: string, server: CarrierServer): Promise<Frame> {
  if (kind === 'page') return page.mainFrame();
  const source = { 'same-origin iframe': `${server.url}/page.html`, 'cross-origin iframe': `${server.other}/page.html` }[kind];
  await page.evaluate(
    ([name, src]) => {
      const frame = document.createElement('iframe');
      frame.name = 'place';
      if (src) frame.src = src;
      else if (name === 'srcdoc') frame.srcdoc = '<!doctype html><title>srcdoc</title>';
      const loaded = new Promise((done) => {
        frame.onload = done;
      });
      document.body.append(frame);
      return loaded;
    },
    [kind, source],
  );
  return page.frame('place')!;
}

const PLACES = ['page', 'same-origin iframe', 'cross-origin iframe', 'about:blank', 'srcdoc'] as const;

for (const place of PLACES) {
  for (const carrier of ['fetch', 'xhr', 'websocket'] as const) {
    for (const story of place === 'page' ? ['good', 'step-already-open'] : ['good']) {
      test(`${carrier} in ${place}: ${story}`, async ({ page, panel, server, scene }, info) => {
        const frame = await frameIn(page, place, server);
        const isSocket = carrier === 'websocket';
        const url = `${server.url}/${isSocket ? 'socket' : 'sse'}/${story}`;
        const text = (isSocket ? linesOf : sseOf)(story, 'r1');
        expect(await CARRIERS[carrier](frame, url, 'r1'), 'the page gets its stream').toBe(text);
        const { runs, findings } = storyOf(story, 'r1').expected;
        await expect.poll(() => summaryOf(panel)).toEqual({ runs, findings });
        const [one, ...others] = await captured(scene.tools, info.outputPath('capture.jsonl'));
        expect(others).toEqual([]);
        expect(one).toMatchObject({ carrier, url: isSocket ? url.replace('http', 'ws') : url, text, how: 'complete', gaps: [], status: isSocket ? 101 : 200 });
        expect(JSON.parse(one?.body ?? 'null')).toMatchObject({ runId: 'r1', messages: [] });
      });
    }
  }
}

for (const form of ['array', 'object'] as const) {
  test(`Phoenix frames, ${form}: each topic is a stream of its own`, async ({ page, panel, server, scene }, info) => {
    const url = `${server.url.replace('http', 'ws')}/phoenix/good`;
    const replies = await page.evaluate(
      ([address, wrap]) =>
        new Promise<number>((resolve) => {
          const socket = new WebSocket(address!);
          const push = (topic: string, event: string, payload: unknown) =>
            socket.send(JSON.stringify(wrap === 'array' ? ['1', '1', topic, event, payload] : { topic, event, payload, ref: '1' }));
          let closed = 0;
          let count = 0;
          socket.onopen = () => {
            push('phoenix', 'heartbeat', {});
            for (const topic of ['agent:a', 'agent:b']) push(topic, 'phx_join', {});
            for (const topic of ['agent:a', 'agent:b']) push(topic, 'run', { threadId: `thread-${topic}`, runId: topic, messages: [] });
          };
          socket.onmessage = ({ data }) => {
            count += 1;
            if (data.includes('"RUN_FINISHED"')) push(data.includes('agent:a') ? 'agent:a' : 'agent:b', 'phx_leave', {});
            if (data.includes('phx_close')) closed += 1;
            if (closed === 2) resolve(count);
          };
        }),
      [url, form],
    );
    expect(replies).toBe([...storyOf('good', 'r').moves].length * 2 + 9);
    await expect
      .poll(async () => (await summaryOf(panel)).runs)
      .toEqual([
        { runId: 'agent:a', status: 'succeeded' },
        { runId: 'agent:b', status: 'succeeded' },
      ]);
    expect((await summaryOf(panel)).findings).toEqual([]);
    const seen = await captured(scene.tools, info.outputPath('capture.jsonl'));
    expect(seen.map(({ url: address, text, how }) => [address, text, how])).toEqual(
      ['agent:a', 'agent:b'].map((topic) => [`${url}#${topic}`, linesOf('good', topic), 'closed']),
    );
    expect(seen.map(({ body }) => JSON.parse(body ?? 'null').runId)).toEqual(['agent:a', 'agent:b']);
  });
}

test('a socket that answers several requests is one stream, and no run is blamed for them', async ({ page, panel, server, scene }, info) => {
  await page.evaluate(
    (url) =>
      new Promise((done) => {
        const socket = new WebSocket(url);
        socket.onopen = () => socket.send(JSON.stringify({ threadId: 'one', runId: 'first', messages: [] }));
        socket.onmessage = ({ data }) => {
          if (data.includes('RUN_FINISHED')) socket.send(JSON.stringify({ threadId: 'one', runId: 'second', messages: [], last: true }));
        };
        socket.onclose = done;
      }),
    `${server.url.replace('http', 'ws')}/socket/short`,
  );
  await expect
    .poll(() => summaryOf(panel))
    .toEqual({
      runs: [
        { runId: 'first', status: 'succeeded' },
        { runId: 'second', status: 'succeeded' },
      ],
      findings: [],
    });
  expect(await captured(scene.tools, info.outputPath('capture.jsonl'))).toHaveLength(1);
});

test('a socket of another kind is given up, and nothing is noted of it', async ({ page, panel, server, scene }, info) => {
  const echoed = await page.evaluate(
    (url) =>
      new Promise<number>((done) => {
        const socket = new WebSocket(url);
        let count = 0;
        socket.onopen = () => {
          for (let i = 0; i < 16; i++) socket.send(i % 2 ? `{"type":"ping","no":${i}}` : new Uint8Array([i]));
        };
        socket.onmessage = () => {
          count += 1;
          if (count === 16) socket.send('{"type":"RUN_STARTED","threadId":"t","runId":"late"}');
          if (count === 17) done(count);
        };
      }),
    `${server.url.replace('http', 'ws')}/chatter`,
  );
  expect(echoed).toBe(17);
  await byFetch(page.mainFrame(), `${server.url}/sse/good`, 'after');
  await expect.poll(() => summaryOf(panel)).toMatchObject({ runs: [{ runId: 'after', status: 'succeeded' }] });
  expect((await captured(scene.tools, info.outputPath('capture.jsonl'))).map(({ carrier }) => carrier)).toEqual(['fetch']);
});

for (const type of ['arraybuffer', 'blob']) {
  test(`xhr read as ${type}: the bytes at the end`, async ({ page, panel, server, scene }, info) => {
    const size = await page.evaluate(
      ([url, responseType]) =>
        new Promise<number>((done) => {
          const xhr = new XMLHttpRequest();
          xhr.open('GET', url!);
          xhr.responseType = responseType as XMLHttpRequestResponseType;
          xhr.onload = () => done(xhr.response.byteLength ?? xhr.response.size);
          xhr.send();
        }),
      [`${server.url}/sse/good?run=r1`, type],
    );
    const text = sseOf('good', 'r1');
    expect(size).toBe(Buffer.byteLength(text));
    const { runs, findings } = storyOf('good', 'r1').expected;
    await expect.poll(() => summaryOf(panel)).toEqual({ runs, findings });
    expect(await captured(scene.tools, info.outputPath('capture.jsonl'))).toMatchObject([{ carrier: 'xhr', text, how: 'complete' }]);
  });
}

test('xhr that fails: broken off, refused, aborted, timed out', async ({ page, panel, server, scene }, info) => {
  const [ends, read] = await page.evaluate(async (url) => {
    let broken = '';
    const ask = (address: string, set: (xhr: XMLHttpRequest) => void = () => undefined) =>
      new Promise<string>((done) => {
        const xhr = new XMLHttpRequest();
        xhr.open('POST', address);
        for (const type of ['load', 'error', 'abort', 'timeout']) xhr.addEventListener(type, () => done(type));
        set(xhr);
        xhr.send(JSON.stringify({ threadId: 't', runId: 'r', messages: [] }));
      });
    const abort = (xhr: XMLHttpRequest) => {
      xhr.onprogress = () => xhr.abort();
    };
    const wait = (xhr: XMLHttpRequest) => {
      xhr.timeout = 300;
    };
    const read = (xhr: XMLHttpRequest) => {
      for (const type of ['progress', 'readystatechange']) xhr.addEventListener(type, () => (broken = xhr.responseText || broken));
    };
    const told = [];
    for (const [path, set] of [
      ['/sse/cut', read],
      ['/sse/slow?open', abort],
      ['/sse/slow?open', wait],
    ] as const)
      told.push(await ask(`${url}${path}`, set));
    return [[...told, await ask('http://localhost:1/agent')], broken] as const;
  }, server.url);
  expect(ends).toEqual(['error', 'abort', 'timeout', 'error']);
  await expect.poll(async () => (await captured(scene.tools, info.outputPath('capture.jsonl'))).filter(({ how }) => how).length).toBe(4);
  const seen = await captured(scene.tools, info.outputPath('capture.jsonl'));
  expect(seen.map(({ how }) => how)).toEqual(['network-error', 'aborted', 'network-error', 'network-error']);
  expect(seen[0]?.text, 'what the page itself has read').toBe(read);
  expect(sseOf('cut', 'r').startsWith(read)).toBe(true);
  await showTab(panel, 'Runs');
  await expect(panel.getByTestId('other-row')).toContainText(['No response reached the page']);
});

/** Has a worker of the page fetch; gives what it read. */
const inWorker = (page: Page, script: string, url: string, runId: string): Promise<{ text?: string; error?: string }> =>
  page.evaluate(
    async ([file, address, run]) => {
      const ask = [address, window.input(run!)];
      if (file === '/sw.js') {
        const { serviceWorker } = navigator;
        await serviceWorker.register(file);
        await serviceWorker.ready;
        if (!serviceWorker.controller) await new Promise((done) => serviceWorker.addEventListener('controllerchange', done, { once: true }));
        const answer = new Promise<{ text?: string }>((done) => serviceWorker.addEventListener('message', ({ data }) => done(data), { once: true }));
        serviceWorker.startMessages();
        serviceWorker.controller!.postMessage(ask);
        return answer;
      }
      const source = file === 'blob' ? URL.createObjectURL(new Blob([await (await fetch('/worker.js')).text()])) : file!;
      const worker = new Worker(source);
      worker.postMessage(ask);
      return new Promise<{ text?: string }>((done) => {
        worker.onmessage = ({ data }) => done(data);
      });
    },
    [script, url, runId],
  );

for (const [name, script, site] of [
  ['a dedicated worker', '/worker.js', 'url'],
  ['a dedicated worker, from another site', '/worker.js', 'other'],
  ['a worker made from a Blob', 'blob', 'url'],
  ['a service worker', '/sw.js', 'url'],
] as const) {
  for (const story of ['good', 'step-already-open']) {
    test(`network log, ${name}: ${story}`, async ({ page, panel, server, scene }, info) => {
      const url = `${server[site]}/sse/${story}`;
      const text = sseOf(story, 'r1');
      expect(await inWorker(page, script, url, 'r1')).toEqual({ text });
      const { runs, findings } = storyOf(story, 'r1').expected;
      await expect.poll(() => summaryOf(panel)).toEqual({ runs, findings });
      const [one, ...others] = await captured(scene.tools, info.outputPath('capture.jsonl'));
      expect(others).toEqual([]);
      // while DevTools parses a stream, the log calls it aborted though it was read to its end
      expect(one).toMatchObject({ carrier: 'network-log', url, text, how: expect.stringMatching(/^(complete|aborted)$/), gaps: [], status: 200 });
      expect(JSON.parse(one?.body ?? 'null')).toMatchObject({ runId: 'r1' });
      await showTab(panel, 'Runs');
      await panel.getByTestId('run-row').first().click();
      await expect(panel.getByText('from the network log: no times within').first()).toBeAttached();
    });
  }
}

test('network log: what the page itself fetches through a service worker is there once, with its times', async ({ page, panel, server, scene }, info) => {
  await inWorker(page, '/sw.js', `${server.url}/sse/good`, 'own');
  const text = await page.evaluate(() => window.read('/via/sse/good?run=via'));
  expect(text).toBe(sseOf('good', 'via'));
  await expect.poll(async () => (await summaryOf(panel)).runs.length).toBe(2);
  const seen = await captured(scene.tools, info.outputPath('capture.jsonl'));
  expect(seen.map(({ carrier, url }) => `${carrier} ${new URL(url).pathname}`).toSorted()).toEqual(['fetch /via/sse/good', 'network-log /sse/good']);
});

/** As a type of which DevTools parses no events. */
const OPAQUE = 'type=application/x-ndjson';

test('network log: an open stream is a row, and given up it says that its body is not there', async ({ page, panel, server }) => {
  await page.evaluate((url) => {
    const worker = new Worker('/worker.js');
    worker.postMessage([url, window.input('open')]);
    Object.assign(window, { worker });
  }, `${server.url}/sse/slow?open&${OPAQUE}`);
  await expect.poll(() => showTab(panel, 'Request'), { timeout: 20_000 }).toBe(true);
  await expect(panel.getByRole('option', { name: '/sse/slow' })).toBeAttached({ timeout: 20_000 });
  await page.evaluate(() => (window as unknown as { worker: Worker }).worker.postMessage('abort'));
  await showTab(panel, 'Runs');
  await expect(panel.getByTestId('other-row')).toContainText(['The body is not available'], { timeout: 20_000 });
  expect(await summaryOf(panel)).toEqual({ runs: [], findings: [] });
});

test('network log: a body that broke off or is too large is a row without a verdict', async ({ page, panel, server, scene }, info) => {
  test.setTimeout(120_000);
  await inWorker(page, '/worker.js', `${server.url}/sse/cut?${OPAQUE}`, 'cut');
  await inWorker(page, '/worker.js', `${server.url}/flood?bytes=21000000&${OPAQUE}`, 'flood');
  await expect.poll(() => showTab(panel, 'Runs')).toBe(true);
  // some one time in eight the log has the second as given up, though its worker has read it to its end
  await expect(panel.getByTestId('other-row')).toContainText(
    [/The body is not available: .* broke/, /The body is not available: .* (21\.0 MB|has this request as given up, and keeps no body of those)/],
    { timeout: 30_000 },
  );
  expect(await summaryOf(panel)).toEqual({ runs: [], findings: [] });
  expect((await captured(scene.tools, info.outputPath('capture.jsonl'))).map(({ text, how }) => [text, how])).toEqual([
    ['', 'network-error'],
    ['', expect.stringMatching(/^(complete|aborted)$/)],
  ]);
});

test('network log: nothing is read for an origin that is not enabled', async ({ lens, server }) => {
  const page = await lens.context.newPage();
  await page.goto(`${server.stranger}/page.html`);
  const tools = await openPanel(page);
  expect(await inWorker(page, '/worker.js', `${server.stranger}/sse/good`, 'r1')).toEqual({ text: sseOf('good', 'r1') });
  // the same DevTools do read what the same page asks for when it is on an enabled origin
  await page.goto(`${server.url}/page.html`);
  await inWorker(page, '/worker.js', `${server.url}/sse/good`, 'r2');
  await expect.poll(async () => (await summaryOf(tools.frame)).runs).toEqual([{ runId: 'r2', status: 'succeeded' }]);
  await page.close();
});

test('XMLHttpRequest and WebSocket are the same with and without the extension', async ({ server }) => {
  test.setTimeout(180_000);
  const pages = await startPageServer();
  const checks = Object.entries(CHECKS).map(([name, check]) => `${JSON.stringify(name)}: ${check}`);
  const run = async (browser: Launched, word: string): Promise<Record<string, string>> => {
    pages.pages.set(`/${word}.js`, {
      html: `(${watchers})(); window.chatter = ${JSON.stringify(`${server.url.replace('http', 'ws')}/chatter`)};
        window.results = (${runChecks})((${toolkit})(${JSON.stringify(word)}), {${checks.join(',\n')}}, 20000);`,
    });
    pages.pages.set(`/${word}.html`, { html: `<!doctype html><meta charset="utf-8"><title>suite</title><body><script src="/${word}.js"></script>` });
    const page = await browser.context.newPage();
    await page.goto(`${pages.url}/${word}.html`);
    const results = (await page.evaluate('results')) as Record<string, string>;
    return JSON.parse(JSON.stringify(results).replaceAll(`${word}-`, 'run-')) as Record<string, string>;
  };
  const bare = await launch('none');
  const hooked = await launch('with');
  const [without, withUs] = [await run(bare, 'without'), await run(hooked, 'with')];
  await Promise.all([bare.close(), hooked.close(), pages.close()]);
  expect(Object.keys(without)).toEqual(Object.keys(CHECKS));
  const late = (results: Record<string, string>) => Object.keys(CHECKS).filter((name) => results[name] === '{"ok":"timeout"}');
  expect([late(without), late(withUs)]).toEqual([[], []]);
  for (const name of Object.keys(CHECKS)) expect.soft(withUs[name], name).toBe(without[name]);
});
