/** Capture files out and in. An import is a session of its own: its records take the same path as a live stream. */
import type { CaptureRecord } from '../../capture/types.ts';
import { type Problem, readAny, writeHeader, writeRecord } from '../../export/index.ts';
import { download } from '../views/copy.ts';
import type { PanelLink } from './link.ts';
import type { Panel } from './panel.ts';
import type { PanelSession } from './session.ts';

/** Bytes of chunks in one import message; a message costs little whatever its size, but 64 MiB is refused. */
const PART = 1024 * 1024;
const RECORDS = 4000;
/** Work that lasts longer than this is told, and can be stopped. */
const PATIENCE = 300;

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

/** Sends records to a session's worker, in order. */
export async function sendRecords(link: PanelLink, records: readonly CaptureRecord[], stopped: () => boolean = () => false): Promise<void> {
  for (const part of partsOf(records)) {
    if (stopped()) return;
    await link.send({ name: 'import', ...part });
  }
}

function working(panel: Panel, text: string): { readonly stopped: () => boolean; readonly done: () => void } {
  let stopped = false;
  const timer = setTimeout(() => {
    panel.work.value = {
      text,
      cancel: () => {
        stopped = true;
      },
    };
  }, PATIENCE);
  return {
    stopped: () => stopped,
    done: () => {
      clearTimeout(timer);
      panel.work.value = null;
    },
  };
}

const connected = (link: PanelLink) =>
  new Promise<void>((resolve) => {
    const stop = link.connected.subscribe((on) => {
      if (on) queueMicrotask(() => stop());
      if (on) resolve();
    });
  });

/** How a file that is none of ours begins, so that its owner recognises it. */
function beginning(bytes: Uint8Array): string {
  const line = new TextDecoder().decode(bytes.subarray(0, 400)).split(/[\r\n]/, 1)[0] ?? '';
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters mean a binary file
  if (line.trim() === '' || /[\u0000-\u0008\ufffd]/.test(line)) return '';
  return ` Line 1 begins “${line.slice(0, 60)}”.`;
}

/** Opens a file: what could be read is shown, what could not is told with its line and why. */
export async function importFile(panel: Panel, file: Pick<File, 'name' | 'arrayBuffer'>): Promise<void> {
  panel.notice.value = null;
  const work = working(panel, `Reading ${file.name}`);
  try {
    const bytes = new Uint8Array(await file.arrayBuffer());
    const read = readAny(bytes, file.name);
    const problems = read.problems.map(problemText);
    if (read.records.length === 0) {
      const why = problems[0] ?? 'There is nothing in it that Runlens can read.';
      panel.notice.value = {
        tone: 'error',
        text: `${file.name} could not be opened. ${why}${read.kind === 'unknown' ? beginning(bytes) : ''}`,
        lines: problems.slice(1),
      };
      return;
    }
    const session = panel.openFile(file.name);
    await connected(session.link);
    await sendRecords(session.link, read.records, work.stopped);
    if (work.stopped()) panel.notice.value = { tone: 'plain', text: `The import of ${file.name} was stopped; what came in before is shown.` };
    else if (problems.length > 0) {
      const n = problems.length;
      panel.notice.value = {
        tone: 'error',
        text: `${file.name} is damaged: ${problems[0]}${n > 1 ? ` And ${n - 1} more.` : ''} What could be read is shown.`,
        lines: problems.slice(1),
      };
    }
  } catch (error) {
    panel.notice.value = { tone: 'error', text: `${file.name} could not be opened. ${error instanceof Error ? error.message : String(error)}` };
  } finally {
    work.done();
  }
}

const stamp = (date: Date): string => date.toISOString().slice(0, 19).replaceAll(':', '').replace('T', '-');

/** Lines of a capture file, gathered into parts of some size. */
export async function captureParts(records: AsyncIterable<CaptureRecord>, created: Date, app: string, stopped: () => boolean = () => false): Promise<string[]> {
  const parts: string[] = [];
  let lines = [writeHeader({ created: created.toISOString(), app })];
  let size = 0;
  for await (const record of records) {
    if (stopped()) break;
    const line = writeRecord(record);
    lines.push(line);
    size += line.length;
    if (size > PART) {
      parts.push(lines.join(''));
      lines = [];
      size = 0;
    }
  }
  parts.push(lines.join(''));
  return parts;
}

/** Writes all of a session to a file in the browser's downloads. */
export async function exportSession(panel: Panel, session: PanelSession): Promise<void> {
  const work = working(panel, 'Writing the capture file');
  try {
    const now = new Date();
    const parts = await captureParts(panel.platform.readRecords(session.id), now, `runlens ${panel.platform.version}`, work.stopped);
    if (work.stopped()) return;
    download(`runlens-${stamp(now)}.agui.jsonl`, parts, 'application/jsonl');
  } catch (error) {
    panel.notice.value = { tone: 'error', text: `The capture could not be exported. ${error instanceof Error ? error.message : String(error)}` };
  } finally {
    work.done();
  }
}
