/** Every comparison of the page suite can fail: each hook here is broken in one known way, and the checks that must see it do. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { shownInitiator } from '../page/initiator.ts';
import { type Launched, launch } from '../page/launch.ts';
import { type PageServer, startPageServer } from '../page/server.ts';
import { runSuite } from '../page/suite.ts';

const CAUGHT: Readonly<Record<string, readonly string[]>> = {
  tee: ['told to the server: reader.cancel', 'back-pressure: nothing is touched', 'abort: text', 'headers cannot be changed'],
  clone: ['told to the server: reader.cancel', 'back-pressure: nothing is touched'],
  'eager-read': ['back-pressure: nothing is touched', 'back-pressure: a reader waits'],
  'no-closed': ['abort: closed, nobody reads', 'reset: closed, nobody reads', 'the end shows without a read: empty', 'abort: text'],
  'post-message': ['no listener of the page hears anything'],
  'plain-wrapper': [
    'looks: plain',
    'looks: redirected',
    'looks: cors',
    'looks: status 204',
    'looks: status 799',
    'clone looks: plain',
    'headers cannot be changed',
    'fetch: name, length, own keys',
    'fetch: text',
    'fetch: of another this',
    'abort: text',
  ],
};

/** A check that waits for what never comes is caught after this; those that pass take a few milliseconds. */
const LIMIT_MS = 3000;

const source = (name: string) => readFileSync(join(import.meta.dirname, `${name}.js`), 'utf8');

let server: PageServer;
let bare: Launched;

test.beforeAll(async () => {
  server = await startPageServer();
  bare = await launch('none');
});

test.afterAll(async () => {
  await bare?.close();
  await server?.close();
});

for (const [name, checks] of Object.entries(CAUGHT)) {
  test(`caught: ${name}`, async () => {
    const plain = await runSuite(await bare.context.newPage(), server, 'plain', checks);
    const page = await bare.context.newPage();
    await page.addInitScript(source(name));
    const broken = await runSuite(page, server, 'broken', checks, LIMIT_MS);
    for (const check of checks) expect.soft(broken[check], check).not.toBe(plain[check]);
  });
}

test('caught: no-ignore-list', async () => {
  const hooked = await launch({ hook: source('no-ignore-list') });
  expect(await shownInitiator(hooked.context, server)).toBe('hook.iife.js');
  await hooked.close();
});
