/** Reads a capture file piece by piece. What can be read is kept; what cannot becomes a sentence with its line number. */
import type { CaptureRecord } from '../capture/types.ts';
import { parseJson } from '../stream/index.ts';
import { toRecord } from './shapes.ts';
import { FORMAT } from './write.ts';

export interface Problem {
  /** 1-based line of the file, or null when it is about the whole file. */
  readonly line: number | null;
  /** A whole sentence. */
  readonly message: string;
}

/** Plain data. `problems` holds the first hundred; the rest is counted in `unlisted`. */
export interface ReaderState {
  line: number;
  pieces: string[];
  length: number;
  /** Null before the header. */
  version: number | null;
  created: string | null;
  app: string | null;
  note: string | null;
  /** The file is of a newer format: nothing more is read. */
  refused: boolean;
  problems: Problem[];
  unlisted: number;
}

/** Problems of a file beyond these are counted, not listed. */
export const MOST_PROBLEMS = 100;
/** A line beyond this is no record of ours; strings end at 512 Mi characters. */
const LONGEST_LINE = 256 * 1024 * 1024;

export function createReader(): ReaderState {
  return { line: 0, pieces: [], length: 0, version: null, created: null, app: null, note: null, refused: false, problems: [], unlisted: 0 };
}

/** Takes the next piece of the file's text, cut anywhere; answers the records it completed. */
export function readText(reader: ReaderState, piece: string): CaptureRecord[] {
  const records: CaptureRecord[] = [];
  let from = 0;
  for (let end = piece.indexOf('\n'); end >= 0; end = piece.indexOf('\n', from)) {
    keep(reader, piece.slice(from, end));
    closeLine(reader, records, false);
    from = end + 1;
  }
  keep(reader, piece.slice(from));
  return records;
}

/** The file is over; answers the record of a last line without line end. */
export function endReader(reader: ReaderState): CaptureRecord[] {
  const records: CaptureRecord[] = [];
  if (reader.length > 0) closeLine(reader, records, true);
  if (reader.version === null && !reader.refused && reader.problems.length === 0) note(reader, null, 'The file is empty: there is no capture in it.');
  if (reader.unlisted > 0) reader.problems.push({ line: null, message: `${reader.unlisted} more lines could not be read.` });
  return records;
}

function keep(reader: ReaderState, piece: string): void {
  if (piece === '' || reader.refused) return;
  reader.length += piece.length;
  if (reader.length <= LONGEST_LINE) reader.pieces.push(piece);
  else reader.pieces = [];
}

function closeLine(reader: ReaderState, records: CaptureRecord[], last: boolean): void {
  const line = reader.pieces.join('').replace(/\r$/, '');
  const tooLong = reader.length > LONGEST_LINE;
  reader.pieces = [];
  reader.length = 0;
  reader.line++;
  if (reader.refused) return;
  if (tooLong) {
    note(reader, reader.line, `Line ${reader.line} is longer than 256 Mi characters and was left out.`);
    return;
  }
  const text = reader.line === 1 && line.charCodeAt(0) === 0xfeff ? line.slice(1) : line;
  if (text.trim() === '') return;
  const value = parseJson(text);
  if (value === undefined) {
    note(
      reader,
      reader.line,
      last ? `Line ${reader.line}, the last one, is cut off or damaged: it is not JSON.` : `Line ${reader.line} is not JSON and was left out.`,
    );
    return;
  }
  if (reader.version === null) {
    reader.version = FORMAT;
    if (readHeader(reader, value)) return;
    note(reader, reader.line, `Line ${reader.line} should be the header of a Runlens capture, {"runlens": ${FORMAT}, …}, and is not.`);
  }
  const record = toRecord(upgrade(value, reader.version));
  if (typeof record === 'string') note(reader, reader.line, `Line ${reader.line} is no capture record: ${record}.`);
  else records.push(record);
}

/** Whether the line is a header; takes what it says. */
function readHeader(reader: ReaderState, value: unknown): boolean {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, 'runlens')) return false;
  const { runlens, created, app, note: said } = value as Record<string, unknown>;
  if (typeof runlens !== 'number' || !Number.isInteger(runlens) || runlens < 1) {
    note(reader, reader.line, `The header in line ${reader.line} gives no format version; it is read as version ${FORMAT}.`);
  } else if (runlens > FORMAT) {
    reader.refused = true;
    note(reader, reader.line, `This capture is of format ${runlens}, from a newer Runlens; this one reads formats up to ${FORMAT}. Update Runlens to open it.`);
  } else reader.version = runlens;
  if (typeof created === 'string') reader.created = created;
  if (typeof app === 'string') reader.app = app;
  if (typeof said === 'string') reader.note = said;
  return true;
}

/** What turns a line of format n into one of format n + 1, at index n - 1. */
const UPGRADES: readonly ((line: unknown) => unknown)[] = [];

function upgrade(line: unknown, version: number): unknown {
  return UPGRADES.slice(version - 1).reduce((older, step) => step(older), line);
}

function note(reader: ReaderState, line: number | null, message: string): void {
  if (reader.problems.length < MOST_PROBLEMS) reader.problems.push({ line, message });
  else reader.unlisted++;
}
