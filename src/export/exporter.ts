/**
 * Capture records in, a file out, piece by piece: the one way everything leaves, for the panel and the command line alike. What is
 * redacted is redacted before any form is made of it.
 */
import { replayNote } from '../capture/replay-note.ts';
import type { CaptureRecord } from '../capture/types.ts';
import { createDecoder, decodeRecord, endDecoder } from './decode.ts';
import { toJson } from './events.ts';
import { toFixture } from './fixture.ts';
import { eventKey, type Plan, runKey } from './plan.ts';
import { addRecord, createRedactor, endRedaction, type RedactOptions, type Redactor, summaryOf } from './redact.ts';
import { contentRules, recordedFindings } from './redact-findings.ts';
import { GROUPS, groupsOf } from './redact-groups.ts';
import { describeRedaction, sentenceOf } from './redaction-told.ts';
import { createReport } from './report.ts';
import { type CaptureHeader, type Redacted, writeHeader, writeRecord } from './write.ts';

/** `events`: one JSON event a line. `raw`: bodies as received, one after the other. `fixture`: a TypeScript module. `report`: Markdown. */
export type Form = 'capture' | 'events' | 'raw' | 'fixture' | 'report';

export const FORMS: readonly Form[] = ['capture', 'events', 'raw', 'fixture', 'report'];

/** Usual endings of the files' names. */
export const ENDINGS: Readonly<Record<Form, string>> = { capture: 'runlens.jsonl', events: 'events.jsonl', raw: 'bin', fixture: 'ts', report: 'md' };

export interface ExportOptions {
  readonly form: Form;
  readonly plan: Plan;
  /** Of the file; what is redacted is added here. */
  readonly header: Omit<CaptureHeader, 'redacted'>;
  /** Null: everything as it is. */
  readonly redact: RedactOptions | null;
  /** What was taken out of the records before: it stays said. */
  readonly before: Redacted | null;
  /** Name of a fixture's constant, heading of a report. */
  readonly title: string;
  /** Rules that a report judges by: id → on or off. */
  readonly rules?: Readonly<Record<string, boolean>>;
}

export type Piece = string | Uint8Array;

export interface Exporter {
  /** What the file says was taken out; null for one that is whole. */
  readonly redacted: Redacted | null;
  readonly begin: () => Piece[];
  readonly take: (record: CaptureRecord) => Piece[];
  readonly end: () => Piece[];
  /** What was redacted, in sentences; complete when all is taken. */
  readonly said: () => string;
}

interface Writer {
  readonly begin?: () => Piece[];
  readonly take: (record: CaptureRecord, source: number) => Piece[];
  readonly end: () => Piece[];
}

export function createExporter(options: ExportOptions): Exporter {
  const { plan, redact } = options;
  const redactor = redact ? createRedactor(redact) : null;
  const redacted = redactedOf(redactor, options.before);
  // connections are counted from 0 in the file
  const numbers = new Map<number, number>();
  const sources: number[] = [];
  const writer = writerOf(options, redacted, sources);
  const write = (record: CaptureRecord): Piece[] => {
    const source = sources[record.conn]!;
    const pieces = writer.take(record, source);
    if (record.kind !== 'request' || !redactor || !redacted) return pieces;
    const protocol = plan.protocolOf(source);
    if (redacted.rules.length === 0 && protocol === null) return pieces;
    return [...pieces, ...writer.take(recordedFindings(redacted.rules, record.conn, plan.findings(source), protocol), source)];
  };
  return {
    redacted,
    begin: () => writer.begin?.() ?? [],
    take: (record) => {
      if (plan.conns !== null && !plan.conns.has(record.conn)) return [];
      // those of a capture that was redacted before are written anew, beside those of this time
      if (record.kind === 'findings' && redactor) return [];
      let conn = numbers.get(record.conn);
      if (conn === undefined) {
        conn = sources.push(record.conn) - 1;
        numbers.set(record.conn, conn);
      }
      const own = { ...record, conn };
      return (redactor ? addRecord(redactor, own) : [own]).flatMap(write);
    },
    end: () => [...(redactor ? endRedaction(redactor) : []).flatMap(write), ...writer.end()],
    said: () => (redactor ? describeRedaction(summaryOf(redactor)) : redacted ? sentenceOf(redacted) : 'Nothing was redacted.'),
  };
}

function redactedOf(redactor: Redactor | null, before: Redacted | null): Redacted | null {
  const on = redactor?.on ?? 0;
  if (on === 0) return before;
  const groups = [...groupsOf(on), ...(before?.groups ?? [])];
  return { groups: GROUPS.filter((group) => groups.includes(group)), rules: [...new Set([...(before?.rules ?? []), ...contentRules(on)])] };
}

/** `sources` gives the number in the session of each connection of the file. */
function writerOf(options: ExportOptions, redacted: Redacted | null, sources: readonly number[]): Writer {
  const { form, plan, header, title, rules = {} } = options;
  switch (form) {
    case 'capture':
      return {
        begin: () => [writeHeader({ ...header, ...(redacted ? { redacted } : {}) })],
        take: (record) => [writeRecord(record)],
        end: () => [],
      };
    case 'raw':
      return { take: (record) => (record.kind === 'chunk' ? [record.bytes] : []), end: () => [] };
    case 'events':
      return eventsWriter(plan, (event) => {
        const json = toJson(event);
        return json === null ? [] : [`${json}\n`];
      });
    case 'fixture': {
      const events: unknown[] = [];
      const notes = new Set<string>();
      const writer = eventsWriter(plan, (event) => {
        events.push(event);
        return [];
      });
      return {
        take: (record, source) => {
          if (record.kind === 'replay') notes.add(replayNote(record.replay));
          return writer.take(record, source);
        },
        end: () => [...writer.end(), toFixture(events, title, [...notes])],
      };
    }
    case 'report': {
      const notes = [`Captured with ${header.app}.`, ...(redacted ? [sentenceOf(redacted)] : [])];
      const report = createReport({
        title,
        notes,
        isChosen: (conn, ordinal) => plan.runs === null || plan.runs.has(runKey(sources[conn]!, ordinal)),
        rules,
      });
      return {
        take: (record) => {
          report.take(record);
          return [];
        },
        end: () => [report.end()],
      };
    }
  }
}

function eventsWriter({ events }: Plan, write: (event: unknown) => Piece[]): Writer {
  const decoder = createDecoder();
  const sources = new Map<number, number>();
  const all = (source: number, frames: ReturnType<typeof decodeRecord>): Piece[] => {
    const chosen = events?.get(source);
    return frames.flatMap((frame) => frame.values.flatMap((value, part) => (events && !chosen?.has(eventKey(frame.offset, part)) ? [] : write(value))));
  };
  return {
    take: (record, source) => {
      sources.set(record.conn, source);
      return all(source, decodeRecord(decoder, record));
    },
    end: () => endDecoder(decoder).flatMap(({ conn, frames }) => all(sources.get(conn)!, frames)),
  };
}
