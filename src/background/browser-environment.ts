/** The worker's environment in a real browser. */
import browser from '../browser/browser.ts';
import { browserSessionId } from '../browser/browser-session.ts';
import { isCaptured } from '../browser/captured.ts';
import { sweepExportFiles } from '../browser/export-files.ts';
import { deleteJournal, hasJournal, sweepJournals } from '../browser/journal-db.ts';
import { createJournalHandles } from '../browser/journal-open.ts';
import { parseLimits } from '../capture/limits.ts';
import { parseClosedTabs } from './closed-tabs.ts';
import type { Environment, Rules } from './environment.ts';

/** In local storage, and what ends with the browser session in that of the session. */
const RULES = 'rules';
const LIMITS = 'limits';
const CLOSED = 'closedTabs';
/** Colour of the verdict "rejected": the same as in the panel. */
const BADGE_COLOUR = '#a10f78';
/** That of the banner in the panel. */
const ARMED_COLOUR = '#1f5fbf';

export function createBrowserEnvironment(): Environment {
  let started: Promise<string> | null = null;
  // stale journals go before the first write, so that they never add to the new ones
  const begin = (): Promise<string> => {
    started ??= (async () => {
      const id = await browserSessionId();
      await sweepJournals(id).catch(() => undefined);
      await sweepExportFiles();
      return id;
    })();
    started.catch(() => {
      started = null;
    });
    return started;
  };
  const journals = createJournalHandles(begin);
  return {
    now: () => Date.now(),
    after: (ms, run) => void setTimeout(run, ms),
    version: browser.runtime.getManifest().version,
    makeEpoch: () => crypto.randomUUID(),
    openJournal: journals.open,
    removeJournal: async (session) => {
      journals.close(session);
      await deleteJournal(await begin(), session);
    },
    isPrivate: browser.extension.inIncognitoContext === true,
    hasJournal: async (session) => hasJournal(await begin(), session),
    readKnown: async () => {
      const [kept, brief] = await Promise.all([read(browser.storage.local, [RULES, LIMITS]), read(browser.storage.session, [CLOSED])]);
      return { rules: rulesOf(kept[RULES]), limits: parseLimits(kept[LIMITS]), closed: parseClosedTabs(brief[CLOSED]) };
    },
    saveKnown: async ({ rules, limits, closed }) => {
      await browser.storage.local.set({ [RULES]: rules, [LIMITS]: limits });
      await browser.storage.session.set({ [CLOSED]: closed });
    },
    isCaptured,
    showBadge: (tab, violations, armed) => void showBadge(tab, violations, armed).catch(() => undefined),
  };
}

function read(area: { get: (keys: string[]) => Promise<Record<string, unknown>> }, keys: string[]): Promise<Record<string, unknown>> {
  return area.get(keys).catch(() => ({}));
}

async function showBadge(tab: number, violations: number, armed: boolean): Promise<void> {
  const text = armed ? 'armed' : violations === 0 ? '' : violations > 999 ? '999+' : String(violations);
  await browser.action.setBadgeBackgroundColor({ color: armed ? ARMED_COLOUR : BADGE_COLOUR, tabId: tab });
  await browser.action.setBadgeTextColor({ color: '#ffffff', tabId: tab });
  await browser.action.setBadgeText({ text, tabId: tab });
}

/** Stored settings are not trusted: only switches are taken. */
function rulesOf(stored: unknown): Rules {
  if (typeof stored !== 'object' || stored === null) return {};
  return Object.fromEntries(Object.entries(stored).filter((entry): entry is [string, boolean] => typeof entry[1] === 'boolean'));
}
