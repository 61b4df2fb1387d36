/** Pages that replace, spy, forge and poison: their own results are as without us, and the next good stream is captured. */
import { expect, test } from '@playwright/test';
import type { Journal } from './journal.ts';
import { type Launched, launch } from './launch.ts';
import { type PageServer, startPageServer } from './server.ts';

let server: PageServer;
let bare: Launched;
let hooked: Launched;
let journal: Journal;

test.beforeAll(async () => {
  server = await startPageServer();
  [bare, hooked] = await Promise.all([launch('none'), launch('with')]);
  journal = await hooked.journal();
});

test.afterAll(async () => {
  await Promise.all([bare?.close(), hooked?.close()]);
  await server?.close();
});

/** What every page does in the end, after its own mischief: reads streams in three ways. `native` is the fetch it found. */
const ACT = `
  const outcome = (p) => p.then((value) => value, (error) => String(error));
  const act = async () => [
    await outcome(native('/r?id=1&parts=data: 1%0A%0A').then((r) => r.text())),
    await outcome(native('/r?id=2&parts=data: 2%0A%0A', { method: 'POST', body: '{"threadId":"t","__proto__":{"x":1}}' }).then((r) => r.body.getReader().read()).then(({ value }) => value.length)),
    await outcome(native('/r?id=3&type=application/json&parts={}', { method: 'POST', body: '{"messages":[]}' }).then((r) => r.clone().json()).then((o) => typeof o)),
    heard,
  ];
`;

const SPIES = `
  const { apply } = Reflect;
  const spy = (object, key) => {
    const descriptor = Object.getOwnPropertyDescriptor(object, key);
    for (const part of ['value', 'get', 'set']) {
      const original = descriptor?.[part];
      if (typeof original !== 'function') continue;
      descriptor[part] = function (...args) { if (listening) heard[heard.length] = typeof key === 'string' ? key : 'symbol'; return apply(original, this, args); };
    }
    if (descriptor?.configurable) Object.defineProperty(object, key, descriptor);
  };
  let listening = false;
`;

const POISONS: Readonly<Record<string, string>> = {
  nothing: '',
  'getters on Object.prototype': `
    for (const key of ['type', 'start', 'pull', 'cancel', 'highWaterMark', 'mode', 'ports', 'data', 'cancelable', 'once', 'capture', 'passive', 'signal', 'status', 'statusText', 'headers', 'body', 'get', 'set', 'apply', 'construct', 'text', 'size', 'value', 'done', 'known', 'soon', 'later', 'cut', 'kind', 'how', 'message', 'stack', 'reason', 'token', 'batches', 'failed', 'original', 'fate', 'conn'])
      Object.defineProperty(Object.prototype, key, { configurable: true, get() { heard.push(key); return undefined; }, set(value) { Object.defineProperty(this, key, { value, writable: true, enumerable: true, configurable: true }); } });
    const clean = act; act = async () => { heard.length = 0; const got = await clean(); got[3] = [...new Set(got[3])].sort(); return got; };
  `,
  'spies on everything the hook calls': `${SPIES}
    for (const [object, keys] of [
      [ReadableStream.prototype, ['getReader', 'locked', 'tee', 'cancel']], [ReadableStreamDefaultReader.prototype, ['cancel', 'closed']],
      [ReadableByteStreamController.prototype, ['enqueue', 'close', 'error', 'byobRequest']], [Headers.prototype, ['get', 'has', 'entries']],
      [Response.prototype, ['status', 'statusText', 'url', 'type']], [Request.prototype, ['url', 'method', 'headers']],
      [EventTarget.prototype, ['addEventListener', 'dispatchEvent']], [MessagePort.prototype, ['postMessage', 'onmessage', 'start']], [MessageEvent.prototype, ['data', 'ports']],
      [Uint8Array.prototype.__proto__, ['slice', 'subarray', 'set', 'byteLength', 'length']], [Array.prototype, ['push', 'shift', 'splice', 'join', 'filter', Symbol.iterator]],
      [String.prototype, ['includes', 'startsWith', 'slice', 'split', 'replace', 'toLowerCase', 'toUpperCase']], [RegExp.prototype, ['test', 'exec']],
      [WeakMap.prototype, ['get', 'set']], [Map.prototype, ['get', 'set']], [Function.prototype, ['call', 'apply', 'bind', 'toString']], [Promise.prototype, ['catch', 'finally']],
      [window, ['setTimeout', 'clearTimeout', 'queueMicrotask', 'postMessage']], [performance.__proto__, ['now', 'timeOrigin']], [Date, ['now']], [Math, ['min', 'round', 'abs']], [JSON, ['parse', 'stringify']], [Object, ['keys', 'assign', 'entries', 'defineProperty']],
      [Reflect, ['apply', 'get', 'getPrototypeOf', 'ownKeys', 'getOwnPropertyDescriptor', 'defineProperty', 'setPrototypeOf', 'construct']], [TextDecoder.prototype, ['decode']], [TextEncoder.prototype, ['encode']], [Blob.prototype, ['size', 'type', 'text']],
    ]) for (const key of keys) spy(object, key);
    const real = act; act = async () => { listening = true; const got = await real(); listening = false; return got; };
  `,
  'classes replaced': `
    for (const name of ['Response', 'ReadableStream', 'Promise', 'Proxy', 'Uint8Array', 'MessageEvent', 'MessageChannel', 'WeakMap', 'TypeError', 'Error', 'URL', 'TextEncoder'])
      window[name] = class { constructor() { heard.push(name); } };
  `,
  'timers and clocks faked': `
    window.setTimeout = window.setInterval = () => 0; Date.now = () => 5; performance.now = () => 5; window.requestAnimationFrame = () => 0;
  `,
  'stacks formatted by the page': `
    Error.prepareStackTrace = (error, frames) => { heard.push('format'); return frames.length; };
  `,
  'fetch replaced before and after': `
    const found = native; native = function (...args) { heard.push('mine'); return found.apply(this, args); }; window.fetch = native;
  `,
  'methods of Response replaced': `
    const { text, clone } = Response.prototype;
    Response.prototype.text = function () { heard.push('text'); return text.call(this); };
    Response.prototype.clone = function () { heard.push('clone'); return clone.call(this); };
  `,
  'forged offers and messages': `
    const port = () => new MessageChannel().port2;
    for (const name of ['\\u200brunlens', '\\u200brunlens-ready']) {
      addEventListener(name, (event) => heard.push(name + event.data), true);
      dispatchEvent(new Event(name));
      dispatchEvent(new MessageEvent(name, { ports: [port()], data: 'x' }));
      dispatchEvent(new MessageEvent(name, { data: { token: '', batches: [{ no: 1e9, meta: [], bytes: new Uint8Array() }] } }));
      dispatchEvent(new MessageEvent(name, { data: [{ no: 1e9 }] }));
      dispatchEvent(new MessageEvent(name, { data: { get token() { throw 1; } } }));
    }
    postMessage({ no: 1e9, meta: [], bytes: [] }, '*');
    heard = heard.map((x) => String(x).slice(0, 30));
  `,
  'own events of an EventSource': `
    const source = new EventSource('/r?id=es&end=hang');
    for (const type of ['message', 'RUN_STARTED', 'open', 'error']) source.dispatchEvent(new MessageEvent(type, { data: '<img src=x onerror=alert(1)>' }));
    source.close();
  `,
};

/** The mischief runs after `act` is there, so that it can wrap it; the bare names are the page's own globals. */
const html = (poison: string) => `<!doctype html><meta charset="utf-8"><title>hostile</title><body><script>
  var heard = []; var native = fetch; ${ACT.replace('const act', 'var act')}
  {${poison}}
</script>`;

async function visit(browser: Launched, poison: string): Promise<unknown> {
  const page = await browser.context.newPage();
  const trouble: string[] = [];
  page.on('pageerror', (error) => trouble.push(error.message));
  page.on('console', (message) => trouble.push(message.text()));
  page.on('dialog', (dialog) => {
    trouble.push(dialog.message());
    void dialog.dismiss();
  });
  server.pages.set('/hostile.html', { html: html(poison) });
  await page.goto(`${server.url}/hostile.html`);
  const got = await page.evaluate('act().then((got) => JSON.stringify(got))');
  await page.close();
  return [got, trouble];
}

for (const [name, poison] of Object.entries(POISONS)) {
  test(`the page's own results are unchanged: ${name}`, async () => {
    const without = await visit(bare, poison);
    const withUs = await visit(hooked, poison);
    expect(withUs).toEqual(without);
  });

  test(`captured all the same: ${name}`, async () => {
    await journal.clear();
    await visit(hooked, poison);
    const own = async () => Object.entries(await journal.bytes()).filter(([url]) => url.includes('parts='));
    await expect.poll(async () => (await own()).map(([, bytes]) => bytes)).toEqual(['data: 1\n\n', 'data: 2\n\n', '{}']);
  });
}

test('a body of 50 MB passes through and into the journal; what a cap drops is told', async () => {
  await journal.clear();
  const page = await hooked.context.newPage();
  server.pages.set('/hostile.html', { html: '<!doctype html><title>large</title>' });
  await page.goto(`${server.url}/hostile.html`);
  const size = await page.evaluate("fetch('/r?id=large&flood=52428800').then((r) => r.arrayBuffer()).then((b) => b.byteLength)");
  expect(size).toBe(52_428_800);
  await expect.poll(journal.total, { timeout: 30_000 }).toBe(52_428_800);
  await page.close();
});
