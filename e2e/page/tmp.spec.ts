import { test } from '@playwright/test';
import { journal } from './journal.ts';
import { launch } from './launch.ts';
import { startPageServer } from './server.ts';
test('x', async () => {
  const server = await startPageServer();
  server.pages.set('/next.html', { html: '<!doctype html><title>next</title>' });
  server.pages.set('/reader.html', { html: `<!doctype html><body><script>
  window.got = 0; sessionStorage.log = '';
  const log = (x) => { sessionStorage.log += x + ' ' + performance.now().toFixed() + '; '; };
  window.start = async (query) => { try {
    const reader = (await fetch('/r?' + query)).body.getReader();
    for (;;) { const { done } = await reader.read(); if (done) break; got += 1; } } catch (e) { log(query + e + got); } };
  </script>` });
  const b = await launch('with');
  const page = await b.context.newPage();
  const w = await b.worker();
  await page.goto(server.url + '/reader.html');

  const t0 = Date.now();
  const say = (...x) => console.log(Date.now() - t0, ...x);
  b.context.on('serviceworker', (w) => { say('worker'); w.on('close', () => say('gone')); });
  await page.evaluate("window.reading = start('id=killed&ticks=1500')");
  for (let kill = 1; kill <= 5; kill += 1) {
    await page.waitForFunction((n) => window.got >= n, kill * 150);
    say('kill');
    const session = await b.context.newCDPSession(page);
    await session.send('ServiceWorker.enable');
    await session.send('ServiceWorker.stopAllWorkers');
    await session.detach();
    say('killed', b.context.serviceWorkers().length);
  }
  await page.evaluate('reading');
  say('read');
  for (let i = 0; i < 5; i++) {
    say(b.context.serviceWorkers().length);
    for (const w of b.context.serviceWorkers()) say(await Promise.race([journal(w).then((r) => [r.length, r.at(-1).kind], String), new Promise((r) => setTimeout(r, 1500, 'late'))]));
    await new Promise((r) => setTimeout(r, 500));
  }
  await b.close();
  await server.close();
});
