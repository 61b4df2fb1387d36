/** Reads a capture file piece by piece. What can be read is kept; what cannot becomes a sentence with its line number. */
import type { CaptureRecord } from '../capture/types.ts';
import { isRule } from '../checker/catalogue.ts';
import { parseJson } from '../stream/index.ts';
import { createLines, endLines, type Lines, takeLines } from './lines.ts';
import { createProblems, endProblems, type Problems, tell } from './problems.ts';
import { GROUPS } from './redact-groups.ts';
import { toRecord } from './shapes.ts';
import { FORMAT, type Redacted } from './write.ts';

/** Plain data. */
export interface ReaderState {
  readonly lines: Lines;
  /** Null before the header. */
  version: number | null;
  created: string | null;
  app: string | null;
  note: string | null;
  /** What the header says was taken out; null for a capture that is whole. */
  redacted: Redacted | null;
  /** The file is of a newer format: nothing more is read. */
  refused: boolean;
  readonly problems: Problems;
}

export function createReader(): ReaderState {
  return { lines: createLines(), version: null, created: null, app: null, note: null, redacted: null, refused: false, problems: createProblems() };
}

/** Takes the next piece of the file's text, cut anywhere; answers the records it completed. */
export function readText(reader: ReaderState, piece: string): CaptureRecord[] {
  // a refused file is passed over: no line of it is held
  if (reader.refused) return [];
  return readLines(reader, takeLines(reader.lines, piece), false);
}

/** The file is over; answers the record of a last line without line end. */
export function endReader(reader: ReaderState): CaptureRecord[] {
  const records = reader.refused ? [] : readLines(reader, endLines(reader.lines), true);
  const { version, refused, problems } = reader;
  if (version === null && !refused && problems.list.length === 0) tell(problems, null, 'The file is empty: there is no capture in it.');
  endProblems(problems, 'lines could not be read');
  return records;
}

function readLines(reader: ReaderState, lines: readonly (string | null)[], last: boolean): CaptureRecord[] {
  const records: CaptureRecord[] = [];
  for (const [index, line] of lines.entries()) readLine(reader, records, line, { no: reader.lines.no - lines.length + index + 1, last });
  return records;
}

function readLine(reader: ReaderState, records: CaptureRecord[], line: string | null, { no, last }: { readonly no: number; readonly last: boolean }): void {
  if (reader.refused) return;
  if (line === null) {
    note(reader, no, `Line ${no} is longer than 256 Mi characters and was left out.`);
    return;
  }
  const text = no === 1 && line.charCodeAt(0) === 0xfeff ? line.slice(1) : line;
  if (text.trim() === '') return;
  const value = parseJson(text);
  if (value === undefined) {
    note(reader, no, last ? `Line ${no}, the last one, is cut off or damaged: it is not JSON.` : `Line ${no} is not JSON and was left out.`);
    return;
  }
  if (reader.version === null) {
    reader.version = FORMAT;
    if (readHeader(reader, value, no)) return;
    note(reader, no, `Line ${no} should be the header of a Runlens capture, {"runlens": ${FORMAT}, …}, and is not.`);
  }
  const record = toRecord(upgrade(value, reader.version));
  if (typeof record === 'string') note(reader, no, `Line ${no} is no capture record: ${record}.`);
  else records.push(record);
}

/** Whether the line is a header; takes what it says. */
function readHeader(reader: ReaderState, value: unknown, no: number): boolean {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, 'runlens')) return false;
  const { runlens, created, app, note: said, redacted } = value as Record<string, unknown>;
  if (typeof runlens !== 'number' || !Number.isInteger(runlens) || runlens < 1) {
    note(reader, no, `The header in line ${no} gives no format version; it is read as version ${FORMAT}.`);
  } else if (runlens > FORMAT) {
    reader.refused = true;
    note(reader, no, `This capture is of format ${runlens}, from a newer Runlens; this one reads formats up to ${FORMAT}. Update Runlens to open it.`);
  } else reader.version = runlens;
  if (typeof created === 'string') reader.created = created;
  if (typeof app === 'string') reader.app = app;
  if (typeof said === 'string') reader.note = said;
  if (redacted !== undefined) reader.redacted = readRedacted(redacted);
  return true;
}

/** What cannot be read of it counts for nothing, but that the file is redacted stays. */
function readRedacted(value: unknown): Redacted {
  const { groups, rules } = (typeof value === 'object' && value !== null ? value : {}) as Record<string, unknown>;
  const texts = (list: unknown): string[] => (Array.isArray(list) ? list.filter((item) => typeof item === 'string') : []);
  return { groups: GROUPS.filter((group) => texts(groups).includes(group)), rules: texts(rules).filter(isRule) };
}

/** What turns a line of format n into one of format n + 1, at index n - 1. */
const UPGRADES: readonly ((line: unknown) => unknown)[] = [];

function upgrade(line: unknown, version: number): unknown {
  return UPGRADES.slice(version - 1).reduce((older, step) => step(older), line);
}

function note(reader: ReaderState, line: number | null, message: string): void {
  tell(reader.problems, line, message);
}
