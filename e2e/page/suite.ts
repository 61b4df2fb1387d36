/** Every check of the page suite, and the page that runs them. */
import type { Page } from '@playwright/test';
import { bodies } from './checks/bodies.ts';
import { endings } from './checks/endings.ts';
import { events } from './checks/events.ts';
import { flow } from './checks/flow.ts';
import { looks } from './checks/looks.ts';
import { requests } from './checks/requests.ts';
import type { PageServer } from './server.ts';
import { type Checks, runChecks, toolkit } from './tools.ts';

/** What each check gave, as JSON text. */
export type Results = Record<string, string>;

declare global {
  interface Window {
    runSuite: (names?: readonly string[], limit?: number) => Promise<Results>;
  }
}

export const CHECKS: Checks = { ...looks, ...bodies, ...endings, ...requests, ...events, ...flow };

/** A check that waits on a server or a socket takes well under this. */
const LIMIT_MS = 20_000;

/** The script of the suite page: `runSuite(names)` runs all checks, or those named. */
function script(run: string): string {
  const checks = Object.entries(CHECKS).map(([name, check]) => `${JSON.stringify(name)}: ${check}`);
  return `{
    const checks = {${checks.join(',\n')}};
    const t = (${toolkit})(${JSON.stringify(run)});
    window.runSuite = (names = Object.keys(checks), limit = ${LIMIT_MS}) =>
      (${runChecks})(t, Object.fromEntries(names.map((name) => [name, checks[name]])), limit);
  }`;
}

/** Opens the suite in a page. `run` names its exchanges at the server, so that two runs do not meet. */
export async function openSuite(page: Page, server: PageServer, run: string): Promise<Page> {
  server.pages.set(`/${run}.js`, { html: script(run) });
  server.pages.set(`/${run}.html`, { html: `<!doctype html><meta charset="utf-8"><title>suite</title><body><script src="/${run}.js"></script>` });
  await page.goto(`${server.url}/${run}.html`);
  return page;
}

/** Runs checks in a page, which is closed after. What is named after the run is named alike in all runs. */
export async function runSuite(page: Page, server: PageServer, run: string, names?: readonly string[], limit?: number): Promise<Results> {
  await openSuite(page, server, run);
  const results = await page.evaluate(([chosen, most]) => window.runSuite(chosen, most), [names, limit] as const);
  await page.close();
  return JSON.parse(JSON.stringify(results).replaceAll(`${run}-`, 'run-')) as Results;
}
