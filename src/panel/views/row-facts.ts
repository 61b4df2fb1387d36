/** What one row of the events table shows, as plain values: a row whose values are those of before need not be drawn again. */
import type { Severity } from '../../checker/types.ts';
import { TYPE_BAD_FRAME, TYPE_UNKNOWN } from '../../protocol/events.ts';
import type { FindingView } from '../../runs/types.ts';
import { ROW_STRAY } from '../../session/types.ts';
import type { Columns } from '../state/columns.ts';
import { kindOfCode, ownerOfRow } from '../state/filter.ts';
import { type EventList, ITEM_CHILD, ITEM_FOLD, itemOfRow } from '../state/list.ts';
import { subagentOf } from '../state/of-run.ts';
import type { PanelSession } from '../state/session.ts';
import { isShown } from '../state/severity.ts';
import { type Store, typeOfRow } from '../state/store.ts';
import type { Formats } from '../words/format.ts';
import { numberOf } from '../words/status.ts';
import { summarise, summariseDeltas } from '../words/summary.ts';

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

function linkClass(index: number, rail: Rail | null): string {
  if (!rail || rail.from === rail.to || index < rail.from || index > rail.to) return '';
  return index === rail.from ? 'link-top' : index === rail.to ? 'link-end' : 'link-mid';
}

/** Of each fold that was drawn, by its first row: how far it was added up. A fold that grows is not added up again. */
const added = new WeakMap<Columns, Map<number, { last: number; size: number }>>();

function foldSize({ columns }: Store, first: number, last: number): number {
  const { span, length } = columns;
  const folds = added.get(columns) ?? new Map<number, { last: number; size: number }>();
  added.set(columns, folds);
  let fold = folds.get(first);
  if (!fold || fold.last > last) {
    fold = { last: first - 1, size: 0 };
    folds.set(first, fold);
  }
  for (let row = fold.last + 1; row <= last; row++) if (span[row] === span[first]) fold.size += length[row]!;
  fold.last = last;
  return fold.size;
}

export interface RowFacts {
  readonly index: number;
  readonly row: number;
  readonly selected: boolean;
  readonly cls: string;
  readonly type: string;
  readonly kind: ReturnType<typeof kindOfCode>;
  readonly name: string;
  readonly number: string;
  /** Epoch ms. */
  readonly time: number;
  readonly gap: string;
  readonly gapIsLong: boolean;
  readonly run: string;
  readonly runTitle: string | undefined;
  readonly owner: string;
  readonly ownerTitle: string | undefined;
  readonly summary: string;
  readonly size: string;
  readonly count: number;
  readonly folded: boolean;
  readonly open: boolean;
  readonly finding: Severity | null;
  readonly related: boolean;
  /** Severity of the selected finding, whose rail passes. */
  readonly tone: Severity | undefined;
}

/** The row that item `index` of the list is, which is no band. */
export function rowFacts(session: PanelSession, formats: Formats, list: EventList, index: number, chosen: { selected: number; rail: Rail | null }): RowFacts {
  const { store } = session;
  const { columns } = store;
  const { rail } = chosen;
  const [kind, row, last, count] = [list.kind[index]!, list.row[index]!, list.last[index]!, list.count[index]!];
  const folded = kind === ITEM_FOLD;
  const selection = session.selection.value;
  const isPart = selection.kind === 'span' && columns.span[row] === selection.id;
  const picked = session.desk.picked.value.has(row);
  const gap = row > 0 ? columns.time[row]! - columns.time[row - 1]! : null;
  const run = store.runs[columns.run[row]!];
  const owner = ownerOfRow(store, row);
  const classes = [isPart && 'part', picked && 'picked', isAfter(store, row) && 'after', kind === ITEM_CHILD && 'child', linkClass(index, rail)];
  return {
    index,
    row,
    selected: index === chosen.selected || picked,
    cls: classes.filter(Boolean).join(' '),
    type: typeOfRow(store, row),
    kind: kindOfCode(columns.type[row]!),
    name: typeName(session, row),
    number: !folded ? `${numberOf(row)}` : last - row + 1 === count ? `${numberOf(row)}–${numberOf(last)}` : `${numberOf(row)}…`,
    time: columns.time[row]!,
    gap: gap === null ? '' : formats.duration(Math.max(0, gap)),
    gapIsLong: gap !== null && gap >= 500,
    run: run ? (run.runId ?? `run ${run.id + 1}`) : '',
    runTitle: run?.runId ?? undefined,
    owner: owner === null ? '' : subagentName(store, owner),
    ownerTitle: owner ?? undefined,
    summary: summaryOf(session, row, folded ? last : row),
    size: formats.bytes(folded ? foldSize(store, row, last) : columns.length[row]!),
    count,
    folded,
    open: folded && list.unfolded.has(row),
    finding: gravest(session, row)?.severity ?? null,
    related: rail?.related.has(index) ?? false,
    tone: rail?.finding.severity,
  };
}
