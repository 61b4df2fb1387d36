/** The columns of the runs table: what each tells, how it is sorted, how wide it is, and which give way first. */
import type { ComponentChildren } from 'preact';
import type { Severity } from '../../checker/types.ts';
import type { RunView } from '../../runs/types.ts';
import { idleOf } from '../state/pauses.ts';
import { isShown, SEVERITIES } from '../state/severity.ts';
import type { Store } from '../state/store.ts';
import type { Formats } from '../words/format.ts';
import { callSite } from '../words/stack.ts';
import { noteOf, STATUS_KEY } from '../words/status.ts';
import { sumOf, sumText, type TokenPart, usageLines } from '../words/usage.ts';
import { FindingIcon } from './icons.tsx';
import { Clock, Replayed, StatusWord } from './parts.tsx';
import { pathOf } from './path.ts';

export interface RunContext {
  readonly store: Store;
  readonly formats: Formats;
  /** The mildest findings that are shown. */
  readonly least: Severity;
}

export interface RunColumn {
  readonly key: string;
  readonly name: string;
  /** What the menu of columns calls it, where the head is too short to be understood. */
  readonly long?: string;
  readonly right?: true;
  /** Least width, px, and the share of what is left over. */
  readonly px: number;
  readonly grow?: number;
  /** Columns of a higher rank leave first when room is short; 0 never leaves. */
  readonly rank: number;
  /** Null: nothing known, and last in either direction. */
  readonly sort?: (run: RunView, context: RunContext) => number | string | null;
  readonly title?: (run: RunView, context: RunContext) => string | undefined;
  readonly cell: (run: RunView, context: RunContext) => ComponentChildren;
}

const took = (run: RunView, store: Store): number => (run.end ?? store.now) - run.start;
const firstEvent = (run: RunView): number | null => (run.requestTime === null ? null : run.start - run.requestTime);
const firstText = (run: RunView): number | null => (run.firstTextTime === null ? null : run.firstTextTime - (run.requestTime ?? run.start));
const weight = (run: RunView): number => run.findings.violation * 1e6 + run.findings.deviation * 1e3 + run.findings.advice;
const urlOf = (run: RunView, store: Store): string => store.connections[run.conn]?.request?.url ?? '';
const stackOf = (run: RunView, store: Store): string | undefined => store.connections[run.conn]?.request?.stack;
const lasting = (ms: number | null, formats: Formats): string => (ms === null ? '–' : formats.duration(ms));

const tokens = (key: string, name: string, part: TokenPart, rank: number): RunColumn => ({
  key,
  name,
  long: part === 'inputTokens' ? 'Tokens in' : 'Tokens out',
  right: true,
  px: part === 'inputTokens' ? 62 : 48,
  rank,
  sort: (run) => sumOf(run.usage, part).tokens,
  title: (run, { formats }) => usageLines(run.usage, formats).join('\n') || 'No usage was reported',
  cell: (run, { formats }) => sumText(run.usage, part, formats),
});

const Found = ({ findings, least }: { findings: RunView['findings']; least: Severity }) => (
  <>
    {SEVERITIES.map((severity) =>
      findings[severity] > 0 && isShown(severity, least) ? (
        <span key={severity} class="count" title={`${findings[severity]} ${severity}`}>
          <FindingIcon mark={severity} />
          <span>{findings[severity]}</span>
        </span>
      ) : null,
    )}
  </>
);

export const RUN_COLUMNS: readonly RunColumn[] = [
  { key: 'status', name: 'Status', px: 96, rank: 0, sort: (run) => run.status, cell: (run) => <StatusWord status={run.status} /> },
  {
    key: 'note',
    name: 'How it ended',
    px: 100,
    grow: 2,
    rank: 5,
    sort: (run, { store }) => noteOf(run, store.runs),
    title: (run, { store }) => noteOf(run, store.runs),
    cell: (run, { store }) => (
      <span class={run.status === 'succeeded' || run.status === 'active' ? 'dim' : `st-${STATUS_KEY[run.status]}`}>{noteOf(run, store.runs)}</span>
    ),
  },
  {
    key: 'run',
    name: 'Run',
    px: 54,
    grow: 1,
    rank: 0,
    sort: (run) => run.runId ?? '',
    title: (run) => run.runId ?? undefined,
    cell: (run, { store }) => (
      <>
        <Replayed of={store.connections[run.conn]} small />
        <bdi>{run.runId ?? '(unnamed)'}</bdi>
      </>
    ),
  },
  {
    key: 'thread',
    name: 'Thread',
    px: 54,
    grow: 1,
    rank: 7,
    sort: (run) => run.threadId ?? '',
    title: (run) => run.threadId ?? undefined,
    cell: (run) => <bdi class="dim">{run.threadId ?? ''}</bdi>,
  },
  {
    key: 'agent',
    name: 'Agent',
    long: 'Agent or URL',
    px: 70,
    grow: 1,
    rank: 12,
    sort: (run, { store }) => urlOf(run, store),
    title: (run, { store }) => urlOf(run, store),
    cell: (run, { store }) => <bdi class="dim">{pathOf(urlOf(run, store))}</bdi>,
  },
  { key: 'start', name: 'Started', right: true, px: 58, rank: 3, sort: (run) => run.start, cell: (run) => <Clock time={run.start} tenths /> },
  {
    key: 'took',
    name: 'Took',
    right: true,
    px: 56,
    rank: 1,
    sort: (run, { store }) => took(run, store),
    cell: (run, { store, formats }) => formats.duration(took(run, store)),
  },
  {
    key: 'event',
    name: '1st event',
    long: 'Time to the first event',
    right: true,
    px: 60,
    rank: 10,
    sort: firstEvent,
    cell: (run, { formats }) => lasting(firstEvent(run), formats),
  },
  {
    key: 'text',
    name: '1st text',
    long: 'Time to the first text',
    right: true,
    px: 58,
    rank: 6,
    sort: firstText,
    cell: (run, { formats }) => lasting(firstText(run), formats),
  },
  {
    key: 'idle',
    name: 'Idle',
    long: 'Idle time: silences of half a second and more',
    right: true,
    px: 54,
    rank: 9,
    sort: (run, { store }) => idleOf(store.columns, run.id),
    title: (run, { store, formats }) => `Silent for ${formats.duration(idleOf(store.columns, run.id))}, counted from half a second on`,
    cell: (run, { store, formats }) => formats.duration(idleOf(store.columns, run.id)),
  },
  { key: 'events', name: 'Events', right: true, px: 50, rank: 4, sort: (run) => run.events, cell: (run, { formats }) => formats.count(run.events) },
  {
    key: 'bytes',
    name: 'Size',
    long: 'Bytes received',
    right: true,
    px: 54,
    rank: 11,
    sort: (run) => run.bytes,
    cell: (run, { formats }) => formats.bytes(run.bytes),
  },
  tokens('in', 'Tokens in', 'inputTokens', 8),
  tokens('out', 'out', 'outputTokens', 8),
  { key: 'found', name: 'Found', long: 'Findings', px: 58, rank: 2, sort: weight, cell: (run, { least }) => <Found findings={run.findings} least={least} /> },
  {
    key: 'caller',
    name: 'Called from',
    px: 86,
    grow: 1,
    rank: 13,
    sort: (run, { store }) => callSite(stackOf(run, store))?.place ?? null,
    title: (run, { store }) => stackOf(run, store),
    cell: (run, { store }) => <code class="dim">{callSite(stackOf(run, store))?.place ?? '–'}</code>,
  },
];

/** The waterfall takes what is left and goes when that is too little. */
export const FALL = { key: 'fall', px: 90, rank: 7.5, grow: 3 } as const;
const GAP = 8;
const EDGES = 20;

/** Columns to show in a width: those the reader asked for, and of the rest as many as fit, the lowest rank first. `fall`: whether the waterfall fits too. */
export function fitColumns(width: number, wanted: Readonly<Record<string, boolean>>): { readonly columns: readonly RunColumn[]; readonly fall: boolean } {
  const shown = new Set<string>();
  let used = EDGES;
  const all = [...RUN_COLUMNS, FALL]
    .filter((column) => wanted[column.key] !== false)
    .sort((a, b) => Number(wanted[b.key] === true) - Number(wanted[a.key] === true) || a.rank - b.rank);
  for (const { key, px, rank } of all) {
    if (rank > 0 && wanted[key] !== true && used + px + GAP > width) break;
    shown.add(key);
    used += px + GAP;
  }
  return { columns: RUN_COLUMNS.filter((column) => shown.has(column.key)), fall: shown.has(FALL.key) };
}

/** Runs in the order of a column; equal ones in order of appearance, unknown ones last. */
export function sortRuns(runs: readonly RunView[], key: string, down: boolean, context: RunContext): RunView[] {
  const value = RUN_COLUMNS.find((column) => column.key === key)?.sort;
  if (!value) return [...runs];
  const keyed = runs.map((run) => ({ run, key: value(run, context) }));
  keyed.sort((a, b) => {
    if (a.key === null || b.key === null) return Number(a.key === null) - Number(b.key === null) || a.run.id - b.run.id;
    const order =
      typeof a.key === 'number' && typeof b.key === 'number' ? a.key - b.key : String(a.key).localeCompare(String(b.key), undefined, { numeric: true });
    return (down ? -order : order) || a.run.id - b.run.id;
  });
  return keyed.map(({ run }) => run);
}
