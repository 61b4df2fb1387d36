/** The devtools page's port: it keeps the worker awake by its pings, tells which document the tab shows, and hands over what the network log has. */
import { type DevtoolsMessage, isDevtoolsMessage, type LoggedAck } from '../wire/devtools-to-worker.ts';
import { DEVTOOLS_PORT } from '../wire/worker-to-panel.ts';
import type { Port } from './environment.ts';
import { hear, type Live, navigate, pageChanged } from './live.ts';
import { endLogged, takeLogged } from './network-log.ts';
import { type Sessions, updateCaptured } from './sessions.ts';

export function serveDevtools(sessions: Sessions, port: Port): void {
  const id = port.name.slice(DEVTOOLS_PORT.length);
  if (!/^tab:\d{1,15}$/.test(id)) {
    port.disconnect();
    return;
  }
  port.onMessage.addListener((value) => {
    if (!isDevtoolsMessage(value) || value.kind === 'ping') return;
    if (value.kind === 'exchange') {
      void sessions.use(id, (live) => {
        takeLogged(live, value);
        void live.writer.written().then(() => acknowledge(port, { kind: 'journaled', no: value.no }));
      });
      return;
    }
    void sessions.use(id, async (live) => {
      takePage(live, value);
      await updateCaptured(live);
      hear(live, value.heard);
    });
  });
  port.onDisconnect.addListener(() => void sessions.use(id, endLogged));
}

function acknowledge(port: Port, ack: LoggedAck): void {
  try {
    port.postMessage(ack);
  } catch {
    // the devtools page is gone, or connects anew and sends again
  }
}

/** Ms within which a document that the log knows may be the one of a navigation whose time could not be asked. */
const JUST_NOW = 2_000;

/** The page the tab shows: another one than the log's clears the log, as its first batch would have. */
export function takePage(live: Live, { url, timeOrigin, navigated }: Extract<DevtoolsMessage, { kind: 'page' }>): void {
  const { docTime } = live.page;
  if (isKnown(live, timeOrigin, navigated)) {
    live.page.url = url;
    live.page.docTime ??= timeOrigin;
    pageChanged(live);
    return;
  }
  // a late answer about a page that was left already
  if (timeOrigin !== null && docTime !== null && timeOrigin < docTime) return;
  navigate(live, { doc: null, url, time: timeOrigin });
}

function isKnown(live: Live, timeOrigin: number | null, navigated: boolean): boolean {
  const { docTime } = live.page;
  if (timeOrigin === null) return !navigated || (docTime !== null && live.env.now() - docTime < JUST_NOW);
  return docTime === null ? !navigated : Math.abs(docTime - timeOrigin) < 1;
}
