/** CPU seconds of all of a browser's processes, by kind: what a figure would be on an idle machine when wall time says nothing. */
import type { BrowserContext } from 'playwright';

export interface ProcessTimes {
  readonly all: number;
  /** Renderers: pages, DevTools, panel and worker. */
  readonly renderers: number;
}

export async function processTimes(context: BrowserContext): Promise<ProcessTimes> {
  const browser = await context.browser()!.newBrowserCDPSession();
  const { processInfo } = await browser.send('SystemInfo.getProcessInfo');
  await browser.detach();
  const sum = (of: typeof processInfo) => of.reduce((total, { cpuTime }) => total + cpuTime, 0);
  return { all: sum(processInfo), renderers: sum(processInfo.filter(({ type }) => type === 'renderer')) };
}
