/** Memory in use, in MB: JS heap and the buffers that hang on it, after a forced collection. */
import type { BrowserContext, CDPSession, Frame, Page } from '@playwright/test';

interface Usage {
  readonly usedSize: number;
  readonly backingStorageSize?: number;
}

const toMb = ({ usedSize, backingStorageSize = 0 }: Usage): number => (usedSize + backingStorageSize) / 1e6;

export interface Gauge {
  readonly read: () => Promise<number>;
  readonly close: () => Promise<void>;
}

/** Of a page or a frame. */
export async function gaugeOf(context: BrowserContext, target: Page | Frame): Promise<Gauge> {
  const session = await context.newCDPSession(target);
  const read = async () => {
    await session.send('HeapProfiler.collectGarbage');
    return toMb((await session.send('Runtime.getHeapUsage')) as Usage);
  };
  return { read, close: () => session.detach() };
}

/** Of the extension's worker, which Playwright gives no session of: asked by messages through the browser's own. */
export async function gaugeOfWorker(context: BrowserContext, extensionId: string): Promise<Gauge> {
  const browser = await context.browser()!.newBrowserCDPSession();
  const { targetInfos } = await browser.send('Target.getTargets');
  const target = targetInfos.find(({ type, url }) => type === 'service_worker' && url.includes(extensionId));
  if (!target) throw new Error('The extension has no worker now.');
  const { sessionId } = await browser.send('Target.attachToTarget', { targetId: target.targetId, flatten: false });
  const ask = asker(browser, sessionId);
  const read = async () => {
    await ask('HeapProfiler.collectGarbage');
    return toMb(await ask<Usage>('Runtime.getHeapUsage'));
  };
  return { read, close: () => browser.detach() };
}

function asker(browser: CDPSession, sessionId: string) {
  const waiting = new Map<number, (answer: unknown) => void>();
  let last = 0;
  browser.on('Target.receivedMessageFromTarget', ({ sessionId: from, message }) => {
    if (from !== sessionId) return;
    const { id, result } = JSON.parse(message) as { id?: number; result?: unknown };
    if (id !== undefined) waiting.get(id)?.(result);
  });
  return <T>(method: string): Promise<T> =>
    new Promise((resolve, reject) => {
      const id = ++last;
      waiting.set(id, resolve as (answer: unknown) => void);
      browser.send('Target.sendMessageToTarget', { sessionId, message: JSON.stringify({ id, method }) }).catch(reject);
    });
}
