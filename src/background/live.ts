/** One session as the worker holds it: the fold, its journal, and what is known of its page. Everything here but opening is synchronous. */
import { createJournalWriter, type JournalWriter } from '../browser/journal-write.ts';
import { sizeWords } from '../capture/limits.ts';
import type { CaptureRecord } from '../capture/types.ts';
import { addRecord, createSession, type Session } from '../session/index.ts';
import type { SessionFacts, SessionId } from '../wire/worker-to-panel.ts';
import { checkpointDue, makeCheckpoint, restore, sessionOptions } from './checkpoints.ts';
import type { Environment, Known } from './environment.ts';
import { createRecent, forgetRecent, noteRecent, type Recent } from './recent.ts';

/** What is known of the inspected page and how it is recorded; journaled beside the records. Plain data. */
export interface PageState {
  epoch: string;
  recording: boolean;
  preserve: boolean;
  url: string | null;
  /** The main frame's document, and when it began; a document is known by either. */
  doc: string | null;
  docTime: number | null;
  /** Documents whose log was cleared with their page: what still comes of them is no loss. */
  retired: string[];
  navigations: SessionFacts['navigations'][number][];
  dropped: [what: string, count: number][];
}

export interface Live {
  readonly id: SessionId;
  readonly env: Environment;
  readonly known: Known;
  readonly writer: JournalWriter;
  session: Session;
  page: PageState;
  nextOrdinal: number;
  nextConn: number;
  /** `document/number` of a page's connection → connection id. */
  keys: Map<string, number>;
  /** Last batch of each document. */
  readonly marks: Map<string, number>;
  /** Documents that a port stands for now. */
  readonly present: Set<string>;
  /** Rows there were at the last checkpoint, and whether a connection has ended since. */
  saved: { rows: number; ended: boolean };
  readonly recent: Recent;
  captured: boolean;
  /** Whether our scripts run in the page that is on show, as DevTools last saw it; null while nobody has looked. */
  heard: boolean | null;
  /** A replay is armed in the tab. */
  armed: boolean;
  trouble: string | null;
  /** Something the panel shows of the session's facts changed. */
  factsChanged: boolean;
}

const MOST_RETIRED = 200;
const MOST_NAVIGATIONS = 1_000;

export async function openLive(env: Environment, id: SessionId, known: Known): Promise<Live> {
  const writer = createJournalWriter({ open: () => env.openJournal(id), onTrouble: (sentence) => tellTrouble(live, sentence) });
  const live: Live = {
    id,
    env,
    known,
    writer,
    session: createSession(sessionOptions(known)),
    page: createPageState(env.makeEpoch()),
    nextOrdinal: 0,
    nextConn: 0,
    keys: new Map(),
    marks: new Map(),
    present: new Set(),
    saved: { rows: 0, ended: false },
    recent: createRecent(),
    captured: false,
    heard: null,
    armed: false,
    trouble: null,
    factsChanged: false,
  };
  try {
    await restore(live);
  } catch (error) {
    tellTrouble(live, `What was captured before could not be read (${error instanceof Error ? error.message : String(error)}).`);
  }
  return live;
}

function createPageState(epoch: string): PageState {
  return { epoch, recording: true, preserve: false, url: null, doc: null, docTime: null, retired: [], navigations: [], dropped: [] };
}

/** Journals and folds one record. Not for records of unknown or ended connections: the caller counts those. */
export function take(live: Live, record: CaptureRecord, key?: string): void {
  const conn = live.session.conns.get(record.conn);
  live.writer.add(live.nextOrdinal, record, { ...(key === undefined ? {} : { key }), offset: conn?.bytes ?? 0 });
  live.nextOrdinal++;
  const { leftOut: before } = live.session;
  addRecord(live.session, record);
  if (live.session.leftOut !== before) live.factsChanged = true;
  if (record.kind === 'request') live.nextConn = Math.max(live.nextConn, record.conn + 1);
  if (record.kind === 'end') live.saved.ended = true;
}

/** Takes a chunk unless the session is full; then it is counted, and its connection gets a gap. */
export function takeChunk(live: Live, record: Extract<CaptureRecord, { kind: 'chunk' }>): void {
  if (record.bytes.length === 0) return;
  const most = live.known.limits.tab;
  if (live.session.bytes + record.bytes.length <= most) {
    noteRecent(live.recent, { conn: record.conn, offset: live.session.conns.get(record.conn)?.bytes ?? 0, bytes: record.bytes });
    take(live, record);
    return;
  }
  const why = `the capture of this tab is full (${sizeWords(most)}), what came from here on is only counted`;
  const gaps = live.session.conns.get(record.conn)?.gaps;
  // one gap until something is kept again; how much it lacks is not known yet
  if (gaps?.[gaps.length - 1]?.why !== why) take(live, { kind: 'gap', conn: record.conn, gap: { time: record.came, bytes: 0, chunks: 0, why } });
  drop(live, `bytes past the ${sizeWords(most)} that a tab may hold`, record.bytes.length);
}

/** Counts what was not kept, under a name the panel shows. */
export function drop(live: Live, what: string, count: number): void {
  if (count <= 0) return;
  const entry = live.page.dropped.find(([name]) => name === what);
  if (entry) entry[1] += count;
  else live.page.dropped.push([what, count]);
  pageChanged(live);
}

/** The page state is journaled and the facts are told again. */
export function pageChanged(live: Live): void {
  live.writer.keep(live.page);
  live.factsChanged = true;
}

/** Notes whether our scripts run in the page on show. */
export function hear(live: Live, heard: boolean | null): void {
  if (live.heard === heard) return;
  live.heard = heard;
  live.factsChanged = true;
}

export function tellTrouble(live: Live, sentence: string): void {
  live.trouble = sentence;
  live.factsChanged = true;
}

/** Saves a checkpoint when enough has come since the last one that it costs each event the same. */
export function saveWhenDue(live: Live): void {
  if (!checkpointDue(live)) return;
  live.saved = { rows: live.session.rows.count, ended: false };
  live.writer.checkpoint(() => makeCheckpoint(live));
}

/**
 * Empties the session. Connections still open of `going` documents are carried over: their request and response, a gap in place of
 * what is gone, and whatever comes next. Resolves when the old journal is deleted.
 */
export function clearLive(live: Live, going: (doc: string) => boolean): Promise<void> {
  const before = live.session;
  const keys = new Map([...live.keys].map(([key, conn]) => [conn, key]));
  const removed = live.writer.clear(() => live.env.removeJournal(live.id));
  live.session = createSession(before.options);
  live.page = { ...live.page, epoch: live.env.makeEpoch(), navigations: [], dropped: [] };
  forgetRecent(live.recent);
  live.nextOrdinal = live.nextConn = 0;
  live.keys = new Map();
  live.saved = { rows: 0, ended: false };
  live.trouble = null;
  pageChanged(live);
  for (const [doc, no] of live.marks) live.writer.mark(doc, no);
  for (const old of before.conns.values()) {
    if (old.end || !old.request || !old.document || !going(old.document.doc)) continue;
    const conn = live.nextConn;
    const key = keys.get(old.id);
    if (key === undefined) continue;
    live.keys.set(key, conn);
    take(live, { kind: 'request', conn, carrier: old.carrier, document: old.document, request: { ...old.request, body: { kind: 'unreadable' } } }, key);
    if (old.response) take(live, { kind: 'response', conn, response: old.response });
    if (old.chunks > 0) take(live, { kind: 'gap', conn, gap: { time: live.env.now(), bytes: old.bytes, chunks: old.chunks, why: 'the log was cleared here' } });
  }
  return removed.catch((error: unknown) => tellTrouble(live, `The old journal could not be deleted (${String(error)}).`));
}

/** The main frame went to another document: clears the log, or with preserve log notes the navigation. */
export function navigate(live: Live, to: { doc: string | null; url: string; time: number | null }): void {
  const gone = [...live.marks.keys()].filter((doc) => doc !== to.doc);
  endDocuments(live, (doc) => doc !== to.doc && !live.present.has(doc));
  live.page.url = to.url;
  live.page.doc = to.doc;
  live.page.docTime = to.time;
  if (live.page.preserve) {
    live.page.navigations = [...live.page.navigations, { time: live.env.now(), url: to.url, row: live.session.rows.count }].slice(-MOST_NAVIGATIONS);
    pageChanged(live);
    return;
  }
  for (const doc of gone) live.marks.delete(doc);
  live.page.retired = [...live.page.retired, ...gone].slice(-MOST_RETIRED);
  void clearLive(live, () => false);
}

/** Ends the open connections of documents that went away without telling. */
export function endDocuments(live: Live, gone: (doc: string) => boolean): void {
  const time = live.env.now();
  for (const conn of live.session.conns.values()) {
    if (!conn.end && conn.document && gone(conn.document.doc)) take(live, { kind: 'end', conn: conn.id, end: { time, how: 'navigated' } });
  }
}

/** What the panel is told of the session beside its changes. */
export function factsOf(live: Live): SessionFacts {
  const { recording, preserve, url, navigations, dropped } = live.page;
  const { limits, closed } = live.known;
  return {
    session: live.id,
    recording,
    preserve,
    origin: originOf(url),
    captured: live.captured,
    unheard: live.captured && live.heard === false,
    limits,
    closedTabs: closed,
    dropped: [...dropped, leftOut(live)].flatMap(([what, count]) => (count > 0 ? { what, count } : [])),
    trouble: live.trouble,
    navigations,
  };
}

function leftOut({ session, known }: Live): [what: string, count: number] {
  return [`frames over ${sizeWords(known.limits.frame)} that were not decoded; their bytes are kept`, session.leftOut];
}

/** The origin of an http(s) URL; null for others, which no content script can enter. */
export function originOf(url: string | null): string | null {
  if (!url) return null;
  try {
    const { origin, protocol } = new URL(url);
    return protocol === 'http:' || protocol === 'https:' ? origin : null;
  } catch {
    return null;
  }
}
