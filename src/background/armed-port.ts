/** The port of a panel in whose tab a replay is or was armed: what is armed ends with the panel, and so does all that stands for it. */
import { ARMED_PORT } from '../wire/worker-to-panel.ts';
import type { Port } from './environment.ts';
import type { Sessions } from './sessions.ts';

/** Serves one panel. `forget` takes back what was registered for the tab. */
export function serveArmed(sessions: Sessions, port: Port, forget: (tab: number) => Promise<void>): void {
  const tab = /^\d{1,15}$/.exec(port.name.slice(ARMED_PORT.length))?.[0];
  if (tab === undefined) {
    port.disconnect();
    return;
  }
  const set = (armed: boolean) =>
    void sessions.use(`tab:${tab}`, (live) => {
      live.armed = armed;
    });
  port.onMessage.addListener((message) => set((message as { armed?: unknown } | null)?.armed === true));
  port.onDisconnect.addListener(() => {
    set(false);
    void forget(Number(tab));
  });
}
