/** The journal as the panel reads it, straight from IndexedDB: bodies and exports need no way through the worker. */
import { knownBrowserSessionId } from './browser-session.ts';
import { createJournalReader } from './journal-open.ts';

const reader = createJournalReader(knownBrowserSessionId);

/** `length` bytes of a connection's stream from `offset`; null when the journal does not hold them (yet): ask the worker. */
export const readBytes = reader.readBytes;

/** Everything captured in a session, in its original order. Rejects when there is no journal. */
export const readRecords = reader.readRecords;
