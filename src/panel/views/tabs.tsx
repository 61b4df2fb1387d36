/** The tab strip, and the button that follows the newest. */
import { usePanel, useSession } from '../state/panel.ts';
import { TABS, type Tab } from '../state/settings.ts';
import { Icon } from './icons.tsx';

export const PANEL_ID = 'tab-panel';
export const tabId = (tab: Tab): string => `tab-${tab.toLowerCase()}`;

export function Tabs() {
  const { settings, formats } = usePanel();
  const session = useSession();
  const { store } = session;
  const active = settings.value.value.tab;
  const counts: Partial<Record<Tab, number>> = { Events: store.columns.count, Runs: store.runs.length, Findings: session.findings.value.length };
  const onKeyDown = (event: KeyboardEvent) => {
    const move = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    const next =
      event.key === 'Home' ? 0 : event.key === 'End' ? TABS.length - 1 : move === undefined ? null : (TABS.indexOf(active) + move + TABS.length) % TABS.length;
    if (next === null) return;
    event.preventDefault();
    settings.set({ tab: TABS[next]! });
    document.getElementById(tabId(TABS[next]!))?.focus();
  };
  return (
    <div class="tabs">
      <div class="tab-list" role="tablist" aria-label="Views" onKeyDown={onKeyDown}>
        {TABS.map((tab) => (
          <button
            type="button"
            key={tab}
            id={tabId(tab)}
            role="tab"
            aria-selected={tab === active}
            aria-controls={PANEL_ID}
            tabIndex={tab === active ? 0 : -1}
            onClick={() => settings.set({ tab })}
          >
            {tab}
            {counts[tab] ? <span class="num">{formats.count(counts[tab])}</span> : null}
          </button>
        ))}
      </div>
      <span class="spacer" />
      <Follow />
    </div>
  );
}

function Follow() {
  const session = useSession();
  const { formats } = usePanel();
  const follow = session.follow.value;
  const fresh = follow ? 0 : Math.max(0, session.store.columns.count - session.seen.value);
  const flip = () => {
    session.seen.value = session.store.columns.count;
    session.follow.value = !follow;
  };
  return (
    <button
      type="button"
      class={`quiet follow ${follow ? 'on' : ''}`}
      aria-pressed={follow}
      title={follow ? 'Following the newest: click to stay' : 'Go to the newest and stay with it'}
      onClick={flip}
    >
      <Icon name="tail" size={14} />
      <span>{fresh > 0 ? `Follow, ${formats.count(fresh)} new` : 'Follow'}</span>
    </button>
  );
}
