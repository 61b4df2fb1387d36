/** Relays' ports: batches in, acknowledgements out, once what they carried is journaled. */
import type { DocumentInfo } from '../capture/types.ts';
import type { PageBatch } from '../wire/page-to-relay.ts';
import { type CheckedMessage, checkRelayMessage } from '../wire/relay-message.ts';
import type { RelayAck } from '../wire/relay-to-worker.ts';
import type { Port } from './environment.ts';
import { drop, endDocuments, hear, type Live, navigate, originOf, pageChanged, take, takeChunk } from './live.ts';
import { type Sessions, updateCaptured } from './sessions.ts';
import { type PageRecord, recordsOfBatch } from './translate.ts';

/** Serves one relay until its document goes. */
export function serveRelay(sessions: Sessions, port: Port): void {
  const tab = port.sender?.tab?.id;
  const frame = port.sender?.frameId ?? 0;
  if (tab === undefined) {
    port.disconnect();
    return;
  }
  const id = `tab:${tab}`;
  const documents = new Set<string>();
  const origin = port.sender?.origin ?? originOf(port.sender?.url ?? null);
  port.onMessage.addListener((value) => {
    const message = checkRelayMessage(value);
    if (!message) return;
    documents.add(message.doc);
    void sessions.use(id, async (live) => {
      if (!(await isAllowed(live, origin))) {
        acknowledge(port, { doc: message.doc, acked: newestOf(message), off: true });
        return;
      }
      live.present.add(message.doc);
      const page = live.page.url;
      const acked = takeMessage(live, frame, message);
      if (frame === 0 && live.page.doc === message.doc) hear(live, true);
      // the fold never waits for the commit, only the acknowledgement does
      void live.writer.written().then(() => acknowledge(port, { doc: message.doc, acked }));
      if (live.page.url !== page) void sessions.use(id, updateCaptured);
    });
  });
  port.onDisconnect.addListener(() => {
    if (documents.size === 0) return;
    void sessions.use(id, (live) => {
      for (const doc of documents) live.present.delete(doc);
      endDocuments(live, (doc) => documents.has(doc));
    });
  });
}

/** An origin that was taken back keeps its scripts until its pages are loaded anew; nothing is taken from them. An opaque one is its parent's. */
async function isAllowed(live: Live, origin: string | null): Promise<boolean> {
  return originOf(origin) === null || live.env.isCaptured(origin as string);
}

const newestOf = ({ batches }: CheckedMessage): number => batches.reduce((most, { no }) => Math.max(most, no), 0);

function acknowledge(port: Port, ack: RelayAck): void {
  try {
    port.postMessage(ack);
  } catch {
    // the relay is gone or connects anew; then it sends again, and its marks tell what is known
  }
}

/** Folds and journals what a message brings; answers the number up to which its document's batches are known. */
export function takeMessage(live: Live, frame: number, message: CheckedMessage): number {
  const { doc, url, timeOrigin, batches, lost } = message;
  const newest = newestOf(message);
  if (live.page.retired.includes(doc)) return newest;
  if (frame === 0 && !takeMainDocument(live, doc, url, timeOrigin)) return newest;
  if (lost) noteLoss(live, doc, lost);
  const document: DocumentInfo = { doc, url: url.slice(0, 65_536), frame, time: timeOrigin };
  for (const batch of batches) {
    if (batch.no <= (live.marks.get(doc) ?? 0)) continue;
    live.marks.set(doc, batch.no);
    live.writer.mark(doc, batch.no);
    if ('malformed' in batch) drop(live, 'malformed batches', 1);
    else takeBatch(live, document, batch);
  }
  return live.marks.get(doc) ?? newest;
}

/** Notices another document in the main frame. False for one older than the page there is: its log was cleared already. */
function takeMainDocument(live: Live, doc: string, url: string, time: number): boolean {
  const { page } = live;
  if (page.doc === doc) return true;
  if (live.marks.has(doc)) return page.preserve || page.docTime === null;
  const isNoted = page.doc === null && page.docTime !== null && Math.abs(page.docTime - time) < 1;
  if (isNoted || (page.doc === null && page.docTime === null)) {
    page.doc = doc;
    page.docTime = time;
    page.url = url;
    pageChanged(live);
    return true;
  }
  if (page.docTime !== null && time < page.docTime) return page.preserve;
  navigate(live, { doc, url, time });
  return true;
}

/** What the relay dropped belongs to an unknown one of its open connections: each of them has a gap. */
function noteLoss(live: Live, doc: string, lost: NonNullable<CheckedMessage['lost']>): void {
  drop(live, 'batches the page had to drop because the extension did not take them', lost.batches);
  const time = live.env.now();
  for (const conn of live.session.conns.values()) {
    if (conn.end || conn.document?.doc !== doc) continue;
    const why = 'the page had to drop what the extension did not take in time';
    take(live, { kind: 'gap', conn: conn.id, gap: { time, bytes: lost.bytes, chunks: lost.chunks, why } });
  }
}

function takeBatch(live: Live, document: DocumentInfo, batch: PageBatch): void {
  for (const record of recordsOfBatch(batch, document)) {
    const key = `${document.doc}/${record.pageConn}`;
    if (live.page.recording) takeRecord(live, key, record);
    else skipRecord(live, key, record);
  }
}

function takeRecord(live: Live, key: string, { kind, make }: PageRecord): void {
  if (kind === 'request') {
    if (live.keys.has(key)) return;
    const conn = live.nextConn;
    live.keys.set(key, conn);
    take(live, make(conn), key);
    return;
  }
  const conn = live.keys.get(key);
  const known = conn === undefined ? undefined : live.session.conns.get(conn);
  if (!known) {
    drop(live, 'records of exchanges that began before recording or before the log was cleared', 1);
    return;
  }
  if (known.end && kind !== 'body') return;
  const record = make(known.id);
  if (record.kind === 'chunk') takeChunk(live, record);
  else take(live, record);
}

/** While recording is off everything is counted; a connection that goes on has a gap, and its end is kept. */
function skipRecord(live: Live, key: string, { kind, make }: PageRecord): void {
  const conn = live.session.conns.get(live.keys.get(key) ?? -1);
  if (!conn || conn.end) {
    drop(live, 'records that came while recording was off', 1);
    return;
  }
  const record = make(conn.id);
  if (kind === 'end') {
    take(live, record);
    return;
  }
  drop(live, 'records that came while recording was off', 1);
  if (record.kind !== 'chunk' || conn.gaps[conn.gaps.length - 1]?.why === OFF) return;
  take(live, { kind: 'gap', conn: conn.id, gap: { time: record.came, bytes: record.bytes.length, chunks: 1, why: OFF } });
}

const OFF = 'recording was off';
