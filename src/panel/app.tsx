/** The panel's frame: toolbar, timeline, tabs with table, detail pane; and what belongs to no pane: keys, drag and drop, the ticking clock. */
import { useSignal } from '@preact/signals';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { bindKeys } from './keys.ts';
import { usePanel, useSession } from './state/panel.ts';
import { startClock } from './state/store.ts';
import { importFiles, prepareImport } from './state/transfer.ts';
import { BlankOverview, Empty } from './views/empty.tsx';
import { Events } from './views/events.tsx';
import { later } from './views/later.tsx';
import { Menu } from './views/menu.tsx';
import { Notices } from './views/notices.tsx';
import { Pane } from './views/parts.tsx';
import { Runs } from './views/runs.tsx';
import { Splitter } from './views/splitter.tsx';
import { PANEL_ID, Tabs, tabId } from './views/tabs.tsx';
import { TimelinePane } from './views/timeline-pane.tsx';
import { Toolbar } from './views/toolbar.tsx';

const SOON = true;
const Detail = later(() => import('./views/detail.tsx').then((file) => file.Detail), SOON);
const Dialogs = later(() => import('./views/dialogs.tsx').then((file) => file.Dialogs), SOON);
const Findings = later(() => import('./views/findings.tsx').then((file) => file.Findings), SOON);
const Messages = later(() => import('./views/messages.tsx').then((file) => file.Messages));
const State = later(() => import('./views/state.tsx').then((file) => file.State));
const Request = later(() => import('./views/request.tsx').then((file) => file.Request));
const Raw = later(() => import('./views/raw.tsx').then((file) => file.Raw));
const ReplayBanner = later(() => import('./replay/replay-banner.tsx').then((file) => file.ReplayBanner));
/** The same nodes at every draw: what they show they follow themselves. */
const TOOLBAR = (
  <Pane name="Toolbar">
    <Toolbar />
  </Pane>
);
const NOTICES = <Notices />;
const DIALOGS = <Dialogs />;
const MENU = <Menu />;
const VIEWS = { Events, Runs, Findings, Messages, State, Request, Raw } as const;

/** `wide`: stacked, the pane right of the table; `short`: the pane right over the full height; `narrow`: the pane below. */
export type Dock = 'wide' | 'short' | 'narrow';
/** A dock lower than this shows the timeline at its smallest, px. */
const TINY_DOCK = 360;
export const dockOf = (width: number, height: number): Dock => (width < 640 ? 'narrow' : height < 520 ? 'short' : 'wide');

export function App() {
  const panel = usePanel();
  const session = useSession();
  const root = useRef<HTMLDivElement>(null);
  const size = useSignal({ width: 1280, height: 800 });
  useLayoutEffect(() => {
    const box = root.current;
    if (!box) return;
    const measure = () => {
      const { clientWidth: width, clientHeight: height } = box;
      if (width > 0) size.value = { width, height };
    };
    measure();
    const watch = new ResizeObserver(measure);
    watch.observe(box);
    return () => watch.disconnect();
  }, [size]);
  useEffect(() => bindKeys(panel), [panel]);
  useEffect(() => startClock(session.store, () => session.file === null && session.link.connected.peek()), [session]);

  const { width, height } = size.value;
  const dock = dockOf(width, height);
  const over = useSignal(false);
  const onDrop = (event: DragEvent) => {
    over.value = false;
    const files = [...(event.dataTransfer?.files ?? [])];
    if (files.length === 0) return;
    event.preventDefault();
    void importFiles(panel, files);
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: files can be dropped anywhere; the Import button does the same
    <div
      ref={root}
      class={`runlens dock-${dock} ${over.value ? 'drop' : ''}`}
      data-testid="runlens"
      data-state={session.link.connected.value ? 'connected' : 'connecting'}
      data-events={session.store.columns.count}
      data-session={session.id}
      onDragOver={(event) => {
        if (!event.dataTransfer?.types.includes('Files')) return;
        event.preventDefault();
        if (!over.peek()) prepareImport();
        over.value = true;
      }}
      onDragLeave={(event) => {
        if (event.relatedTarget === null) over.value = false;
      }}
      onDrop={onDrop}
    >
      {TOOLBAR}
      {panel.replay.value ? <ReplayBanner /> : null}
      {NOTICES}
      <Main key={session.id} dock={dock} width={width} height={height} />
      {DIALOGS}
      {MENU}
    </div>
  );
}

const clamp = (value: number, least: number, most: number): number => Math.min(Math.max(value, least), Math.max(least, most));

function Main({ dock, width, height }: { dock: Dock; width: number; height: number }) {
  const session = useSession();
  const { settings } = usePanel();
  const { timelineShare, detailWidth, detailShare, tab } = settings.value.value;
  const [content, setContent] = useState(Number.POSITIVE_INFINITY);
  const empty = session.store.columns.count === 0 && session.store.runs.length === 0;
  const detail = session.selection.value.kind !== 'none';
  if (!session.link.connected.value && empty) return <Connecting />;
  if (empty && session.store.connections.length === 0) {
    return (
      <main class="main">
        <BlankOverview />
        <Empty />
      </main>
    );
  }
  const wide = clamp(detailWidth, 260, width - 340);
  const timeline = Math.min(clamp(timelineShare * height, 110, height - (height < TINY_DOCK ? 130 : 180)), Math.max(110, content));
  // streams were seen, but none with events: the tabs are there to tell of them
  const View = empty && tab === 'Events' ? Empty : VIEWS[tab];
  const setTimeline = (px: number) => settings.set({ timelineShare: clamp(px / height, 0.15, 0.85) });
  const upper = empty ? (
    <>
      <BlankOverview />
      <Tabs />
    </>
  ) : (
    <>
      <div class="timeline-box" style={{ height: `${timeline}px` }}>
        <Pane name="Timeline">
          <TimelinePane short={dock === 'short'} tiny={dock === 'short' && height < TINY_DOCK} onHeight={setContent} />
        </Pane>
      </div>
      <Splitter
        label="Height of the timeline"
        flat
        value={timeline}
        min={0.15 * height}
        max={0.85 * height}
        valueText={`${Math.round(timeline)} px`}
        onMove={(px) => setTimeline(settings.value.peek().timelineShare * height + px)}
        onSet={setTimeline}
      />
      <Tabs />
    </>
  );
  const table = (
    <div class="table-box" id={PANEL_ID} role="tabpanel" aria-labelledby={tabId(tab)}>
      <Pane name={tab} key={tab}>
        <View />
      </Pane>
    </div>
  );
  const side = detail && dock !== 'narrow' && (
    <>
      <Splitter
        label="Width of the detail pane"
        flat={false}
        value={wide}
        min={260}
        max={width - 340}
        valueText={`${Math.round(wide)} px`}
        onMove={(px) => settings.set({ detailWidth: clamp(settings.value.peek().detailWidth - px, 260, width - 340) })}
        onSet={(px) => settings.set({ detailWidth: px })}
      />
      <div class="detail-box" style={{ width: `${wide}px` }}>
        <Detail />
      </div>
    </>
  );
  const below = detail && dock === 'narrow' && (
    <>
      <Splitter
        label="Height of the detail pane"
        flat
        value={detailShare * 100}
        min={20}
        max={80}
        valueText={`${Math.round(detailShare * 100)} %`}
        onMove={(px) => settings.set({ detailShare: clamp(settings.value.peek().detailShare - px / (height * 0.55), 0.2, 0.8) })}
        onSet={(percent) => settings.set({ detailShare: percent / 100 })}
      />
      <div class="detail-box" style={{ flexBasis: `${detailShare * 100}%` }}>
        <Detail />
      </div>
    </>
  );
  if (dock === 'short') {
    return (
      <main class="main beside">
        <div class="left">
          {upper}
          <div class="lower">{table}</div>
        </div>
        {side}
      </main>
    );
  }
  return (
    <main class="main">
      {upper}
      <div class="lower">
        {table}
        {side}
        {below}
      </div>
    </main>
  );
}

function Connecting() {
  return (
    <main class="empty">
      <div class="teach one">
        <h2>Connecting to the extension</h2>
        <p class="lead">If this stays: the extension was updated or reloaded. Close DevTools and open it again, then reload the page.</p>
      </div>
    </main>
  );
}
