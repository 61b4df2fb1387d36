/** The checker's vocabulary. `check(state, input)` is a fold: the state is plain, structured-cloneable data that it updates and owns. */
import type { RecordedFinding } from '../capture/types.ts';
import type { AgentEvent, EventType } from '../protocol/events.ts';
import type { FrameFault } from '../stream/types.ts';

export type Severity = 'violation' | 'deviation' | 'advice';
export type Family =
  | 'stream'
  | 'run'
  | 'step'
  | 'text'
  | 'tool'
  | 'reasoning'
  | 'subagent'
  | 'state'
  | 'activity'
  | 'interrupt'
  | 'schema'
  | 'transport'
  | 'version'
  | 'usage';

/** One row of the catalogue. Texts are ours (rules.md); `fix` is one sentence a developer can act on. */
export interface Rule {
  readonly id: string;
  readonly family: Family;
  readonly severity: Severity;
  readonly title: string;
  readonly meaning: string;
  readonly cause: string;
  readonly fix: string;
  /** Absolute link into the protocol's pages, or null where the protocol is silent. */
  readonly spec: string | null;
  /** Whether `@ag-ui/client` 1.0.0 rejects, warns or is silent. */
  readonly reference: 'rejects' | 'warns' | 'silent';
  readonly off?: true;
}

export interface Finding {
  /** Index in the connection's list of findings, in the order they were made. */
  readonly id: number;
  readonly rule: string;
  readonly severity: Severity;
  /** Position among the decoded events of the connection (rules.md §4.15); -1 for the whole response. */
  readonly at: number;
  /** For framing faults: the 0-based frame number. */
  readonly frame?: number;
  /** Positions of related events, ascending, never above `at`. */
  readonly related: readonly number[];
  /** Ordinal of the run on this connection, or null. */
  readonly run: number | null;
  /** One plain sentence: what happened, naming ids; it may end with what to do. */
  readonly message: string;
  /** What the finding is about (M2): an id, step name, field, lane… */
  readonly subject?: string;
  /** Repeats and follow-up events absorbed by this finding (M2, M4, M7, M12). Grows. */
  repeats: number;
}

export type Ending = 'open' | 'finished/success' | 'finished/interrupt' | 'finished/cancelled' | 'error' | 'late-error' | 'cut-off' | 'lost';

/** rules.md §7. */
export type RunStatus = 'active' | 'succeeded' | 'interrupted' | 'cancelled' | 'failed-by-report' | 'failed-late' | 'rejected-by-violation' | 'truncated';

/** How the byte stream ended. */
export type StreamEnd = 'closed' | 'aborted' | 'error' | 'open';

/** Why a run was lost: the producer's clean EOF, a dropped connection, or the consumer's own abort. */
export type LostWhy = 'eof' | 'dropped' | 'consumer-abort';

/** The checker's record of one run on a connection; `ordinal` is its index in order of appearance. */
export interface RunVerdict {
  readonly ordinal: number;
  runId: string | null;
  threadId: string | null;
  parentRunId: string | null;
  ending: Ending;
  /** For `late-error`: the finish it had reported before. */
  endingBefore: Ending | null;
  lostWhy: LostWhy | null;
  /** `at` of the first violation, or null while accepted. */
  rejectedAt: number | null;
  /** An earlier violation on this connection: a conforming client never got here. */
  afterRejection: boolean;
  outcomeStripped: boolean;
  /** For `cut-off`: ordinal of the run that replaced it. */
  replacedBy: number | null;
  firstEvent: number;
  lastEvent: number;
  /** `at` of the event that ended it, or null. */
  endedAt: number | null;
}

export type ItemKind = 'text' | 'tool' | 'reasoning-span' | 'reasoning' | 'step' | 'subagent';
export type ItemForm = 'explicit' | 'chunk';

/** What ended an item. `run-*` and `cut-off`, `lost`: the run ended around it. */
export type ItemEnd = 'closed' | 'lane' | 'run-finished' | 'run-error' | 'cut-off' | 'lost' | 'owner-ended';

/** What an input did, in order. `runs/` builds runs and spans from these and nothing else. Items count from 0 per connection, in order of opening. */
export type Fact =
  | { readonly kind: 'run-opened'; readonly run: number }
  | { readonly kind: 'run-changed'; readonly run: number }
  | {
      readonly kind: 'item-opened';
      readonly item: number;
      readonly itemKind: ItemKind;
      readonly id: string;
      /** stepName, tool name, subagent name; '' where the kind has none. */
      readonly name: string;
      /** subagentRunId of the owner, null for the parent. */
      readonly owner: string | null;
      /** For a subagent: parentSubagentRunId. For a tool call: parentMessageId. */
      readonly parent: string | null;
      readonly run: number;
      readonly form: ItemForm;
      readonly role?: string;
    }
  /** Content for an open item: `delta` is the text it added. */
  | { readonly kind: 'item-grew'; readonly item: number; readonly delta: string }
  /** The result of a tool call (also after its close). */
  | { readonly kind: 'item-answered'; readonly item: number }
  | { readonly kind: 'item-closed'; readonly item: number; readonly how: ItemEnd };

/** What the caller feeds, in order. `time` in ms since the epoch. */
export type CheckerInput =
  /** The captured request's parsed JSON body, first if there is one. `null` when the body is unknown. `url` tells a reconnect from a run. */
  | { readonly kind: 'request'; readonly body: unknown; readonly url?: string; readonly time: number }
  | { readonly kind: 'response'; readonly status: number; readonly contentType: string; readonly time: number }
  /** One decoded JSON value of a frame. `asked` (when the page began to wait) serves `transport-silent-gap`. */
  | { readonly kind: 'event'; readonly value: unknown; readonly frame: number; readonly time: number; readonly asked?: number }
  /** A framing fault. Faults of a frame that still gave values come before its events. `active` events follow as usual. */
  | { readonly kind: 'fault'; readonly fault: FrameFault; readonly frame: number; readonly time: number; readonly text?: string }
  /** The clock, live only: judges `transport-left-open`. */
  | { readonly kind: 'tick'; readonly time: number }
  | { readonly kind: 'end'; readonly end: StreamEnd; readonly time: number }
  /** A finding that a redacted capture brings along, right behind the event it is about: taken as it is, whether its rule is on or off. */
  | { readonly kind: 'recorded'; readonly finding: RecordedFinding; readonly time: number };

/** The result of one input. Arrays are fresh (or a shared frozen empty array): the caller may keep them. */
export interface CheckResult {
  /** Position taken among decoded events, or -1. */
  readonly at: number;
  /** The event after dialect and retired-shape translation; null if the input was no recognised event. */
  readonly event: AgentEvent | null;
  /** Its normalised type; null for unknown types and non-events. */
  readonly type: EventType | null;
  /** Ordinal of the run it belongs to, -1 for none. */
  readonly run: number;
  /** Ordinal of the item it opened, continued, closed or answered, -1 for none. */
  readonly item: number;
  /** After a close (M7): attached to the closed run, not applied. */
  readonly stray: boolean;
  readonly facts: readonly Fact[];
  /** New findings. */
  readonly findings: readonly Finding[];
  /** Ids of earlier findings that absorbed this input. */
  readonly absorbedBy: readonly number[];
}

/** Cross-connection memory of the threads of one session (interrupts to be answered, frontend calls left open). Plain data, owned by the caller. */
export interface ThreadMemory {
  [threadId: string]: unknown;
}

export interface CheckerOptions {
  /** Rule id → on or off, over the catalogue's default. */
  readonly rules?: Readonly<Record<string, boolean>>;
  /** False skips the schema stage (bench only). */
  readonly schema?: boolean;
  /** False when the response was not seen from its first byte: then the opening rules stay silent. Default true. */
  readonly fromStart?: boolean;
  /** True for carriers whose framing the browser has already taken off (EventSource): no transport findings. */
  readonly framingHidden?: boolean;
  readonly threads?: ThreadMemory;
}
/*
 * checker/index.ts exports:
 *   createChecker(options?: CheckerOptions): CheckerState           // CheckerState is defined in checker/state.ts, plain data
 *   check(state: CheckerState, input: CheckerInput): CheckResult    // updates state; never throws
 *   runsOf(state): readonly RunVerdict[]     findingsOf(state): readonly Finding[]
 *   statusOf(run: RunVerdict): RunStatus     stopsAt(state): number | null     referenceStopsAt(state): number | null
 *   RULES: readonly Rule[] (checker/catalogue.ts)     ruleOf(id): Rule
 */
