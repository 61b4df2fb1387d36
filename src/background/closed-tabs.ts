/** The last few tabs that were closed: their captures stay a while, listed, so that one can be opened again. */
import type { ClosedTab } from '../wire/worker-to-panel.ts';
import type { Live } from './live.ts';

const MOST_TABS = 5;
const MOST_BYTES = 2 ** 28;
const LONGEST_URL = 2_000;

/** What the list says of a session; null for one in which nothing was captured. */
export function closedTabOf({ id, page, session, env }: Live): ClosedTab | null {
  if (session.conns.size === 0) return null;
  const { runs } = session.model;
  const url = (page.url ?? '').slice(0, LONGEST_URL);
  return { session: id, url, closed: env.now(), runs: runs.length, violations: session.counts.violation, bytes: session.bytes };
}

/** The list with this tab first. The oldest go beyond five tabs or 256 MiB, but the newest stays. */
export function withClosedTab(tabs: readonly ClosedTab[], tab: ClosedTab): { readonly kept: readonly ClosedTab[]; readonly gone: readonly ClosedTab[] } {
  const all = [tab, ...tabs.filter(({ session }) => session !== tab.session)];
  let bytes = 0;
  const fit = all.findIndex((one, no) => {
    bytes += one.bytes;
    return no > 0 && (no >= MOST_TABS || bytes > MOST_BYTES);
  });
  return fit < 0 ? { kept: all, gone: [] } : { kept: all.slice(0, fit), gone: all.slice(fit) };
}

/** The list out of whatever was stored. */
export function parseClosedTabs(stored: unknown): ClosedTab[] {
  return Array.isArray(stored) ? stored.filter(isClosedTab) : [];
}

function isClosedTab(value: unknown): value is ClosedTab {
  const { session, url, closed, runs, violations, bytes } = (value ?? {}) as Partial<Record<keyof ClosedTab, unknown>>;
  const counts = [closed, runs, violations, bytes].every((one) => typeof one === 'number');
  return typeof session === 'string' && /^tab:\d{1,15}$/.test(session) && typeof url === 'string' && counts;
}
