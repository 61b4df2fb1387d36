/** What the panel knows of one session: columns and whole records, filled by the worker's messages. `version` tells, at most thirty times a second, that something grew. */
import { type Signal, signal } from '@preact/signals';
import { EVENT_TYPES, TYPE_BAD_FRAME, TYPE_UNKNOWN } from '../../protocol/events.ts';
import type { FindingView, RunView, SpanView, TickView } from '../../runs/types.ts';
import type { ConnectionView } from '../../session/types.ts';
import { ROW_HAS_FINDING } from '../../session/types.ts';
import type { PackedChanges, SessionFacts, ToPanel } from '../../wire/worker-to-panel.ts';
import { appendRows, type Columns, createColumns, rowsOfSpan } from './columns.ts';
import { createOfRun, noteSpan, noteTick, type OfRun } from './of-run.ts';

interface Data {
  columns: Columns;
  runs: RunView[];
  spans: SpanView[];
  ticks: TickView[];
  findings: FindingView[];
  connections: ConnectionView[];
  /** Findings that name a row as their place. */
  findingsOfRow: Map<number, number[]>;
  /** Rises when a finding came or changed. */
  findingsStamp: number;
  /** Rows whose fold or mark must be looked at again since this was last emptied. */
  touched: number[];
  /** True when a block of rows did not fit: the link must be opened anew. */
  torn: boolean;
  tickRows: Set<number>;
  ofRun: OfRun;
  deltas: Map<number, { last: number; times: Float64Array }>;
}

import { numbered } from '../words/numbered.ts';

export interface Store extends Data {
  readonly version: Signal<number>;
  /** Changes with each exchange of all data: row numbers of before are void. */
  readonly epoch: Signal<number>;
  readonly facts: Signal<SessionFacts | null>;
  /** The worker's name for what it sends: after a restart it sends the same again. */
  origin: string;
  /** The same data sent again, until there is as much of it as is shown: so that a restart of the worker is not seen. */
  next: Data | null;
  /** Worker's clock at the last update. */
  now: number;
  readonly schedule: (bump: () => void) => void;
  pending: boolean;
  /** When `version` last rose with rows to show, ms as of performance.now(). */
  bumped: number;
}

/** A long capture comes in parts: between them it is drawn this often, ms, because each drawing holds up the rest. */
const STEP = 500;

/** Runs a bump in the next frame, or soon when the panel is hidden and no frame comes. */
function nextFrame(bump: () => void): void {
  let done = false;
  const once = () => {
    if (done) return;
    done = true;
    bump();
  };
  requestAnimationFrame(once);
  setTimeout(once, 150);
}

const blank = (rows?: number): Data => ({
  columns: createColumns(rows),
  runs: [],
  spans: [],
  ticks: [],
  findings: [],
  connections: [],
  findingsOfRow: new Map(),
  findingsStamp: 0,
  touched: [],
  torn: false,
  tickRows: new Set(),
  ofRun: createOfRun(),
  deltas: new Map(),
});

export function createStore(schedule: (bump: () => void) => void = nextFrame): Store {
  return {
    version: signal(0),
    epoch: signal(0),
    facts: signal<SessionFacts | null>(null),
    origin: '',
    next: null,
    now: 0,
    schedule,
    pending: false,
    bumped: Number.NEGATIVE_INFINITY,
    ...blank(),
  };
}

function changed(store: Store): void {
  if (store.pending) return;
  store.pending = true;
  store.schedule(() => {
    store.pending = false;
    // an empty panel does not put off the first rows
    if (store.columns.count > 0) store.bumped = performance.now();
    store.version.value++;
  });
}

function put<T extends { readonly id: number }>(list: T[], items: readonly T[]): void {
  for (const item of items) list[item.id] = item;
}

function takeFindings(store: Data, findings: readonly FindingView[]): void {
  if (findings.length > 0) store.findingsStamp++;
  for (const finding of findings) {
    const known = store.findings[finding.id];
    store.findings[finding.id] = numbered(finding, (row) => store.columns.at[row]);
    if (finding.row === null || known?.row === finding.row) continue;
    const there = store.findingsOfRow.get(finding.row);
    if (there) there.push(finding.id);
    else store.findingsOfRow.set(finding.row, [finding.id]);
    store.touched.push(finding.row);
  }
}

function takeChanges(store: Data, changes: PackedChanges): void {
  put(store.connections, changes.connections);
  put(store.runs, changes.runs);
  for (const span of changes.spans) if (!store.spans[span.id]) noteSpan(store.ofRun, span);
  put(store.spans, changes.spans);
  for (const tick of changes.ticks) {
    if (store.tickRows.has(tick.row)) continue;
    store.tickRows.add(tick.row);
    store.ticks.push(tick);
    noteTick(store.ofRun, tick);
  }
  if (changes.rows && !appendRows(store.columns, changes.rows)) store.torn = true;
  for (const row of changes.marked) {
    if (row >= store.columns.count) continue;
    store.columns.flags[row]! |= ROW_HAS_FINDING;
    store.touched.push(row);
  }
  takeFindings(store, changes.findings);
}

/** Takes one message of the worker. Answers (`done`) are the link's business and change nothing here. */
export function takeMessage(store: Store, message: ToPanel): void {
  if (message.kind === 'reset') {
    store.facts.value = message.facts;
    const again = message.epoch === store.origin && store.columns.count > 0;
    store.origin = message.epoch;
    store.next = again ? blank(message.rows) : null;
    if (!again) exchange(store, blank(message.rows));
  } else if (message.kind === 'facts') {
    store.facts.value = message.facts;
  } else if (message.kind === 'update') {
    store.now = message.now;
    takeChanges(store.next ?? store, message.changes);
    if (store.next && store.next.columns.count >= store.columns.count && store.next.runs.length >= store.runs.length) settle(store);
    if (message.more && performance.now() - store.bumped < STEP) return;
  } else return;
  changed(store);
}

function exchange(store: Store, data: Data): void {
  Object.assign(store, data);
  store.epoch.value++;
}

/** Shows what was sent again, however much of it came. */
export function settle(store: Store): void {
  if (!store.next) return;
  const { next } = store;
  store.next = null;
  exchange(store, next);
  changed(store);
}

/** Type name of a row. */
export function typeOfRow(store: Store, row: number): string {
  const code = store.columns.type[row] ?? TYPE_UNKNOWN;
  if (code === TYPE_BAD_FRAME) return 'BAD FRAME';
  return EVENT_TYPES[code] ?? 'UNKNOWN';
}

/** Times of the content events of a span, ascending; the same array until another comes. */
export function deltasOf(store: Store, span: number): Float64Array {
  const { columns } = store;
  const last = span < columns.lastOfSpan.length ? columns.lastOfSpan[span]! : -1;
  const cached = store.deltas.get(span);
  if (cached && cached.last === last) return cached.times;
  const rows = rowsOfSpan(columns, span).filter((row) => isContent(columns.type[row]!));
  const times = Float64Array.from(rows, (row) => columns.time[row]!);
  store.deltas.set(span, { last, times });
  return times;
}

const CONTENT = new Uint8Array(256);
for (const type of [
  'TEXT_MESSAGE_CONTENT',
  'TEXT_MESSAGE_CHUNK',
  'TOOL_CALL_ARGS',
  'TOOL_CALL_CHUNK',
  'REASONING_MESSAGE_CONTENT',
  'REASONING_MESSAGE_CHUNK',
] as const)
  CONTENT[EVENT_TYPES.indexOf(type)] = 1;

/** Whether a type code is a piece of content of an open item: what the events table folds. */
export function isContent(code: number): boolean {
  return CONTENT[code] === 1;
}

const BEAT = 250;

/** While runs are active the present moves on between messages, so that open bars grow. Answers how to stop. */
export function startClock(store: Store, live: () => boolean, now: () => number = Date.now): () => void {
  const timer = setInterval(() => {
    if (!live() || !store.runs.some((run) => run?.status === 'active')) return;
    store.now = Math.max(store.now, now());
    changed(store);
  }, BEAT);
  return () => clearInterval(timer);
}
