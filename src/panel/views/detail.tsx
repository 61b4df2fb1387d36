/** The pane beside the table: what the selection is, in full. */
import { TYPE_BAD_FRAME } from '../../protocol/events.ts';
import { kindOfCode } from '../state/filter.ts';
import { useSession } from '../state/panel.ts';
import { NOTHING } from '../state/selection.ts';
import { isShown } from '../state/severity.ts';
import { typeOfRow } from '../state/store.ts';
import { expandChunk } from '../words/expand.ts';
import { numberOf } from '../words/status.ts';
import { ConnectionDetail } from './detail-connection.tsx';
import { FindingDetail } from './detail-finding.tsx';
import { PaneHead } from './detail-parts.tsx';
import { RunDetail } from './detail-run.tsx';
import { SpanDetail } from './detail-span.tsx';
import { EventCard } from './event-card.tsx';
import { FindingIcon, KindIcon } from './icons.tsx';
import { Clock, Pane, RunLink } from './parts.tsx';
import { Scroll } from './row.tsx';
import { useBody } from './use-bodies.ts';

export function Detail() {
  const session = useSession();
  const selection = session.selection.value;
  if (selection.kind === 'none') return null;
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Escape') return;
    event.stopPropagation();
    session.select(NOTHING);
  };
  return (
    <section class="detail" data-testid="detail" data-kind={selection.kind} aria-label="Detail" onKeyDown={onKeyDown}>
      <Pane name="Detail" key={`${selection.kind}${'id' in selection ? selection.id : selection.row}`}>
        <Body />
      </Pane>
    </section>
  );
}

function Body() {
  const session = useSession();
  const { store } = session;
  const selection = session.selection.value;
  switch (selection.kind) {
    case 'finding':
      return store.findings[selection.id] ? <FindingDetail finding={store.findings[selection.id]!} /> : <Gone />;
    case 'run':
      return store.runs[selection.id] ? <RunDetail run={store.runs[selection.id]!} /> : <Gone />;
    case 'span':
      return store.spans[selection.id] ? <SpanDetail span={store.spans[selection.id]!} /> : <Gone />;
    case 'connection':
      return store.connections[selection.id] ? <ConnectionDetail connection={store.connections[selection.id]!} /> : <Gone />;
    case 'row':
      return selection.row < store.columns.count ? <EventDetail row={selection.row} /> : <Gone />;
    default:
      return null;
  }
}

const Gone = () => <p class="pane dim">This is no longer in the capture.</p>;

function EventDetail({ row }: { row: number }) {
  const session = useSession();
  const { store } = session;
  const { columns } = store;
  const [run, span] = [columns.run[row]!, store.spans[columns.span[row]!]];
  const conn = columns.conn[row]!;
  const type = typeOfRow(store, row);
  const findings = (store.findingsOfRow.get(row) ?? []).map((id) => store.findings[id]!).filter(({ severity }) => isShown(severity, session.least.value));
  const bad = columns.type[row] === TYPE_BAD_FRAME;
  return (
    <>
      <PaneHead
        icon={<KindIcon kind={kindOfCode(columns.type[row]!)} size={13} />}
        word={`Event #${numberOf(row)}`}
        code={type}
        copy={{ label: 'Copy event', text: async () => JSON.stringify((await session.bodies.load(row)).value, null, 2) ?? '' }}
      />
      <Scroll cls="pane" label="Event">
        <dl>
          <dt>Time</dt>
          <dd>
            <Clock time={columns.time[row]!} />
          </dd>
          {run >= 0 ? (
            <>
              <dt>Run</dt>
              <dd>
                <RunLink id={run} />
              </dd>
            </>
          ) : null}
          {span ? (
            <>
              <dt>Item</dt>
              <dd>
                <button type="button" class="link" onClick={() => session.select({ kind: 'span', id: span.id })}>
                  <KindIcon kind={span.kind} size={11} /> <bdi>{span.label || span.itemId}</bdi>
                </button>
              </dd>
            </>
          ) : null}
          <Expands row={row} />
          <dt>Stream</dt>
          <dd>
            <button type="button" class="link" onClick={() => session.select({ kind: 'connection', id: conn })}>
              {bad ? `frame ${columns.frame[row]!}` : `position ${columns.at[row]!}`} on stream {conn + 1}
            </button>
          </dd>
          {findings.length > 0 ? (
            <>
              <dt>Found</dt>
              <dd class="lines">
                {findings.map((finding) => (
                  <button type="button" key={finding.id} class="event-line" onClick={() => session.select({ kind: 'finding', id: finding.id })}>
                    <FindingIcon mark={finding.severity} />
                    <code>{finding.rule}</code>
                  </button>
                ))}
              </dd>
            </>
          ) : null}
        </dl>
        <EventCard row={row} />
      </Scroll>
    </>
  );
}

/** What a chunk event stands for, as a client expands it. */
function Expands({ row }: { row: number }) {
  const { store } = useSession();
  const body = useBody(row);
  const expansion = expandChunk(typeOfRow(store, row), body?.value, row, store.spans[store.columns.span[row]!]);
  if (!expansion || body === null) return null;
  return (
    <>
      <dt>Stands for</dt>
      <dd data-testid="expansion">
        {expansion.types.map((type) => (
          <code key={type} class="block">
            {type}
          </code>
        ))}
        {expansion.types.length === 0 && expansion.closes === null ? 'nothing: it carries neither a new id nor a delta' : null}
        {expansion.closes === null ? null : (
          <span class="block dim">
            then <code>{expansion.closes}</code>, which follows of itself
          </span>
        )}
      </dd>
    </>
  );
}
