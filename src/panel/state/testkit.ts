/** Rows, sessions and a fake worker for the panel's tests. Used by tests only. */
import { signal } from '@preact/signals';
import { DEFAULT_LIMITS } from '../../capture/limits.ts';
import { EVENT_TYPES, TYPE_BAD_FRAME, TYPE_UNKNOWN } from '../../protocol/events.ts';
import type { FindingView, RunView, SpanView } from '../../runs/types.ts';
import type { ConnectionView, Rows, SessionChanges } from '../../session/types.ts';
import { packRows } from '../../wire/pack-rows.ts';
import type { Command, SessionFacts, ToPanel } from '../../wire/worker-to-panel.ts';
import type { PanelLink, Platform } from './link.ts';

export interface RowSpec {
  readonly type: string;
  readonly span?: number;
  readonly run?: number;
  readonly conn?: number;
  readonly time?: number;
  readonly flags?: number;
  readonly offset?: number;
  readonly length?: number;
}

const codeOf = (type: string): number => {
  if (type === 'BAD') return TYPE_BAD_FRAME;
  const code = (EVENT_TYPES as readonly string[]).indexOf(type);
  return code < 0 ? TYPE_UNKNOWN : code;
};

/** Columns of rows, 10 ms and 10 bytes apart unless told otherwise. */
export function rowsOf(specs: readonly RowSpec[], from = 0): Rows {
  const n = specs.length;
  const of = <T>(pick: (spec: RowSpec, i: number) => T) => specs.map(pick);
  return {
    from,
    count: n,
    time: Float64Array.from(of((spec, i) => spec.time ?? 1000 + (from + i) * 10)),
    type: Uint8Array.from(of((spec) => codeOf(spec.type))),
    conn: Uint32Array.from(of((spec) => spec.conn ?? 0)),
    at: Uint32Array.from(of((_, i) => from + i)),
    frame: Uint32Array.from(of((_, i) => from + i)),
    part: new Uint8Array(n),
    run: Int32Array.from(of((spec) => spec.run ?? 0)),
    span: Int32Array.from(of((spec) => spec.span ?? -1)),
    offset: Float64Array.from(of((spec, i) => spec.offset ?? (from + i) * 10)),
    length: Uint32Array.from(of((spec) => spec.length ?? 10)),
    flags: Uint8Array.from(of((spec) => spec.flags ?? 0)),
  };
}

export const NO_CHANGES: SessionChanges = { connections: [], runs: [], spans: [], ticks: [], findings: [], rows: null, marked: [] };

export const update = ({ rows, ...changes }: Partial<SessionChanges>, now = 5000): ToPanel => ({
  kind: 'update',
  changes: { ...NO_CHANGES, ...changes, rows: rows ? packRows(rows, 0, rows.count, rows.from) : null },
  now,
});

export function runOf(id: number, more: Partial<RunView> = {}): RunView {
  return {
    id,
    conn: 0,
    ordinal: 0,
    runId: `run_${id}`,
    threadId: 'thread',
    parentRunId: null,
    status: 'succeeded',
    ending: 'finished/success',
    endingBefore: null,
    lostWhy: null,
    rejectedRow: null,
    rejectedTime: null,
    afterRejection: false,
    outcomeStripped: false,
    replacedBy: null,
    answersRequest: true,
    firstRow: 0,
    lastRow: 9,
    endedRow: 9,
    requestTime: 990,
    start: 1000,
    end: 1090,
    finishedTime: null,
    firstTextTime: 1020,
    events: 10,
    bytes: 100,
    error: null,
    interrupts: [],
    usage: [],
    hasResult: false,
    findings: { violation: 0, deviation: 0, advice: 0 },
    ...more,
  };
}

export function spanOf(id: number, more: Partial<SpanView> = {}): SpanView {
  return {
    id,
    conn: 0,
    run: 0,
    kind: 'text',
    itemId: `m_${id}`,
    label: `text ${id}`,
    owner: null,
    parent: null,
    form: 'explicit',
    start: 1000,
    end: 1050,
    how: 'closed',
    firstRow: 1,
    lastRow: 5,
    deltas: 3,
    chars: 12,
    contentStart: 1010,
    contentEnd: 1040,
    argsEnd: null,
    resultTime: null,
    resultRow: null,
    ...more,
  };
}

export function findingOf(id: number, more: Partial<FindingView> = {}): FindingView {
  return {
    id,
    conn: 0,
    run: 0,
    rule: 'step-already-open',
    severity: 'violation',
    at: 4,
    related: undefined as never,
    row: 4,
    relatedRows: [1],
    time: 1040,
    span: null,
    message: 'Step “search” was started while it was already open.',
    repeats: 0,
    ...more,
  } as FindingView;
}

export function connectionOf(id: number, more: Partial<ConnectionView> = {}): ConnectionView {
  return {
    id,
    carrier: 'fetch',
    document: null,
    request: { url: 'http://localhost/agent', method: 'POST', time: 990 },
    response: { time: 995, status: 200, contentType: 'text/event-stream' },
    end: { time: 1100, how: 'complete' },
    bytes: 100,
    chunks: 10,
    gaps: [],
    recognised: { as: 'ag-ui' },
    codec: 'sse',
    events: 10,
    stopsAtRow: null,
    referenceStopsAtRow: null,
    failure: null,
    ...more,
  };
}

export const FACTS: SessionFacts = {
  session: 'tab:1',
  recording: true,
  preserve: false,
  origin: 'http://localhost:5173',
  captured: true,
  unheard: false,
  limits: DEFAULT_LIMITS,
  closedTabs: [],
  dropped: [],
  trouble: null,
  navigations: [],
};

export interface FakePlatform {
  readonly platform: Platform;
  readonly sent: { readonly session: string; readonly command: Command }[];
  /** Sends a message to every panel of a session. */
  readonly tell: (message: ToPanel, session?: string) => void;
  /** Bytes that `readBytes` answers from, by connection. */
  readonly bytes: Map<number, Uint8Array>;
}

/** A platform without a browser: what is sent is kept, what the worker says is told by the test. */
export function fakePlatform(answers: (command: Command) => unknown = () => undefined): FakePlatform {
  const sent: FakePlatform['sent'] = [];
  const listeners = new Map<string, ((message: ToPanel) => void)[]>();
  const bytes = new Map<number, Uint8Array>();
  const connect = (session: string): PanelLink => {
    const mine: ((message: ToPanel) => void)[] = [];
    listeners.set(session, mine);
    return {
      session,
      connected: signal(true),
      send: async (command) => {
        sent.push({ session, command });
        return answers(command);
      },
      onMessage: (listener) => void mine.push(listener),
      renew: () => undefined,
      close: () => void mine.splice(0),
    };
  };
  const platform: Platform = {
    session: 'tab:1',
    version: '1.2.3',
    panels: null,
    connect,
    readBytes: async (_session, conn, offset, length) => bytes.get(conn)?.slice(offset, offset + length) ?? null,
    async *readRecords() {},
    save: () => undefined,
    allow: async () => true,
    forbid: async () => true,
    reload: null,
    locale: 'en',
  };
  return {
    platform,
    sent,
    bytes,
    tell: (message, session = 'tab:1') => {
      for (const listener of listeners.get(session) ?? []) listener(message);
    },
  };
}

/** Runs a store's bumps at once. */
export const now = (bump: () => void): void => bump();
