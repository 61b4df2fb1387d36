/** Second leg: relay → worker over a runtime port named RELAY_PORT; batches are kept by the relay until acknowledged. */
import type { PageBatch } from './page-to-relay.ts';

export const RELAY_PORT = 'runlens-relay';

export interface RelayMessage {
  /** Unique per document load. */
  readonly doc: string;
  /** The document's URL and its performance.timeOrigin (ms since the epoch). */
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
}

/** Whether a value is an acknowledgement for this document. */
export function isRelayAck(value: unknown, doc: string): value is RelayAck {
  if (typeof value !== 'object' || value === null) return false;
  const ack = value as Partial<Record<keyof RelayAck, unknown>>;
  return ack.doc === doc && typeof ack.acked === 'number';
}
