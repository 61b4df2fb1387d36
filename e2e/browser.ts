/** Chromium with the built extension, and the panel in its real DevTools window. Used by the specs, the demo and the screenshots. */
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type BrowserContext, chromium, type Frame, type Page, type Worker } from '@playwright/test';
import { chromiumPath } from './chromium.ts';
import { DIST } from './root.ts';

// DevTools targets attach as CDP type "other"; Playwright drops those unless this is set before it attaches.
process.env['PW_CHROMIUM_ATTACH_TO_OTHER'] = '1';

const TITLE = 'Runlens';
export const PANEL_PATH = 'src/panel/panel.html';
const FRONTEND = 'devtools://devtools/bundled/devtools_app.html';

export interface Look {
  readonly theme: 'light' | 'dark';
  readonly dock: 'undocked' | 'bottom' | 'right';
}

export interface LaunchOptions extends Partial<Look> {
  readonly headless?: boolean;
  readonly size?: readonly [width: number, height: number];
  /** More flags for Chromium. */
  readonly flags?: readonly string[];
}

export interface Browser {
  readonly context: BrowserContext;
  readonly worker: Worker;
  readonly extensionId: string;
  readonly close: () => Promise<void>;
}

/** The DevTools window of a page, with our panel chosen. */
export interface DevTools {
  readonly devtools: Page;
  /** The panel's document. */
  readonly frame: Frame;
  readonly close: () => Promise<void>;
}

/** The two flags that load the extension. */
export function extensionArgs(): string[] {
  if (!existsSync(join(DIST, 'manifest.json'))) throw new Error('There is no built extension: run `npm run build` first.');
  return [`--disable-extensions-except=${DIST}`, `--load-extension=${DIST}`];
}

/** A new profile directory whose DevTools have that look. */
export function makeProfile({ theme = 'light', dock = 'undocked' }: Partial<Look> = {}): string {
  const profile = mkdtempSync(join(tmpdir(), 'runlens-profile-'));
  mkdirSync(join(profile, 'Default'));
  // Each DevTools preference is a JSON string in a string. Undocked or at the bottom there is room for our tab.
  const preferences = {
    currentDockState: JSON.stringify(dock),
    'ui-theme': JSON.stringify(theme === 'dark' ? 'dark' : 'default'),
    // at the bottom, half of the window
    'inspector-view.split-view-state': JSON.stringify({ horizontal: { size: 480 } }),
  };
  writeFileSync(join(profile, 'Default/Preferences'), JSON.stringify({ devtools: { preferences }, extensions: { ui: { developer_mode: true } } }));
  return profile;
}

/** Starts Chromium with the extension in a fresh profile, which `close` takes away. */
export async function launch(options: LaunchOptions = {}): Promise<Browser> {
  const args = extensionArgs();
  const [width, height] = options.size ?? [1400, 900];
  const profile = makeProfile(options);
  const context = await chromium.launchPersistentContext(profile, {
    executablePath: chromiumPath(),
    headless: options.headless ?? process.env['HEADED'] !== '1',
    viewport: null,
    colorScheme: options.theme ?? 'light',
    args: [...args, `--window-size=${width},${height}`, ...(options.flags ?? [])],
  });
  const worker = context.serviceWorkers()[0] ?? (await context.waitForEvent('serviceworker'));
  const close = async () => {
    await context.close();
    rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
  };
  return { context, worker, extensionId: new URL(worker.url()).host, close };
}

/** Opens the real DevTools of a page and clicks our tab, `ready` first if given: our tab is there, and has not been clicked yet. */
export async function openPanel(page: Page, ready?: () => Promise<void>): Promise<DevTools> {
  const context = page.context();
  const session = await context.newCDPSession(page);
  const { targetInfo } = await session.send('Target.getTargetInfo');
  await session.detach();
  // A page's own session may not open DevTools; the browser's may.
  const browser = await context.browser()!.newBrowserCDPSession();
  const [devtools] = await Promise.all([
    context.waitForEvent('page', (opened) => opened.url().startsWith(FRONTEND)),
    browser.send('Target.openDevTools' as 'Target.getTargets', { targetId: targetInfo.targetId } as object),
  ]);
  await browser.detach();
  const tab = devtools.getByRole('tab', { name: TITLE });
  if (ready) {
    await tab.waitFor();
    await ready();
  }
  await tab.click();
  await devtools.frameLocator(`iframe[src*="${PANEL_PATH}"]`).getByTestId('runlens').waitFor({ state: 'attached' });
  const frame = devtools.frames().find((candidate) => candidate.url().includes(PANEL_PATH));
  if (!frame) throw new Error('The panel has no frame.');
  return { devtools, frame, close: () => devtools.close() };
}

/** Stops every service worker at once, as the browser does when it needs the memory. */
export async function killWorkers(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send('ServiceWorker.enable');
  await session.send('ServiceWorker.stopAllWorkers');
  await session.detach();
}

/** Counts how often a service worker has come to run, from now on. Playwright's own event comes for the first life only. */
export async function countLives(page: Page): Promise<{ readonly started: () => number; readonly stop: () => Promise<void> }> {
  const session = await page.context().newCDPSession(page);
  const last = new Map<string, string>();
  let started = 0;
  session.on('ServiceWorker.workerVersionUpdated', ({ versions }) => {
    for (const { versionId, runningStatus } of versions) {
      const before = last.get(versionId);
      if (runningStatus === 'running' && before !== undefined && before !== 'running') started++;
      last.set(versionId, runningStatus);
    }
  });
  await session.send('ServiceWorker.enable');
  return { started: () => started, stop: () => session.detach() };
}

/** Whether DevTools windows opened from now on keep the worker awake. */
export async function setPing({ context, extensionId }: Pick<Browser, 'context' | 'extensionId'>, on: boolean): Promise<void> {
  const page = await context.newPage();
  // any document of the extension may say so; this one does nothing else
  await page.goto(`chrome-extension://${extensionId}/manifest.json`);
  await page.evaluate(async (noPing) => {
    const { chrome } = globalThis as unknown as { chrome: { storage: { local: { set: (items: object) => Promise<void> } } } };
    await chrome.storage.local.set({ noPing });
  }, !on);
  await page.close();
}
