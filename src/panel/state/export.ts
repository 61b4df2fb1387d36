/** Files out: a session or a part of it in one of the forms, redacted if need be. The preview is made by the very same steps. */
import { openExportFile, sweepExportFiles } from '../../browser/export-files.ts';
import { createExporter, ENDINGS, type Exporter, type Form, type Group, type Piece, planOf, runsOfThread, type Scope, type Seen } from '../../export/index.ts';
import { saveAs } from '../views/copy.ts';
import { rowsOfSpan } from './columns.ts';
import type { Panel } from './panel.ts';
import type { PanelSession } from './session.ts';
import { beginWork, messageOf } from './working.ts';

/** What leaves, as which form. */
export interface ExportChoice {
  readonly form: Form;
  readonly scope: Scope;
  readonly gzip: boolean;
  readonly redact: { readonly groups: ReadonlySet<Group>; readonly salt: string } | null;
}

/** Characters that are encoded in one go. */
const PART = 256 * 1024;
/** Bytes that are kept in memory; a larger file is written to disk. */
const IN_MEMORY = 8 * 1024 * 1024;

const seenOf = ({ store }: PanelSession): Seen => ({
  runs: store.runs,
  findings: store.findings,
  rows: store.columns,
  protocolOf: (conn) => {
    const recognised = store.connections[conn]?.recognised;
    return recognised?.as === 'foreign' ? recognised.name : null;
  },
});

/** The scope that the reader's selection stands for; null for none. */
export function scopeOfSelection({ store, selection }: PanelSession): Scope | null {
  const chosen = selection.value;
  switch (chosen.kind) {
    case 'row':
      return { kind: 'rows', rows: [chosen.row] };
    case 'span':
      return { kind: 'rows', rows: rowsOfSpan(store.columns, chosen.id) };
    case 'run':
      return { kind: 'runs', runs: [chosen.id] };
    case 'connection':
      return { kind: 'connections', conns: [chosen.id] };
    case 'finding': {
      const finding = store.findings[chosen.id];
      if (!finding) return null;
      return finding.row === null ? { kind: 'connections', conns: [finding.conn] } : { kind: 'rows', rows: [...finding.relatedRows, finding.row] };
    }
    default:
      return null;
  }
}

export function scopeOfThread(session: PanelSession, thread: string | null): Scope {
  return { kind: 'runs', runs: runsOfThread(seenOf(session), thread) };
}

/** The connections that a scope touches, in order. */
export function connectionsOf(session: PanelSession, scope: Scope): number[] {
  const { conns } = planOf(seenOf(session), scope);
  return conns === null ? session.store.connections.flatMap((one) => one?.id ?? []) : [...conns].sort((a, b) => a - b);
}

function exporterOf(panel: Panel, session: PanelSession, { form, scope, redact }: ExportChoice): Exporter {
  return createExporter({
    form,
    plan: planOf(seenOf(session), scope),
    header: { created: new Date().toISOString(), app: `runlens ${panel.platform.version}` },
    redact,
    before: session.redacted.peek(),
    title: form === 'report' ? 'Captured runs' : 'events',
    rules: panel.settings.value.peek().rules,
  });
}

export interface Preview {
  readonly text: string;
  /** False where there is more than `text`. */
  readonly whole: boolean;
}

/** The first `most` characters of what the choice would write. */
export async function previewOf(panel: Panel, session: PanelSession, choice: ExportChoice, most: number, stopped: () => boolean): Promise<Preview> {
  const exporter = exporterOf(panel, session, choice);
  const decoder = new TextDecoder();
  let text = '';
  const add = (pieces: readonly Piece[]): boolean => {
    for (const piece of pieces) text += typeof piece === 'string' ? piece : decoder.decode(piece, { stream: true });
    return text.length > most || stopped();
  };
  let since = performance.now();
  let full = add(exporter.begin());
  for await (const record of panel.platform.readRecords(session.id)) {
    full ||= add(exporter.take(record));
    if (full) break;
    if (performance.now() - since < 12) continue;
    await new Promise((resolve) => setTimeout(resolve));
    since = performance.now();
  }
  full ||= add(exporter.end());
  return full && text.length > most ? { text: text.slice(0, most), whole: false } : { text, whole: true };
}

/** Takes pieces, and answers the file they made. Small files stay in memory. */
interface Sink {
  readonly write: (bytes: Uint8Array) => Promise<void>;
  readonly close: () => Promise<Blob>;
  readonly abandon: () => Promise<void>;
}

function createSink(): Sink {
  let parts: BlobPart[] = [];
  let size = 0;
  let file: Awaited<ReturnType<typeof openExportFile>> = null;
  let refused = false;
  return {
    write: async (bytes) => {
      if (file) return file.write(bytes);
      parts.push(bytes as Uint8Array<ArrayBuffer>);
      size += bytes.length;
      if (size < IN_MEMORY) return;
      const whole = new Blob(parts);
      size = 0;
      if (!refused) file = await openExportFile();
      refused ||= file === null;
      // without a file system the browser keeps blobs, on disk where they are large
      parts = file ? [] : [whole];
      await file?.write(new Uint8Array(await whole.arrayBuffer()));
    },
    close: async () => (file ? file.close() : new Blob(parts)),
    abandon: async () => file?.abandon(),
  };
}

/** A sink behind gzip. */
function zipped(sink: Sink): Sink {
  const { readable, writable } = new CompressionStream('gzip');
  const writer = writable.getWriter();
  const emptied = (async () => {
    const reader = readable.getReader();
    for (let next = await reader.read(); !next.done; next = await reader.read()) await sink.write(next.value);
  })();
  emptied.catch(() => undefined);
  return {
    write: (bytes) => Promise.race([writer.write(bytes as Uint8Array<ArrayBuffer>), emptied]),
    close: async () => {
      await writer.close();
      await emptied;
      return sink.close();
    },
    abandon: async () => {
      await writer.abort().catch(() => undefined);
      await sink.abandon();
    },
  };
}

const stamp = (date: Date): string => date.toISOString().slice(0, 19).replaceAll(':', '').replace('T', '-');

/** Name of the file; it tells nothing of what is in it. */
export function fileNameOf(session: PanelSession, { form, gzip, redact, scope }: ExportChoice, date: Date): string {
  const [conn] = form === 'raw' ? connectionsOf(session, scope) : [];
  const codec = conn === undefined ? null : session.store.connections[conn]?.codec;
  const ending = form === 'raw' && codec ? { sse: 'sse', ndjson: 'ndjson', json: 'json', proto: 'bin' }[codec] : ENDINGS[form];
  return `runlens-${stamp(date)}${redact ? '-redacted' : ''}.${ending}${gzip ? '.gz' : ''}`;
}

/** Writes the file and hands it to the browser's downloads. Progress and a way to stop it are told by the panel; so is a failure. Answers whether it was written. */
export async function exportCapture(panel: Panel, session: PanelSession, choice: ExportChoice): Promise<boolean> {
  const now = new Date();
  const name = fileNameOf(session, choice, now);
  const work = beginWork(panel, `Writing ${name}`);
  const sink = choice.gzip ? zipped(createSink()) : createSink();
  try {
    await sweepExportFiles();
    const total = connectionsOf(session, choice.scope).reduce((sum, conn) => sum + (session.store.connections[conn]?.bytes ?? 0), 0);
    const exporter = exporterOf(panel, session, choice);
    const packer = createPacker(sink);
    let taken = 0;
    await packer.add(exporter.begin());
    for await (const record of panel.platform.readRecords(session.id)) {
      if (work.stopped()) break;
      if (record.kind === 'chunk') taken += record.bytes.length;
      const full = packer.add(exporter.take(record));
      if (full) await full;
      const rest = work.rest();
      if (!rest) continue;
      if (total > 0) work.progress(taken / total);
      await rest;
    }
    if (work.stopped()) {
      await sink.abandon();
      panel.notice.value = { tone: 'plain', text: 'The export was stopped; nothing was written.' };
      return false;
    }
    await packer.add(exporter.end());
    await packer.end();
    saveAs(name, await sink.close());
    return true;
  } catch (error) {
    await sink.abandon().catch(() => undefined);
    panel.notice.value = { tone: 'error', text: `The capture could not be exported. ${messageOf(error)}` };
    return false;
  } finally {
    work.end();
  }
}

/** Small pieces together, so that each write is worth its cost. `add` answers a promise only when it wrote. */
function createPacker(sink: Sink) {
  const encoder = new TextEncoder();
  let texts: string[] = [];
  let chars = 0;
  const flush = async (): Promise<void> => {
    const text = texts.join('');
    texts = [];
    chars = 0;
    if (text !== '') await sink.write(encoder.encode(text));
  };
  const addBytes = async (pieces: readonly Piece[]): Promise<void> => {
    for (const piece of pieces) {
      if (typeof piece === 'string') {
        texts.push(piece);
        continue;
      }
      await flush();
      await sink.write(piece.slice());
    }
  };
  return {
    add: (pieces: readonly Piece[]): Promise<void> | null => {
      if (pieces.some((piece) => typeof piece !== 'string')) return addBytes(pieces);
      for (const piece of pieces as readonly string[]) {
        texts.push(piece);
        chars += piece.length;
      }
      return chars > PART ? flush() : null;
    },
    end: flush,
  };
}
