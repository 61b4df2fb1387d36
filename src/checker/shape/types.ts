/** What the shape stage hands to the checker, and what it remembers of a stream. */
import type { AgentEvent, EventType } from '../../protocol/events.ts';

/** One thing wrong with the form of one event. `subject` is what M2 folds repeats by; `message` is one plain sentence. */
export interface Complaint {
  readonly rule: string;
  readonly subject: string;
  readonly message: string;
}

/** A complaint that was made before on this stream and is not made again: the earlier finding counts it (M2, M11). */
export interface Repeat {
  readonly rule: string;
  readonly subject: string;
}

export interface Shape {
  /**
   * The event with dialect spellings and retired shapes translated and malformed or unknown material removed: what is present is
   * well formed, but a required field may be absent. Null when the value is no event or nothing of it is left.
   */
  readonly event: AgentEvent | null;
  /** Null for what is no event and for unknown types. */
  readonly type: EventType | null;
  /** The field that says which item it is about is missing or malformed: M9, a wildcard. */
  readonly excused: boolean;
  /** In the catalogue's order. */
  readonly complaints: readonly Complaint[];
  readonly repeats?: readonly Repeat[];
}

export type DialectRule = 'version-dialect-type' | 'version-dialect-fields';

/** Memory of one stream. Plain data, updated in place by `classify` and `judge`. */
export interface ShapeState {
  /** The dialect finding made on this stream, if any: afterwards spellings are normalised silently (M11). */
  dialect: DialectRule | null;
  /** `rule subject` of what is reported once a stream. */
  readonly reported: Set<string>;
  /** Ids lent to THINKING_* events, which carry none: the open span's and the open message's. */
  thinkingSpan: string | null;
  thinkingMessage: string | null;
  /** Ids invented so far. */
  invented: number;
}
