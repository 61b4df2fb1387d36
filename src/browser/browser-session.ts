/** The id of this run of the browser: in `storage.session`, so it ends with it. Journals of another id are stale. */
import browser from './browser.ts';

const KEY = 'browserSession';

/** The id, made at the first call of a browser session. */
export async function browserSessionId(): Promise<string> {
  const stored = (await browser.storage.session.get(KEY))[KEY];
  if (typeof stored === 'string') return stored;
  const made = crypto.randomUUID().slice(0, 8);
  await browser.storage.session.set({ [KEY]: made });
  return made;
}

/** The id if the worker has made one already, else null. */
export async function knownBrowserSessionId(): Promise<string | null> {
  const stored = (await browser.storage.session.get(KEY))[KEY];
  return typeof stored === 'string' ? stored : null;
}
