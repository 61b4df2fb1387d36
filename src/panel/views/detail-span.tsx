/** A message, tool call, step, reasoning or subagent in full. */
import type { SpanView } from '../../runs/types.ts';
import { rowsOfSpan } from '../state/columns.ts';
import { kindOfCode } from '../state/filter.ts';
import { usePanel, useSession } from '../state/panel.ts';
import { deltasOf, isContent, typeOfRow } from '../state/store.ts';
import { SPAN_WORD } from '../words/status.ts';
import { EventLine, Fact, PaneHead } from './detail-parts.tsx';
import { KindIcon } from './icons.tsx';
import { Clock, RowLink, RunLink } from './parts.tsx';
import { Scroll } from './row.tsx';
import { textOfSpan } from './span-text.ts';
import { useJob } from './use-bodies.ts';

const HOW: Readonly<Record<NonNullable<SpanView['how']>, string>> = {
  closed: 'closed by its own event',
  lane: 'closed when another took its place',
  'run-finished': 'closed by the end of the run',
  'run-error': 'left open, ended by RUN_ERROR',
  'cut-off': 'left open when another run started',
  lost: 'left open when the stream was cut',
  'owner-ended': 'ended with its subagent',
};

const NAMED = { step: 'Step', tool: 'Tool' } as Partial<Record<SpanView['kind'], string>>;

export function SpanDetail({ span }: { span: SpanView }) {
  const session = useSession();
  const { formats } = usePanel();
  const { store } = session;
  const end = span.end ?? store.now;
  const rows = rowsOfSpan(store.columns, span.id);
  const text = useJob(() => textOfSpan(session, span), [span.id, span.deltas]);
  const frame = rows.filter((row) => !isContent(store.columns.type[row]!));
  const first = rows.find((row) => isContent(store.columns.type[row]!));
  const prose = span.kind === 'text' || span.kind === 'reasoning';
  return (
    <>
      <PaneHead
        icon={<KindIcon kind={span.kind} size={13} />}
        word={SPAN_WORD[span.kind]}
        code={span.itemId}
        copy={{
          label: prose ? 'Copy text' : 'Copy item',
          text: async () => (prose || span.kind === 'tool' ? await textOfSpan(session, span) : JSON.stringify(span, null, 2)),
        }}
      />
      <Scroll cls="pane" label={SPAN_WORD[span.kind]}>
        <h2 dir="auto">{prose && span.label ? `“${span.label}${span.chars > span.label.length ? '…' : ''}”` : span.label || span.itemId}</h2>
        <dl>
          <Fact term={NAMED[span.kind] ?? 'Id'}>
            <bdi>{NAMED[span.kind] ? span.label : span.itemId}</bdi>
          </Fact>
          <Fact term="Role">{span.role}</Fact>
          <Fact term="Run">
            <RunLink id={span.run} />
            {span.owner === null ? null : (
              <>
                , for subagent <bdi>{span.owner}</bdi>
              </>
            )}
          </Fact>
          <Fact term="Parent">{span.parent ? <bdi>{span.parent}</bdi> : null}</Fact>
          <Fact term="Started">
            <Clock time={span.start} />
          </Fact>
          <Fact term="Took">
            {formats.duration(end - span.start)}
            {span.end === null ? ' so far, still open' : span.how ? `, ${HOW[span.how]}` : ''}
          </Fact>
          <Arrival span={span} end={end} />
          <Fact term="Arguments">{span.argsEnd === null ? null : `complete after ${formats.duration(span.argsEnd - span.start)}`}</Fact>
          {span.kind === 'tool' ? (
            <Fact term="Result">
              {span.resultTime === null ? (
                'none yet'
              ) : (
                <>
                  after {formats.duration(span.resultTime - (span.argsEnd ?? span.start))} of waiting
                  {span.resultRow === null ? null : (
                    <>
                      , <RowLink row={span.resultRow} />
                    </>
                  )}
                </>
              )}
            </Fact>
          ) : null}
          <Fact term="Size">
            {span.chars > 0 ? `${formats.plural(span.chars, 'character', 'characters')} in ${formats.plural(span.deltas, 'event', 'events')}` : null}
          </Fact>
          <Fact term="Form">{span.form === 'chunk' ? 'sent as chunks: opened and closed by what came, not by events of its own' : null}</Fact>
          <Fact term="Events" cls="lines">
            {frame.slice(0, 1).map((row) => (
              <Line key={row} row={row} />
            ))}
            {first === undefined ? null : (
              <EventLine row={first} icon={<KindIcon kind={span.kind} size={11} />} what={span.deltas > 1 ? `×${formats.count(span.deltas)}` : undefined} />
            )}
            {frame.slice(1).map((row) => (
              <Line key={row} row={row} />
            ))}
          </Fact>
        </dl>
        {text ? (
          <section class="json" aria-label="Text">
            <div class="json-head">
              <span>{span.kind === 'tool' ? 'Arguments' : 'Text'}</span>
            </div>
            <pre class="json-text prose" dir="auto">
              {text}
            </pre>
          </section>
        ) : null}
      </Scroll>
    </>
  );
}

const Line = ({ row }: { row: number }) => {
  const { store } = useSession();
  return (
    <EventLine
      row={row}
      icon={<KindIcon kind={kindOfCode(store.columns.type[row]!)} size={11} />}
      what={typeOfRow(store, row).endsWith('RESULT') ? undefined : ''}
    />
  );
};

const WIDTH = 286;

/** When each delta came, drawn over the span's length, and the longest silence among them. */
function Arrival({ span, end }: { span: SpanView; end: number }) {
  const { formats } = usePanel();
  const { store } = useSession();
  const times = deltasOf(store, span.id);
  if (times.length < 2) return null;
  const length = Math.max(1, end - span.start);
  const spots = new Set(Array.from(times, (time) => Math.round(2 + ((time - span.start) / length) * (WIDTH - 5))));
  let silence = 0;
  for (let i = 1; i < times.length; i++) silence = Math.max(silence, times[i]! - times[i - 1]!);
  const streamed = times[times.length - 1]! - times[0]!;
  return (
    <Fact term="Arrival">
      <svg class="arrival" viewBox={`0 0 ${WIDTH} 18`} preserveAspectRatio="none" height="18" aria-hidden="true">
        <rect
          x=".5"
          y=".5"
          width={WIDTH - 1}
          height="17"
          rx="3"
          class={`frame k-${span.kind === 'tool' ? 'tool' : span.kind.startsWith('reasoning') ? 'reasoning' : 'text'}`}
        />
        {[...spots].map((x) => (
          <rect
            key={x}
            x={x}
            y="3"
            width="1.5"
            height="12"
            class={`k-${span.kind === 'tool' ? 'tool' : span.kind.startsWith('reasoning') ? 'reasoning' : 'text'}`}
          />
        ))}
      </svg>
      <span class="dim">
        {formats.plural(times.length, 'delta', 'deltas')} in {formats.duration(streamed)}; longest silence {formats.duration(silence)}
      </span>
    </Fact>
  );
}
