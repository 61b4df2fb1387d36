/**
 * Streams that workers fetch, read from DevTools' network log, because wrapping `Worker` would change how a page runs. The log is told
 * of a request when it has ended; open ones are looked for every two seconds, and only while the page has a worker.
 */
import type { CaptureRecord } from '../capture/types.ts';
import { askerOf, type Content, type Entry, headOf, isHooked, isWanted, mayBeParsed, nameOf, showsWorker, wholeOf } from './network-entry.ts';

const EVERY = 2_000;
/** Exchanges of origins that are not enabled, remembered in case one is: no bodies, what the log still has is asked for then. */
const MOST_PASSED = 200;
/** Ms until DevTools has parsed the events of a body that it does not give, looked for after each. */
const WAITS = [0, 100, 300, 1_000];

/** DevTools and the worker, as far as they are needed here. */
export interface LogEnvironment {
  /** The address that begins those of our scripts. */
  readonly extension: string;
  readonly contentOf: (entry: Entry) => Promise<Content>;
  /** Every request of the page so far, the open ones too. */
  readonly readAll: () => Promise<readonly Entry[]>;
  /** The inspected page's origin, null where it has none. */
  readonly pageOrigin: () => Promise<string | null>;
  readonly isCaptured: (origin: string) => Promise<boolean>;
  readonly deliver: (key: string, records: readonly CaptureRecord[]) => void;
  readonly every: (ms: number, run: () => void) => () => void;
  readonly wait: (ms: number) => Promise<void>;
  /** ms since the epoch */
  readonly now: () => number;
  /** A word that no other devtools page has. */
  readonly word: string;
}

export interface NetworkLog {
  readonly finished: (entry: Entry) => Promise<void>;
  /** Looks for requests that are open now. */
  readonly look: () => Promise<void>;
  /** The inspected page is another one. */
  readonly navigated: () => void;
  /** Another origin may be captured now: takes what the log still has of it. */
  readonly enabled: () => Promise<void>;
}

/** What is known of exchanges that share a name: how many have ended, and the key of one that is open. */
interface Known {
  ended: number;
  open: string | null;
}

export function createNetworkLog(env: LogEnvironment): NetworkLog {
  const since = env.now();
  const known = new Map<string, Known>();
  let stop: (() => void) | null = null;
  /** What has ended and was passed over, with its key. */
  let passed: (readonly [key: string, entry: Entry])[] = [];
  let count = 0;

  const knownOf = (entry: Entry): Known => {
    const name = nameOf(entry);
    const found = known.get(name) ?? { ended: 0, open: null };
    known.set(name, found);
    return found;
  };
  const newKey = (): string => {
    count += 1;
    return `log/${env.word}/${count}`;
  };
  /** Whether bodies may be read: by the origin that asked, or the page's where the log does not tell. */
  const isAllowed = async (entry: Entry): Promise<boolean> => {
    const origin = askerOf(entry) ?? (await env.pageOrigin());
    return origin !== null && env.isCaptured(origin);
  };
  const isOurs = (entry: Entry): boolean => !isHooked(entry, env.extension) && isWanted(entry);

  const look = async (): Promise<void> => {
    const seen = new Map<Known, number>();
    for (const entry of await env.readAll()) {
      // the log does not tell what has ended: of what began before us, we might not have heard
      if (!isOurs(entry) || Date.parse(entry.startedDateTime) < since) continue;
      const one = knownOf(entry);
      const times = (seen.get(one) ?? 0) + 1;
      seen.set(one, times);
      if (times <= one.ended || one.open !== null) continue;
      const key = newKey();
      one.open = key;
      if (await isAllowed(entry)) env.deliver(key, headOf(entry));
    }
  };
  /** The entry with the events that DevTools parsed of it, once they grow no more; as it is where there are none. */
  const withEvents = async (entry: Entry): Promise<Entry> => {
    let best = entry;
    for (const ms of WAITS) {
      await env.wait(ms);
      const found = (await env.readAll()).find((one) => nameOf(one) === nameOf(entry) && one.time === entry.time);
      const count = found?._eventSourceMessages?.length ?? 0;
      if (count > 0 && count === best._eventSourceMessages?.length) break;
      if (found) best = found;
    }
    return best;
  };
  const take = async (key: string, entry: Entry): Promise<void> => {
    // now: after a navigation the log has no body any more
    const content = await env.contentOf(entry);
    const records = wholeOf(content.text === null && mayBeParsed(entry) ? await withEvents(entry) : entry, content);
    if (records) env.deliver(key, records);
  };
  const watchWorkers = () => {
    stop ??= env.every(EVERY, () => void look());
  };

  return {
    look,
    finished: async (entry) => {
      if (showsWorker(entry, env.extension)) watchWorkers();
      if (!isOurs(entry)) return;
      const one = knownOf(entry);
      const key = one.open ?? newKey();
      one.open = null;
      one.ended += 1;
      if (await isAllowed(entry)) await take(key, entry);
      else passed = [...passed, [key, entry] as const].slice(-MOST_PASSED);
    },
    enabled: async () => {
      const before = passed;
      passed = [];
      for (const [key, entry] of before) {
        if (await isAllowed(entry)) await take(key, entry);
        else passed.push([key, entry]);
      }
    },
    navigated: () => {
      stop?.();
      stop = null;
      passed = [];
      // cut off with their page: the log never tells that they ended
      for (const one of known.values()) {
        if (one.open === null) continue;
        one.open = null;
        one.ended += 1;
      }
    },
  };
}
