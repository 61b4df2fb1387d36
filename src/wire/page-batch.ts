/** What the relay checks of a batch and how its store makes room. Pure; no function throws. */
import {
  FIELDS,
  type PageBatch,
  type PageBody,
  type PageEnd,
  type PageHandOver,
  type PageLost,
  type PageRecordKind,
  type PageRequest,
} from './page-to-relay.ts';

const KINDS: readonly unknown[] = ['request', 'body', 'response', 'chunk', 'end', 'lost', 'replay'] satisfies PageRecordKind[];
const CARRIERS: readonly unknown[] = ['fetch', 'eventsource', 'xhr', 'websocket'] satisfies PageRequest['carrier'][];
const BODIES: readonly unknown[] = ['none', 'text', 'bytes', 'form', 'stream', 'unreadable'] satisfies PageBody['kind'][];
const ENDS: readonly unknown[] = ['complete', 'network-error', 'aborted', 'cancelled', 'closed', 'navigated'] satisfies PageEnd['how'][];

const isText = (value: unknown): value is string => typeof value === 'string';
const isTextOrNone = (value: unknown): boolean => value === undefined || isText(value);
const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0;
const isTime = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value) && value >= 0;

const PAYLOADS: Readonly<Record<PageRecordKind, (p: Record<string, unknown>) => boolean>> = {
  request: (p) => CARRIERS.includes(p['carrier']) && isText(p['url']) && isText(p['method']) && isTextOrNone(p['stack']),
  body: (p) =>
    BODIES.includes(p['kind']) &&
    isTextOrNone(p['text']) &&
    (p['size'] === undefined || isCount(p['size'])) &&
    (p['cut'] === undefined || typeof p['cut'] === 'boolean'),
  response: (p) => isCount(p['status']) && isText(p['statusText']) && isText(p['contentType']) && isText(p['url']),
  end: (p) => ENDS.includes(p['how']) && isTextOrNone(p['message']),
  lost: (p) => isCount(p['bytes']) && isCount(p['chunks']) && isText(p['why']),
  replay: (p) => isText(p['of']) && isText(p['plan']),
  chunk: () => false,
};

/** Bytes of one record of a batch, or -1 where the record is none. */
function recordBytes(meta: readonly unknown[], at: number): number {
  // by index: this runs in the page's own time, once a record, and a slice a record would be garbage
  const conn = meta[at];
  const kind = meta[at + 1];
  const time = meta[at + 2];
  const asked = meta[at + 3];
  const payload = meta[at + 4];
  if (!isCount(conn) || conn === 0 || !KINDS.includes(kind) || !isTime(time) || !isTime(asked)) return -1;
  if (kind === 'chunk') return isCount(payload) ? payload : -1;
  if (typeof payload !== 'object' || payload === null) return -1;
  return PAYLOADS[kind as PageRecordKind](payload as Record<string, unknown>) ? 0 : -1;
}

/** Whether a value is a batch in every field, its chunk lengths adding up to its bytes. Never throws. */
export function isPageBatch(value: unknown): value is PageBatch {
  if (typeof value !== 'object' || value === null) return false;
  const { no, meta, bytes } = value as Partial<Record<keyof PageBatch, unknown>>;
  if (!isCount(no) || no === 0 || !Array.isArray(meta) || meta.length % FIELDS !== 0 || !(bytes instanceof Uint8Array)) return false;
  let left = bytes.byteLength;
  for (let at = 0; at < meta.length; at += FIELDS) {
    const size = recordBytes(meta, at);
    if (size < 0) return false;
    left -= size;
  }
  return left === 0;
}

/** Whether a value is what the hook hands over at pagehide, but for the batches themselves. */
export function isHandOver(value: unknown, token: string): value is PageHandOver {
  if (typeof value !== 'object' || value === null) return false;
  const { token: shown, batches } = value as Partial<Record<keyof PageHandOver, unknown>>;
  return shown === token && Array.isArray(batches);
}

/**
 * The batch without its bytes, for a store that has no room for them: each connection's chunks become one 'lost' record in the
 * place of the first; all else stays. The number stays too, so a receiver that has the whole batch drops this one.
 */
export function withoutBytes(batch: PageBatch, why: string): PageBatch {
  const lost = new Map<unknown, { bytes: number; chunks: number; why: string }>();
  const meta: unknown[] = [];
  for (let at = 0; at < batch.meta.length; at += FIELDS) {
    const [conn, kind, time, asked, payload] = batch.meta.slice(at, at + FIELDS);
    if (kind !== 'chunk') {
      meta.push(conn, kind, time, asked, payload);
      continue;
    }
    let loss = lost.get(conn);
    if (!loss) {
      loss = { bytes: 0, chunks: 0, why };
      lost.set(conn, loss);
      meta.push(conn, 'lost', time, 0, loss);
    }
    loss.bytes += payload as number;
    loss.chunks += 1;
  }
  return { no: batch.no, meta, bytes: new Uint8Array(0) };
}

/** Bytes and characters a batch holds, for caps. */
export function batchSize(batch: PageBatch): number {
  let size = batch.bytes.byteLength;
  for (let at = FIELDS - 1; at < batch.meta.length; at += FIELDS) {
    const payload = batch.meta[at];
    if (typeof payload === 'object' && payload !== null) size += ((payload as PageBody).text ?? '').length + ((payload as PageRequest).stack ?? '').length;
  }
  return size;
}

/** Bytes and chunks that a batch holds or tells as lost: what goes with it when it is dropped. */
export function coveredBy(batch: PageBatch): { bytes: number; chunks: number } {
  let { byteLength: bytes } = batch.bytes;
  let chunks = 0;
  for (let at = 0; at < batch.meta.length; at += FIELDS) {
    if (batch.meta[at + 1] === 'chunk') chunks += 1;
    if (batch.meta[at + 1] !== 'lost') continue;
    const loss = batch.meta[at + FIELDS - 1] as PageLost;
    bytes += loss.bytes;
    chunks += loss.chunks;
  }
  return { bytes, chunks };
}
