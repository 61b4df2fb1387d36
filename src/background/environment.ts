/** What the worker's parts need of the browser, so that they run in tests without one. */
import type { JournalDb } from '../browser/journal-db.ts';
import type { Limits } from '../capture/limits.ts';
import type { ClosedTab, SessionId } from '../wire/worker-to-panel.ts';

export type Rules = Readonly<Record<string, boolean>>;

/** What holds for all sessions; the worker changes it in place. */
export interface Known {
  rules: Rules;
  limits: Limits;
  /** Newest first. */
  closed: readonly ClosedTab[];
}

export interface Environment {
  /** ms since the epoch. */
  readonly now: () => number;
  /** Calls back after `ms`. */
  readonly after: (ms: number, run: () => void) => void;
  /** Version of the extension: what another one saved of its own state is not taken up. */
  readonly version: string;
  /** A name that no capture of this session had before. */
  readonly makeEpoch: () => string;
  readonly openJournal: (session: SessionId) => Promise<JournalDb>;
  /** Closes and deletes a session's journal. */
  readonly removeJournal: (session: SessionId) => Promise<void>;
  /** In private windows nothing may outlive its tab. */
  readonly isPrivate: boolean;
  /** Whether there is a journal of that session. */
  readonly hasJournal: (session: SessionId) => Promise<boolean>;
  readonly readKnown: () => Promise<Known>;
  readonly saveKnown: (known: Known) => Promise<void>;
  /** Whether content scripts run on this origin. */
  readonly isCaptured: (origin: string) => Promise<boolean>;
  /** Shows a tab's number of violations, 0 for none, or that a replay is armed there. */
  readonly showBadge: (tab: number, violations: number, armed: boolean) => void;
}

/** A runtime port, as far as the worker's parts use one. */
export interface Port {
  readonly name: string;
  readonly sender?: { readonly tab?: { readonly id?: number }; readonly frameId?: number; readonly url?: string; readonly origin?: string };
  readonly postMessage: (message: unknown) => void;
  readonly disconnect: () => void;
  readonly onMessage: { readonly addListener: (listener: (message: unknown) => void) => void };
  readonly onDisconnect: { readonly addListener: (listener: () => void) => void };
}
