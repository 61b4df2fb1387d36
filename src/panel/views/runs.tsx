/** The Runs tab: one row a run, sortable, with a waterfall; under it the streams that carry no runs. */

import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { FindingView, RunView } from '../../runs/types.ts';
import { usePanel, useSession } from '../state/panel.ts';
import { runOf } from '../state/session.ts';
import { noteOf, STATUS_KEY } from '../words/status.ts';
import { Grid } from './grid.tsx';
import { FindingIcon } from './icons.tsx';
import { Others } from './others.tsx';
import { Clock, StatusWord } from './parts.tsx';
import { Cell, Row } from './row.tsx';

type SortKey = 'status' | 'run' | 'thread' | 'start' | 'took' | 'event' | 'text' | 'events' | 'bytes' | 'in' | 'out' | 'found';
interface Sort {
  readonly key: SortKey;
  readonly down: boolean;
}

const total = (run: RunView, part: 'inputTokens' | 'outputTokens'): number | null => {
  let sum: number | null = null;
  for (const entry of run.usage) if (entry[part] !== undefined) sum = (sum ?? 0) + entry[part];
  return sum;
};
const weight = (run: RunView): number => run.findings.violation * 1e6 + run.findings.deviation * 1e3 + run.findings.advice;

function sortValue(run: RunView, key: SortKey, now: number): number | string {
  switch (key) {
    case 'status':
      return run.status;
    case 'run':
      return run.runId ?? '';
    case 'thread':
      return run.threadId ?? '';
    case 'start':
      return run.start;
    case 'took':
      return (run.end ?? now) - run.start;
    case 'event':
      return run.requestTime === null ? -1 : run.start - run.requestTime;
    case 'text':
      return run.firstTextTime === null ? -1 : run.firstTextTime - (run.requestTime ?? run.start);
    case 'events':
      return run.events;
    case 'bytes':
      return run.bytes;
    case 'in':
      return total(run, 'inputTokens') ?? -1;
    case 'out':
      return total(run, 'outputTokens') ?? -1;
    case 'found':
      return weight(run);
  }
}

/** Runs in the order of a column; equal ones in order of appearance. */
export function sortRuns(runs: readonly RunView[], sort: Sort, now: number): RunView[] {
  return [...runs].sort((a, b) => {
    const [x, y] = [sortValue(a, sort.key, now), sortValue(b, sort.key, now)];
    const order = typeof x === 'string' || typeof y === 'string' ? String(x).localeCompare(String(y), undefined, { numeric: true }) : x - y;
    return (sort.down ? -order : order) || a.id - b.id;
  });
}

const COLUMNS: readonly (readonly [SortKey | 'note' | 'fall', string, string])[] = [
  ['status', 'Status', 'c-status'],
  ['note', 'How it ended', 'c-note'],
  ['run', 'Run', 'c-run'],
  ['thread', 'Thread', 'c-thread'],
  ['start', 'Started', 'r c-start'],
  ['took', 'Took', 'r c-took'],
  ['event', '1st event', 'r c-event'],
  ['text', '1st text', 'r c-text'],
  ['events', 'Events', 'r c-events'],
  ['bytes', 'Size', 'r c-bytes'],
  ['in', 'Tokens in', 'r c-in'],
  ['out', 'out', 'r c-out'],
  ['found', 'Found', 'c-found'],
  ['fall', 'Waterfall', 'c-fall'],
];

export function Runs() {
  const session = useSession();
  const { store } = session;
  const [sort, setSort] = useState<Sort>({ key: 'start', down: false });
  const only = [session.onlyRun.value, session.onlyThread.value] as const;
  const shown = store.runs.filter((run) => run && (only[0] === null || run.id === only[0]) && (only[1] === null || run.threadId === only[1]));
  const runs = sortRuns(shown, sort, store.now);
  const chosen = runOf(store, session.selection.value);
  const selected = chosen === null ? -1 : runs.findIndex((run) => run.id === chosen);
  const from = session.zero.value;
  const to = runs.reduce((end, run) => Math.max(end, run.end ?? store.now), from + 1);
  return (
    <div class="runs-view">
      <Grid
        label="Runs"
        cls="runs"
        columns={COLUMNS.map(([key, name, cls]) => ({
          key,
          name,
          cls,
          ...(key === 'note' || key === 'fall'
            ? {}
            : {
                sort: sort.key === key ? (sort.down ? ('descending' as const) : ('ascending' as const)) : ('none' as const),
                onSort: () => setSort({ key, down: sort.key === key && !sort.down }),
              }),
        }))}
        count={runs.length}
        rowHeight={26}
        selected={selected}
        reveal={session.selection.value}
        onSelect={(index) => session.select({ kind: 'run', id: runs[index]!.id })}
        row={(index, id) => <RunRow run={runs[index]!} id={id} index={index} selected={index === selected} from={from} to={to} />}
        empty={<b>No runs.</b>}
      />
      <Others />
    </div>
  );
}

interface RunRowProps {
  readonly run: RunView;
  readonly id: string;
  readonly index: number;
  readonly selected: boolean;
  readonly from: number;
  readonly to: number;
}

function RunRow({ run, id, index, selected, from, to }: RunRowProps) {
  const { formats } = usePanel();
  const session = useSession();
  const end = run.end ?? session.store.now;
  const quiet = run.status === 'succeeded' || run.status === 'active';
  const tokens = (part: 'inputTokens' | 'outputTokens') => {
    const sum = total(run, part);
    return sum === null ? '–' : formats.count(sum);
  };
  const cell = (cls: string, children: ComponentChildren) => <Cell cls={cls}>{children}</Cell>;
  return (
    <Row
      id={id}
      index={index}
      selected={selected}
      onPick={() => session.select({ kind: 'run', id: run.id })}
      data-testid="run-row"
      data-run={run.id}
      data-run-id={run.runId ?? ''}
      data-thread-id={run.threadId ?? ''}
      data-status={run.status}
      data-ending={run.ending}
      data-events={run.events}
    >
      {cell('c-status', <StatusWord status={run.status} />)}
      {cell(`c-note ${quiet ? 'st-quiet' : `st-${STATUS_KEY[run.status]}`}`, noteOf(run))}
      {cell('c-run', <bdi>{run.runId ?? '(unnamed)'}</bdi>)}
      {cell('c-thread dim', <bdi>{run.threadId ?? ''}</bdi>)}
      {cell('r c-start', <Clock time={run.start} tenths />)}
      {cell('r c-took', formats.duration(end - run.start))}
      {cell('r c-event', run.requestTime === null ? '–' : formats.duration(run.start - run.requestTime))}
      {cell('r c-text', run.firstTextTime === null ? '–' : formats.duration(run.firstTextTime - (run.requestTime ?? run.start)))}
      {cell('r c-events', formats.count(run.events))}
      {cell('r c-bytes', formats.bytes(run.bytes))}
      {cell('r c-in', tokens('inputTokens'))}
      {cell('r c-out', tokens('outputTokens'))}
      {cell('c-found', <Found findings={run.findings} />)}
      {cell('c-fall', <Waterfall run={run} from={from} to={to} end={end} />)}
    </Row>
  );
}

const Found = ({ findings }: { findings: RunView['findings'] }) => (
  <>
    {(['violation', 'deviation', 'advice'] as const satisfies readonly FindingView['severity'][]).map((severity) =>
      findings[severity] > 0 ? (
        <span key={severity} class="count" title={`${findings[severity]} ${severity}`}>
          <FindingIcon mark={severity} />
          <span>{findings[severity]}</span>
        </span>
      ) : null,
    )}
  </>
);

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
