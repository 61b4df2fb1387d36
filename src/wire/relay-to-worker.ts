/** Second leg: relay → worker over a runtime port named RELAY_PORT; batches are kept by the relay until acknowledged. */
import type { PageBatch } from './page-to-relay.ts';

export const RELAY_PORT = 'runlens-relay';

/** Name under which the relay tells the devtools page, in their own world, when the document came on show. */
export const SHOWN = 'runlensShown';

export interface RelayMessage {
  /** Unique per document load; another one when the document comes back from the back/forward cache. */
  readonly doc: string;
  /** The document's URL, and when it came on show (ms since the epoch): performance.timeOrigin, unless it was prerendered or cached. */
  readonly url: string;
  readonly timeOrigin: number;
  /** Batches in order of `no`. */
  readonly batches: readonly PageBatch[];
  /** What the relay's own cap dropped since the last message. */
  readonly lost?: { readonly bytes: number; readonly chunks: number; readonly batches: number };
}

/** Worker → relay: every batch up to `acked` is journaled. */
export interface RelayAck {
  readonly doc: string;
  readonly acked: number;
  /** The origin is not captured any more: the relay is to take no more. */
  readonly off?: boolean;
}

/** Whether a value is an acknowledgement for this document. */
export function isRelayAck(value: unknown, doc: string): value is RelayAck {
  if (typeof value !== 'object' || value === null) return false;
  const ack = value as Partial<Record<keyof RelayAck, unknown>>;
  return ack.doc === doc && typeof ack.acked === 'number';
}
