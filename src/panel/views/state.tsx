/** The State tab: the document at any moment, what each change did to it, and why a delta was refused. */
import diff from 'microdiff';
import { useState } from 'preact/hooks';
import { changesOf, documentAt, type History, type Step, stateHistory } from '../state/document.ts';
import { useSession } from '../state/panel.ts';
import { rowOf } from '../state/session.ts';
import { numberOf } from '../words/status.ts';
import { short } from '../words/summary.ts';
import { Grid } from './grid.tsx';
import { FindingIcon, KindIcon } from './icons.tsx';
import { JsonTree } from './json-tree.tsx';
import { Clock, CopyButton } from './parts.tsx';
import { Cell, Row, Scroll } from './row.tsx';
import { StreamBar } from './stream-bar.tsx';
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
        <Shown history={history} />
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

function Shown({ history }: { history: History }) {
  const session = useSession();
  const { steps } = history;
  const [mode, setMode] = useState<'Tree' | 'Diff' | 'JSON'>('Tree');
  const timeOf = (row: number) => session.store.columns.time[row]!;
  const index = stepAt(steps, rowOf(session.store, session.selection.value), session.moment.value, timeOf);
  const step = steps[index]!;
  const document = documentAt(history, index);
  const before = index > 0 ? documentAt(history, index - 1) : undefined;
  const { changes, removed } = step.kind === 'delta' ? changesOf(before, step) : { changes: new Map(), removed: [] };
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
        onSelect={(next) => {
          const row = steps[next]!.row;
          if (row >= 0) session.select({ kind: 'row', row });
        }}
        row={(at, id) => <HistoryRow step={steps[at]!} id={id} index={at} selected={at === index} />}
      />
      <section class="value" aria-label="Value">
        <div class="sub-head">
          <b>
            State{step.row < 0 ? '' : ' at '}
            {step.row < 0 ? '' : <Clock time={timeOf(step.row)} />}
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
        {step.failed ? <Refused step={step} /> : null}
        <Scroll cls="value-body" label="Document">
          {mode === 'Tree' ? <JsonTree key={index} value={document} name="state" open={2} changes={changes} /> : null}
          {mode === 'Diff' ? <Difference before={before} after={document} /> : null}
          {mode === 'JSON' ? <pre class="json-text">{JSON.stringify(document, null, 2)}</pre> : null}
        </Scroll>
        <footer class="key-line">
          <span class="d-add">+ added</span>
          <span class="d-change">~ changed</span>
          {removed.length > 0 ? <span class="d-remove">− removed {removed.join(', ')}</span> : null}
        </footer>
      </section>
    </div>
  );
}

function HistoryRow({ step, id, index, selected }: { step: Step; id: string; index: number; selected: boolean }) {
  const session = useSession();
  const choose = () => {
    if (step.row >= 0) session.select({ kind: 'row', row: step.row });
  };
  return (
    <Row id={id} index={index} selected={selected} onPick={choose}>
      <Cell cls="mark">
        {step.failed ? <FindingIcon mark="deviation" size={13} /> : step.kind === 'delta' ? <i class="stick" /> : <KindIcon kind="state" size={11} />}
      </Cell>
      <Cell cls="r num">{step.row < 0 ? '' : numberOf(step.row)}</Cell>
      <Cell cls="r time">{step.row < 0 ? '' : <Clock time={session.store.columns.time[step.row]!} />}</Cell>
      <Cell cls={`ops ${step.failed ? 'failed' : ''}`}>{counts(step)}</Cell>
      <Cell as="code" cls="sum where">
        {step.kind === 'request' ? 'request' : step.kind === 'snapshot' ? 'STATE_SNAPSHOT' : step.ops.map((op) => op.path || '/').join(', ')}
      </Cell>
    </Row>
  );
}

const Refused = ({ step }: { step: Step }) => (
  <div class="refused">
    <p>
      <FindingIcon mark="deviation" /> <b>Refused:</b> {step.failed!.why} A patch applies whole or not at all.
    </p>
    <div class="ops-list">
      {step.ops.map((op, i) => (
        <div key={i} class={`op ${i === step.failed!.at ? 'bad' : i > step.failed!.at ? 'skip' : ''}`}>
          <span class="n">{i + 1}</span>
          <span class="verb">{op.op}</span>
          <code>{op.path || '/'}</code>
          {op.value === undefined ? null : (
            <>
              <span class="arrow">→</span>
              <span class="val">{short(op.value)}</span>
            </>
          )}
          <span class="verdict">{i === step.failed!.at ? 'fails' : i > step.failed!.at ? 'not tried' : 'would apply'}</span>
        </div>
      ))}
    </div>
  </div>
);

function Difference({ before, after }: { before: unknown; after: unknown }) {
  const wrap = (value: unknown) => ({ state: value ?? null });
  const list = diff(wrap(before), wrap(after));
  if (list.length === 0) return <p class="hollow-pane">Nothing changed.</p>;
  return (
    <div class="diff">
      {list.map((one) => {
        const path = `/${one.path.slice(1).join('/')}`;
        const [cls, sign] = one.type === 'CREATE' ? ['add', '+'] : one.type === 'CHANGE' ? ['change', '~'] : ['remove', '−'];
        return (
          <div key={path} class={`node ${cls}`}>
            <span class="sign">{sign}</span>
            <code>{path}</code>
            {one.type === 'REMOVE' ? null : <span class="str">{short(one.value)}</span>}
            {one.type === 'CREATE' ? null : <span class="was">was {short(one.oldValue)}</span>}
          </div>
        );
      })}
    </div>
  );
}
