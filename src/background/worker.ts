/** The worker's entry: ports are handed to their servers. All listeners are added at once, or a woken worker misses what woke it. */
import browser from '../browser/browser.ts';
import { takeChannels } from '../browser/take-channels.ts';
import { RELAY_PORT } from '../wire/relay-to-worker.ts';
import { ARMED_PORT, DEVTOOLS_PORT, heldScripts, PANEL_PORT } from '../wire/worker-to-panel.ts';
import { serveArmed } from './armed-port.ts';
import { createBrowserEnvironment } from './browser-environment.ts';
import { serveDevtools } from './devtools-port.ts';
import type { Port } from './environment.ts';
import { syncContentScripts } from './origins.ts';
import { servePanel } from './panel-port.ts';
import { serveRelay } from './relay-port.ts';
import { createSessions } from './sessions.ts';

const env = createBrowserEnvironment();
const sessions = createSessions(env);
const withChannel = takeChannels(globalThis);

browser.runtime.onConnect.addListener((connected) => {
  const port = connected as unknown as Port;
  // asked for, or the browser writes it to the extension's error page when a page goes into the back/forward cache
  connected.onDisconnect.addListener(() => void browser.runtime.lastError);
  if (port.name === RELAY_PORT) serveRelay(sessions, port);
  else if (port.name.startsWith(PANEL_PORT) && isOurs(port)) servePanel(env, sessions, withChannel(port));
  else if (port.name.startsWith(DEVTOOLS_PORT) && isOurs(port)) serveDevtools(sessions, port);
  else if (port.name.startsWith(ARMED_PORT) && isOurs(port)) serveArmed(sessions, port, forgetHeld);
  else port.disconnect();
});

browser.tabs.onRemoved.addListener((tab) => {
  void sessions.closeTab(`tab:${tab}`);
});

// a discarded tab may come back under another number: what it held stays among the closed tabs
browser.tabs.onReplaced.addListener((_added, removed) => {
  void sessions.closeTab(`tab:${removed}`);
});

browser.permissions.onAdded.addListener(takeOrigins);
browser.permissions.onRemoved.addListener(takeOrigins);
browser.runtime.onInstalled.addListener(takeOrigins);

let origins = Promise.resolve();

/** One after the other: registrations of two at once would collide. */
function takeOrigins(): void {
  origins = origins
    .then(syncContentScripts)
    .catch(() => undefined)
    .then(sessions.refreshCaptured);
}

/** Extension pages only: a content script may name its port as it likes. */
function isOurs(port: Port): boolean {
  return port.sender?.url?.startsWith(browser.runtime.getURL('')) ?? false;
}

/** Takes back what a replay has registered for a tab, if anything. */
async function forgetHeld(tab: number): Promise<void> {
  await browser.scripting.unregisterContentScripts({ ids: heldScripts(tab) }).catch(() => undefined);
}
