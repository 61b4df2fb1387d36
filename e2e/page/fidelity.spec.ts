/**
 * The page notices nothing: the same page with and without the extension, check by check. What cannot be the same is named with its
 * reason in docs/page-fidelity.md.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, type Page, test } from '@playwright/test';
import { ROOT } from '../root.ts';
import { WHOLE_READS } from './checks/bodies.ts';
import { LATENCIES } from './checks/flow.ts';
import { shownInitiator } from './initiator.ts';
import { type Launched, launch } from './launch.ts';
import { type PageServer, startPageServer } from './server.ts';
import { CHECKS, openSuite, type Results, runSuite } from './suite.ts';

let server: PageServer;
let bare: Launched;
let hooked: Launched;
let without: Results;
let withUs: Results;

const isDocumented = (name: string) => name.startsWith('documented: ');
const answerOf = (results: Results, name: string) => (JSON.parse(results[name] ?? 'null') as { ok?: { ok?: unknown } } | null)?.ok?.ok;
const median = (values: readonly number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;

test.beforeAll(async () => {
  test.setTimeout(180_000);
  server = await startPageServer();
  bare = await launch('none');
  hooked = await launch('with');
  [without, withUs] = await Promise.all([runSuite(await bare.context.newPage(), server, 'without'), runSuite(await hooked.context.newPage(), server, 'with')]);
});

test.afterAll(async () => {
  await Promise.all([bare?.close(), hooked?.close()]);
  await server?.close();
});

test('every check answers in both', () => {
  const names = Object.keys(CHECKS);
  expect(names.length).toBeGreaterThan(200);
  expect(Object.keys(without)).toEqual(names);
  expect(names.filter((name) => without[name]?.includes('"timeout"') || withUs[name]?.includes('"timeout"'))).toEqual([]);
});

test('every check that is not documented as different is equal', () => {
  const compared = Object.keys(CHECKS).filter((name) => !LATENCIES.includes(name) && !isDocumented(name));
  for (const name of compared) expect.soft(withUs[name], name).toBe(without[name]);
});

test('what is documented as different is, and stands in docs/page-fidelity.md', () => {
  const page = readFileSync(join(ROOT, 'docs/page-fidelity.md'), 'utf8');
  for (const name of Object.keys(CHECKS).filter(isDocumented)) {
    expect.soft(withUs[name], `${name} is equal by now: take it off the list`).not.toBe(without[name]);
    expect.soft(page, name).toContain(name.slice('documented: '.length));
  }
});

for (const name of LATENCIES) {
  test(`the server is told as soon as without us: ${name}`, () => {
    const [before, after] = [without, withUs].map((results) => answerOf(results, name) as number[]);
    expect(after).toHaveLength(20);
    // plain Chromium is 5 s late now and then: the median, not the worst
    expect(median(after ?? [])).toBeLessThan(500);
    expect(median(before ?? [])).toBeLessThan(500);
  });
}

test('an idle page stops the server early, with and without us', () => {
  for (const name of Object.keys(CHECKS).filter((check) => check.startsWith('back-pressure: '))) {
    expect.soft(answerOf(without, name), name).toEqual({ stopped: true });
    expect.soft(answerOf(withUs, name), name).toEqual({ stopped: true });
  }
});

test('whatever way the page reads, all it read is in the journal', async () => {
  const journal = await hooked.journal();
  const page = await openSuite(await hooked.context.newPage(), server, 'ways');
  const bytes: Record<string, string> = { 'a stream': 'data: 1\n\ndata: grün\n\ndata: 3\n\n', "an agent's JSON": '[1,2,3]' };
  const names = Object.keys(bytes).flatMap((stream) => WHOLE_READS.map((way) => `${stream}: ${way}`));
  for (const name of names) {
    await journal.clear();
    await page.evaluate((check) => window.runSuite([check]), name);
    await expect
      .poll(async () => Object.values(await journal.bytes()), { message: name })
      .toEqual([Buffer.from(bytes[name.split(': ')[0] ?? ''] ?? '').toString('latin1')]);
  }
  await page.close();
});

test("the Network panel's Initiator names the page's file", async () => {
  expect(await shownInitiator(bare.context, server)).toBe('asking.js');
  expect(await shownInitiator(hooked.context, server)).toBe('asking.js');
});

test('strict pages: CSP, Trusted Types, sandbox', async () => {
  const policies: Record<string, string> = {
    nonce: "default-src 'none'; script-src 'nonce-x'; connect-src 'self'",
    'trusted types': "require-trusted-types-for 'script'; trusted-types 'none'",
    'no connections': "connect-src 'none'",
    sandbox: 'sandbox allow-scripts',
  };
  const script = `<!doctype html><title>strict</title><script nonce="x">
    window.told = [];
    addEventListener('securitypolicyviolation', (e) => told.push(e.violatedDirective));
    window.done = fetch('/r?id=strict&parts=data: 1%0A%0A').then((r) => r.text()).catch(String);
  </script>`;
  for (const [name, policy] of Object.entries(policies)) {
    server.pages.set('/strict.html', { html: script, headers: { 'content-security-policy': policy } });
    const visit = async (browser: Launched) => {
      const page: Page = await browser.context.newPage();
      const console: string[] = [];
      page.on('console', (message) => console.push(message.text().replaceAll(/http:\S+/g, 'address')));
      page.on('pageerror', (error) => console.push(error.message));
      await page.goto(`${server.url}/strict.html`);
      const got = await page.evaluate('Promise.resolve(done).then((text) => [text, told])');
      await page.close();
      return [got, console];
    };
    expect(await visit(hooked), name).toEqual(await visit(bare));
  }
});
