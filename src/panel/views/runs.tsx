/** The Runs tab: one row a run, sortable, with a waterfall; under it the streams that carry no runs. Two runs chosen for it stand side by side instead. */
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { RunView } from '../../runs/types.ts';
import { counterpart } from '../state/compare.ts';
import { type Panel, usePanel, useSession } from '../state/panel.ts';
import { runOf } from '../state/session.ts';
import { STATUS_KEY } from '../words/status.ts';
import { Compare } from './compare.tsx';
import { Grid } from './grid.tsx';
import { type MenuItem, openMenu, under } from './menu.tsx';
import { Others } from './others.tsx';
import { Tool } from './parts.tsx';
import { Cell, Row } from './row.tsx';
import { FALL, fitColumns, RUN_COLUMNS, type RunColumn, sortRuns } from './run-columns.tsx';
import { runMenu } from './run-menu.ts';

export function Runs() {
  const session = useSession();
  return session.desk.compare.value === null ? <Table /> : <Compare pair={session.desk.compare.value} />;
}

/** Which columns are shown: each can be asked for or put away. */
function columnMenu({ settings }: Panel, shown: readonly string[]): MenuItem[] {
  const wanted = settings.value.peek().runColumns;
  const items = [
    ...RUN_COLUMNS.filter((column) => column.rank > 0).map(({ key, name, long }) => ({ key, name: long ?? name })),
    { key: FALL.key, name: 'Waterfall' },
  ];
  return [
    ...items.map(({ key, name }) => ({
      text: name,
      checked: shown.includes(key),
      act: () => settings.set({ runColumns: { ...wanted, [key]: !shown.includes(key) } }),
    })),
    { text: 'As many as fit', apart: true as const, act: () => settings.set({ runColumns: {} }) },
  ];
}

function useWidth(): readonly [{ current: HTMLDivElement | null }, number] {
  const box = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(1280);
  useLayoutEffect(() => {
    const own = box.current;
    if (!own) return;
    const measure = () => own.clientWidth > 0 && setWidth(own.clientWidth);
    measure();
    const watch = new ResizeObserver(measure);
    watch.observe(own);
    return () => watch.disconnect();
  }, []);
  return [box, width];
}

function Table() {
  const panel = usePanel();
  const session = useSession();
  const { store } = session;
  const [sort, setSort] = useState({ key: 'start', down: false });
  const [box, width] = useWidth();
  const { run, thread } = session.words.value;
  const only = run === null ? null : session.onlyRun.value;
  const context = { store, formats: panel.formats, least: session.least.value };
  const shown = store.runs.filter((one) => one && (only === null || one.id === only) && (thread === null || one.threadId === thread));
  const runs = sortRuns(shown, sort.key, sort.down, context);
  const chosen = runOf(store, session.selection.value);
  const selected = chosen === null ? -1 : runs.findIndex((one) => one.id === chosen);
  const from = session.zero.value;
  const to = runs.reduce((end, one) => Math.max(end, one.end ?? store.now), from + 1);
  const { columns, fall } = fitColumns(width, panel.settings.value.value.runColumns);
  const keys = [...columns.map(({ key }) => key), ...(fall ? [FALL.key] : [])];
  const track = (column: { readonly px: number; readonly grow?: number }) => (column.grow ? `minmax(${column.px}px, ${column.grow}fr)` : `${column.px}px`);
  const pick = (next: RunView, event?: MouseEvent) => {
    if (event && (event.ctrlKey || event.metaKey || event.shiftKey) && chosen !== null && chosen !== next.id) session.desk.compare.value = [chosen, next.id];
    else session.select({ kind: 'run', id: next.id });
  };
  const onKey = (event: KeyboardEvent, index: number): boolean => {
    const other = event.key === 'c' && runs[index] ? counterpart(store, runs[index]) : null;
    if (!other || event.altKey) return false;
    session.desk.compare.value = [other.id, runs[index]!.id];
    return true;
  };
  const head = (place: { readonly x: number; readonly y: number }) => openMenu('Columns', place, () => columnMenu(panel, keys));
  return (
    <div class="runs-view" ref={box}>
      <Grid
        label="Runs"
        cls="runs"
        columns={[
          ...columns.map((column) => ({
            key: column.key,
            name: <span title={column.long}>{column.name}</span>,
            cls: classOf(column),
            sort: sort.key === column.key ? (sort.down ? ('descending' as const) : ('ascending' as const)) : ('none' as const),
            onSort: () => setSort({ key: column.key, down: sort.key === column.key && !sort.down }),
          })),
          ...(fall ? [{ key: FALL.key, name: 'Waterfall', cls: 'c-fall' }] : []),
        ]}
        tracks={{
          cols: [...columns.map(track), ...(fall ? [track(FALL)] : [])].join(' '),
          least: columns.reduce((sum, column) => sum + column.px + 8, fall ? FALL.px + 28 : 20),
        }}
        count={runs.length}
        rowHeight={26}
        selected={selected}
        reveal={session.selection.value}
        onSelect={(index) => pick(runs[index]!)}
        onKey={onKey}
        onMenu={(place, onHead) => {
          const id = runOf(store, session.selection.peek());
          if (onHead) head(place);
          else if (id !== null) openMenu('Run', place, () => runMenu(panel, session, store.runs[id]!));
        }}
        row={(index, id) => (
          <RunRow
            run={runs[index]!}
            id={id}
            index={index}
            selected={index === selected}
            columns={columns}
            fall={fall ? { from, to } : null}
            onPick={(event) => pick(runs[index]!, event)}
          />
        )}
        empty={<b>{store.runs.length > 0 ? 'No run passes the filter.' : 'No runs.'}</b>}
      />
      <Tool
        icon="more"
        label="Columns"
        title="Columns: choose what is shown"
        cls="columns-tool"
        small
        onClick={() => head(under(document.activeElement ?? document.body))}
      />
      <Others />
    </div>
  );
}

const classOf = (column: RunColumn): string => `${column.right ? 'r ' : ''}c-${column.key}`;

interface RunRowProps {
  readonly run: RunView;
  readonly id: string;
  readonly index: number;
  readonly selected: boolean;
  readonly columns: readonly RunColumn[];
  readonly fall: { readonly from: number; readonly to: number } | null;
  readonly onPick: (event: MouseEvent) => void;
}

function RunRow({ run, id, index, selected, columns, fall, onPick }: RunRowProps) {
  const { formats } = usePanel();
  const session = useSession();
  const context = { store: session.store, formats, least: session.least.value };
  return (
    <Row
      id={id}
      index={index}
      selected={selected}
      onPick={onPick}
      onMenu={() => session.select({ kind: 'run', id: run.id })}
      data-testid="run-row"
      data-run={run.id}
      data-run-id={run.runId ?? ''}
      data-thread-id={run.threadId ?? ''}
      data-status={run.status}
      data-ending={run.ending}
      data-events={run.events}
    >
      {columns.map((column) => (
        <Cell key={column.key} cls={classOf(column)} title={column.title?.(run, context)}>
          {column.cell(run, context)}
        </Cell>
      ))}
      {fall ? (
        <Cell cls="c-fall">
          <Waterfall run={run} from={fall.from} to={fall.to} end={run.end ?? session.store.now} />
        </Cell>
      ) : null}
    </Row>
  );
}

/** The run on the capture's axis: a whisker while waiting, the bar, and hollow what a conforming client never saw. */
function Waterfall({ run, from, to, end }: { run: RunView; from: number; to: number; end: number }) {
  const place = (time: number) => `${Math.max(0, Math.min(100, ((time - from) / (to - from)) * 100))}%`;
  const width = (a: number, b: number) => `${Math.max(0, ((b - a) / (to - from)) * 100)}%`;
  const asked = run.requestTime ?? run.start;
  const stop = run.rejectedTime;
  const tone = run.status === 'succeeded' ? 'k-run' : `st-${STATUS_KEY[run.status]}`;
  return (
    <span class="fall" aria-hidden="true">
      <i class="wait" style={{ left: place(asked), width: width(asked, run.start) }} />
      <i class={`took ${run.status} ${tone}`} style={{ left: place(run.start), width: width(run.start, stop ?? end) }} />
      {stop === null ? null : <i class="rest" style={{ left: place(stop), width: width(stop, end) }} />}
    </span>
  );
}
