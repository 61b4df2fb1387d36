/** Files in. Each import is a session of its own beside the live one: its records take the same path as a live stream. */
import { effect } from '@preact/signals';
import type { CaptureRecord } from '../../capture/types.ts';
import type { Problem } from '../../export/problems.ts';
import type { PanelLink } from './link.ts';
import type { Notice, Panel } from './panel.ts';
import type { PanelSession } from './session.ts';
import { beginWork, messageOf, type Working } from './working.ts';

/** Bytes of chunks in one import message; a message costs little whatever its size, but 64 MiB is refused. */
const PART = 1024 * 1024;
const RECORDS = 4000;
/** Bytes of a file that are read in one go: some milliseconds of work. */
const STEP = 96 * 1024;
/** Messages on their way to the worker: more would only wait there. */
const AHEAD = 4;

/** What is opened: a File, or what behaves like one. */
export interface Source {
  readonly name: string;
  /** Bytes. */
  readonly size: number;
  readonly stream: () => ReadableStream<Uint8Array>;
}

const problemText = ({ line, message }: Problem): string => (line === null || message.includes(`${line}`) ? message : `Line ${line}: ${message}`);

/** Records in parts of a bearable size, with whether a part is the last. There is always a last part. */
export function* partsOf(records: readonly CaptureRecord[]): Generator<{ readonly records: CaptureRecord[]; readonly last: boolean }> {
  let part: CaptureRecord[] = [];
  let size = 0;
  for (const record of records) {
    if (part.length > 0 && (size > PART || part.length >= RECORDS)) {
      yield { records: part, last: false };
      part = [];
      size = 0;
    }
    part.push(record);
    if (record.kind === 'chunk') size += record.bytes.length;
  }
  yield { records: part, last: true };
}

const connected = (link: PanelLink) =>
  new Promise<void>((resolve) => {
    const stop = link.connected.subscribe((on) => {
      if (on) queueMicrotask(() => stop());
      if (on) resolve();
    });
  });

/** Sends records in order, a few messages ahead of their answers. */
function createSender(link: PanelLink) {
  const waiting: Promise<unknown>[] = [];
  return {
    send: async (records: readonly CaptureRecord[], last: boolean): Promise<void> => {
      for (const part of partsOf(records)) {
        const sent = link.send({ name: 'import', records: part.records, last: last && part.last });
        // told when it is waited for
        sent.catch(() => undefined);
        waiting.push(sent);
        if (waiting.length >= AHEAD) await waiting.shift();
      }
    },
    end: () => Promise.all(waiting),
  };
}

/** Ms that reading waits for the first rows to be drawn; a panel in the background draws none. */
const FIRST_LOOK = 500;

/** Resolves once what came first is on the screen: reading and checking the rest would only hold it up. */
function drawn({ store }: PanelSession): Promise<void> {
  return new Promise((resolve) => {
    let there = false;
    const done = () => {
      clearTimeout(late);
      stop();
      resolve();
    };
    const late = setTimeout(done, FIRST_LOOK);
    const stop = effect(() => {
      store.version.value;
      if (store.columns.count === 0 || there) return;
      there = true;
      // the frame after the one in which it is drawn
      requestAnimationFrame(() => requestAnimationFrame(done));
    });
  });
}

/** How a file that is none of ours begins, so that its owner recognises it. */
function beginning(bytes: Uint8Array): string {
  const line = new TextDecoder().decode(bytes.subarray(0, 400)).split(/[\r\n]/, 1)[0] ?? '';
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters mean a binary file
  if (line.trim() === '' || /[\u0000-\u0008\ufffd]/.test(line)) return '';
  return ` Line 1 begins “${line.slice(0, 60)}”.`;
}

/** The bytes of a file, unpacked where it is gzip; `onRead` is told of the bytes of the file itself. */
async function* bytesOf(source: Source, onRead: (bytes: number) => void): AsyncGenerator<Uint8Array> {
  const reader = source.stream().getReader();
  const pieces = async function* () {
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      onRead(next.value.length);
      yield next.value;
    }
  };
  try {
    const all = pieces();
    const first = await all.next();
    if (first.done) return;
    if (first.value[0] === 0x1f && first.value[1] === 0x8b) yield* unzipped(first.value, all);
    else {
      yield first.value;
      yield* all;
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

async function* unzipped(first: Uint8Array, rest: AsyncGenerator<Uint8Array>): AsyncGenerator<Uint8Array> {
  const { readable, writable } = new DecompressionStream('gzip');
  const writer = writable.getWriter();
  const feeding = (async () => {
    await writer.write(first as Uint8Array<ArrayBuffer>);
    for await (const piece of rest) await writer.write(piece as Uint8Array<ArrayBuffer>);
    await writer.close();
  })();
  // the same failure comes out at the other end
  feeding.catch(() => undefined);
  const reader = readable.getReader();
  try {
    for (;;) {
      const next = await reader.read().catch(() => null);
      if (next === null) throw new Error('The gzip data is damaged or cut off here; what it gave before is read.');
      if (next.done) return;
      yield next.value;
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

interface Read {
  readonly session: PanelSession | null;
  readonly problems: readonly string[];
  /** Set where the kind of file was not told. */
  readonly head: Uint8Array | null;
}

// with it come the schemas of protobuf: too much for a panel that imports nothing
const loadReader = () => import('../../export/open-file.ts');

/** Loads what reads files, while the reader still chooses one. A failure is told by the import. */
export function prepareImport(): void {
  loadReader().catch(() => undefined);
}

async function readInto(panel: Panel, source: Source, work: Working, shows: boolean): Promise<Read> {
  const { openFile } = await loadReader();
  const file = openFile(source.name, { time: Date.now() });
  let session: PanelSession | null = null;
  let sender: ReturnType<typeof createSender> | null = null;
  let head: Uint8Array | null = null;
  let read = 0;
  const failures: string[] = [];
  const send = async (records: readonly CaptureRecord[], last: boolean): Promise<void> => {
    if (records.length === 0 && !last) return;
    const isFirst = sender === null;
    if (!sender) {
      if (records.length === 0) return;
      session = panel.openFile(source.name, shows);
      await connected(session.link);
      sender = createSender(session.link);
    }
    session!.redacted.value = file.facts().redacted;
    await sender.send(records, last);
    if (isFirst && shows) await drawn(session!);
  };
  try {
    const pieces = bytesOf(source, (bytes) => {
      read += bytes;
      work.progress(source.size > 0 ? read / source.size : 0);
    });
    for await (const piece of pieces) {
      head ??= piece.slice(0, 400);
      for (let at = 0; at < piece.length && !work.stopped(); at += STEP) {
        await send(file.take(piece.subarray(at, at + STEP)), false);
        await work.rest();
      }
      if (work.stopped() || file.facts().kind === 'unknown') break;
    }
  } catch (error) {
    failures.push(messageOf(error));
  }
  const rest = work.stopped() ? [] : file.end();
  await send(rest, true);
  await (sender as ReturnType<typeof createSender> | null)?.end();
  const { kind, problems } = file.facts();
  // a file that failed before its first byte has said enough
  const told = failures.length > 0 && head === null ? [] : problems.map(problemText);
  return { session, problems: [...failures, ...told], head: kind === 'unknown' ? head : null };
}

async function importFile(panel: Panel, source: Source, shows: boolean): Promise<Notice | null> {
  const work = beginWork(panel, `Reading ${source.name}`);
  try {
    const { session, problems, head } = await readInto(panel, source, work, shows);
    if (work.stopped()) return { tone: 'plain', text: `The import of ${source.name} was stopped; what came in before is shown.` };
    if (session === null) {
      const why = problems[0] ?? 'There is nothing in it that Runlens can read.';
      return { tone: 'error', text: `${source.name} could not be opened. ${why}${head ? beginning(head) : ''}`, lines: problems.slice(1) };
    }
    if (problems.length === 0) return null;
    const n = problems.length;
    const more = n > 1 ? ` And ${n - 1} more.` : '';
    return { tone: 'error', text: `${source.name} is damaged: ${problems[0]}${more} What could be read is shown.`, lines: problems.slice(1) };
  } catch (error) {
    return { tone: 'error', text: `${source.name} could not be opened. ${messageOf(error)}` };
  } finally {
    work.end();
  }
}

/** Opens files one after the other: what could be read is shown, what could not is told with its line and why. The first one is shown, until the reader chooses. */
export async function importFiles(panel: Panel, sources: Iterable<Source>): Promise<void> {
  panel.notice.value = null;
  const before = panel.files.peek();
  const notices: Notice[] = [];
  for (const source of sources) {
    const shows = panel.files.peek().every((session) => before.includes(session));
    const notice = await importFile(panel, source, shows);
    if (notice) notices.push(notice);
  }
  const [first, ...others] = notices;
  if (!first) return;
  const lines = [...(first.lines ?? []), ...others.flatMap(({ text, lines: more = [] }) => [text, ...more])];
  panel.notice.value = { tone: notices.some(({ tone }) => tone === 'error') ? 'error' : 'plain', text: first.text, lines };
}
