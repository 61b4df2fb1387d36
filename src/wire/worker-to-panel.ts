/** Third leg: panel ↔ worker over a runtime port named PANEL_PORT + session id. The worker pushes what grew, at most thirty times a second; the panel sends commands. */

import type { Limits } from '../capture/limits.ts';
import type { CaptureRecord } from '../capture/types.ts';
import type { SessionChanges } from '../session/types.ts';
import type { PackedRows } from './packed-rows.ts';

/** Session ids: `tab:<tabId>` for a live tab, `file:<uuid>` for an import. */
export type SessionId = string;

export const PANEL_PORT = 'runlens-panel:';
/** The devtools page's port; it pings so that a live session is not torn (design decision 3). */
export const DEVTOOLS_PORT = 'runlens-devtools:';

/** Port by which a panel that ever armed a replay tells the worker whether one is, `{ armed }`; followed by the tab's number. */
export const ARMED_PORT = 'runlens-armed:';

/** Ids of what is registered for a tab that stays armed over a reload: the script in the page's world, and that in the extension's. */
export const heldScripts = (tab: number): [string, string] => [`hold-${tab}`, `hold-${tab}-relay`];

/** A tab that is closed and whose capture is kept a while. Its session is opened by its id, like that of a tab that is there. */
export interface ClosedTab {
  readonly session: SessionId;
  /** The page it showed last. */
  readonly url: string;
  /** ms since the epoch. */
  readonly closed: number;
  readonly runs: number;
  readonly violations: number;
  /** Bytes captured. */
  readonly bytes: number;
}

export interface SessionFacts {
  readonly session: SessionId;
  readonly recording: boolean;
  readonly preserve: boolean;
  /** The inspected page's origin, and whether content scripts run there. */
  readonly origin: string | null;
  readonly captured: boolean;
  /** The page was there before our scripts were: nothing of it is seen until it is loaded anew. Only known while DevTools is open. */
  readonly unheard: boolean;
  readonly limits: Limits;
  /** The last tabs that were closed, newest first. */
  readonly closedTabs: readonly ClosedTab[];
  /** Events dropped by a cap, with the cap's name. */
  readonly dropped: readonly { readonly what: string; readonly count: number }[];
  /** Where the last error of the journal is told, or null. */
  readonly trouble: string | null;
  /** Navigations kept by preserve log. */
  readonly navigations: readonly { readonly time: number; readonly url: string; readonly row: number }[];
}

/** Bytes of a connection's stream, from that offset on. */
export interface Piece {
  readonly conn: number;
  readonly offset: number;
  readonly bytes: Uint8Array;
}

/** Changes as they travel. */
export interface PackedChanges extends Omit<SessionChanges, 'rows'> {
  readonly rows: PackedRows | null;
}

export type ToPanel =
  /** First message on each connect, and after clear: drop everything, then take the updates that follow. `rows` says how many to make room for. */
  | { readonly kind: 'reset'; readonly epoch: string; readonly facts: SessionFacts; readonly rows?: number }
  /**
   * `recent` are the last bytes that came, so that the newest rows need no read of the journal; not all of them, and none for what was
   * there before. With `more` another part follows at once.
   */
  | { readonly kind: 'update'; readonly changes: PackedChanges; readonly now: number; readonly recent?: readonly Piece[]; readonly more?: boolean }
  | { readonly kind: 'facts'; readonly facts: SessionFacts }
  | { readonly kind: 'done'; readonly id: number; readonly error: string | null; readonly value?: unknown };

export type Command =
  | { readonly name: 'clear' }
  | { readonly name: 'record'; readonly on: boolean }
  | { readonly name: 'preserve'; readonly on: boolean }
  /** Bytes not yet in the journal, or a read that failed there. Answer: Uint8Array. */
  | { readonly name: 'bytes'; readonly conn: number; readonly offset: number; readonly length: number }
  /** Request body text of a connection. Answer: RequestBody | null. */
  | { readonly name: 'request-body'; readonly conn: number }
  /** Records of an imported file, in order; `last` closes the import. They go to the session of this port. */
  | { readonly name: 'import'; readonly records: readonly CaptureRecord[]; readonly last: boolean }
  /** Other caps, kept in storage.local; a changed frame size judges every session anew. */
  | { readonly name: 'limits'; readonly limits: Limits }
  /** Deletes what is kept of closed tabs. */
  | { readonly name: 'forget-closed' }
  /** Rules switched on or off, kept in storage.local; every session is judged anew. */
  | { readonly name: 'rules'; readonly rules: Readonly<Record<string, boolean>> };

export type ToWorker = { readonly kind: 'command'; readonly id: number; readonly command: Command } | { readonly kind: 'ping' };
