/** No extension page speaks to the network, and none could; no text of a stream could become markup. Chromium's own log of requests is the witness. */
import { mkdirSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Frame, Worker } from '@playwright/test';
import { launch, openPanel } from './browser.ts';
import { expect, play, test } from './fixtures.ts';
import { clear, exportTo, importFrom, root, showTab, summaryOf } from './panel.ts';

interface NetLog {
  readonly constants: { readonly logEventTypes: Readonly<Record<string, number>> };
  readonly events: readonly { readonly type: number; readonly params?: { readonly url?: string; readonly initiator?: string } }[];
}

/** URLs that documents or workers of extensions asked the network for. */
function requestsOf(file: string): string[] {
  const { constants, events } = JSON.parse(readFileSync(file, 'utf8')) as NetLog;
  const start = constants.logEventTypes['URL_REQUEST_START_JOB'];
  if (start === undefined) throw new Error('This Chromium logs its requests under another name.');
  const ours = events.filter(({ type, params }) => type === start && params?.initiator?.startsWith('chrome-extension:'));
  return [...new Set(ours.map(({ params }) => params?.url ?? ''))];
}

/** Tries every way there is to reach a server; answers those that were not refused. */
async function tryAll(url: string): Promise<string[]> {
  const open: string[] = [];
  const settles = (name: string, attempt: () => Promise<unknown>) =>
    attempt().then(
      () => open.push(name),
      () => undefined,
    );
  const fires = (made: EventTarget, good: string) =>
    new Promise((resolve, reject) => {
      made.addEventListener(good, resolve);
      made.addEventListener('error', reject);
    });
  await settles('fetch', () => fetch(url, { mode: 'no-cors' }));
  await settles('WebSocket', async () => fires(new WebSocket(url.replace('http', 'ws')), 'open'));
  if (typeof EventSource !== 'undefined') await settles('EventSource', async () => fires(new EventSource(url), 'open'));
  if (typeof XMLHttpRequest !== 'undefined') {
    await settles('XMLHttpRequest', async () => {
      const request = new XMLHttpRequest();
      const loaded = fires(request, 'load');
      request.open('GET', url);
      request.send();
      return loaded;
    });
  }
  if (typeof document !== 'undefined') {
    await settles('img', async () => {
      const image = new Image();
      const loaded = fires(image, 'load');
      image.src = url;
      return loaded;
    });
  }
  return open;
}

test('no request from worker, panel or devtools page, and none is possible', async ({ agent }, info) => {
  const log = info.outputPath('net-log.json');
  mkdirSync(dirname(log), { recursive: true });
  const lens = await launch({ flags: [`--log-net-log=${log}`] });
  const forbidden = `${agent.url}from-the-extension`;
  const control = `${agent.url}blank?control`;
  try {
    const page = lens.context.pages()[0] ?? (await lens.context.newPage());
    await page.goto(`${agent.url}?pace=2`);
    const tools = await openPanel(page);
    const panel = tools.frame;
    for (const id of ['good', 'step-already-open', 'foreign']) await play(page, id);
    await expect.poll(async () => (await summaryOf(panel)).findings.map(({ rule }) => rule)).toContain('step-already-open');
    for (const tab of ['Events', 'Runs', 'Findings', 'Request', 'Raw'] as const) await showTab(panel, tab);
    const file = info.outputPath('capture.jsonl');
    await exportTo(tools, file);
    await clear(panel);
    await importFrom(tools, file);
    await expect(root(panel)).not.toHaveAttribute('data-events', '0');

    const devtoolsPage = tools.devtools.frames().find((frame) => frame.url().endsWith('/devtools.html'));
    expect(devtoolsPage, 'the devtools page is there').toBeDefined();
    const places: Readonly<Record<string, Frame | Worker>> = { panel, 'devtools page': devtoolsPage!, worker: lens.worker };
    for (const [name, place] of Object.entries(places)) expect(await (place as Frame).evaluate(tryAll, forbidden), `refused in the ${name}`).toEqual([]);

    // a link is no request of the panel's own, but the log shows it: so the log would show others too
    const [opened] = await Promise.all([
      lens.context.waitForEvent('page'),
      panel.evaluate((href) => Object.assign(document.createElement('a'), { href, target: '_blank' }).click(), control),
    ]);
    await opened.waitForLoadState();
  } finally {
    await lens.close();
  }
  expect(requestsOf(log)).toEqual([control]);
});

test('markup from text is refused in the panel', async ({ panel }) => {
  const refused = await panel.evaluate(() => {
    const tries: readonly ((text: string) => unknown)[] = [
      (text) => Object.assign(document.createElement('p'), { innerHTML: text }),
      (text) => document.body.insertAdjacentHTML('beforeend', text),
      (text) => new DOMParser().parseFromString(text, 'text/html'),
      (text) => document.createRange().createContextualFragment(text),
    ];
    return tries.map((attempt) => {
      try {
        attempt('<b>bold</b>');
        return 'taken';
      } catch (error) {
        return (error as Error).name;
      }
    });
  });
  expect(refused).toEqual(Array(4).fill('TypeError'));
});
