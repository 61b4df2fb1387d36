/**
 * Chromium with the built page scripts and a worker that only journals: the specs of this folder ask what a page notices and what
 * leaves it, and a small worker shows the second without a panel. The scripts are the ones that ship, byte for byte.
 */
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type BrowserContext, chromium } from '@playwright/test';
import manifest from '../../manifest.json' with { type: 'json' };
import { chromiumPath } from '../chromium.ts';
import { DIST } from '../root.ts';
import { createJournal, type Journal } from './journal.ts';

// DevTools targets attach as CDP type "other"; Playwright drops those unless this is set before it attaches.
process.env['PW_CHROMIUM_ATTACH_TO_OTHER'] = '1';

const HOOK = 'src/page/hook.iife.js';
const RELAY = 'src/relay/relay.iife.js';

export interface Launched {
  readonly context: BrowserContext;
  /** What the extension journaled. Throws without the extension. */
  readonly journal: () => Promise<Journal>;
  readonly close: () => Promise<void>;
}

/** The hook as built. */
export const builtHook = (): string => readFileSync(join(DIST, HOOK), 'utf8');

function place(dir: string, file: string, text: string): void {
  mkdirSync(dirname(join(dir, file)), { recursive: true });
  writeFileSync(join(dir, file), text);
}

/** An extension of the shipped hook (or another in its place), the shipped relay and the journaling worker, in a new directory. */
function assemble(hook: string): string {
  if (!existsSync(join(DIST, RELAY))) throw new Error('There is no built extension: run `npm run build` first.');
  const dir = mkdtempSync(join(tmpdir(), 'runlens-page-'));
  place(dir, HOOK, hook);
  place(dir, RELAY, readFileSync(join(DIST, RELAY), 'utf8'));
  for (const file of ['journal-worker.js', 'journal-db.js']) copyFileSync(join(import.meta.dirname, file), join(dir, file));
  place(dir, 'journal.html', '<!doctype html><title>journal</title><script src="journal-db.js"></script>');
  const { minimum_chrome_version, message_serialization, name, version, manifest_version, content_scripts } = manifest;
  const built = content_scripts.map((script) => ({ ...script, js: script.js.map((file) => file.replace(/\.ts$/, '.js')) }));
  const background = { service_worker: 'journal-worker.js' };
  place(
    dir,
    'manifest.json',
    JSON.stringify({ manifest_version, name, version, minimum_chrome_version, message_serialization, background, content_scripts: built }),
  );
  return dir;
}

/** Starts Chromium in a fresh profile: without any extension, or with the page scripts. */
export async function launch(extension: 'none' | 'with' | { readonly hook: string }): Promise<Launched> {
  const dir = extension === 'none' ? null : assemble(extension === 'with' ? builtHook() : extension.hook);
  const profile = mkdtempSync(join(tmpdir(), 'runlens-profile-'));
  mkdirSync(join(profile, 'Default'));
  const preferences = { currentDockState: JSON.stringify('undocked') };
  writeFileSync(join(profile, 'Default/Preferences'), JSON.stringify({ devtools: { preferences }, extensions: { ui: { developer_mode: true } } }));
  const context = await chromium.launchPersistentContext(profile, {
    executablePath: chromiumPath(),
    headless: process.env['HEADED'] !== '1',
    viewport: null,
    args: dir ? [`--disable-extensions-except=${dir}`, `--load-extension=${dir}`] : [],
  });
  return {
    context,
    journal: async () => {
      const worker = context.serviceWorkers()[0] ?? (await context.waitForEvent('serviceworker'));
      const page = await context.newPage();
      await page.goto(new URL('/journal.html', worker.url()).href);
      return createJournal(page);
    },
    close: async () => {
      await context.close();
      for (const gone of [dir, profile]) if (gone) rmSync(gone, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}
