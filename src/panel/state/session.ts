/** One session as the panel shows it: its store, the shared selection, and what is derived from both. The live tab is one, each imported file another. */
import { batch, computed, effect, type ReadonlySignal, type Signal, signal, untracked } from '@preact/signals';
import type { RequestBody } from '../../capture/types.ts';
import type { Severity } from '../../checker/types.ts';
import type { Redacted } from '../../export/index.ts';
import type { FindingView } from '../../runs/types.ts';
import { bounds } from '../../timeline/times.ts';
import type { TimelineModel } from '../../timeline/types.ts';
import type { SessionId } from '../../wire/worker-to-panel.ts';
import { bandsOf, keyOfBands } from './bands.ts';
import { type Bodies, createBodies } from './bodies.ts';
import { createDesk, type Desk } from './desk.ts';
import { acceptsOf, isRun } from './filter.ts';
import { type FilterWords, parseFilter } from './filter-words.ts';
import { shownFindings, sortedFindings } from './findings.ts';
import type { PanelLink, Platform } from './link.ts';
import { createList, type EventList, extendList } from './list.ts';
import { createRecentBytes } from './recent.ts';
import { createRequestBodies } from './request-bodies.ts';
import { createSearch, runSearch, type Search } from './search.ts';
import { NOTHING, type Selection } from './selection.ts';
import type { SettingsStore } from './settings.ts';
import { createStore, deltasOf, isContent, type Store, settle, takeMessage } from './store.ts';

/** How long what was sent again may take before it is shown unfinished, ms. */
const PATIENCE = 1500;

export interface PanelSession {
  readonly id: SessionId;
  /** Name of the imported file, null for the live tab. */
  readonly file: string | null;
  /** What the file says was taken out of it; null for a whole one. */
  readonly redacted: Signal<Redacted | null>;
  readonly link: PanelLink;
  readonly store: Store;
  readonly bodies: Bodies;
  readonly selection: Signal<Selection>;
  readonly moment: Signal<number | null>;
  readonly follow: Signal<boolean>;
  /** Rows there were when following stopped: what came since is new. */
  readonly seen: Signal<number>;
  readonly unfolded: Signal<ReadonlySet<number>>;
  /** The filter line, read. */
  readonly words: ReadonlySignal<FilterWords>;
  /** The run the filter names: -1 where this capture has none of that name. */
  readonly onlyRun: ReadonlySignal<number | null>;
  readonly desk: Desk;
  readonly search: Signal<Search | null>;
  readonly list: ReadonlySignal<{ readonly list: EventList; readonly items: number }>;
  readonly model: ReadonlySignal<TimelineModel>;
  /** When the capture began: the zero of every relative time. */
  readonly zero: ReadonlySignal<number>;
  /** Findings in order of place. */
  readonly findings: ReadonlySignal<readonly FindingView[]>;
  /** The mildest severity that is shown. */
  readonly least: ReadonlySignal<Severity>;
  /** The connection the reader looks at. */
  readonly focusConn: ReadonlySignal<number | null>;
  readonly select: (selection: Selection) => void;
  readonly read: (conn: number, offset: number, length: number) => Promise<Uint8Array | null>;
  readonly requestBody: (conn: number) => Promise<RequestBody | null>;
  readonly dispose: () => void;
}

/** The row a selection stands on, or null. */
export function rowOf(store: Store, selection: Selection): number | null {
  switch (selection.kind) {
    case 'row':
      return selection.row;
    case 'span':
      return store.spans[selection.id]?.firstRow ?? null;
    case 'run':
      return store.runs[selection.id]?.firstRow ?? null;
    case 'finding':
      return store.findings[selection.id]?.row ?? null;
    default:
      return null;
  }
}

/** The run a selection belongs to, or null. */
export function runOf(store: Store, selection: Selection): number | null {
  if (selection.kind === 'run') return selection.id;
  if (selection.kind === 'span') return store.spans[selection.id]?.run ?? null;
  if (selection.kind === 'finding') return store.findings[selection.id]?.run ?? null;
  if (selection.kind === 'row') return (store.columns.run[selection.row] ?? -1) >= 0 ? store.columns.run[selection.row]! : null;
  if (selection.kind === 'connection') return store.runs.find((run) => run?.conn === selection.id)?.id ?? null;
  return null;
}

function connOf(store: Store, selection: Selection): number | null {
  if (selection.kind === 'connection') return selection.id;
  if (selection.kind === 'row') return selection.row < store.columns.count ? store.columns.conn[selection.row]! : null;
  if (selection.kind === 'finding') return store.findings[selection.id]?.conn ?? null;
  const run = runOf(store, selection);
  return run === null ? null : (store.runs[run]?.conn ?? null);
}

/** The instant a selection stands for: of what lasts, its end, so that State and Messages show what it led to; null while it lasts. */
function momentOf(store: Store, selection: Selection): number | null {
  if (selection.kind === 'span') return store.spans[selection.id]?.end ?? null;
  if (selection.kind === 'run') return store.runs[selection.id]?.end ?? null;
  if (selection.kind === 'finding') return store.findings[selection.id]?.time ?? null;
  if (selection.kind === 'row') return selection.row < store.columns.count ? store.columns.time[selection.row]! : null;
  return null;
}

/** Bytes of a connection: from the journal, else from the worker. */
function reader(platform: Platform, link: PanelLink) {
  return async (conn: number, offset: number, length: number): Promise<Uint8Array | null> => {
    const journaled = await platform.readBytes(link.session, conn, offset, length).catch(() => null);
    if (journaled && journaled.length === length) return journaled;
    const answer = await link.send({ name: 'bytes', conn, offset, length });
    return answer instanceof Uint8Array && answer.length === length ? answer : null;
  };
}

function followList(store: Store, inputs: { readonly accepts: () => ((row: number) => boolean) | null; readonly unfolded: Signal<ReadonlySet<number>> }) {
  let cached: EventList | null = null;
  let key = '';
  let epoch = -1;
  return computed(() => {
    store.version.value;
    if (store.epoch.value !== epoch) cached = null;
    epoch = store.epoch.value;
    const [accepts, unfolded] = [inputs.accepts(), inputs.unfolded.value];
    const bands = bandsOf(store);
    const bandKey = keyOfBands(bands);
    const done = cached?.done ?? 0;
    const split = done > store.columns.count || store.touched.some((row) => row < done && isContent(store.columns.type[row]!));
    store.touched.length = 0;
    if (!cached || split || cached.accepts !== accepts || cached.unfolded !== unfolded || bandKey !== key)
      cached = createList({ accepts, unfolded, bands, isContent });
    else cached = { ...cached, bands };
    key = bandKey;
    extendList(cached, store.columns);
    return { list: cached, items: cached.kind.length };
  });
}

function timelineModel(store: Store, least: ReadonlySignal<Severity>): ReadonlySignal<TimelineModel> {
  const findings = shownFindings(store, least);
  return computed(() => {
    store.version.value;
    return {
      runs: store.runs,
      spans: store.spans,
      ticks: store.ticks,
      findings: findings.value,
      connections: store.connections.map(({ id, request, stopsAtRow, referenceStopsAtRow, resumes, replay }) => ({
        id,
        url: request?.url ?? '',
        stopsAtRow,
        referenceStopsAtRow,
        resumes,
        replay: replay ?? null,
      })),
      timeOfRow: (row: number) => store.columns.time[row] ?? 0,
      deltasOf: (span: number) => deltasOf(store, span),
      now: store.now,
    };
  });
}

/** The timeline's zero; before there are runs, the first request. */
function zeroOf(store: Store, model: TimelineModel): number {
  if (model.runs.length > 0) return bounds(model).from;
  return store.connections.reduce((zero, one) => Math.min(zero, one?.request?.time ?? one?.response?.time ?? zero), store.now);
}

/** Connects to a session and keeps everything derived from it up to date. */
export function createPanelSession(
  platform: Platform,
  settings: SettingsStore,
  id: SessionId,
  file: string | null,
  schedule?: (bump: () => void) => void,
): PanelSession {
  const link = platform.connect(id);
  const store = createStore(schedule);
  const read = reader(platform, link);
  const requests = createRequestBodies(store, link);
  const recent = createRecentBytes();
  const bodies = createBodies({ columns: () => store.columns, connection: (conn) => store.connections[conn], read, recent: recent.read });
  const selection = signal<Selection>(NOTHING);
  const moment = signal<number | null>(null);
  const follow = signal(true);
  const seen = signal(0);
  const unfolded = signal<ReadonlySet<number>>(new Set());
  const desk = createDesk();
  const search = signal<Search | null>(null);
  const hits = signal(0);
  const line = computed(() => settings.value.value.filter);
  const words = computed(() => parseFilter(line.value));
  const text = computed(() => words.value.text);
  const hidden = computed(() => settings.value.value.hidden.join(' '));
  const least = computed(() => settings.value.value.least);

  link.onMessage((message) => {
    if (message.kind === 'reset' && message.epoch === store.origin && store.columns.count > 0) setTimeout(() => settle(store), PATIENCE);
    else if (message.kind === 'reset') {
      batch(() => {
        selection.value = NOTHING;
        moment.value = null;
        follow.value = true;
        unfolded.value = new Set();
        desk.clear();
      });
    }
    if (message.kind === 'update' && message.recent) recent.take(message.recent);
    takeMessage(store, message);
    if ((store.next ?? store).torn) link.renew();
  });

  const stopClearing = store.epoch.subscribe(() => {
    recent.clear();
    bodies.clear();
    requests.clear();
  });
  const stopRetrying = link.connected.subscribe((on) => {
    if (on) untracked(() => bodies.retry());
  });
  const accepts = computed(() => {
    store.epoch.value;
    hits.value;
    const found = search.value;
    return acceptsOf(store, {
      ...words.value,
      hidden: new Set(hidden.value.split(' ').filter(Boolean)),
      least: least.value,
      inPayload: (row) => found !== null && found.hits[row] === 1,
    });
  });
  const stopSearching = effect(() => {
    store.epoch.value;
    const wanted = text.value;
    const old = search.peek();
    if (old) old.stopped = true;
    search.value = wanted.length >= 2 ? createSearch(wanted) : null;
  });
  const stopScanning = effect(() => {
    store.version.value;
    const current = search.value;
    if (current) untracked(() => void runSearch(current, store.columns, read, () => (hits.value = hits.peek() + 1)));
  });

  const focusConn = computed(() => {
    store.version.value;
    return connOf(store, selection.value) ?? store.runs[store.runs.length - 1]?.conn ?? store.connections[store.connections.length - 1]?.id ?? null;
  });
  const model = timelineModel(store, least);

  return {
    id,
    file,
    redacted: signal<Redacted | null>(null),
    link,
    store,
    bodies,
    selection,
    moment,
    follow,
    seen,
    unfolded,
    words,
    onlyRun: computed(() => {
      store.version.value;
      const { run } = words.value;
      return run === null ? null : (store.runs.find((one) => isRun(one, run))?.id ?? -1);
    }),
    desk,
    search,
    list: followList(store, { accepts: () => accepts.value, unfolded }),
    model,
    zero: computed(() => zeroOf(store, model.value)),
    findings: sortedFindings(store, least),
    least,
    focusConn,
    read,
    select: (next) =>
      batch(() => {
        selection.value = next;
        if (next.kind === 'none') return;
        if (follow.peek()) seen.value = store.columns.count;
        follow.value = false;
        if (next.kind !== 'connection') moment.value = momentOf(store, next);
      }),
    requestBody: requests.of,
    dispose: () => {
      stopSearching();
      stopScanning();
      stopClearing();
      stopRetrying();
      const current = search.peek();
      if (current) current.stopped = true;
      link.close();
    },
  };
}
