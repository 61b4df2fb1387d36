/** What is tracked of the items of a run, and what the whole stream knows of messages and calls. Plain data, as the state it is part of. */
import type { ItemForm, ItemKind } from './types.ts';

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
  readonly openSteps: Map<string, Set<Track>>;
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
  /** The lanes of each kind. */
  readonly lanesOf: Readonly<Record<ItemKind, Set<string | null>>>;
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
    lanesOf: perKind(() => new Set<string | null>()),
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
