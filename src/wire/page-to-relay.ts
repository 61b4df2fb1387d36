/**
 * First leg: the hook in the page hands batches to the relay over a MessagePort, and at pagehide as the data of one synchronous event.
 * The page can forge anything here: the relay checks every field with `isPageBatch` (page-batch.ts) before it passes a batch on.
 */

/**
 * `meta` is flat, FIELDS values a record: connection number (counts from 1 in the document), record kind, time (ms since the epoch),
 * time asked (chunks; else 0), and a payload. For 'chunk' the payload is the byte length; the bytes lie in `bytes`, one after the other.
 */
export interface PageBatch {
  /** Counts from 1 in the document. */
  readonly no: number;
  readonly meta: readonly unknown[];
  readonly bytes: Uint8Array;
}

export const FIELDS = 5;

/** Payloads: request → PageRequest; body → PageBody; response → PageResponse; chunk → byte length; end → PageEnd; lost → PageLost; replay → PageReplay. */
export type PageRecordKind = 'request' | 'body' | 'response' | 'chunk' | 'end' | 'lost' | 'replay';

export interface PageRequest {
  readonly carrier: 'fetch' | 'eventsource' | 'xhr' | 'websocket';
  readonly url: string;
  readonly method: string;
  readonly stack?: string;
}

export interface PageBody {
  readonly kind: 'none' | 'text' | 'bytes' | 'form' | 'stream' | 'unreadable';
  readonly text?: string;
  readonly size?: number;
  readonly cut?: boolean;
}

export interface PageResponse {
  readonly status: number;
  readonly statusText: string;
  readonly contentType: string;
  readonly url: string;
}

export interface PageEnd {
  readonly how: 'complete' | 'network-error' | 'aborted' | 'cancelled' | 'closed' | 'navigated';
  readonly message?: string;
}

/** Records dropped because the relay was not there or a cap was reached. */
export interface PageLost {
  readonly bytes: number;
  readonly chunks: number;
  readonly why: string;
}

/** The answer is not the agent's: what it was made of, in words, and the plan it ran under, as JSON text. Both may be empty. */
export interface PageReplay {
  readonly of: string;
  readonly plan: string;
}

/** The `data` of the offer is a token (a random string); a hand-over at pagehide repeats it, so that a page's forgery is told from the hook's. */
export interface PageHandOver {
  readonly token: string;
  readonly batches: readonly PageBatch[];
}

/** Relay → hook over the port: the number of the newest batch it holds, or this: it will take no more. */
export const RELAY_OFF = -1;

/** Private event names on `window`: the hook's offer (with a port, or at pagehide with data) and the relay's announcement. */
export const OFFER = '\u200brunlens';
export const READY = '\u200brunlens-ready';
