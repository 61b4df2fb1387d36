/** The Events tab. */
import { batch } from '@preact/signals';
import { useRef } from 'preact/hooks';
import { NO_ROWS } from '../state/desk.ts';
import { ITEM_BAND, ITEM_FOLD, itemOfRow } from '../state/list.ts';
import { usePanel, useSession } from '../state/panel.ts';
import { rowsBetween, rowsOfItem, runStart, siblingRow, withItem } from '../state/pick.ts';
import { rowOf } from '../state/session.ts';
import { BandRow } from './band-row.tsx';
import { copyRows } from './copy-rows.ts';
import { eventMenu } from './event-menu.ts';
import { EventRow, type RowActs, toggleFold } from './event-row.tsx';
import { Grid } from './grid.tsx';
import { openMenu } from './menu.tsx';
import { gravest, railOf, rowFacts } from './row-facts.ts';

export function Events() {
  const panel = usePanel();
  const session = useSession();
  const { settings, formats } = panel;
  const { list, items } = session.list.value;
  const { store, desk } = session;
  const selection = session.selection.value;
  const anchorRow = rowOf(store, selection);
  const selected = anchorRow === null ? -1 : itemOfRow(list, store.columns, anchorRow);
  /** Row from which Shift extends. */
  const origin = useRef<number | null>(null);
  const rail = railOf(session, list);
  const needle = session.words.value.text;
  const flipTime = () => settings.set({ time: settings.value.peek().time === 'relative' ? 'absolute' : 'relative' });

  const past = (index: number): number => {
    let at = index;
    // bands are no events: step over them in the direction of travel
    const down = index >= selected;
    while (list.kind[at] === ITEM_BAND && at + (down ? 1 : -1) >= 0 && at + (down ? 1 : -1) < items) at += down ? 1 : -1;
    return at;
  };
  const stand = (at: number) => {
    const row = list.row[at]!;
    const finding = list.kind[at] === ITEM_FOLD ? null : gravest(session, row);
    session.select(finding ? { kind: 'finding', id: finding.id } : { kind: 'row', row });
  };
  const choose = (index: number) => {
    const at = past(index);
    if (list.kind[at] === ITEM_BAND) return;
    batch(() => {
      origin.current = list.row[at]!;
      desk.picked.value = NO_ROWS;
      stand(at);
    });
  };
  const extend = (index: number) => {
    const at = past(index);
    const from = itemOfRow(list, store.columns, origin.current ?? anchorRow ?? list.row[at]!);
    origin.current ??= anchorRow;
    batch(() => {
      desk.picked.value = rowsBetween(list, store.columns, from < 0 ? at : from, at);
      if (list.kind[at] !== ITEM_BAND) stand(at);
    });
  };
  const toggle = (index: number) => {
    const before = desk.picked.peek();
    const own = before.size === 0 && selected >= 0 ? new Set(rowsOfItem(list, store.columns, selected)) : before;
    batch(() => {
      desk.picked.value = withItem(own, list, store.columns, index);
      origin.current = list.row[index]!;
      stand(index);
    });
  };
  const pick = (index: number, event: MouseEvent) => {
    if (event.shiftKey) extend(index);
    else if (event.ctrlKey || event.metaKey) toggle(index);
    else choose(index);
  };
  const acts = useRef<RowActs>({ pick, menu: () => undefined }).current;
  acts.pick = pick;
  acts.menu = (index) => {
    if (index !== selected && !desk.picked.peek().has(list.row[index]!)) choose(index);
  };
  /** The rows a command is about: the picked ones, else what the selected item stands for. */
  const meant = (): number[] => {
    const { value } = desk.picked;
    return value.size > 0 ? [...value].sort((a, b) => a - b) : selected < 0 ? [] : rowsOfItem(list, store.columns, selected);
  };
  const go = (row: number | null): boolean => {
    if (row === null) return false;
    const at = itemOfRow(list, store.columns, row);
    if (at >= 0 && list.kind[at] !== ITEM_FOLD) choose(at);
    else session.select({ kind: 'row', row });
    return true;
  };
  const onKey = (event: KeyboardEvent, index: number): boolean => {
    const by = event.key === 'ArrowDown' || event.key === 'ArrowRight' ? 1 : event.key === 'ArrowUp' || event.key === 'ArrowLeft' ? -1 : null;
    if (event.altKey) {
      if (by === null) return false;
      const row = anchorRow ?? 0;
      return event.key === 'ArrowDown' || event.key === 'ArrowUp'
        ? go(
            runStart(
              row,
              by,
              store.runs.flatMap((run) => (run ? [run.firstRow] : [])),
            ),
          )
        : go(siblingRow(store.columns, row, by));
    }
    if (by === null || !event.key.match(/Left|Right/) || list.kind[index] !== ITEM_FOLD) return false;
    if (by > 0 !== list.unfolded.has(list.row[index]!)) toggleFold(session, list.row[index]!);
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
        { key: 'run', name: 'Run', cls: 'run' },
        { key: 'owner', name: 'Owner', cls: 'owner' },
        { key: 'kind', name: 'Kind', cls: 'kind' },
        { key: 'sum', name: 'Summary', cls: 'sum' },
        { key: 'size', name: 'Size', cls: 'r size' },
      ]}
      count={items}
      rowHeight={20}
      selected={selected}
      reveal={selection}
      onSelect={choose}
      onExtend={extend}
      onAll={() => {
        desk.picked.value = rowsBetween(list, store.columns, 0, items - 1);
      }}
      onCopy={() => {
        const rows = meant();
        if (rows.length > 0) void copyRows(panel, session, rows, rows.length === 1 ? 'json' : 'jsonl');
      }}
      onMenu={(place, head) => {
        const rows = meant();
        if (!head && rows.length > 0) openMenu('Event', place, () => eventMenu(panel, session, rows));
      }}
      onKey={onKey}
      follow={session.follow.value}
      onLeave={() => {
        session.seen.value = store.columns.count;
        session.follow.value = false;
      }}
      onEnd={() => {
        if (selection.kind === 'none') session.follow.value = true;
      }}
      row={(index, id) => {
        if (list.kind[index] === ITEM_BAND) return <BandRow band={list.bands[list.row[index]!]!} id={id} index={index} />;
        const facts = rowFacts(session, formats, list, index, { selected, rail });
        return <EventRow {...facts} id={id} needle={needle} times={formats.count(facts.count)} acts={acts} />;
      }}
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
