/**
 * What a file of `rules/` exports: `rule` (its words), `check` and `example`. The name of the file is the id of the rule, the first word
 * of it the family. Three exports and not one object, so that a bundle takes only what it uses: the panel the words, the worker the check.
 */
import type { AgentEvent, EventType } from '../protocol/events.ts';
import type { ExampleStream } from './rule-examples.ts';
import type { CheckerState } from './state.ts';
import type { RunTracking } from './tracking.ts';

/** A value that may be read at any depth and changed at none. */
type ReadOnly<T> =
  T extends ReadonlyMap<infer K, infer V>
    ? ReadonlyMap<K, ReadOnly<V>>
    : T extends ReadonlySet<infer V>
      ? ReadonlySet<ReadOnly<V>>
      : T extends object
        ? { readonly [K in keyof T]: ReadOnly<T[K]> }
        : T;

/** The checker's state as a rule sees it: the event has been applied, `run` is the run it belongs to. */
export type RuleState = ReadOnly<CheckerState> & { readonly run: ReadOnly<RunTracking> };

/** A finding at the event that is judged. */
export interface FileReport {
  /** One plain sentence: what happened, naming ids, and what to do. */
  readonly message: string;
  /** What it is about. A rule speaks once a run and subject; the repeats are counted. */
  readonly subject?: string;
  /** Positions of related events. */
  readonly related?: readonly number[];
}

export interface FileCheck {
  /** The types of event it judges. */
  readonly on: readonly EventType[];
  /** Judges an event that took part in its run: one after the close, or without anything valid in it, never comes here. Must not throw. */
  judge(event: AgentEvent, state: RuleState, report: (told: FileReport) => void): void;
}

/** The smallest bad stream, which gives this rule and no other, and the mended one. */
export interface FileExample {
  readonly note?: string;
  readonly bad: ExampleStream;
  readonly mended: ExampleStream;
}
