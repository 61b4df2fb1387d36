/** The filter line: text that is looked for in payloads too, words that narrow, and a way from match to match. */
import { useEffect, useState } from 'preact/hooks';
import { ITEM_BAND, itemOfRow } from '../state/list.ts';
import { usePanel, useSession, useShown } from '../state/panel.ts';
import type { Search } from '../state/search.ts';
import { type PanelSession, rowOf } from '../state/session.ts';
import { Icon } from './icons.tsx';
import { Tool } from './parts.tsx';

const HINT = 'Filter: text, id, rule, run:, thread:, owner:, type:, has:finding';
/** A search that takes longer than this shows how far it is, and can be stopped, ms. */
const PATIENCE = 300;

/** Selects the next (1) or previous (-1) match after the selected row. */
function stepHit(session: PanelSession, by: 1 | -1): void {
  const { list, items } = session.list.peek();
  const row = rowOf(session.store, session.selection.peek());
  let index = row === null ? (by > 0 ? -1 : items) : itemOfRow(list, session.store.columns, row);
  do index += by;
  while (index >= 0 && index < items && list.kind[index] === ITEM_BAND);
  if (index >= 0 && index < items) session.select({ kind: 'row', row: list.row[index]! });
}

export function FilterBox() {
  const { settings } = usePanel();
  const session = useShown();
  const text = settings.value.value.filter;
  const search = session.search.value;
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter') stepHit(session, event.shiftKey ? -1 : 1);
    else if (event.key === 'Escape' && text !== '') settings.set({ filter: '' });
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <div class="filter">
      <Icon name="search" size={14} />
      <input
        id="filter"
        type="search"
        placeholder="Filter: text, id, rule, path"
        aria-label="Filter"
        title={`${HINT}. Payloads are searched too. Enter: next match; Shift+Enter: previous.`}
        value={text}
        onInput={(event) => settings.set({ filter: event.currentTarget.value })}
        onKeyDown={onKeyDown}
      />
      {text.trim() === '' ? (
        <kbd>/</kbd>
      ) : (
        <>
          {search === null ? <Shown session={session} /> : <Progress key={search.text} search={search} />}
          <span class="hits">
            <Tool icon="prev" label="Previous match" title="Previous match (Shift+Enter)" small onClick={() => stepHit(session, -1)} />
            <Tool icon="next" label="Next match" title="Next match (Enter)" small onClick={() => stepHit(session, 1)} />
          </span>
        </>
      )}
    </div>
  );
}

const Shown = ({ session }: { session: PanelSession }) => {
  const { formats } = usePanel();
  return (
    <span class="progress" role="status" data-testid="matches">
      {formats.count(session.list.value.list.shown)}
    </span>
  );
};

/** How far a search is while it runs, with a way to stop it; then how many rows it left. */
function Progress({ search }: { search: Search }) {
  const { formats } = usePanel();
  const session = useSession();
  const [slow, setSlow] = useState(false);
  const running = search.running.value;
  useEffect(() => {
    setSlow(false);
    if (!running) return;
    const timer = setTimeout(() => setSlow(true), PATIENCE);
    return () => clearTimeout(timer);
  }, [running]);
  const { count } = session.store.columns;
  const share = `${Math.floor((search.scanned.value / Math.max(1, count)) * 100)} %`;
  const title = `${formats.count(search.scanned.value)} of ${formats.count(count)} payloads searched, ${formats.count(search.found.value)} hold the text`;
  return (
    <>
      <span class="progress" role="status" title={title} data-testid="matches" data-running={running}>
        {running && slow ? share : formats.count(session.list.value.list.shown)}
        {search.halted.value ? <span title={title}>, stopped at {share}</span> : null}
      </span>
      {running && slow ? <Tool icon="close" label="Stop searching payloads" small onClick={search.halt} /> : null}
    </>
  );
}
