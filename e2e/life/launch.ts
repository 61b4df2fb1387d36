/** Chromium for specs about the browser's own life: a profile that outlives it, another build, flags that Playwright would set. */
import { rmSync } from 'node:fs';
import { type BrowserContext, chromium, type Page, type Worker } from '@playwright/test';
import { extensionArgs, makeProfile } from '../browser.ts';
import { chromiumPath } from '../chromium.ts';
import { DIST } from '../root.ts';

export interface OwnBrowser {
  readonly context: BrowserContext;
  readonly worker: Worker;
  readonly extensionId: string;
  readonly close: () => Promise<void>;
}

export interface OwnOptions {
  /** Kept when the browser closes; without one a fresh profile is taken and deleted. */
  readonly profile?: string;
  readonly dist?: string;
  readonly args?: readonly string[];
  /** Playwright's own flags that are left out. */
  readonly without?: string[];
}

export async function launchOwn({ profile = '', dist = DIST, args = [], without = [] }: OwnOptions = {}): Promise<OwnBrowser> {
  const dir = profile || makeProfile();
  const context = await chromium.launchPersistentContext(dir, {
    executablePath: chromiumPath(),
    headless: process.env['HEADED'] !== '1',
    viewport: null,
    colorScheme: 'light',
    ignoreDefaultArgs: without,
    args: [...extensionArgs().map((arg) => arg.replace(DIST, dist)), '--window-size=1400,900', ...args],
  });
  const worker = context.serviceWorkers()[0] ?? (await context.waitForEvent('serviceworker'));
  const close = async () => {
    await context.close();
    if (!profile) rmSync(dir, { recursive: true, force: true, maxRetries: 5 });
  };
  return { context, worker, extensionId: new URL(worker.url()).host, close };
}

export const deleteProfile = (profile: string): void => rmSync(profile, { recursive: true, force: true, maxRetries: 5 });

/** Names of the journals on the extension's disk. */
export const journals = (inExtension: Worker | Page): Promise<string[]> =>
  (inExtension as Page).evaluate(() => (navigator as unknown as { storageBuckets: { keys: () => Promise<string[]> } }).storageBuckets.keys());
