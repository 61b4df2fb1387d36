/** A worker without a browser for tests: fake ports, a hand-turned clock, IndexedDB in memory. Import `fake-indexeddb/auto` first. */
import { deleteJournal, hasJournal } from '../browser/journal-db.ts';
import { createJournalHandles } from '../browser/journal-open.ts';
import { DEFAULT_LIMITS } from '../capture/limits.ts';
import type { CaptureRecord } from '../capture/types.ts';
import { createColumns } from '../session/columns.ts';
import { addRecord, createSession, everything } from '../session/index.ts';
import { goodRun } from '../session/testkit.ts';
import type { SessionChanges } from '../session/types.ts';
import { type PackedRows, unpackRows } from '../wire/packed-rows.ts';
import type { PageBatch } from '../wire/page-to-relay.ts';
import type { RelayAck, RelayMessage } from '../wire/relay-to-worker.ts';
import { type Command, DEVTOOLS_PORT, PANEL_PORT, type SessionFacts, type ToPanel } from '../wire/worker-to-panel.ts';
import { serveDevtools } from './devtools-port.ts';
import type { Environment, Known, Port } from './environment.ts';
import { servePanel } from './panel-port.ts';
import { serveRelay } from './relay-port.ts';
import { createSessions, type Sessions } from './sessions.ts';

export interface FakePort extends Port {
  readonly sent: unknown[];
  readonly closed: () => boolean;
  /** What the other end does. */
  readonly deliver: (message: unknown) => void;
  readonly hangUp: () => void;
}

export function createPort(name: string, sender: Port['sender'] = {}): FakePort {
  const sent: unknown[] = [];
  const onMessage: ((message: unknown) => void)[] = [];
  const onDisconnect: (() => void)[] = [];
  let closed = false;
  return {
    name,
    sender,
    sent,
    closed: () => closed,
    postMessage: (message) => {
      if (closed) throw new Error('Attempting to use a disconnected port object');
      sent.push(structuredClone(message));
    },
    disconnect: () => {
      closed = true;
    },
    onMessage: { addListener: (listener) => void onMessage.push(listener) },
    onDisconnect: { addListener: (listener) => void onDisconnect.push(listener) },
    deliver: (message) => {
      for (const listener of onMessage) listener(structuredClone(message));
    },
    hangUp: () => {
      closed = true;
      for (const listener of onDisconnect) listener();
    },
  };
}

/** What outlives a worker: the disk, the settings, the clock. */
export interface World {
  readonly browserSession: string;
  /** Of the extension; another one is an update. */
  version: string;
  known: Known;
  now: number;
  readonly badges: Map<number, number>;
  /** Whether other origins than localhost are captured, and the page's. */
  captured: boolean;
  isPrivate: boolean;
  /** Makes the next so many openings of a journal fail. */
  refusals: number;
  /** While set, no journal opens. */
  stall: Promise<void> | null;
}

export function createWorld(browserSession: string): World {
  return {
    browserSession,
    version: '1.0.0',
    known: { rules: {}, limits: DEFAULT_LIMITS, closed: [] },
    now: 10_000,
    badges: new Map(),
    captured: true,
    isPrivate: false,
    refusals: 0,
    stall: null,
  };
}

export interface Life {
  readonly env: Environment;
  readonly sessions: Sessions;
  /** Lets timers fire until none is left that is due within `ms`, and waits for all that follows. */
  readonly settle: (ms?: number) => Promise<void>;
  /** Lets every timer fire that is set now. */
  readonly fire: () => void;
  readonly relay: (tab?: number, frame?: number, origin?: string) => FakePort;
  readonly devtools: () => FakePort;
  readonly panel: (session?: string) => FakePort;
  readonly command: (panel: FakePort, command: Command) => Promise<Extract<ToPanel, { kind: 'done' }>>;
}

/** One life of a worker. Another one in the same world is the worker after its restart. */
export function startWorker(world: World): Life {
  const timers: { at: number; run: () => void }[] = [];
  const handles = createJournalHandles(async () => world.browserSession);
  let epochs = 0;
  const env: Environment = {
    now: () => world.now,
    after: (ms, run) => void timers.push({ at: world.now + ms, run }),
    version: world.version,
    makeEpoch: () => `epoch-${Math.random()}-${epochs++}`,
    openJournal: async (session) => {
      if (world.refusals-- > 0) throw new Error('no storage');
      await world.stall;
      return handles.open(session);
    },
    removeJournal: async (session) => {
      handles.close(session);
      await deleteJournal(world.browserSession, session);
    },
    isPrivate: world.isPrivate,
    hasJournal: (session) => hasJournal(world.browserSession, session),
    readKnown: async () => ({ ...world.known }),
    saveKnown: async (known) => {
      world.known = { ...known };
    },
    isCaptured: async () => world.captured,
    showBadge: (tab, violations) => void world.badges.set(tab, violations),
  };
  const sessions = createSessions(env);
  const ids = new Set<string>();
  let commands = 0;

  const quiet = async () => {
    for (const id of ids) {
      await sessions.use(id, () => undefined);
      let flushed: Promise<void> = Promise.resolve();
      await sessions.use(id, (live) => {
        flushed = live.writer.flushed();
      });
      await flushed;
    }
    await new Promise((resolve) => setImmediate(resolve));
  };
  const settle = async (ms = 40) => {
    const until = world.now + ms;
    await quiet();
    for (;;) {
      timers.sort((a, b) => a.at - b.at);
      const next = timers[0];
      if (!next || next.at > until) break;
      timers.shift();
      world.now = Math.max(world.now, next.at);
      next.run();
      await quiet();
    }
    world.now = until;
  };

  return {
    env,
    sessions,
    settle,
    fire: () => {
      for (const { run } of timers.splice(0)) run();
    },
    relay: (tab = 1, frame = 0, origin = 'http://localhost:3000') => {
      ids.add(`tab:${tab}`);
      const port = createPort('runlens-relay', { tab: { id: tab }, frameId: frame, origin });
      serveRelay(sessions, port);
      return port;
    },
    devtools: () => {
      ids.add('tab:1');
      const port = createPort(`${DEVTOOLS_PORT}tab:1`);
      serveDevtools(sessions, port);
      return port;
    },
    panel: (session = 'tab:1') => {
      ids.add(session);
      const port = createPort(`${PANEL_PORT}${session}`);
      servePanel(env, sessions, port);
      return port;
    },
    command: async (panel, command) => {
      const id = commands++;
      panel.deliver({ kind: 'command', id, command });
      for (;;) {
        const done = panel.sent.find((message) => (message as ToPanel).kind === 'done' && (message as { id: number }).id === id);
        if (done) return done as Extract<ToPanel, { kind: 'done' }>;
        await settle();
      }
    },
  };
}

/** Capture records as the page's batches, `size` records a batch. Connection numbers of the page count from 1. */
export function batchesOf(records: readonly CaptureRecord[], size = 3): PageBatch[] {
  const batches: PageBatch[] = [];
  for (let at = 0; at < records.length; at += size) batches.push(batchOf(batches.length + 1, records.slice(at, at + size)));
  return batches;
}

function batchOf(no: number, records: readonly CaptureRecord[]): PageBatch {
  const meta: unknown[] = [];
  const bytes: number[] = [];
  for (const record of records) {
    const conn = record.conn + 1;
    if (record.kind === 'request')
      meta.push(conn, 'request', record.request.time, 0, { carrier: record.carrier, url: record.request.url, method: record.request.method });
    else if (record.kind === 'body') meta.push(conn, 'body', 1_000, 0, record.body);
    else if (record.kind === 'response') meta.push(conn, 'response', record.response.time, 0, { statusText: '', url: '', ...record.response, time: undefined });
    else if (record.kind === 'end') meta.push(conn, 'end', record.end.time, 0, { how: record.end.how });
    else if (record.kind === 'chunk') {
      meta.push(conn, 'chunk', record.came, record.asked, record.bytes.length);
      bytes.push(...record.bytes);
    }
  }
  return { no, meta, bytes: Uint8Array.from(bytes) };
}

export const messageOf = (batches: readonly PageBatch[], doc = 'doc', timeOrigin = 900): RelayMessage => ({
  doc,
  url: 'http://localhost:3000/',
  timeOrigin,
  batches,
});

/** What a panel knows after the messages it got: as the panel's own store, by id. */
export function shownBy(panel: FakePort) {
  let resets = 0;
  let facts: SessionFacts | null = null;
  const shown = {
    runs: [] as SessionChanges['runs'][number][],
    spans: [] as unknown[],
    findings: [] as SessionChanges['findings'][number][],
    connections: [] as SessionChanges['connections'][number][],
    rows: 0,
    types: [] as number[],
    epoch: '',
  };
  for (const message of panel.sent as ToPanel[]) {
    if (message.kind === 'reset') {
      resets++;
      facts = message.facts;
      Object.assign(shown, { runs: [], spans: [], findings: [], connections: [], rows: 0, types: [], epoch: message.epoch });
    } else if (message.kind === 'facts') facts = message.facts;
    else if (message.kind === 'update') {
      const { runs, spans, findings, connections, rows } = message.changes;
      for (const run of runs) shown.runs[run.id] = run;
      for (const span of spans) shown.spans[span.id] = span;
      for (const finding of findings) shown.findings[finding.id] = finding;
      for (const conn of connections) shown.connections[conn.id] = conn;
      if (rows && rows.from !== shown.rows) throw new Error(`rows from ${rows.from} after ${shown.rows}`);
      shown.rows += rows?.count ?? 0;
      if (rows) shown.types.push(...typesOf(rows));
    }
  }
  return { ...shown, resets, facts: facts as SessionFacts | null };
}

function typesOf(rows: PackedRows): Iterable<number> {
  const into = createColumns(rows.count);
  unpackRows({ ...rows, from: 0 }, into);
  return into.type.subarray(0, rows.count);
}

/** Bytes of the buffers that packed rows bring along. */
export function weightOf({ columns }: PackedRows): number {
  const buffers = Object.values(columns).map((column) =>
    typeof column === 'number' ? null : column instanceof Float64Array ? column.buffer : column.by.buffer,
  );
  return buffers.reduce((sum, buffer) => sum + (buffer?.byteLength ?? 0), 0);
}

/** A run with one violation: a step finished that was never open. */
export const badRun = (runId: string): object[] => [
  ...goodRun(runId).slice(0, -1),
  { type: 'STEP_FINISHED', stepName: 'nowhere' },
  ...goodRun(runId).slice(-1),
];

/** Numbers up to which a relay's batches were acknowledged, in the order told. */
export const acksOf = (relay: FakePort): number[] => (relay.sent as RelayAck[]).map(({ acked }) => acked);

/** The part of what is shown that does not depend on the made-up document. */
export const verdicts = ({ runs, findings, rows }: { runs: readonly unknown[]; findings: readonly unknown[]; rows: number }) => ({ runs, findings, rows });

/** The verdicts of an undisturbed fold of these records. */
export function undisturbed(records: readonly CaptureRecord[]) {
  const session = createSession();
  for (const record of records) addRecord(session, record);
  const { runs, findings, rows } = everything(session);
  return { runs, findings, rows: rows?.count ?? 0 };
}
