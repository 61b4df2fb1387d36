/** Reads any file we know into capture records: a capture as it is, everything else as one connection with carrier `file`. */
import type { CaptureRecord } from '../capture/types.ts';
import { type Codec, createStream, type Frame, feed, finish } from '../stream/index.ts';
import { createClock, type FileClock, timeOf, withoutExtras } from './events.ts';
import { type FileKind, tellKind } from './kind.ts';
import { createReader, endReader, MOST_PROBLEMS, type Problem, readText } from './read.ts';

export interface ReadFile {
  /** `unknown`: the one problem says why. */
  readonly kind: FileKind | 'unknown';
  readonly records: readonly CaptureRecord[];
  readonly problems: readonly Problem[];
}

export interface ReadAnyOptions {
  /** Overrides what the content says. */
  readonly as?: FileKind;
  /** Where times begin that the file does not give, ms since the epoch. */
  readonly time?: number;
}

const CODECS: Readonly<Record<Exclude<FileKind, 'capture'>, Codec>> = { 'events-jsonl': 'ndjson', 'events-json': 'json', sse: 'sse', proto: 'proto' };
const PIECE = 1 << 20;
const encoder = new TextEncoder();

/** Never throws; `name` becomes the connection's URL. Of a broken file the records before and between the breaks are answered. */
export function readAny(bytes: Uint8Array, name: string, options: ReadAnyOptions = {}): ReadFile {
  const told = options.as ?? tellKind(bytes);
  if (typeof told === 'object') return { kind: 'unknown', records: [], problems: [{ line: null, message: told.problem }] };
  if (told === 'capture') return readCapture(bytes);
  const problems: Problem[] = [];
  const frames = readFrames(bytes, told, problems);
  const clock = createClock(options.time ?? 0);
  const chunks = told === 'sse' || told === 'proto' ? bodyChunks(bytes, frames, clock) : frames.flatMap((frame) => eventChunks(frame, clock));
  const contentType = told === 'proto' ? 'application/vnd.ag-ui.event+proto' : 'text/event-stream';
  const start = chunks[0]?.came ?? clock.base;
  const records: CaptureRecord[] = [
    { kind: 'request', conn: 0, carrier: 'file', document: null, request: { url: name, method: '', time: start } },
    { kind: 'response', conn: 0, response: { time: start, status: 200, contentType } },
    ...chunks,
    { kind: 'end', conn: 0, end: { time: clock.last ?? start, how: 'complete' } },
  ];
  return { kind: told, records, problems };
}

function readCapture(bytes: Uint8Array): ReadFile {
  const reader = createReader();
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  const records: CaptureRecord[] = [];
  for (let at = 0; at < bytes.length; at += PIECE) {
    for (const record of readText(reader, decoder.decode(bytes.subarray(at, at + PIECE), { stream: true }))) records.push(record);
  }
  records.push(...readText(reader, decoder.decode()), ...endReader(reader));
  return { kind: 'capture', records, problems: reader.problems };
}

function readFrames(bytes: Uint8Array, kind: Exclude<FileKind, 'capture'>, problems: Problem[]): Frame[] {
  const stream = createStream({ codec: CODECS[kind] });
  const frames: Frame[] = [];
  for (let at = 0; at < bytes.length; at += PIECE) {
    for (const frame of feed(stream, bytes.subarray(at, at + PIECE), 0)) frames.push(frame);
  }
  frames.push(...finish(stream, 0).frames);
  if (kind === 'events-jsonl' || kind === 'events-json') complain(bytes, kind, frames, problems);
  return frames;
}

/** In a file of events a frame that is none is the file's fault, not a producer's: it is told here and judged by no rule. */
function complain(bytes: Uint8Array, kind: FileKind, frames: readonly Frame[], problems: Problem[]): void {
  let line = 1;
  let at = 0;
  let unlisted = 0;
  for (const frame of frames) {
    const message = frameProblem(frame);
    if (message === null) continue;
    if (problems.length >= MOST_PROBLEMS) {
      unlisted++;
      continue;
    }
    for (; at < frame.offset; at++) if (bytes[at] === 10) line++;
    problems.push({ line, message: kind === 'events-jsonl' ? `Line ${line} ${message}` : `The element at line ${line} ${message}` });
  }
  if (unlisted > 0) problems.push({ line: null, message: `${unlisted} more could not be read.` });
}

/** What is wrong with a frame of a file of events, as the rest of a sentence; null for a good one. */
export function frameProblem(frame: Frame): string | null {
  if (frame.faults.includes('frame-not-one-event')) return `is not a single JSON object; the events in it (${frame.values.length}) were taken.`;
  if (frame.faults.includes('frame-too-large')) return 'is longer than 10 Mi characters and was left out.';
  if (frame.faults.includes('unterminated-frame')) return 'is cut off: the file ends inside it.';
  return frame.faults.length > 0 ? 'is not JSON and was left out.' : null;
}

type ChunkRecord = Extract<CaptureRecord, { kind: 'chunk' }>;

/** A file's events as the SSE frames that would have carried them. */
function eventChunks(frame: Frame, clock: FileClock): ChunkRecord[] {
  return frame.values.map((value) => {
    const time = timeOf(clock, value);
    return { kind: 'chunk', conn: 0, asked: time, came: time, bytes: encoder.encode(`data: ${JSON.stringify(withoutExtras(value))}\n\n`) };
  });
}

/** A body's own bytes, cut behind each frame. */
function bodyChunks(bytes: Uint8Array, frames: readonly Frame[], clock: FileClock): ChunkRecord[] {
  const chunks: ChunkRecord[] = [];
  let from = 0;
  for (const frame of frames) {
    const time = timeOf(clock, frame.values[0]);
    const to = frame.offset + frame.length;
    chunks.push({ kind: 'chunk', conn: 0, asked: time, came: time, bytes: bytes.slice(from, to) });
    from = to;
  }
  const time = clock.last ?? clock.base;
  if (from < bytes.length) chunks.push({ kind: 'chunk', conn: 0, asked: time, came: time, bytes: bytes.slice(from) });
  return chunks;
}
