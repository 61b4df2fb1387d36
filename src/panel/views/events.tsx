/** The Events tab. */
import { ITEM_BAND, ITEM_FOLD, itemOfRow } from '../state/list.ts';
import { usePanel, useSession } from '../state/panel.ts';
import { rowOf } from '../state/session.ts';
import { EventRow, gravest, railOf, toggleFold } from './event-row.tsx';
import { Grid } from './grid.tsx';

export function Events() {
  const { settings } = usePanel();
  const session = useSession();
  const { list, items } = session.list.value;
  const { store } = session;
  const selection = session.selection.value;
  const anchor = rowOf(store, selection);
  const selected = anchor === null ? -1 : itemOfRow(list, store.columns, anchor);
  const rail = railOf(session, list);
  const needle = session.words.value.text;
  const flipTime = () => settings.set({ time: settings.value.peek().time === 'relative' ? 'absolute' : 'relative' });

  const choose = (index: number) => {
    let at = index;
    // bands are no events: step over them in the direction of travel
    const down = index >= selected;
    while (list.kind[at] === ITEM_BAND && at + (down ? 1 : -1) >= 0 && at + (down ? 1 : -1) < items) at += down ? 1 : -1;
    if (list.kind[at] === ITEM_BAND) return;
    const row = list.row[at]!;
    const finding = list.kind[at] === ITEM_FOLD ? null : gravest(session, row);
    session.select(finding ? { kind: 'finding', id: finding.id } : { kind: 'row', row });
  };
  const fold = (event: KeyboardEvent, index: number): boolean => {
    if ((event.key !== 'ArrowRight' && event.key !== 'ArrowLeft') || list.kind[index] !== ITEM_FOLD) return false;
    if ((event.key === 'ArrowRight') !== list.unfolded.has(list.row[index]!)) toggleFold(session, list.row[index]!);
    return true;
  };

  return (
    <Grid
      label="Events"
      cls="events"
      columns={[
        { key: 'mark', name: <span class="offscreen">Finding</span> },
        { key: 'no', name: '#', cls: 'r' },
        { key: 'time', name: <span title="Click: time since the start, or time of day">Time</span>, cls: 'r time', onSort: flipTime },
        { key: 'gap', name: 'Gap', cls: 'r gap' },
        { key: 'kind', name: 'Kind', cls: 'kind' },
        { key: 'sum', name: 'Summary', cls: 'sum' },
        { key: 'size', name: 'Size', cls: 'r size' },
      ]}
      count={items}
      rowHeight={20}
      selected={selected}
      reveal={selection}
      onSelect={choose}
      onKey={fold}
      follow={session.follow.value}
      onLeave={() => {
        session.seen.value = store.columns.count;
        session.follow.value = false;
      }}
      onEnd={() => {
        if (selection.kind === 'none') session.follow.value = true;
      }}
      row={(index, id) => <EventRow list={list} index={index} id={id} selected={index === selected} rail={rail} needle={needle} />}
      empty={
        <>
          <b>No event passes the filter.</b>
          <button type="button" class="plain" onClick={() => settings.set({ filter: '', hidden: [] })}>
            Show everything
          </button>
        </>
      }
    />
  );
}
