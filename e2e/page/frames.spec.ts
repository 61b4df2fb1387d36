/** Every frame of a page is hooked in time for its first inline script, whatever kind it is. */
import { expect, type Page, test } from '@playwright/test';
import type { Journal } from './journal.ts';
import { type Launched, launch } from './launch.ts';
import { type PageServer, startPageServer } from './server.ts';

let server: PageServer;
let browser: Launched;
let journal: Journal;
let page: Page;

test.beforeAll(async () => {
  server = await startPageServer();
  browser = await launch('with');
  journal = await browser.journal();
  page = await browser.context.newPage();
});

test.afterAll(async () => {
  await browser?.close();
  await server?.close();
});

const path = (name: string) => `/r?id=${name}&parts=data: ${name}%0A%0A`;
/** What a frame's first script does: reads a stream to its end. */
const script = (name: string, nonce = '') =>
  `<script${nonce}>fetch('${server.url}${path(name)}').then((r) => r.text()).then((t) => { window.done = t; });</script>`;
/** The same for a document written into a string of a script. */
const quoted = (name: string) => JSON.stringify(script(name)).replaceAll('</', '<\\/');
const inFrame = (name: string, code: string) => `<script>{ const name = '${name}'; const address = '${server.url}${path(name)}'; ${code} }</script>`;

const MAKE = "const frame = document.body.appendChild(document.createElement('iframe'));";

const FRAMES: Readonly<Record<string, (name: string) => string>> = {
  top: (name) => script(name),
  'about-blank-at-once': (name) => inFrame(name, `${MAKE} frame.contentWindow.fetch(address).then((r) => r.text());`),
  'about-blank-nested': (name) =>
    inFrame(
      name,
      `${MAKE} const inner = frame.contentDocument.body.appendChild(frame.contentDocument.createElement('iframe')); inner.contentWindow.fetch(address).then((r) => r.text());`,
    ),
  srcdoc: (name) => inFrame(name, `${MAKE} frame.srcdoc = ${quoted(name)};`),
  'srcdoc-sandboxed': (name) => inFrame(name, `${MAKE} frame.sandbox = 'allow-scripts'; frame.srcdoc = ${quoted(name)};`),
  blob: (name) => inFrame(name, `${MAKE} frame.src = URL.createObjectURL(new Blob([${quoted(name)}], { type: 'text/html' }));`),
  javascript: (name) => inFrame(name, `${MAKE} frame.src = 'java' + 'script:' + encodeURIComponent(JSON.stringify(${quoted(name)}));`),
  written: (name) => inFrame(name, `${MAKE} frame.contentDocument.open(); frame.contentDocument.write(${quoted(name)}); frame.contentDocument.close();`),
  'same-origin': (name) => {
    server.pages.set(`/${name}.html`, { html: script(name) });
    return `<iframe src="/${name}.html"></iframe>`;
  },
  'other-origin': (name) => {
    server.pages.set(`/${name}.html`, { html: script(name) });
    return `<iframe src="${server.url.replace('localhost', '127.0.0.1')}/${name}.html"></iframe>`;
  },
};

for (const [name, html] of Object.entries(FRAMES)) {
  test(`captured from its first script: ${name}`, async () => {
    await journal.clear();
    server.pages.set('/frames.html', { html: `<!doctype html><title>frames</title><body>${html(name)}` });
    await page.goto(`${server.url}/frames.html`);
    await expect.poll(async () => Object.values(await journal.bytes())).toEqual([`data: ${name}\n\n`]);
    await expect.poll(() => journal.ends()).toEqual(['complete']);
  });
}

test('captured in a window the page opened', async () => {
  await journal.clear();
  server.pages.set('/frames.html', { html: '<!doctype html><title>opener</title>' });
  await page.goto(`${server.url}/frames.html`);
  const popup = page.waitForEvent('popup');
  await page.evaluate((address) => {
    void window
      .open('about:blank')
      ?.fetch(address)
      .then((response) => response.text());
  }, server.url + path('popup'));
  await expect.poll(async () => Object.values(await journal.bytes())).toEqual(['data: popup\n\n']);
  await (await popup).close();
});

test('captured under a strict CSP', async () => {
  await journal.clear();
  const policy = "default-src 'none'; script-src 'nonce-x'; connect-src 'self'; require-trusted-types-for 'script'; trusted-types 'none'";
  server.pages.set('/frames.html', {
    html: `<!doctype html><title>strict</title>${script('strict', ' nonce="x"')}`,
    headers: { 'content-security-policy': policy },
  });
  await page.goto(`${server.url}/frames.html`);
  await expect.poll(async () => Object.values(await journal.bytes())).toEqual(['data: strict\n\n']);
});
