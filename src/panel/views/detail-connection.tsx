/** A connection in full: what was asked, what answered, how it ended. */
import type { EndHow } from '../../capture/types.ts';
import type { ConnectionView } from '../../session/types.ts';
import { usePanel, useSession } from '../state/panel.ts';
import { replayWords } from '../words/replay.ts';
import { Fact, PaneHead } from './detail-parts.tsx';
import { Icon, StatusIcon } from './icons.tsx';
import { Clock, RunLink } from './parts.tsx';
import { Scroll } from './row.tsx';
import { askReplay } from './run-menu.ts';

const HOW: Readonly<Record<EndHow, string>> = {
  complete: 'complete: the body ended',
  'network-error': 'the connection broke',
  aborted: 'the page aborted it',
  cancelled: 'the page’s reader cancelled it',
  closed: 'the page closed it',
  navigated: 'the page went away',
};

const CARRIER = {
  fetch: 'fetch',
  eventsource: 'EventSource',
  xhr: 'XMLHttpRequest',
  websocket: 'WebSocket',
  'network-log': 'from the network log: no times within',
  file: 'file',
} as const;

export function recognisedWord(connection: ConnectionView): string {
  if (connection.recognised.as === 'ag-ui') return 'AG-UI';
  return connection.recognised.as === 'foreign' ? connection.recognised.name : 'not known yet';
}

export function ConnectionDetail({ connection }: { connection: ConnectionView }) {
  const session = useSession();
  const panel = usePanel();
  const { formats, settings } = panel;
  const { request, response, end } = connection;
  const runs = session.store.runs.filter((run) => run?.conn === connection.id);
  return (
    <>
      <PaneHead
        icon={<Icon name="link" size={14} />}
        word={`Stream ${connection.id + 1}`}
        code={request?.url ?? ''}
        copy={{ label: 'Copy address', text: () => request?.url ?? '' }}
      />
      <Scroll cls="pane" label="Stream">
        <h2 class="url">{request ? `${request.method} ${request.url}` : 'A stream whose request was not seen'}</h2>
        <dl>
          <Fact term="Status">
            {connection.failure ? (
              <>
                <StatusIcon status="failed-by-report" /> {connection.failure}
              </>
            ) : response ? (
              `${response.status} ${response.statusText ?? ''}`
            ) : (
              'no answer yet'
            )}
          </Fact>
          <Fact term="Replayed">{connection.replay ? <span data-testid="replayed-from">{replayWords(connection.replay)}</span> : null}</Fact>
          <Fact term="Carries">{recognisedWord(connection)}</Fact>
          <Fact term="Read by">{CARRIER[connection.carrier]}</Fact>
          <Fact term="Type">{response?.contentType ? <code>{response.contentType}</code> : null}</Fact>
          <Fact term="Asked">{request ? <Clock time={request.time} /> : null}</Fact>
          <Fact term="Answered">{response && request ? `after ${formats.duration(response.time - request.time)}` : null}</Fact>
          <Fact term="Ended">
            {end ? (
              <>
                {HOW[end.how]}, <Clock time={end.time} />
                {end.message ? <span class="quoted">{end.message}</span> : null}
              </>
            ) : (
              'still open'
            )}
          </Fact>
          <Fact term="Received">
            {formats.bytes(connection.bytes)} in {formats.plural(connection.chunks, 'chunk', 'chunks')}, {formats.plural(connection.events, 'event', 'events')}
          </Fact>
          <Fact term="Lost">
            {connection.gaps.length > 0
              ? connection.gaps.map((gap, i) => (
                  <span key={i} class="block">
                    {formats.plural(gap.chunks, 'chunk', 'chunks')}, {formats.bytes(gap.bytes)}: {gap.why}
                  </span>
                ))
              : null}
          </Fact>
          <Fact term="Page">
            {connection.document ? (
              <>
                <bdi>{connection.document.url}</bdi>
                {connection.document.frame > 0 ? ` (frame ${connection.document.frame})` : ''}
              </>
            ) : null}
          </Fact>
          <Fact term="Runs">
            {runs.length > 0
              ? runs.map((run, i) => (
                  <span key={run.id}>
                    {i > 0 ? ', ' : ''}
                    <RunLink id={run.id} />
                  </span>
                ))
              : null}
          </Fact>
        </dl>
        <p class="buttons">
          <button type="button" class="plain" onClick={() => settings.set({ tab: 'Request' })}>
            Request
          </button>
          <button type="button" class="plain" onClick={() => settings.set({ tab: 'Raw' })}>
            Raw frames
          </button>
          {panel.platform.hold ? (
            <button type="button" class="plain" onClick={() => askReplay(panel, session, connection.id)}>
              Answer the next request with this…
            </button>
          ) : null}
        </p>
      </Scroll>
    </>
  );
}
