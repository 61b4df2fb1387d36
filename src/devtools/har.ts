/** The network log's calls as promises. Chromium's own `browser` takes callbacks here; Firefox answers promises. */
import browser from '../browser/browser.ts';
import type { Content, Entry } from './network-entry.ts';

type Told = readonly [text: string | null, encoding: string];

export interface RawEntry extends Entry {
  getContent(callback: (text: string | null, encoding: string) => void): Promise<Told> | undefined;
}

interface Log {
  readonly entries?: readonly RawEntry[];
}

const NONE: Content = { text: null, encoding: '' };

/** The body as the log has it; none where it fails. Never rejects. */
export function contentOf(entry: Entry): Promise<Content> {
  return new Promise((resolve) => {
    const told = (text: string | null, encoding: string) => resolve(typeof text === 'string' ? { text, encoding } : NONE);
    try {
      void (entry as RawEntry).getContent(told)?.then(
        (answer) => told(...answer),
        () => resolve(NONE),
      );
    } catch {
      resolve(NONE);
    }
  });
}

/** Every entry there is now, without bodies. Never rejects. */
export function readAll(): Promise<readonly Entry[]> {
  const { network } = browser.devtools;
  const read = network.getHAR as unknown as (callback: (log: Log) => void) => Promise<Log> | undefined;
  return new Promise((resolve) => {
    const told = (log: Log | undefined) => resolve(log?.entries ?? []);
    try {
      void read.call(network, told)?.then(told, () => resolve([]));
    } catch {
      resolve([]);
    }
  });
}
