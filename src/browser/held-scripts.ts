/** The two scripts of a replay that is kept over a reload, as the browser knows them. Apart, because the worker needs no more of it. */
import browser from './browser.ts';

/** Ids of a tab's registrations: of the script in the page's world, and of that in the extension's. */
export const heldScripts = (tab: number): [string, string] => [`hold-${tab}`, `hold-${tab}-relay`];

/** Takes them back; where there are none nothing happens. */
export async function forgetHeldScripts(tab: number): Promise<void> {
  await browser.scripting.unregisterContentScripts({ ids: heldScripts(tab) }).catch(() => undefined);
}
