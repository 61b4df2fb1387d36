/** Exchanges that the devtools page read from the network log, put into the session. */
import type { CaptureRecord, DocumentInfo } from '../capture/types.ts';
import type { LoggedExchange } from '../wire/devtools-to-worker.ts';
import { drop, type Live, take, takeChunk } from './live.ts';

/** The log names no document: what it tells belongs to the page and goes with it. */
const DOC = 'network-log';

function documentOf(live: Live): DocumentInfo {
  return { doc: DOC, url: live.page.url ?? '', frame: 0, time: live.page.docTime ?? 0 };
}

/** Whether the exchange belongs to a page whose log was cleared with it. */
function isGone(live: Live, first: CaptureRecord | undefined): boolean {
  const { preserve, docTime } = live.page;
  return !preserve && docTime !== null && first?.kind === 'request' && first.request.time < docTime - 1;
}

/** Takes what the session does not have of the exchange yet. */
export function takeLogged(live: Live, { key, records }: LoggedExchange): void {
  const [first] = records;
  const before = live.keys.get(key);
  if (!live.page.recording) {
    drop(live, 'records that came while recording was off', records.length);
    return;
  }
  if (before === undefined && (first?.kind !== 'request' || isGone(live, first))) return;
  const conn = before ?? live.nextConn;
  if (before === undefined) live.keys.set(key, conn);
  for (const record of records) {
    const known = live.session.conns.get(conn);
    if (known?.end) return;
    if (record.kind === 'request') {
      if (!known) take(live, { ...record, conn, document: documentOf(live) }, key);
    } else if (record.kind === 'chunk') takeChunk(live, { ...record, conn });
    else if (record.kind !== 'response' || !known?.response) take(live, { ...record, conn });
  }
}

/** DevTools was closed: what was open is followed no further. */
export function endLogged(live: Live): void {
  const time = live.env.now();
  const why = 'DevTools was closed before it ended';
  for (const { id, end, carrier, document } of live.session.conns.values()) {
    if (end || carrier !== 'network-log' || document?.doc !== DOC) continue;
    take(live, { kind: 'gap', conn: id, gap: { time, bytes: 0, chunks: 0, why } });
    take(live, { kind: 'end', conn: id, end: { time, how: 'aborted', message: why } });
  }
}
