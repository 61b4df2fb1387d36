/** All sessions the worker holds, opened when first asked for. What concerns one session is done in the order it came. */
import type { Limits } from '../capture/limits.ts';
import type { ClosedTab, SessionId } from '../wire/worker-to-panel.ts';
import { createBadge, tabOf } from './badge.ts';
import { refold } from './checkpoints.ts';
import { closedTabOf, withClosedTab } from './closed-tabs.ts';
import type { Environment, Known, Rules } from './environment.ts';
import { endDocuments, type Live, openLive, originOf, saveWhenDue, tellTrouble } from './live.ts';
import { createWatchers, type Watchers } from './watchers.ts';

export interface Sessions {
  readonly watchers: Watchers;
  /** Does something with a session, after all that was asked of it before. Never rejects: a failure becomes the session's trouble. */
  readonly use: (id: SessionId, what: (live: Live) => void | Promise<void>) => Promise<void>;
  /** Judges every session anew. */
  readonly setRules: (rules: Rules) => Promise<void>;
  /** Sets the caps; under another frame size every session is judged anew. */
  readonly setLimits: (limits: Limits) => Promise<void>;
  /** A tab is gone: what was captured of it stays a while, in the list of closed tabs. */
  readonly closeTab: (id: SessionId) => Promise<void>;
  /** Forgets all closed tabs. */
  readonly forgetClosed: () => Promise<void>;
  /** Gives back the memory of a session that nobody watches; its journal stays. */
  readonly release: (id: SessionId) => Promise<void>;
  /** Forgets a session and deletes its journal. */
  readonly remove: (id: SessionId) => Promise<void>;
  /** Asks the browser again where content scripts run. */
  readonly refreshCaptured: () => void;
}

/** Ms that the last pieces of a closed tab's streams may take. */
const LAST_WORDS = 5_000;

export function createSessions(env: Environment): Sessions {
  const opened = new Map<SessionId, { live: Promise<Live>; queue: Promise<void> }>();
  const watchers = createWatchers(env);
  const badge = createBadge(env);
  /** Tabs that are gone: what still comes of their pages must not begin them anew. */
  const closed = new Set<SessionId>();
  let reading: Promise<Known> | null = null;
  const readKnown = (): Promise<Known> => {
    reading ??= env.readKnown();
    return reading;
  };

  const entryOf = (id: SessionId) => {
    let entry = opened.get(id);
    if (!entry) {
      const live = readKnown().then((known) => openLive(env, id, known));
      entry = { live, queue: Promise.resolve() };
      opened.set(id, entry);
    }
    return entry;
  };

  const afterwards = (live: Live): void => {
    saveWhenDue(live);
    badge.show(live);
    watchers.changed(live);
  };

  const use: Sessions['use'] = (id, what) => {
    if (closed.has(id)) return Promise.resolve();
    const entry = entryOf(id);
    const done = entry.queue.then(async () => {
      const live = await entry.live;
      try {
        await what(live);
      } catch (error) {
        tellTrouble(live, `Something went wrong inside Runlens (${error instanceof Error ? error.message : String(error)}).`);
      }
      if (opened.get(id) === entry) afterwards(live);
    });
    entry.queue = done;
    return done;
  };

  const remove: Sessions['remove'] = async (id) => {
    const entry = opened.get(id);
    if (tabOf(id) !== null) closed.add(id);
    await entry?.queue;
    opened.delete(id);
    badge.forget(id);
    const live = await entry?.live;
    const removed = live ? live.writer.clear(() => env.removeJournal(id)) : env.removeJournal(id);
    await removed.catch(() => undefined);
  };

  const release: Sessions['release'] = async (id) => {
    const entry = opened.get(id);
    const before = entry?.queue;
    await before;
    await (await entry?.live)?.writer.flushed();
    // not while somebody looks, nor when more came meanwhile
    if (watchers.count(id) === 0 && opened.get(id) === entry && entry?.queue === before) opened.delete(id);
  };

  const change = async (to: Partial<Known>): Promise<void> => {
    const known = await readKnown();
    Object.assign(known, to);
    await env.saveKnown(known);
  };

  const judgeAnew = async (): Promise<void> => {
    const again = async (live: Live) => {
      await refold(live);
      watchers.reset(live);
    };
    await Promise.all([...opened.keys()].map((id) => use(id, again)));
  };

  const tellAll = (): void => {
    for (const id of opened.keys()) {
      void use(id, (live) => {
        live.factsChanged = true;
      });
    }
  };

  const keepClosed = async (id: SessionId): Promise<void> => {
    let tab: ClosedTab | null = null;
    await use(id, (live) => {
      tab = closedTabOf(live);
      badge.forget(id);
    });
    if (!tab) {
      await remove(id);
      return;
    }
    const { kept, gone } = withClosedTab((await readKnown()).closed, tab);
    await change({ closed: kept });
    tellAll();
    for (const { session } of gone) await remove(session);
  };

  return {
    watchers,
    use,
    setRules: async (rules) => {
      await change({ rules });
      await judgeAnew();
    },
    setLimits: async (limits) => {
      const { frame } = (await readKnown()).limits;
      await change({ limits });
      if (limits.frame !== frame) await judgeAnew();
      tellAll();
    },
    closeTab: async (id) => {
      // a tab that never captured anything gets no journal for having been closed
      if (!opened.has(id) && !(await env.hasJournal(id))) return;
      if (env.isPrivate) {
        await remove(id);
        return;
      }
      await keepClosed(id);
      env.after(LAST_WORDS, () => {
        if (!closed.has(id)) void use(id, (live) => endDocuments(live, (doc) => !live.present.has(doc))).then(() => release(id));
      });
    },
    forgetClosed: async () => {
      const tabs = (await readKnown()).closed;
      await change({ closed: [] });
      tellAll();
      for (const { session } of tabs) await remove(session);
    },
    release,
    remove,
    refreshCaptured: () => {
      for (const id of opened.keys()) void use(id, (live) => updateCaptured(live));
    },
  };
}

/** Whether content scripts run on the session's page, asked of the browser. */
export async function updateCaptured(live: Live): Promise<void> {
  const origin = originOf(live.page.url);
  const captured = origin !== null && (await live.env.isCaptured(origin));
  if (captured === live.captured) return;
  live.captured = captured;
  live.factsChanged = true;
}
