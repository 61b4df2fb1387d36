/** The checker's state: plain, structured-cloneable data that `check` owns and updates. Ids of others are keys of Maps only, so `__proto__` is an id like any other. */
import { RULES } from './catalogue.ts';
import { createShapeState, type ShapeState } from './shape/index.ts';
import type { Known, RunTracking } from './tracking.ts';
import type { CheckerOptions, Finding, RunVerdict, ThreadMemory } from './types.ts';

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
