/** One row of the events table: an event, a fold of deltas, or a band. */
import type { Severity } from '../../checker/types.ts';
import { TYPE_BAD_FRAME, TYPE_UNKNOWN } from '../../protocol/events.ts';
import type { FindingView } from '../../runs/types.ts';
import { ROW_STRAY } from '../../session/types.ts';
import { kindOfCode, ownerOfRow } from '../state/filter.ts';
import { type Band, type EventList, ITEM_BAND, ITEM_CHILD, ITEM_FOLD, itemOfRow } from '../state/list.ts';
import { subagentOf } from '../state/of-run.ts';
import { usePanel, useSession } from '../state/panel.ts';
import type { PanelSession } from '../state/session.ts';
import { isShown } from '../state/severity.ts';
import { type Store, typeOfRow } from '../state/store.ts';
import { numberOf } from '../words/status.ts';
import { summarise, summariseDeltas } from '../words/summary.ts';
import { FindingIcon, Icon, KindIcon, StatusIcon } from './icons.tsx';
import { Marked } from './marked.tsx';
import { Clock } from './parts.tsx';
import { Cell, Row } from './row.tsx';

/** The line in the left rail: from the related events to the selected finding. */
export interface Rail {
  readonly finding: FindingView;
  readonly from: number;
  readonly to: number;
  readonly related: ReadonlySet<number>;
}

export function railOf(session: PanelSession, list: EventList): Rail | null {
  const selection = session.selection.value;
  const finding = selection.kind === 'finding' ? session.store.findings[selection.id] : undefined;
  if (!finding || finding.row === null) return null;
  const { columns } = session.store;
  const related = new Set(finding.relatedRows.map((row) => itemOfRow(list, columns, row)).filter((item) => item >= 0));
  const own = itemOfRow(list, columns, finding.row);
  const all = own < 0 ? [...related] : [...related, own];
  return { finding, from: Math.min(...all), to: Math.max(...all), related };
}

const RANK: Readonly<Record<Severity, number>> = { violation: 3, deviation: 2, advice: 1 };

/** The gravest shown finding that stands on a row. */
export function gravest({ store, least }: PanelSession, row: number): FindingView | null {
  let worst: FindingView | null = null;
  for (const id of store.findingsOfRow.get(row) ?? []) {
    const finding = store.findings[id];
    if (finding && isShown(finding.severity, least.value) && (!worst || RANK[finding.severity] > RANK[worst.severity])) worst = finding;
  }
  return worst;
}

const FOLD_SAMPLE = 24;

function foldRows(store: Store, first: number, last: number): number[] {
  const rows: number[] = [];
  const { span } = store.columns;
  for (let row = first; row <= last && rows.length < FOLD_SAMPLE; row++) if (span[row] === span[first]) rows.push(row);
  return rows;
}

/** What a row says: from its body when it is there, else from its span. */
function summaryOf(session: PanelSession, row: number, last: number): string {
  const { store, bodies } = session;
  bodies.version.value;
  const code = store.columns.type[row]!;
  const span = store.spans[store.columns.span[row]!];
  if (last > row) {
    const values = foldRows(store, row, last).map((one) => bodies.peek(one)?.value);
    if (values.some((value) => value !== undefined)) return summariseDeltas(values, span?.kind !== 'tool');
    return span?.label ?? '';
  }
  const body = bodies.peek(row);
  if (body?.trouble) return body.trouble;
  if (code === TYPE_BAD_FRAME) {
    const finding = gravest(session, row);
    return finding ? finding.message : 'A frame that could not be read.';
  }
  if (body && body.value !== undefined) return summarise(body.value);
  return span ? [span.label, span.itemId].filter(Boolean).join(', ') : '';
}

function typeName(session: PanelSession, row: number): string {
  if (session.store.columns.type[row] !== TYPE_UNKNOWN) return typeOfRow(session.store, row);
  const value = session.bodies.peek(row)?.value;
  const type = typeof value === 'object' && value !== null ? (value as { type?: unknown }).type : undefined;
  return typeof type === 'string' ? type.slice(0, 60) : 'no type';
}

/** Name of a subagent, else its id. */
const subagentName = (store: Store, id: string): string => subagentOf(store, id)?.label || id;

function isAfter(store: Store, row: number): boolean {
  const stop = store.connections[store.columns.conn[row]!]?.stopsAtRow ?? null;
  return (stop !== null && row > stop) || (store.columns.flags[row]! & ROW_STRAY) !== 0;
}

interface RowProps {
  readonly list: EventList;
  readonly index: number;
  readonly id: string;
  readonly selected: boolean;
  readonly rail: Rail | null;
  readonly needle: string;
  readonly onPick: (event: MouseEvent) => void;
  readonly onMenu: () => void;
}

function linkClass(index: number, rail: Rail | null): string {
  if (!rail || rail.from === rail.to || index < rail.from || index > rail.to) return '';
  return index === rail.from ? 'link-top' : index === rail.to ? 'link-end' : 'link-mid';
}

export function EventRow({ list, index, id, selected, rail, needle, onPick, onMenu }: RowProps) {
  const { formats } = usePanel();
  const session = useSession();
  const { store } = session;
  const kind = list.kind[index]!;
  const row = list.row[index]!;
  if (kind === ITEM_BAND) return <BandRow band={list.bands[row]!} id={id} index={index} />;
  const { columns } = store;
  const last = list.last[index]!;
  const count = list.count[index]!;
  const folded = kind === ITEM_FOLD;
  const open = folded && list.unfolded.has(row);
  const finding = gravest(session, row);
  const selection = session.selection.value;
  const isPart = selection.kind === 'span' && columns.span[row] === selection.id;
  const gap = row > 0 ? columns.time[row]! - columns.time[row - 1]! : null;
  const size = folded ? foldSize(store, row, last) : columns.length[row]!;
  const number = !folded ? `${numberOf(row)}` : last - row + 1 === count ? `${numberOf(row)}–${numberOf(last)}` : `${numberOf(row)}…`;
  const picked = session.desk.picked.value.has(row);
  const classes = [isPart && 'part', picked && 'picked', isAfter(store, row) && 'after', kind === ITEM_CHILD && 'child', linkClass(index, rail)];
  const run = store.runs[columns.run[row]!];
  const owner = ownerOfRow(store, row);
  return (
    <Row
      id={id}
      index={index}
      selected={selected || picked}
      cls={classes.filter(Boolean).join(' ')}
      onPick={onPick}
      onMenu={onMenu}
      data-testid="event-row"
      data-row={row}
      data-type={typeOfRow(store, row)}
      data-tone={rail?.finding.severity}
    >
      <Cell cls="mark">
        {finding ? (
          <FindingIcon mark={finding.severity} size={13} />
        ) : rail?.related.has(index) ? (
          <FindingIcon mark="related" tone={rail.finding.severity} />
        ) : null}
        {finding ? <span class="offscreen">{finding.severity}</span> : null}
      </Cell>
      <Cell cls="r num">{number}</Cell>
      <Cell cls="r time">
        <Clock time={columns.time[row]!} />
      </Cell>
      <Cell cls={`r gap ${gap !== null && gap >= 500 ? 'long' : ''}`}>{gap === null ? '' : formats.duration(Math.max(0, gap))}</Cell>
      <Cell cls="run" title={run?.runId ?? undefined}>
        <bdi>{run ? (run.runId ?? `run ${run.id + 1}`) : ''}</bdi>
      </Cell>
      <Cell cls="owner" title={owner ?? undefined}>
        <bdi>{owner === null ? '' : subagentName(store, owner)}</bdi>
      </Cell>
      <Cell cls="kind">
        {folded ? <Twist open={open} count={count} row={row} /> : <span class="fold" />}
        <KindIcon kind={kindOfCode(columns.type[row]!)} size={11} />
        <span class="type">
          <Marked text={typeName(session, row)} needle={needle} />
        </span>
        {folded ? <span class="times">×{formats.count(count)}</span> : null}
      </Cell>
      <Cell cls="sum" dir="auto">
        <Marked text={summaryOf(session, row, folded ? last : row)} needle={needle} />
      </Cell>
      <Cell cls="r size">{formats.bytes(size)}</Cell>
    </Row>
  );
}

function foldSize(store: Store, first: number, last: number): number {
  const { span, length } = store.columns;
  let size = 0;
  for (let row = first; row <= last; row++) if (span[row] === span[first]) size += length[row]!;
  return size;
}

/** Folds or unfolds the deltas that begin at a row. */
export function toggleFold(session: PanelSession, row: number): void {
  const next = new Set(session.unfolded.peek());
  if (!next.delete(row)) next.add(row);
  session.unfolded.value = next;
}

const Twist = ({ open, count, row }: { open: boolean; count: number; row: number }) => {
  const session = useSession();
  const flip = (event: MouseEvent) => {
    event.stopPropagation();
    toggleFold(session, row);
  };
  return (
    <button type="button" class="fold" tabIndex={-1} aria-expanded={open} aria-label={`${open ? 'Fold' : 'Unfold'} ${count} events`} onClick={flip}>
      {open ? '▾' : '▸'}
    </button>
  );
};

function BandRow({ band, id, index }: { band: Band; id: string; index: number }) {
  return (
    <Row
      id={id}
      index={index}
      selected={false}
      cls={`band ${band.kind} ${band.kind === 'stop' ? band.whose : ''}`}
      data-testid="band-row"
      data-band={band.kind}
    >
      <Cell>
        <BandText band={band} />
      </Cell>
    </Row>
  );
}

function BandText({ band }: { band: Band }) {
  const { formats } = usePanel();
  const session = useSession();
  switch (band.kind) {
    case 'stop': {
      const who = band.whose === 'reference' ? '@ag-ui/client stops here.' : 'A conforming client stops here.';
      const both = band.whose === 'both' ? ' @ag-ui/client 1.0.0 does too.' : '';
      return (
        <>
          <FindingIcon mark="violation" />
          <b>{who}</b>
          <span>
            {band.after === 0
              ? 'Nothing came after it.'
              : `${formats.plural(band.after, 'more event of this stream was', 'more events of this stream were')} delivered; kept below.`}
            {both}
          </span>
        </>
      );
    }
    case 'gap':
      return (
        <>
          <FindingIcon mark="deviation" />
          <b>{band.chunks > 0 ? `${formats.plural(band.chunks, 'chunk is', 'chunks are')} missing here.` : 'Something is missing here.'}</b>
          <span>
            {band.bytes > 0 ? `${formats.bytes(band.bytes)} left out: ` : ''}
            {band.why}. Nothing is judged across the gap.
          </span>
        </>
      );
    case 'failure': {
      const connection = session.store.connections[band.conn];
      const cut = (connection?.events ?? 0) > 0;
      return (
        <>
          <StatusIcon status={cut ? 'truncated' : 'failed-by-report'} />
          <b class={cut ? 'st-truncated' : 'st-failed'}>
            {connection?.request?.method ?? 'Request'} {pathOf(connection?.request?.url)} {cut ? 'ended early.' : 'failed.'}
          </b>
          <span>{band.text}</span>
          <button type="button" class="link" tabIndex={-1} onClick={() => session.select({ kind: 'connection', id: band.conn })}>
            Show
          </button>
        </>
      );
    }
    case 'navigation':
      return (
        <>
          <Icon name="site" size={12} />
          <b>Navigated to {pathOf(band.url)}.</b>
          <span>Preserve log is on, so earlier runs stay above.</span>
        </>
      );
  }
}

/** A URL's path and query; the URL itself when it has none. */
export function pathOf(url: string | null | undefined): string {
  if (!url) return '';
  try {
    const parsed = new URL(url);
    return `${parsed.pathname}${parsed.search}`;
  } catch {
    return url;
  }
}
