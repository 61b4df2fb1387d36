/** The checker's state: plain, structured-cloneable data that `check` owns and updates. Ids of others are keys of Maps only, so `__proto__` is an id like any other. */
import { RULES } from './catalogue.ts';
import { createShapeState, type ShapeState } from './shape/index.ts';
import type { CheckerOptions, Finding, ItemForm, ItemKind, RunVerdict, ThreadMemory } from './types.ts';

/** Fragments of an unopened item: none yet; reported or absorbed; the same, with a close among them (M4, M5). */
export type Orphan = 0 | 1 | 2;

/** What a run knows of one id of one kind. It outlives the item's close: reopening, credits and orphans are judged by it. */
export interface Track {
  readonly kind: ItemKind;
  readonly id: string;
  open: boolean;
  form: ItemForm;
  /** Lane of a chunk-built item, null for the parent's. */
  lane: string | null;
  /** Ordinal of the item of its latest opening, -1 before any. */
  item: number;
  /** Whether that item is still open for the reader of the facts. */
  shown: boolean;
  firstAt: number;
  openedAt: number;
  closedAt: number;
  /** M3: closes that second openers are owed. */
  credit: number;
  twinBy: number;
  orphan: Orphan;
  orphanBy: number;
  /** A close came before its opener: the item may stay open once (M5). */
  prepaid: boolean;
  /** Explained (M5), phantom (M8, M9) or chunk-built: left open it is not listed, opened again it is no duplicate. */
  excused: boolean;
  /** Opened under a malformed tag: its owner is unknown. */
  unowned: boolean;
  owner: string | null;
  name: string | null;
  role: string | null;
  parent: string | null;
  /** The same of its latest opening. */
  nowName: string | null;
  nowRole: string | null;
  nowParent: string | null;
  /** Digest of the text since the latest opening, and of all the consumer then holds. */
  hash: number;
  length: number;
  totalHash: number;
  totalLength: number;
  /** What was held from before this run, if it was: judged when the item closes. */
  held: Held | null;
  /** Argument text of an open tool call. */
  text: string;
}

/** A copy the consumer holds. `length` is -1 where the text is unknown. */
export interface Held {
  readonly hash: number;
  readonly length: number;
  /** Position it came from, -1 for a captured request. */
  readonly at: number;
}

/** A message or call as the whole stream knows it. */
export interface Known {
  /** text, reasoning, activity or result for messages; tool for calls. */
  kind: 'text' | 'reasoning' | 'activity' | 'result' | 'tool';
  /** Role of a message, name of a call. */
  role: string | null;
  /** First use, -1 for a captured request. */
  at: number;
  held: Held | null;
  /** Ordinal of the run the held copy was last changed in, -1 for before any. */
  run: number;
  /** Snapshot generation it was last part of: an older one is no longer held. */
  generation: number;
}

export interface OwnerRecord {
  owner: string | null;
  /** Position of the event that made it the owner. */
  at: number;
}

/** Chunk streams of one kind in one lane: the last one that ended, and who absorbs chunks that continue nothing. */
export interface LaneMemory {
  openedAt: number;
  closedAt: number;
  by: number;
  track: Track | null;
}

export interface Wildcards {
  /** Openers without an id (M9). */
  opened: number;
  /** Closes without an id. */
  closed: number;
}

/** Tracking that ends with its run. */
export interface RunTracking {
  readonly ordinal: number;
  /** False in the preamble, before a boundary named the run (M8). */
  named: boolean;
  closed: boolean;
  /** Finding that absorbs what comes after the close (M7), -1 for none. */
  strayBy: number;
  /** Finding on the stream's opening, which absorbs references to things never seen opening. */
  preambleBy: number;
  readonly tracks: Readonly<Record<ItemKind, Map<string, Track>>>;
  /** Open items in order of opening. */
  readonly open: Set<Track>;
  /** Orphans that are shown as items although nothing opened them (M4). */
  readonly adrift: Set<Track>;
  readonly openSteps: Map<string, Track[]>;
  /** Step name → open ones a finish under a wrong owner has forgiven. */
  readonly forgiven: Map<string, number>;
  readonly owners: {
    readonly message: Map<string, OwnerRecord>;
    readonly tool: Map<string, OwnerRecord>;
    readonly activity: Map<string, OwnerRecord>;
    readonly reasoning: Map<string, OwnerRecord>;
    readonly span: Map<string, OwnerRecord>;
  };
  /** Lane → its open chunk-built item. */
  readonly lanes: Map<string | null, Track>;
  readonly laneMemory: Map<string, LaneMemory>;
  /** Lanes whose stream the reference client will close a second time and reject. */
  readonly referenceTraps: Set<string | null>;
  readonly wild: Readonly<Record<ItemKind, Wildcards>>;
  /** M2: rule and subject → finding. */
  readonly reported: Map<string, number>;
  /** subagentRunId → first event tagged with it. */
  readonly firstTagged: Map<string, number>;
  readonly suspended: { readonly id: string; readonly at: number; readonly interruptIds: readonly string[] | null }[];
  readonly answered: Set<string>;
  /** Names of the tools the run's input advertised, when known. */
  tools: readonly string[] | null;
  /** Position of its RUN_STARTED, -1 without one. */
  startedAt: number;
  /** Something for a user to see came (`run-without-content`), and the changes of the state document before it began. */
  delivered: boolean;
  readonly changesBefore: number;
}

export interface CutRun {
  readonly ordinal: number;
  readonly by: number;
}

/** A private document that patches are judged on. `shared` until it is first changed: the value still belongs to its event. */
export interface PatchedDocument {
  value: unknown;
  shared: boolean;
  known: boolean;
  /** Position of the event that set the baseline, -1 for a request. */
  at: number;
  /** M10: finding that absorbs further failures, -1 for none; and whether it was of a malformed patch. */
  hold: number;
  heldMalformed: boolean;
  /** Counts changes, for `run-without-content`. */
  changes: number;
}

export interface PendingInterrupt {
  readonly id: string;
  readonly expires: number | null;
}

/** How the latest run of a thread ended, as far as the next request has to mind it. */
export interface ThreadRecord {
  readonly runId: string | null;
  readonly ended: boolean;
  readonly interrupts: readonly PendingInterrupt[] | null;
  /** Calls left for the client to answer. */
  readonly pending: readonly { readonly id: string; readonly at: number }[];
  /** Position of its RUN_FINISHED on this connection, -1 on another. */
  readonly at: number;
}

export interface RequestFacts {
  readonly threadId: string | null;
  readonly runId: string | null;
  readonly toolNames: readonly string[] | null;
  readonly connect: boolean;
}

export interface CheckerState {
  readonly off: Set<string>;
  readonly schema: boolean;
  readonly fromStart: boolean;
  readonly framingHidden: boolean;
  /** The caller's memory across connections. */
  readonly threads: ThreadMemory | null;
  readonly shape: ShapeState;
  at: number;
  items: number;
  ended: boolean;
  readonly findings: Finding[];
  readonly runs: RunVerdict[];
  /** Tracking of the current or last run. */
  run: RunTracking | null;
  stopsAt: number | null;
  referenceStopsAt: number | null;
  /** Whether the reference client has seen its first event, and whether it dropped one before. */
  referenceStarted: boolean;
  referenceDropped: boolean;
  /** M2 for findings that belong to no run or to the whole stream. */
  readonly reported: Map<string, number>;
  readonly cut: Map<string, CutRun>;
  /** Kind and key of items whose fragments later runs may still bring → the finding that absorbs them (M6). Opening the item ends it. */
  readonly abandoned: Map<string, number>;
  abandonedLanes: { readonly key: string; readonly by: number }[];
  /** thread and run id → RUN_STARTED of the latest closed run of that name. */
  readonly runIds: Map<string, number>;
  thread: { readonly id: string; readonly at: number } | null;
  readonly messages: Map<string, Known>;
  readonly calls: Map<string, Known>;
  generation: number;
  /** Whether a request, an echo or a snapshot has told the history. */
  historyKnown: boolean;
  readonly document: PatchedDocument;
  readonly activities: Map<string, PatchedDocument>;
  request: RequestFacts | null;
  readonly here: Map<string, ThreadRecord>;
  version: { readonly value: string; readonly at: number } | null;
  readonly wire: WireState;
}

/** What the transport rules remember. Times in ms since the epoch. */
export interface WireState {
  status: number;
  start: number;
  last: number;
  frame: number;
  frames: number;
  lostFrames: number;
  badFrameBy: number;
  unterminated: { readonly frame: number; readonly at: number } | null;
  terminalAt: number;
  terminalTime: number;
  leftOpenTold: boolean;
  /** Frames per 10 ms of the last 110 ms: bucket numbers and counts. */
  readonly buckets: number[];
  readonly counts: number[];
}

/** An empty document; unknown unless told otherwise. */
export function createDocument(value: unknown, known: boolean, at: number): PatchedDocument {
  return { value, shared: true, known, at, hold: -1, heldMalformed: false, changes: 0 };
}

function createWire(): WireState {
  return {
    status: 0,
    start: -1,
    last: -1,
    frame: -1,
    frames: 0,
    lostFrames: 0,
    badFrameBy: -1,
    unterminated: null,
    terminalAt: -1,
    terminalTime: -1,
    leftOpenTold: false,
    buckets: new Array<number>(11).fill(-1),
    counts: new Array<number>(11).fill(0),
  };
}

/** A fresh state for one connection. `options.threads` is kept by reference and written to. */
export function createChecker(options: CheckerOptions = {}): CheckerState {
  const off = new Set<string>();
  for (const rule of RULES) {
    const on = options.rules !== undefined && Object.hasOwn(options.rules, rule.id) ? options.rules[rule.id] : rule.off === undefined;
    if (on !== true) off.add(rule.id);
  }
  return {
    off,
    schema: options.schema !== false,
    fromStart: options.fromStart !== false,
    framingHidden: options.framingHidden === true,
    threads: options.threads ?? null,
    shape: createShapeState(),
    at: 0,
    items: 0,
    ended: false,
    findings: [],
    runs: [],
    run: null,
    stopsAt: null,
    referenceStopsAt: null,
    referenceStarted: false,
    referenceDropped: false,
    reported: new Map(),
    cut: new Map(),
    abandoned: new Map(),
    abandonedLanes: [],
    runIds: new Map(),
    thread: null,
    messages: new Map(),
    calls: new Map(),
    generation: 0,
    historyKnown: false,
    document: createDocument(undefined, false, -1),
    activities: new Map(),
    request: null,
    here: new Map(),
    version: null,
    wire: createWire(),
  };
}

const KINDS: readonly ItemKind[] = ['text', 'tool', 'reasoning-span', 'reasoning', 'step', 'subagent'];

function perKind<T>(make: () => T): Record<ItemKind, T> {
  return Object.fromEntries(KINDS.map((kind) => [kind, make()])) as Record<ItemKind, T>;
}

/** Tracking for a run that begins with nothing open. */
export function createTracking(ordinal: number, startedAt: number, changesBefore: number): RunTracking {
  return {
    ordinal,
    named: startedAt >= 0,
    closed: false,
    strayBy: -1,
    preambleBy: -1,
    tracks: perKind(() => new Map<string, Track>()),
    open: new Set(),
    adrift: new Set(),
    openSteps: new Map(),
    forgiven: new Map(),
    owners: { message: new Map(), tool: new Map(), activity: new Map(), reasoning: new Map(), span: new Map() },
    lanes: new Map(),
    laneMemory: new Map(),
    referenceTraps: new Set(),
    wild: perKind(() => ({ opened: 0, closed: 0 })),
    reported: new Map(),
    firstTagged: new Map(),
    suspended: [],
    answered: new Set(),
    tools: null,
    startedAt,
    delivered: false,
    changesBefore,
  };
}

/** A track for an id that was not met before in this run. */
export function createTrack(kind: ItemKind, id: string): Track {
  return {
    kind,
    id,
    open: false,
    form: 'explicit',
    lane: null,
    item: -1,
    shown: false,
    firstAt: -1,
    openedAt: -1,
    closedAt: -1,
    credit: 0,
    twinBy: -1,
    orphan: 0,
    orphanBy: -1,
    prepaid: false,
    excused: false,
    unowned: false,
    owner: null,
    name: null,
    role: null,
    parent: null,
    nowName: null,
    nowRole: null,
    nowParent: null,
    hash: 0,
    length: 0,
    totalHash: 0,
    totalLength: 0,
    held: null,
    text: '',
  };
}
