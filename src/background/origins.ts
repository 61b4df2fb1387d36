/** Origins beyond the localhost family: where the user allowed it, the same two content scripts run as the manifest gives to localhost. */
import browser from '../browser/browser.ts';

type Registered = Parameters<typeof browser.scripting.registerContentScripts>[0][number];

/** Ids of our registrations. */
const PREFIX = 'allowed-';

/** Makes the registered content scripts match the permissions there are now. */
export async function syncContentScripts(): Promise<void> {
  const own = browser.runtime.getManifest().content_scripts ?? [];
  const given = new Set(own.flatMap(({ matches }) => matches ?? []));
  const { origins } = await browser.permissions.getAll();
  const allowed = (origins ?? []).filter((pattern) => !given.has(pattern));
  const there = await browser.scripting.getRegisteredContentScripts();
  const ids = there.flatMap(({ id }) => (id.startsWith(PREFIX) ? [id] : []));
  if (ids.length > 0) await browser.scripting.unregisterContentScripts({ ids });
  if (allowed.length === 0) return;
  await browser.scripting.registerContentScripts(
    own.map(
      (script, no) =>
        ({
          id: `${PREFIX}${no}`,
          matches: allowed,
          js: script.js ?? [],
          runAt: 'document_start',
          allFrames: true,
          matchOriginAsFallback: true,
          world: (script as { world?: string }).world ?? 'ISOLATED',
        }) as Registered,
    ),
  );
}
