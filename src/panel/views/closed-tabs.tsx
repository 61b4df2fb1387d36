/** The last few tabs that were closed: what was captured of them can be opened again. */
import type { ClosedTab } from '../../wire/worker-to-panel.ts';
import { type Panel, usePanel } from '../state/panel.ts';

/** Host and path of a URL; the URL itself where it is none. */
function placeOf(url: string): string {
  try {
    const { host, pathname } = new URL(url);
    return `${host}${pathname === '/' ? '' : pathname}`;
  } catch {
    return url || 'a page without an address';
  }
}

function wordsOf({ runs, violations }: ClosedTab, { formats }: Panel): string {
  const some = violations > 0 ? `, ${formats.plural(violations, 'violation', 'violations')}` : '';
  return `${formats.plural(runs, 'run', 'runs')}${some}`;
}

/** The list, each entry a button that opens the tab's capture in place of the live one. */
export function ClosedTabs() {
  const panel = usePanel();
  const { formats } = panel;
  const tabs = panel.live.store.facts.value?.closedTabs ?? [];
  const open = (tab: ClosedTab) => {
    panel.dialog.value = null;
    panel.openClosed(tab.session, `${placeOf(tab.url)}, closed ${formats.time(tab.closed)}`);
  };
  const forget = () => {
    panel.live.link.send({ name: 'forget-closed' }).catch((error: Error) => (panel.notice.value = { tone: 'error', text: error.message }));
  };
  if (tabs.length === 0) return <p class="dim">No closed tab is kept.</p>;
  return (
    <>
      <ul class="closed-tabs">
        {tabs.map((tab) => (
          <li key={tab.session}>
            <button type="button" class="closed-row" data-testid="closed-tab" onClick={() => open(tab)}>
              <code class="path">{placeOf(tab.url)}</code>
              <span>{wordsOf(tab, panel)}</span>
              <span class="r dim">{formats.bytes(tab.bytes)}</span>
              <span class="r dim">{formats.time(tab.closed)}</span>
            </button>
          </li>
        ))}
      </ul>
      <p class="dim">
        Kept until the browser is closed; the oldest go first.{' '}
        <button type="button" class="link" onClick={forget}>
          Forget them all
        </button>
      </p>
    </>
  );
}
