/** A capture file's lines (docs/capture-format.md). Each ends with a line feed. */
import type { CaptureRecord } from '../capture/types.ts';
import { toBase64 } from './base64.ts';
import type { Group } from './redact-groups.ts';

/** The version this writes and the newest it reads. */
export const FORMAT = 1;

export interface CaptureHeader {
  /** ISO 8601. */
  readonly created: string;
  /** Version of the app that wrote the file. */
  readonly app: string;
  readonly note?: string;
  /** What was taken out, by whoever wrote it and by those before. */
  readonly redacted?: Redacted;
}

/** What a redacted capture says of itself: groups, and the rules whose findings it brings along as they were recorded. */
export interface Redacted {
  readonly groups: readonly Group[];
  readonly rules: readonly string[];
}

export function writeHeader(header: CaptureHeader): string {
  const { created, app, note, redacted } = header;
  return `${JSON.stringify({ runlens: FORMAT, created, app, note, redacted })}\n`;
}

/** A chunk's bytes are written as text where decoding and encoding give them back exactly, else as base64. */
export function writeRecord(record: CaptureRecord): string {
  if (record.kind !== 'chunk') return `${JSON.stringify(record)}\n`;
  const { kind, conn, asked, came, bytes } = record;
  const text = exactText(bytes);
  return `${JSON.stringify(text === null ? { kind, conn, asked, came, base64: toBase64(bytes) } : { kind, conn, asked, came, text })}\n`;
}

const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** The text of well-formed UTF-8, null for anything else: a chunk may end inside a character. */
function exactText(bytes: Uint8Array): string | null {
  try {
    return strict.decode(bytes);
  } catch {
    return null;
  }
}
