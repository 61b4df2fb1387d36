/** Runs and spans as the panel draws them: what `runs/` derives from checker facts, numbered per session by `session/`. Times are ms since the epoch. */
import type { Ending, Finding, ItemEnd, ItemForm, LostWhy, RunStatus } from '../checker/types.ts';

export type SpanKind = 'step' | 'text' | 'reasoning' | 'reasoning-span' | 'tool' | 'subagent';

/** A thing with a start and an end on the timeline. */
export interface SpanView {
  /** Counts from 0 within the session. */
  readonly id: number;
  readonly conn: number;
  /** Session run id. */
  readonly run: number;
  readonly kind: SpanKind;
  /** messageId, toolCallId, stepName or subagentRunId. */
  readonly itemId: string;
  /** Step, tool or subagent name; the first 120 characters of a message's text. */
  readonly label: string;
  /** subagentRunId of the owner, null for the parent agent. */
  readonly owner: string | null;
  /** parentSubagentRunId or parentMessageId. */
  readonly parent: string | null;
  readonly form: ItemForm;
  readonly role?: string;
  readonly start: number;
  /** Null while open. */
  readonly end: number | null;
  readonly how: ItemEnd | null;
  /** Session rows of the first and last event. */
  readonly firstRow: number;
  readonly lastRow: number;
  /** Content events and characters so far. */
  readonly deltas: number;
  readonly chars: number;
  /** First and last content delta: the bar is filled between them, hollow where it is open but silent. */
  readonly contentStart: number | null;
  readonly contentEnd: number | null;
  /** Tool calls: when the arguments were complete and when the result came. A span ends at its close; the wait for the result runs to `resultTime`. */
  readonly argsEnd: number | null;
  readonly resultTime: number | null;
  readonly resultRow: number | null;
}

export interface UsageEntry {
  readonly provider?: string;
  readonly model?: string;
  readonly inputTokens?: number;
  readonly outputTokens?: number;
  readonly totalTokens?: number;
}

export interface RunView {
  /** Counts from 0 within the session, in order of appearance. */
  readonly id: number;
  readonly conn: number;
  readonly ordinal: number;
  readonly runId: string | null;
  readonly threadId: string | null;
  readonly parentRunId: string | null;
  readonly status: RunStatus;
  readonly ending: Ending;
  readonly endingBefore: Ending | null;
  readonly lostWhy: LostWhy | null;
  /** Row and time of the violation that rejected it. */
  readonly rejectedRow: number | null;
  readonly rejectedTime: number | null;
  readonly afterRejection: boolean;
  readonly outcomeStripped: boolean;
  readonly replacedBy: number | null;
  /** Whether this run answers the captured request; null when unknown. */
  readonly answersRequest: boolean | null;
  readonly firstRow: number;
  readonly lastRow: number;
  readonly endedRow: number | null;
  /** The request's time, when the run is the first of its connection. */
  readonly requestTime: number | null;
  readonly start: number;
  /** Null while active. */
  readonly end: number | null;
  /** Late RUN_ERROR: when the first finish was. */
  readonly finishedTime: number | null;
  readonly firstTextTime: number | null;
  readonly events: number;
  readonly bytes: number;
  readonly error: { readonly message: string; readonly code: string | null } | null;
  /** Ids, reasons and words of the interrupts it waits for. */
  readonly interrupts: readonly { readonly id: string; readonly reason: string; readonly message?: string; readonly toolCallId?: string }[];
  readonly usage: readonly UsageEntry[];
  readonly hasResult: boolean;
  readonly findings: { readonly violation: number; readonly deviation: number; readonly advice: number };
}

/** A point on the timeline that is no span. */
export interface TickView {
  readonly row: number;
  readonly run: number;
  readonly kind: 'state-snapshot' | 'state-delta' | 'messages' | 'activity' | 'custom' | 'raw' | 'unknown';
  readonly time: number;
  readonly owner: string | null;
}

/** A finding with session numbers in place of the connection's. */
export interface FindingView extends Omit<Finding, 'id' | 'run' | 'related'> {
  readonly id: number;
  readonly conn: number;
  /** Session run id. */
  readonly run: number | null;
  /** Session row of `at`, or null for the whole response. */
  readonly row: number | null;
  readonly relatedRows: readonly number[];
  readonly time: number;
  /** Session span id the finding sits on, or null. */
  readonly span: number | null;
}
