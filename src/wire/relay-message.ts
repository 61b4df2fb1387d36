/** What the worker checks of a relay's message. A relay runs in a page's process: nothing it sends is trusted. */
import { isPageBatch } from './page-batch.ts';
import type { PageBatch } from './page-to-relay.ts';
import type { RelayMessage } from './relay-to-worker.ts';

/** A message with its batches judged: those that are none have kept their number only, so that they are acknowledged and not sent again. */
export interface CheckedMessage extends Omit<RelayMessage, 'batches'> {
  readonly batches: readonly (PageBatch | { readonly no: number; readonly malformed: true })[];
}

const LONGEST_DOC = 100;

/** The message in checked parts; null if it is none. Never throws. */
export function checkRelayMessage(value: unknown): CheckedMessage | null {
  if (typeof value !== 'object' || value === null) return null;
  const { doc, url, timeOrigin, batches, lost } = value as Record<string, unknown>;
  if (typeof doc !== 'string' || doc.length > LONGEST_DOC || typeof url !== 'string' || !isNumber(timeOrigin) || !Array.isArray(batches)) return null;
  const loss = lossOf(lost);
  return { doc, url, timeOrigin, batches: batches.flatMap(checkBatch), ...(loss ? { lost: loss } : {}) };
}

function checkBatch(batch: unknown): CheckedMessage['batches'] {
  if (isPageBatch(batch)) return [batch];
  const no = (batch as { no?: unknown } | null)?.no;
  return Number.isSafeInteger(no) && (no as number) > 0 ? [{ no: no as number, malformed: true }] : [];
}

function lossOf(value: unknown): RelayMessage['lost'] | null {
  if (typeof value !== 'object' || value === null) return null;
  const { bytes, chunks, batches } = value as Record<string, unknown>;
  return isNumber(bytes) && isNumber(chunks) && isNumber(batches) ? { bytes, chunks, batches } : null;
}

function isNumber(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value);
}
