/** What stands where nothing was captured yet: what counts, how to begin, how to read the timeline. */
import type { ComponentChildren } from 'preact';
import type { ConnectionView } from '../../session/types.ts';
import { usePanel, useSession } from '../state/panel.ts';
import { ClosedTabs } from './closed-tabs.tsx';
import { recognisedWord } from './detail-connection.tsx';
import { FindingIcon } from './icons.tsx';
import { askToCapture, originName } from './origin.tsx';
import { othersOf } from './others.tsx';
import { pathOf } from './path.ts';
import { ImportButton } from './toolbar.tsx';

/** The overview's place while there is nothing to see over. */
export const BlankOverview = () => (
  <div class="blank-overview">
    <div class="gutter">
      <b>Capture</b>
      <span>no runs yet</span>
    </div>
    <i />
  </div>
);

export function Empty() {
  const session = useSession();
  const facts = session.store.facts.value;
  const origin = facts?.origin ?? null;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must take the focus, or the keyboard cannot read it
    <section class="empty scroll" tabIndex={0} aria-label="Nothing captured yet">
      {session.file !== null ? <NothingInFile /> : origin !== null && facts?.captured === false ? <NotCaptured origin={origin} /> : <NothingYet />}
    </section>
  );
}

function NotCaptured({ origin }: { origin: string }) {
  const panel = usePanel();
  const name = originName(origin);
  return (
    <div class="teach one">
      <h2>{name} is not captured</h2>
      <p class="lead">Runlens reads localhost by default. Every other site waits for your word.</p>
      <button type="button" class="primary" onClick={() => void askToCapture(panel, origin)}>
        Capture {name}
      </button>
      <dl class="facts">
        <dt>Reads</dt>
        <dd>Responses of this origin that can carry AG-UI events, and the requests that asked for them. No headers, no cookies.</dd>
        <dt>Keeps</dt>
        <dd>On this machine, until you clear it or close the browser. Nothing is sent anywhere.</dd>
        <dt>Undo</dt>
        <dd>One click on the origin in the toolbar.</dd>
        <dt>Next</dt>
        <dd>Streams already open are seen from the next request on; a reload of the page makes sure.</dd>
      </dl>
    </div>
  );
}

/** A file without a run, or the panel in a tab of its own, where nothing is live. */
function NothingInFile() {
  const panel = usePanel();
  const session = useSession();
  const isStart = session === panel.live;
  return (
    <div class="teach one">
      <h2>{isStart ? 'Open a capture' : 'No AG-UI run in this file'}</h2>
      <p class="lead">
        {isStart
          ? 'Drop files anywhere here, or choose them. Nothing is sent anywhere.'
          : 'What could be read of it is told above; other files can be opened beside it.'}
      </p>
      <ImportButton text="Choose files" />
      <dl class="facts">
        <dt>Reads</dt>
        <dd>
          Runlens captures; AG-UI events as JSON Lines or a JSON array, also with a recorder’s times; SSE and protobuf bodies; captures of AG-UI DevTools.
        </dd>
        <dt>Packed</dt>
        <dd>Files compressed with gzip are unpacked while they are read.</dd>
        <dt>Several</dt>
        <dd>Each file becomes a session of its own; the list in the toolbar switches between them.</dd>
      </dl>
      <Seen connections={session.store.connections} />
    </div>
  );
}

function NothingYet() {
  const session = useSession();
  const recording = session.store.facts.value?.recording !== false;
  const { connections } = session.store;
  return (
    <div class="teach">
      <h2>{recording ? 'No AG-UI stream yet' : 'Recording is off'}</h2>
      <p class="lead">
        {recording
          ? 'Send a message in your app. A run appears here as soon as its first event arrives.'
          : 'Switch Record on, the first button of the toolbar; what runs meanwhile is not seen.'}
      </p>
      <div class="cols">
        <section>
          <h3>What counts</h3>
          <ul>
            <li>
              Streams read by <code>fetch</code>, <code>EventSource</code>, <code>XMLHttpRequest</code> or <code>WebSocket</code>, in any frame of this page.
            </li>
            <li>Event streams, protobuf, NDJSON and JSON bodies that carry AG-UI events.</li>
            <li>A stream that was open before Runlens came is seen from the next request on.</li>
          </ul>
        </section>
        <section>
          <h3>Try it</h3>
          <p>Start the demo agent and its page:</p>
          <pre class="cmd">npm run demo</pre>
          <p>or open a capture that someone sent you.</p>
          <ImportButton text="Import a capture" />
        </section>
      </div>
      <Seen connections={connections} />
      <RecentlyClosed />
      <Key />
    </div>
  );
}

function RecentlyClosed() {
  const { live } = usePanel();
  if (!live.store.facts.value?.closedTabs.length) return null;
  return (
    <section class="seen">
      <h3>Tabs closed lately</h3>
      <ClosedTabs />
    </section>
  );
}

/** Streams that were seen and are not AG-UI, or failed: the same address once, with how often. */
function Seen({ connections }: { connections: readonly ConnectionView[] }) {
  const session = useSession();
  const { formats } = usePanel();
  const groups = new Map<string, { readonly one: ConnectionView; n: number }>();
  for (const one of othersOf(connections)) {
    const key = `${one.request?.method} ${one.request?.url} ${one.failure ?? recognisedWord(one)}`;
    const there = groups.get(key);
    if (there) there.n++;
    else groups.set(key, { one, n: 1 });
  }
  if (groups.size === 0) return null;
  return (
    <section class="seen">
      <h3>Streams seen on this page that are not AG-UI</h3>
      {[...groups.values()].map(({ one, n }) => (
        <button type="button" key={one.id} class="seen-row" data-testid="seen-row" onClick={() => session.select({ kind: 'connection', id: one.id })}>
          <code class="dim">{one.request?.method ?? ''}</code>
          <code class="path">{pathOf(one.request?.url)}</code>
          <span>{one.failure ?? recognisedWord(one)}</span>
          <span class="r dim">{n === 1 ? 'once' : `${formats.count(n)} times`}</span>
        </button>
      ))}
    </section>
  );
}

const Cell = ({ drawing, children }: { drawing: ComponentChildren; children: ComponentChildren }) => (
  <div class="legend-cell">
    <svg width="92" height="40" aria-hidden="true">
      {drawing}
    </svg>
    <p>{children}</p>
  </div>
);

const Run = ({ children }: { children: ComponentChildren }) => (
  <>
    <rect x="4" y="2" width="76" height="36" class="box" />
    {children}
  </>
);

const Bar = ({ w }: { w: number }) => <rect x="10.5" y="14.5" width={w} height="11" rx="3" class="bar-step" />;
const torn = Array.from({ length: 10 }, (_, i) => `L${80 + (i % 2 ? -3 : 2)} ${2 + i * 4}`).join('');

/** The same shapes as on the timeline, each with one sentence. */
function Key() {
  return (
    <section class="legend" aria-label="Key">
      <h3>How to read the timeline</h3>
      <div class="legend-grid">
        <Cell
          drawing={
            <>
              <rect x="6.5" y="13.5" width="80" height="13" rx="3" class="bar-tool hollow" />
              <path d="M9.5 14H37V26H9.5a2.5 2.5 0 0 1-2.5-2.5V16.5a2.5 2.5 0 0 1 2.5-2.5z" class="bar-tool in" />
              <rect x="84" y="14" width="3" height="12" class="bar-tool cap" />
            </>
          }
        >
          Filled: events arrive. Hollow: open, and silent or waiting.
        </Cell>
        <Cell
          drawing={
            <>
              <defs>
                <pattern id="key-hatch" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
                  <rect width="6" height="6" class="hatch-ground" />
                  <path d="M.5 0V6" class="hatch-line" />
                </pattern>
              </defs>
              <Run>
                <rect x="44" y="2" width="36" height="36" fill="url(#key-hatch)" />
                <Bar w={34} />
                <path d="M44 2V38" class="edge-rejected" />
                <svg x="37" y="13" width="14" height="14" viewBox="0 0 14 14" aria-hidden="true">
                  <FindingIcon mark="violation" size={14} />
                </svg>
              </Run>
            </>
          }
        >
          <b class="st-rejected">Rejected.</b> A rule broke here; a conforming client reads no further.
        </Cell>
        <Cell
          drawing={
            <Run>
              <Bar w={68} />
              <path d="M80.5 2V38" class="edge-failed" />
            </Run>
          }
        >
          <b class="st-failed">Failed.</b> The agent itself reported RUN_ERROR.
        </Cell>
        <Cell
          drawing={
            <Run>
              <Bar w={66} />
              <path d={`M80 2${torn}`} class="edge-truncated" />
            </Run>
          }
        >
          <b class="st-truncated">Truncated.</b> The stream stopped short of an ending.
        </Cell>
        <Cell
          drawing={
            <Run>
              <Bar w={60} />
              <path d="M79 2V38M83 2V38" class="edge-interrupted" />
            </Run>
          }
        >
          <b class="st-interrupted">Interrupted.</b> The run waits for someone.
        </Cell>
        <Cell
          drawing={
            <Run>
              <Bar w={60} />
              <path d="M79 2V38" class="edge-cancelled" />
            </Run>
          }
        >
          <b class="st-cancelled">Cancelled.</b> It was stopped on request.
        </Cell>
      </div>
    </section>
  );
}
