/** Panels' ports: commands in, answers and updates out. */
import { readBytesFrom, readRequestBody } from '../browser/journal-read.ts';
import { parseLimits } from '../capture/limits.ts';
import type { CaptureRecord } from '../capture/types.ts';
import { isToWorker } from '../wire/panel-message.ts';
import { type Command, PANEL_PORT, type SessionId, type ToPanel } from '../wire/worker-to-panel.ts';
import type { Environment, Port } from './environment.ts';
import { clearLive, type Live, pageChanged, take, takeChunk } from './live.ts';
import type { Sessions } from './sessions.ts';

/** How long an imported file stays after its last panel went. */
const FILE_STAYS = 60_000;
const LONGEST_READ = 32 * 1024 * 1024;

function isFile(id: SessionId): boolean {
  return /^file:[\w-]{1,64}$/.test(id);
}

/** Serves one panel until it closes. */
export function servePanel(env: Environment, sessions: Sessions, port: Port): void {
  const id = port.name.slice(PANEL_PORT.length);
  if (!isFile(id) && !/^tab:\d{1,15}$/.test(id)) {
    port.disconnect();
    return;
  }
  const imported = new Map<number, number>();
  void sessions.use(id, (live) => sessions.watchers.add(live, port));
  port.onMessage.addListener((value) => {
    if (!isToWorker(value) || value.kind === 'ping') return;
    void answer(sessions, id, port, value.id, value.command, imported);
  });
  port.onDisconnect.addListener(() => {
    sessions.watchers.remove(id, port);
    if (!isFile(id)) return;
    env.after(FILE_STAYS, () => {
      if (sessions.watchers.count(id) === 0) void sessions.remove(id);
    });
  });
}

async function answer(sessions: Sessions, id: SessionId, port: Port, no: number, command: Command, imported: Map<number, number>): Promise<void> {
  let reply: ToPanel;
  try {
    const value = await run(sessions, id, command, imported);
    reply = { kind: 'done', id: no, error: null, ...(value === undefined ? {} : { value }) };
  } catch (error) {
    reply = { kind: 'done', id: no, error: error instanceof Error ? error.message : String(error) };
  }
  try {
    port.postMessage(reply);
  } catch {
    // the panel is gone
  }
}

async function run(sessions: Sessions, id: SessionId, command: Command, imported: Map<number, number>): Promise<unknown> {
  switch (command.name) {
    case 'clear':
      await withLive(sessions, id, (live) => void clearLive(live, (doc) => live.present.has(doc)));
      return undefined;
    case 'record':
      await withLive(sessions, id, (live) => {
        live.page.recording = command.on;
        pageChanged(live);
      });
      return undefined;
    case 'preserve':
      await withLive(sessions, id, (live) => {
        live.page.preserve = command.on;
        pageChanged(live);
      });
      return undefined;
    case 'rules':
      await sessions.setRules({ ...command.rules });
      return undefined;
    case 'limits':
      await sessions.setLimits(parseLimits(command.limits));
      return undefined;
    case 'forget-closed':
      await sessions.forgetClosed();
      return undefined;
    case 'bytes':
      return readBytes(sessions, id, command);
    case 'request-body': {
      const db = await journalOf(sessions, id);
      return readRequestBody(db, command.conn);
    }
    case 'import': {
      const live = await withLive(sessions, id, (own) => {
        for (const record of command.records) importRecord(own, record, imported);
      });
      await live.writer.flushed();
      return undefined;
    }
  }
}

async function withLive(sessions: Sessions, id: SessionId, what: (live: Live) => void): Promise<Live> {
  return new Promise((resolve) => {
    void sessions.use(id, (live) => {
      try {
        what(live);
      } finally {
        resolve(live);
      }
    });
  });
}

/** The session's journal once all that is known now lies in it. */
async function journalOf(sessions: Sessions, id: SessionId) {
  const live = await withLive(sessions, id, () => undefined);
  await live.writer.flushed();
  return live.env.openJournal(id);
}

async function readBytes(sessions: Sessions, id: SessionId, { conn, offset, length }: Extract<Command, { name: 'bytes' }>): Promise<Uint8Array> {
  if (length > LONGEST_READ) throw new Error('At most 32 MiB can be read at once.');
  const bytes = await readBytesFrom(await journalOf(sessions, id), conn, offset, length);
  if (!bytes) throw new Error('These bytes are not in the journal.');
  return bytes;
}

/** The file's connection numbers become the session's: dense, and apart from those that are there. */
function importRecord(live: Live, record: CaptureRecord, imported: Map<number, number>): void {
  if (record.kind === 'request') {
    const conn = live.nextConn;
    imported.set(record.conn, conn);
    take(live, { ...record, conn });
    return;
  }
  const conn = imported.get(record.conn);
  const known = conn === undefined ? undefined : live.session.conns.get(conn);
  if (!known || (known.end && record.kind !== 'body')) return;
  const own: CaptureRecord = { ...record, conn: known.id };
  if (own.kind === 'chunk') takeChunk(live, own);
  else take(live, own);
}
