/** Open journals, one handle a session, opened on demand and again after they were deleted under our hands. */
import type { CaptureRecord } from '../capture/types.ts';
import type { SessionId } from '../wire/worker-to-panel.ts';
import { type JournalDb, openJournalDb } from './journal-db.ts';
import { readBytesFrom, recordsOf } from './journal-read.ts';

export interface JournalHandles {
  readonly open: (session: SessionId) => Promise<JournalDb>;
  /** Closes the handle of a session, if there is one. */
  readonly close: (session: SessionId) => void;
}

/** `browserSession` names the run of the browser whose journals these are. */
export function createJournalHandles(browserSession: () => Promise<string>): JournalHandles {
  const handles = new Map<SessionId, Promise<JournalDb>>();
  return {
    open: (session) => {
      const there = handles.get(session);
      if (there) return there;
      const forget = () => {
        if (handles.get(session) === opened) handles.delete(session);
      };
      const opened = (async () => openJournalDb(await browserSession(), session, forget))();
      handles.set(session, opened);
      opened.catch(forget);
      return opened;
    },
    close: (session) => {
      const there = handles.get(session);
      handles.delete(session);
      there?.then((db) => db.close()).catch(() => undefined);
    },
  };
}

export interface JournalReader {
  /** Null when the journal does not hold these bytes (yet): then the worker is to be asked. */
  readonly readBytes: (session: SessionId, conn: number, offset: number, length: number) => Promise<Uint8Array | null>;
  /** Everything captured in a session, in its original order. */
  readonly readRecords: (session: SessionId) => AsyncGenerator<CaptureRecord>;
}

/** For readers that own no journal. `browserSession` answers null while no journal was ever begun. */
export function createJournalReader(browserSession: () => Promise<string | null>): JournalReader {
  const handles = createJournalHandles(async () => {
    const id = await browserSession();
    if (id === null) throw new Error('Nothing was captured yet.');
    return id;
  });
  return {
    readBytes: async (session, conn, offset, length) => {
      try {
        return await readBytesFrom(await handles.open(session), conn, offset, length);
      } catch {
        handles.close(session);
        return null;
      }
    },
    async *readRecords(session) {
      yield* recordsOf(await handles.open(session));
    },
  };
}
