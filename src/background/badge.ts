/** The toolbar badge: a tab's number of violations, or that a replay is armed there. */
import type { SessionId } from '../wire/worker-to-panel.ts';
import type { Environment } from './environment.ts';
import type { Live } from './live.ts';

export interface Badge {
  readonly show: (live: Live) => void;
  readonly forget: (id: SessionId) => void;
}

/** Sets the badge when the number or the page changed: the browser takes it off a tab at each navigation. */
export function createBadge(env: Environment): Badge {
  const shown = new Map<SessionId, string>();
  return {
    show: (live) => {
      const tab = tabOf(live.id);
      if (tab === null) return;
      const violations = live.session.counts.violation;
      const state = `${violations} ${live.armed} ${live.page.epoch} ${live.page.navigations.length}`;
      if (shown.get(live.id) === state) return;
      if (violations > 0 || live.armed || shown.has(live.id)) env.showBadge(tab, violations, live.armed);
      shown.set(live.id, state);
    },
    forget: (id) => {
      shown.delete(id);
    },
  };
}

/** The tab of a live session's id; null for a file's. */
export function tabOf(id: SessionId): number | null {
  const no = /^tab:(\d{1,15})$/.exec(id)?.[1];
  return no === undefined ? null : Number(no);
}
