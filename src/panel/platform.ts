/** The panel's platform in the extension: ports, journal, storage, permissions, and DevTools where the panel stands in it. */
import browser from '../browser/browser.ts';
import { readBytes, readRecords } from '../browser/journal.ts';
import { createLivePort } from '../browser/ports.ts';
import { PANEL_PORT, type ToWorker } from '../wire/worker-to-panel.ts';
import { createLink, type Platform } from './state/link.ts';
import type { PanelsTheme } from './state/theme.ts';

const SETTINGS = 'panel';

interface DevTools {
  readonly inspectedWindow?: { readonly tabId?: number; readonly reload?: () => void };
  readonly panels?: PanelsTheme;
}

/** Pattern that stands for an origin, or null for one that cannot be asked for. */
export function patternOf(origin: string): string | null {
  try {
    const url = new URL(origin);
    return url.protocol === 'http:' || url.protocol === 'https:' ? `${url.protocol}//${url.hostname}/*` : null;
  } catch {
    return null;
  }
}

/** The session asked for: `?session=` first, then the inspected tab, then a fresh one for imports. */
function sessionOf(devtools: DevTools | undefined): string {
  const asked = new URLSearchParams(location.search).get('session');
  if (asked) return asked;
  const tab = devtools?.inspectedWindow?.tabId;
  return tab === undefined ? `file:${crypto.randomUUID()}` : `tab:${tab}`;
}

export function extensionPlatform(): Platform {
  const devtools = browser.devtools as unknown as DevTools | undefined;
  const permission = async (origin: string, act: (permissions: { origins: string[] }) => Promise<boolean>) => {
    const pattern = patternOf(origin);
    return pattern === null ? false : act({ origins: [pattern] });
  };
  const tab = devtools?.inspectedWindow?.tabId;
  return {
    session: sessionOf(devtools),
    version: browser.runtime.getManifest().version,
    panels: devtools?.panels ?? null,
    connect: (session) =>
      createLink(session, (events) => createLivePort({ name: PANEL_PORT + session, straight: { ping: { kind: 'ping' } satisfies ToWorker }, ...events })),
    readBytes,
    readRecords,
    save: (settings) => void browser.storage.local.set({ [SETTINGS]: settings }).catch(() => undefined),
    allow: (origin) => permission(origin, (permissions) => browser.permissions.request(permissions)),
    forbid: (origin) => permission(origin, (permissions) => browser.permissions.remove(permissions)),
    reload: devtools?.inspectedWindow?.reload ? () => devtools.inspectedWindow?.reload?.() : null,
    hold: tab === undefined ? null : (events) => import('../browser/hold.ts').then((file) => file.openHold(tab, events)),
  };
}

/** What was stored of the settings, whatever it is. */
export async function storedSettings(): Promise<unknown> {
  try {
    return (await browser.storage.local.get(SETTINGS))[SETTINGS];
  } catch {
    return undefined;
  }
}
