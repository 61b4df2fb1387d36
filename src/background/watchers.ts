/** Panels that watch sessions: each is told everything when it comes, then what grew, at most thirty times a second. */
import { everything, hasChanges, takeChanges, tickSession } from '../session/index.ts';
import type { SessionId, ToPanel } from '../wire/worker-to-panel.ts';
import type { Environment, Port } from './environment.ts';
import { factsOf, type Live } from './live.ts';
import { takeRecent } from './recent.ts';
import { sliceChanges } from './slices.ts';

export interface Watchers {
  readonly add: (live: Live, port: Port) => void;
  readonly remove: (id: SessionId, port: Port) => void;
  /** Something may have changed; watchers hear of it soon. */
  readonly changed: (live: Live) => void;
  /** Everything is different: watchers begin anew. */
  readonly reset: (live: Live) => void;
  readonly count: (id: SessionId) => number;
}

/** Ms between two updates: what is drawn more often costs more than it shows. */
const FRAME = 33;
/** Open connections owe the clock something (a stream left open): judged once a second while somebody watches. */
const TICK = 1_000;

interface Watched {
  readonly ports: Set<Port>;
  live: Live;
  epoch: string;
  scheduled: boolean;
  ticking: boolean;
  last: number;
}

export function createWatchers(env: Environment): Watchers {
  const all = new Map<SessionId, Watched>();

  const tell = (watched: Watched, message: ToPanel): void => {
    for (const port of watched.ports) send(port, message);
  };

  const greet = (watched: Watched, port: Port): void => {
    const { live } = watched;
    send(port, { kind: 'reset', epoch: live.page.epoch, facts: factsOf(live), rows: live.session.rows.count });
    for (const { changes, more } of sliceChanges(everything(live.session))) send(port, { kind: 'update', changes, now: env.now(), more });
  };

  const resetAll = (watched: Watched): void => {
    takeChanges(watched.live.session);
    watched.epoch = watched.live.page.epoch;
    watched.live.factsChanged = false;
    for (const port of watched.ports) greet(watched, port);
  };

  const push = (watched: Watched): void => {
    watched.scheduled = false;
    watched.last = env.now();
    const { live } = watched;
    if (watched.epoch !== live.page.epoch) {
      resetAll(watched);
      return;
    }
    if (hasChanges(live.session)) {
      const recent = takeRecent(live.recent);
      // all of it with the first part
      for (const { changes, more } of sliceChanges(takeChanges(live.session)))
        tell(watched, { kind: 'update', changes, now: env.now(), recent: recent.splice(0), more });
    }
    if (!live.factsChanged) return;
    live.factsChanged = false;
    tell(watched, { kind: 'facts', facts: factsOf(live) });
  };

  const schedule = (watched: Watched): void => {
    if (watched.scheduled) return;
    watched.scheduled = true;
    env.after(Math.max(0, Math.min(FRAME, FRAME - (env.now() - watched.last))), () => push(watched));
  };

  const tick = (watched: Watched): void => {
    if (watched.ticking || watched.live.session.judged.size === 0 || watched.ports.size === 0) return;
    watched.ticking = true;
    env.after(TICK, () => {
      watched.ticking = false;
      tickSession(watched.live.session, env.now());
      if (hasChanges(watched.live.session)) schedule(watched);
      tick(watched);
    });
  };

  return {
    add: (live, port) => {
      let watched = all.get(live.id);
      if (!watched) {
        watched = { ports: new Set(), live, epoch: live.page.epoch, scheduled: false, ticking: false, last: 0 };
        all.set(live.id, watched);
      }
      watched.live = live;
      push(watched);
      watched.ports.add(port);
      greet(watched, port);
      tick(watched);
    },
    remove: (id, port) => {
      const watched = all.get(id);
      watched?.ports.delete(port);
      if (watched?.ports.size === 0) all.delete(id);
    },
    changed: (live) => {
      const watched = all.get(live.id);
      if (!watched) return;
      watched.live = live;
      if (!hasChanges(live.session) && !live.factsChanged && watched.epoch === live.page.epoch) return;
      schedule(watched);
      tick(watched);
    },
    reset: (live) => {
      const watched = all.get(live.id);
      if (!watched) return;
      watched.live = live;
      resetAll(watched);
    },
    count: (id) => all.get(id)?.ports.size ?? 0,
  };
}

function send(port: Port, message: ToPanel): void {
  try {
    port.postMessage(message);
  } catch {
    // the panel went away; its onDisconnect follows
  }
}
