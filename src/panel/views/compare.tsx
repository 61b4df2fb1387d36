/** Two runs side by side: what each came to, its steps and calls, its events by type, and where their sequences part. */
import type { ComponentChildren } from 'preact';
import type { RunView, SpanView } from '../../runs/types.ts';
import { type Beat, beatsOf, countsOf, type Match, matchesOf, partingOf } from '../state/compare.ts';
import { usePanel, useSession } from '../state/panel.ts';
import { idleOf } from '../state/pauses.ts';
import type { Formats } from '../words/format.ts';
import { noteOf, numberOf } from '../words/status.ts';
import { byModel, sumOf, sumText, type TokenPart } from '../words/usage.ts';
import { FindingIcon, KindIcon } from './icons.tsx';
import { StatusWord, Tool } from './parts.tsx';
import { Scroll } from './row.tsx';
import { nameOf } from './run-menu.ts';

const MINUS = '−';
/** Difference between two numbers as they are written, with its sign; '' where one is unknown or they are equal. */
const signed = (a: number | null, b: number | null, write: (n: number) => string): string =>
  a === null || b === null || a === b ? '' : `${b > a ? '+' : MINUS}${write(Math.abs(b - a))}`;

export function Compare({ pair: [left, right] }: { pair: readonly [number, number] }) {
  const session = useSession();
  const { store, desk } = session;
  const [a, b] = [store.runs[left], store.runs[right]];
  const close = () => (desk.compare.value = null);
  if (!a || !b) return <p class="hollow-pane">One of the two runs is no longer in the capture.</p>;
  return (
    <section class="runs-view compare" aria-label={`${nameOf(a)} beside ${nameOf(b)}`} data-testid="compare">
      <div class="sub-head">
        <button type="button" class="quiet" onClick={close}>
          <span aria-hidden="true">‹</span> All runs
        </button>
        <Picker label="A" value={left} onPick={(id) => (desk.compare.value = [id, right])} />
        <button type="button" class="quiet" title="Exchange A and B" aria-label="Exchange A and B" onClick={() => (desk.compare.value = [right, left])}>
          ⇄
        </button>
        <Picker label="B" value={right} onPick={(id) => (desk.compare.value = [left, id])} />
        <span class="spacer" />
        <Tool icon="close" label="Close the comparison" small onClick={close} />
      </div>
      <Scroll cls="compare-body" label="Comparison">
        <div class="compare-top">
          <Facts a={a} b={b} />
          <Sequence a={a} b={b} />
        </div>
        <Matches a={a} b={b} />
        <Counts a={a} b={b} />
      </Scroll>
    </section>
  );
}

function Picker({ label, value, onPick }: { label: string; value: number; onPick: (id: number) => void }) {
  const { store } = useSession();
  return (
    <label class="picker">
      {label}
      <select value={value} onChange={(event) => onPick(Number(event.currentTarget.value))}>
        {store.runs.map((run) =>
          run ? (
            <option key={run.id} value={run.id}>
              {nameOf(run)}
            </option>
          ) : null,
        )}
      </select>
    </label>
  );
}

interface LineProps {
  readonly what: ComponentChildren;
  readonly a: ComponentChildren;
  readonly b: ComponentChildren;
  readonly off?: string;
}

const Line = ({ what, a, b, off = '' }: LineProps) => (
  <tr>
    <th scope="row">{what}</th>
    <td>{a}</td>
    <td>{b}</td>
    <td class="off">{off}</td>
  </tr>
);

const Head = ({ what, a, b }: { what: string; a: RunView; b: RunView }) => (
  <thead>
    <tr>
      <th scope="col">{what}</th>
      <th scope="col">
        A <bdi>{nameOf(a)}</bdi>
      </th>
      <th scope="col">
        B <bdi>{nameOf(b)}</bdi>
      </th>
      <th scope="col" class="off">
        B against A
      </th>
    </tr>
  </thead>
);

interface Pair {
  readonly a: RunView;
  readonly b: RunView;
}

function Facts({ a, b }: Pair) {
  const { formats } = usePanel();
  const { store } = useSession();
  const ms = (name: string, of: (run: RunView) => number | null) => {
    const [x, y] = [of(a), of(b)];
    return <Line what={name} a={x === null ? '–' : formats.duration(x)} b={y === null ? '–' : formats.duration(y)} off={signed(x, y, formats.duration)} />;
  };
  const total = (run: RunView) => (run.end ?? store.now) - run.start;
  const found = (run: RunView) =>
    (['violation', 'deviation', 'advice'] as const).map((severity) =>
      run.findings[severity] > 0 ? (
        <span key={severity} class="count" title={`${run.findings[severity]} ${severity}`}>
          <FindingIcon mark={severity} /> {run.findings[severity]}
        </span>
      ) : null,
    );
  const status = (run: RunView) => (
    <>
      <StatusWord status={run.status} /> <span class="dim">{noteOf(run, store.runs)}</span>
    </>
  );
  return (
    <table>
      <Head what="In short" a={a} b={b} />
      <tbody>
        <Line what="Status" a={status(a)} b={status(b)} />
        {ms('Took', total)}
        {ms('First event', (run) => (run.requestTime === null ? null : run.start - run.requestTime))}
        {ms('First text', (run) => (run.firstTextTime === null ? null : run.firstTextTime - (run.requestTime ?? run.start)))}
        {ms('Idle', (run) => idleOf(store.columns, run.id))}
        <Line what="Events" a={formats.count(a.events)} b={formats.count(b.events)} off={signed(a.events, b.events, formats.count)} />
        <Line what="Size" a={formats.bytes(a.bytes)} b={formats.bytes(b.bytes)} off={signed(a.bytes, b.bytes, formats.bytes)} />
        <Tokens a={a} b={b} />
        <Line what="Findings" a={found(a)} b={found(b)} />
      </tbody>
    </table>
  );
}

const PARTS: readonly (readonly [TokenPart, string])[] = [
  ['inputTokens', 'tokens in'],
  ['outputTokens', 'tokens out'],
];

function Tokens({ a, b }: Pair) {
  const { formats } = usePanel();
  const models = [...new Set([...byModel(a.usage), ...byModel(b.usage)].map(({ name }) => name))];
  const of = (run: RunView, name: string) => byModel(run.usage).find((model) => model.name === name)?.entries ?? [];
  return (
    <>
      {models.flatMap((name) =>
        PARTS.map(([part, word]) => {
          const [x, y] = [of(a, name), of(b, name)];
          return (
            <Line
              key={`${name} ${part}`}
              what={`${name}, ${word}`}
              a={sumText(x, part, formats)}
              b={sumText(y, part, formats)}
              off={signed(sumOf(x, part).tokens, sumOf(y, part).tokens, formats.count)}
            />
          );
        }),
      )}
    </>
  );
}

function Sequence({ a, b }: Pair) {
  const session = useSession();
  const { formats } = usePanel();
  const parting = partingOf(beatsOf(session.store, a), beatsOf(session.store, b));
  if (parting === null)
    return (
      <section class="sequence" aria-label="Event sequence">
        <h2>Event sequence</h2>
        <p>The same from start to end, apart from ids, times, contents and how texts were cut into pieces.</p>
      </section>
    );
  const length = Math.max(parting.a.length, parting.b.length);
  return (
    <section class="sequence" aria-label="Event sequence" data-testid="parting">
      <h2>First difference in the event sequence</h2>
      <p class="dim">
        {parting.same === 0
          ? 'They differ from the first event on.'
          : parting.same === 1
            ? 'The first event is the same.'
            : `The first ${formats.count(parting.same)} events are the same.`}{' '}
        Ids, times, contents and how a text was cut are left aside.
      </p>
      <div class="beats">
        {parting.before.map(([x, y]) => (
          <div key={x.row} class="beat-line">
            <BeatCell beat={x} />
            <BeatCell beat={y} />
          </div>
        ))}
        {Array.from({ length }, (_, i) => (
          <div key={i} class={`beat-line parted ${i === 0 ? 'first' : ''}`}>
            <BeatCell beat={parting.a[i]} />
            <BeatCell beat={parting.b[i]} />
          </div>
        ))}
      </div>
    </section>
  );
}

function BeatCell({ beat }: { beat: Beat | undefined }) {
  const session = useSession();
  if (!beat) return <span class="beat dim">nothing more</span>;
  return (
    <button type="button" class="beat" onClick={() => session.select({ kind: 'row', row: beat.row })}>
      <span class="num">#{numberOf(beat.row)}</span> <code>{beat.word}</code>
    </button>
  );
}

const lengthOf = (span: SpanView, run: RunView, now: number): number => (span.resultTime ?? span.end ?? run.end ?? now) - span.start;

function Matches({ a, b }: Pair) {
  const { store } = useSession();
  const { formats } = usePanel();
  const matches = matchesOf(store, a, b);
  if (matches.length === 0) return null;
  const longest = Math.max(1, ...[a, b].map((run) => (run.end ?? store.now) - run.start));
  const off = ({ a: x, b: y }: Match) => (x && y ? signed(lengthOf(x, a, store.now), lengthOf(y, b, store.now), formats.duration) : '');
  return (
    <table class="matches">
      <Head what="Steps and calls" a={a} b={b} />
      <tbody>
        {matches.map((match) => (
          <Line
            key={`${match.kind} ${match.name}`}
            what={
              <span class="what">
                <KindIcon kind={match.kind} size={11} /> <bdi>{match.name}</bdi>
              </span>
            }
            a={<SpanBar span={match.a} run={a} longest={longest} formats={formats} />}
            b={<SpanBar span={match.b} run={b} longest={longest} formats={formats} />}
            off={match.a && match.b ? off(match) : match.a ? 'only A' : 'only B'}
          />
        ))}
      </tbody>
    </table>
  );
}

function SpanBar({ span, run, longest, formats }: { span: SpanView | null; run: RunView; longest: number; formats: Formats }) {
  const session = useSession();
  if (!span) return <span class="dim">–</span>;
  const took = lengthOf(span, run, session.store.now);
  const left = Math.max(0, (span.start - run.start) / longest) * 100;
  return (
    <button
      type="button"
      class="span-bar"
      title={`Begins ${formats.duration(span.start - run.start)} after the run`}
      onClick={() => session.select({ kind: 'span', id: span.id })}
    >
      <span class="took">{formats.duration(took)}</span>
      <span class="lane" aria-hidden="true">
        <i class={`k-${span.kind}`} style={{ left: `${left}%`, width: `${Math.min(100 - left, (took / longest) * 100)}%` }} />
      </span>
    </button>
  );
}

function Counts({ a, b }: Pair) {
  const { store } = useSession();
  const { formats } = usePanel();
  return (
    <table>
      <Head what="Events by type" a={a} b={b} />
      <tbody>
        {countsOf(store, a, b).map((count) => (
          <Line
            key={count.type}
            what={<code>{count.type}</code>}
            a={formats.count(count.a)}
            b={formats.count(count.b)}
            off={signed(count.a, count.b, formats.count)}
          />
        ))}
      </tbody>
    </table>
  );
}
