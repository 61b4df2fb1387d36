import { test } from '@playwright/test';
import { launch } from '../page/launch.ts';
import { CHECKS, watchers } from './checks.ts';
import { startCarrierServer } from './server.ts';
import { startPageServer } from '../page/server.ts';
import { toolkit } from '../page/tools.ts';

test('zz', async () => {
  test.setTimeout(180000);
  const server = await startCarrierServer();
  const pages = await startPageServer();
  pages.pages.set('/a.html', { html: '<!doctype html><body>' });
  const b = await launch('none');
  const page = await b.context.newPage();
  await page.goto(`${pages.url}/a.html`);
  await page.evaluate(`(${watchers})(); window.t=(${toolkit})('x'); window.chatter=${JSON.stringify(`${server.url.replace('http', 'ws')}/chatter`)}`);
  for (const name of Object.keys(CHECKS).filter((n) => n.startsWith('WebSocket'))) {
    const t = Date.now();
    const r = await Promise.race([page.evaluate(`(${CHECKS[name]})(t)`), new Promise((x) => setTimeout(x, 40000, 'LATE'))]);
    console.log(name, Date.now() - t, JSON.stringify(r).slice(-300));
  }
  await b.close();
  await server.close();
  await pages.close();
});
