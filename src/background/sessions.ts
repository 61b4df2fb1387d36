/** All sessions the worker holds, opened when first asked for. What concerns one session is done in the order it came. */
import type { SessionId } from '../wire/worker-to-panel.ts';
import { createBadge, tabOf } from './badge.ts';
import { refold } from './checkpoints.ts';
import type { Environment, Rules } from './environment.ts';
import { type Live, openLive, originOf, saveWhenDue, tellTrouble } from './live.ts';
import { createWatchers, type Watchers } from './watchers.ts';

export interface Sessions {
  readonly watchers: Watchers;
  /** Does something with a session, after all that was asked of it before. Never rejects: a failure becomes the session's trouble. */
  readonly use: (id: SessionId, what: (live: Live) => void | Promise<void>) => Promise<void>;
  /** Judges every session anew. */
  readonly setRules: (rules: Rules) => Promise<void>;
  /** Forgets a session and deletes its journal. */
  readonly remove: (id: SessionId) => Promise<void>;
  /** Asks the browser again where content scripts run. */
  readonly refreshCaptured: () => void;
}

export function createSessions(env: Environment): Sessions {
  const opened = new Map<SessionId, { live: Promise<Live>; queue: Promise<void> }>();
  const watchers = createWatchers(env);
  const badge = createBadge(env);
  /** Tabs that are gone: what still comes of their pages must not begin them anew. */
  const closed = new Set<SessionId>();
  let rules: Promise<Rules> | null = null;

  const entryOf = (id: SessionId) => {
    let entry = opened.get(id);
    if (!entry) {
      rules ??= env.readRules();
      const live = rules.then((known) => openLive(env, id, known));
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

  return {
    watchers,
    use,
    setRules: async (next) => {
      rules = Promise.resolve(next);
      await env.saveRules(next);
      await Promise.all(
        [...opened.keys()].map((id) =>
          use(id, async (live) => {
            await refold(live, next);
            watchers.reset(live);
          }),
        ),
      );
    },
    remove: async (id) => {
      const entry = opened.get(id);
      if (tabOf(id) !== null) closed.add(id);
      await entry?.queue;
      opened.delete(id);
      badge.forget(id);
      const live = await entry?.live;
      const removed = live ? live.writer.clear(() => env.removeJournal(id)) : env.removeJournal(id);
      await removed.catch(() => undefined);
    },
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
