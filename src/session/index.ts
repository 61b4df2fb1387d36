/** The fold of capture records into rows, runs, spans and findings. The same records always give the same session. */
import type { CaptureRecord } from '../capture/types.ts';
import { createConnection, takeBody, takeChunk, takeEnd, takeGap, takeRecorded, takeReplay, takeResponse } from './connection.ts';
import { isJudged, judgeAside } from './fold.ts';
import type { ConnState, Session } from './state.ts';

export { everything, hasChanges, takeChanges } from './changes.ts';
export { createSession, type Session } from './state.ts';

/**
 * Folds one record. Never throws: should decoding or judging fail, that connection is decoded no further and says so. A record of an
 * unknown connection, or one after its end, is counted in `session.ignored`.
 */
export function addRecord(session: Session, record: CaptureRecord): void {
  session.records++;
  const conn = session.conns.get(record.conn);
  if (record.kind === 'request') {
    if (conn) session.ignored++;
    else addConnection(session, record);
    return;
  }
  if (!conn || (conn.end && record.kind !== 'body')) {
    session.ignored++;
    return;
  }
  session.changed.conns.add(conn.id);
  try {
    take(session, conn, record);
  } catch (error) {
    conn.segment = null;
    conn.settled = true;
    session.judged.delete(conn.id);
    conn.failure = `Runlens could not read this connection further: ${(error as Error).message}.`;
  }
}

function addConnection(session: Session, record: Extract<CaptureRecord, { kind: 'request' }>): void {
  const { body, ...request } = record.request;
  const conn = createConnection(record, request);
  session.conns.set(conn.id, conn);
  session.changed.conns.add(conn.id);
  if (body) takeBody(session, conn, body);
}

function take(session: Session, conn: ConnState, record: Exclude<CaptureRecord, { kind: 'request' }>): void {
  switch (record.kind) {
    case 'body':
      takeBody(session, conn, record.body);
      return;
    case 'response':
      takeResponse(conn, record.response);
      return;
    case 'chunk':
      takeChunk(session, conn, record);
      return;
    case 'gap':
      takeGap(session, conn, record.gap);
      return;
    case 'replay':
      takeReplay(session, conn, record.replay);
      return;
    case 'end':
      takeEnd(session, conn, record.end);
      return;
    case 'findings':
      takeRecorded(conn, record);
  }
}

/** The clock, for live sessions only: judges what an open connection owes by now. `now` in ms since the epoch. */
export function tickSession(session: Session, now: number): void {
  for (const id of session.judged) {
    const conn = session.conns.get(id);
    if (conn?.segment && isJudged(conn.segment)) judgeAside(session, conn, conn.segment, { kind: 'tick', time: now });
  }
}
