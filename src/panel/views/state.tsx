/** The State tab: the document at any moment, what each change did to it, and why a delta was refused. */
import { batch } from '@preact/signals';
import { useMemo, useState } from 'preact/hooks';
import type { Pinned } from '../state/desk.ts';
import { documentAt, type History, type Step, stateHistory } from '../state/document.ts';
import { useSession } from '../state/panel.ts';
import { type Changes, changesOf } from '../state/patch.ts';
import { type PanelSession, rowOf } from '../state/session.ts';
import { numberOf } from '../words/status.ts';
import { short } from '../words/summary.ts';
import { Grid } from './grid.tsx';
import { FindingIcon, KindIcon } from './icons.tsx';
import { JsonTree } from './json-tree.tsx';
import { Clock, CopyButton, Tool } from './parts.tsx';
import { Cell, Row, Scroll } from './row.tsx';
import { Scrub } from './scrub.tsx';
import { Difference, Refused } from './state-parts.tsx';
import { StreamBar } from './stream-bar.tsx';
import { TreeFinder, useTreeFind } from './tree-finder.tsx';
import { useJob } from './use-bodies.ts';

export function State() {
  const session = useSession();
  const conn = session.focusConn.value;
  const connection = conn === null ? undefined : session.store.connections[conn];
  const history = useJob(() => (conn === null ? Promise.resolve(null) : stateHistory(session, conn)), [conn, connection?.events]);
  if (conn === null) return <p class="hollow-pane">No state yet.</p>;
  if (history === null) return <p class="hollow-pane">Reading…</p>;
  return (
    <div class="state-outer">
      <StreamBar conn={conn} />
      {history.steps.length === 0 ? (
        <p class="hollow-pane">This stream has sent no state: neither a STATE_SNAPSHOT nor a STATE_DELTA came, and the request brought none.</p>
      ) : (
        <Shown history={history} conn={conn} />
      )}
    </div>
  );
}

/** The step that stands at a moment: the selected one, else the last before it. */
export function stepAt(steps: readonly Step[], row: number | null, moment: number | null, timeOf: (row: number) => number): number {
  const exact = row === null ? -1 : steps.findIndex((step) => step.row === row);
  if (exact >= 0) return exact;
  if (moment === null) return steps.length - 1;
  return Math.max(
    0,
    steps.findLastIndex((step) => step.row < 0 || timeOf(step.row) <= moment),
  );
}

function counts(step: Step): string {
  if (step.kind === 'request') return 'as asked';
  if (step.kind === 'snapshot') return short(step.snapshot).replace(/[{}]/g, '');
  if (step.failed) return 'refused';
  if (step.ops.length === 0) return step.dropped.length > 0 ? 'dropped' : 'nothing';
  const n = (...names: string[]) => step.ops.filter((op) => names.includes(op.op)).length;
  return [
    [n('add', 'copy', 'move'), '+'],
    [n('replace'), '~'],
    [n('remove'), '−'],
  ]
    .filter(([count]) => count !== 0)
    .map(([count, sign]) => `${sign}${count}`)
    .join(' ');
}

const NO_CHANGES: Changes = { changes: new Map(), removed: [] };

/** Goes to a step: its event is selected; the state a request brought has none, there the moment is the request's. */
function goTo(session: PanelSession, step: Step, conn: number): void {
  batch(() => {
    if (step.row >= 0) session.select({ kind: 'row', row: step.row });
    else {
      session.select({ kind: 'connection', id: conn });
      session.moment.value = session.store.connections[conn]?.request?.time ?? 0;
    }
  });
}

const placeName = ({ row, conn }: Pinned, here: number): string =>
  `${row < 0 ? 'the request' : `#${numberOf(row)}`}${conn === here ? '' : ` of stream ${conn + 1}`}`;

function Shown({ history, conn }: { history: History; conn: number }) {
  const session = useSession();
  const { steps } = history;
  const index = stepAt(steps, rowOf(session.store, session.selection.value), session.moment.value, (row) => session.store.columns.time[row]!);
  return (
    <div class="state-view">
      <Grid
        label="State history"
        cls="history"
        columns={[
          { key: 'mark', name: <span class="offscreen">Sign</span> },
          { key: 'no', name: '#', cls: 'r' },
          { key: 'time', name: 'Time', cls: 'r' },
          { key: 'ops', name: 'Change' },
          { key: 'where', name: 'Where', cls: 'where' },
        ]}
        count={steps.length}
        rowHeight={22}
        selected={index}
        reveal={index}
        onSelect={(next) => goTo(session, steps[next]!, conn)}
        row={(at, id) => <HistoryRow step={steps[at]!} conn={conn} id={id} index={at} selected={at === index} />}
      />
      <Value history={history} conn={conn} index={index} />
    </div>
  );
}

function Value({ history, conn, index }: { history: History; conn: number; index: number }) {
  const session = useSession();
  const [mode, setMode] = useState<'Tree' | 'Diff' | 'JSON'>('Tree');
  const { steps } = history;
  const step = steps[index]!;
  const pinned = session.desk.pinned.value;
  const document = useMemo(() => documentAt(history, index), [history, index]);
  const before = useMemo(() => (index > 0 ? documentAt(history, index - 1) : undefined), [history, index]);
  const did = step.kind === 'delta' && !step.failed ? changesOf(before, step.ops) : NO_CHANGES;
  const search = useTreeFind(document);
  const time = step.row < 0 ? null : session.store.columns.time[step.row]!;
  const put = (pin: Pinned | null) => {
    session.desk.pinned.value = pin;
    setMode(pin ? 'Diff' : mode);
  };
  return (
    <section class="value" aria-label="Value" data-testid="state-value">
      <div class="sub-head">
        <b>
          State{time === null ? '' : ' at '}
          {time === null ? '' : <Clock time={time} />}
        </b>
        <span class="dim">
          {step.row < 0 ? 'as the request brought it' : step.failed ? 'unchanged: the delta was refused' : `as #${numberOf(step.row)} left it`}
        </span>
        <span class="spacer" />
        <fieldset class="seg" aria-label="Form">
          {(['Tree', 'Diff', 'JSON'] as const).map((name) => (
            <button type="button" key={name} aria-pressed={mode === name} onClick={() => setMode(name)}>
              {name}
            </button>
          ))}
        </fieldset>
        <CopyButton label="Copy state" text={() => JSON.stringify(document, null, 2)} />
      </div>
      <div class="sub-head tools">
        <Scrub
          label="Change"
          index={index}
          count={steps.length}
          text={step.row < 0 ? 'the request' : `event ${numberOf(step.row)}, ${counts(step)}`}
          onIndex={(next) => goTo(session, steps[next]!, conn)}
        />
        <span class="dim num">
          {index + 1} of {steps.length}
        </span>
        <span class="spacer" />
        {mode === 'Diff' ? (
          <Against pinned={pinned} conn={conn} onPin={() => put({ document, conn, row: step.row })} onDrop={() => put(null)} />
        ) : (
          <>
            {mode === 'Tree' ? <TreeFinder search={search} label="Find in the state" /> : null}
            <button type="button" class="quiet" title="Keep this state, then go to another moment" onClick={() => put({ document, conn, row: step.row })}>
              Compare from here
            </button>
          </>
        )}
      </div>
      {step.failed && !(mode === 'Diff' && pinned) ? <Refused step={step} /> : null}
      <Scroll cls="value-body" label="Document">
        {mode === 'Tree' ? (
          <JsonTree key={index} value={document} name="state" open={2} changes={did.changes} removed={did.removed} find={search.find} />
        ) : null}
        {mode === 'Diff' ? <Difference key={`${index} ${pinned?.row}`} before={pinned ? pinned.document : before} after={document} /> : null}
        {mode === 'JSON' ? (
          <pre class="json-text" dir="auto">
            {JSON.stringify(document, null, 2)}
          </pre>
        ) : null}
      </Scroll>
      <footer class="key-line">
        <span class="d-add">+ added</span>
        <span class="d-change">~ changed</span>
        <span class="d-remove">− removed</span>
        {step.dropped.length > 0 ? <span>dropped, as no such operation exists: {step.dropped.join(', ')}</span> : null}
      </footer>
    </section>
  );
}

interface AgainstProps {
  readonly pinned: Pinned | null;
  readonly conn: number;
  readonly onPin: () => void;
  readonly onDrop: () => void;
}

/** What a difference is taken against: the step before, or the state put aside. */
function Against({ pinned, conn, onPin, onDrop }: AgainstProps) {
  return (
    <>
      <span class="dim">{pinned ? `against ${placeName(pinned, conn)}` : 'against the change before'}</span>
      {pinned ? <Tool icon="close" label="Compare with the change before again" small onClick={onDrop} /> : null}
      <button type="button" class="quiet" title="Keep this state, then go to another moment" onClick={onPin}>
        Compare from here
      </button>
    </>
  );
}

function HistoryRow({ step, conn, id, index, selected }: { step: Step; conn: number; id: string; index: number; selected: boolean }) {
  const session = useSession();
  const pinned = session.desk.pinned.value;
  const isPinned = pinned !== null && pinned.conn === conn && pinned.row === step.row;
  return (
    <Row id={id} index={index} selected={selected} cls={isPinned ? 'pinned' : ''} onPick={() => goTo(session, step, conn)}>
      <Cell cls="mark">
        {step.failed ? <FindingIcon mark="deviation" size={13} /> : step.kind === 'delta' ? <i class="stick" /> : <KindIcon kind="state" size={11} />}
      </Cell>
      <Cell cls="r num">{step.row < 0 ? '' : numberOf(step.row)}</Cell>
      <Cell cls="r time">{step.row < 0 ? '' : <Clock time={session.store.columns.time[step.row]!} />}</Cell>
      <Cell cls={`ops ${step.failed ? 'failed' : ''}`}>
        {counts(step)}
        {isPinned ? <b class="pin"> from here</b> : null}
      </Cell>
      <Cell as="code" cls="sum where">
        {step.kind === 'request' ? 'request' : step.kind === 'snapshot' ? 'STATE_SNAPSHOT' : step.ops.map((op) => op.path || '/').join(', ')}
      </Cell>
    </Row>
  );
}
