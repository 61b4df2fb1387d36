/**
 * Reads any file we know piece by piece into capture records: a capture as it is, everything else as connections with carrier `file`.
 * Of a broken file the records before and between the breaks are answered. Holds no more than the frame it is inside of.
 */
import type { CaptureRecord } from '../capture/types.ts';
import { recognise } from '../protocol/recognise.ts';
import { type Codec, createStream, type Frame, feed, finish } from '../stream/index.ts';
import { createDevtoolsFile, devtoolsLine, endDevtoolsFile } from './devtools-file.ts';
import { createClock, type FileClock, timeOf, toJson, withoutExtras } from './events.ts';
import { type FileKind, KIND_HEAD, tellKind } from './kind.ts';
import { createLines, endLines, takeLines } from './lines.ts';
import { createProblems, endProblems, type Problem, type Problems, tell, tellOfFile } from './problems.ts';
import { createReader, endReader, readText } from './read.ts';
import type { Redacted } from './write.ts';

export interface OpenFileOptions {
  /** Overrides what the content says. */
  readonly as?: FileKind;
  /** Where times begin that the file does not give, ms since the epoch. */
  readonly time?: number;
}

/** What is known of a file; complete when it is over. */
export interface FileFacts {
  /** `unknown`: the one problem says why. Null before there are bytes enough to tell. */
  readonly kind: FileKind | 'unknown' | null;
  readonly problems: readonly Problem[];
  /** What the file says was taken out of it. */
  readonly redacted: Redacted | null;
}

/** A file that is being read. Neither function throws on any bytes. */
export interface OpenFile {
  /** Takes the next bytes; answers the records they completed. */
  readonly take: (bytes: Uint8Array) => CaptureRecord[];
  /** The file is over; answers the rest. */
  readonly end: () => CaptureRecord[];
  readonly facts: () => FileFacts;
}

/** Bytes of a body that are held for their frame to end; past them they go as they are. */
const MOST_HELD = 1024 * 1024;
const CODECS = { 'events-jsonl': 'ndjson', 'events-json': 'json', sse: 'sse', proto: 'proto' } as const satisfies Record<string, Codec>;
const encoder = new TextEncoder();

/** `name` becomes the URL of the connection of a file that is no capture. */
export function openFile(name: string, options: OpenFileOptions = {}): OpenFile {
  let inner: OpenFile | null = options.as ? openKind(options.as, name, options.time ?? 0) : null;
  let head = new Uint8Array(0);
  const decide = (): CaptureRecord[] => {
    const kind = tellKind(head);
    inner = typeof kind === 'object' ? refuse(kind.problem) : openKind(kind, name, options.time ?? 0);
    const records = inner.take(head);
    head = new Uint8Array(0);
    return records;
  };
  return {
    take: (bytes) => {
      if (inner) return inner.take(bytes);
      head = joined(head, bytes);
      return head.length >= KIND_HEAD ? decide() : [];
    },
    end: () => {
      const records = inner ? [] : decide();
      return [...records, ...(inner as unknown as OpenFile).end()];
    },
    facts: () => inner?.facts() ?? { kind: null, problems: [], redacted: null },
  };
}

function joined(a: Uint8Array, b: Uint8Array): Uint8Array<ArrayBuffer> {
  const both = new Uint8Array(a.length + b.length);
  both.set(a);
  both.set(b, a.length);
  return both;
}

function refuse(problem: string): OpenFile {
  return { take: () => [], end: () => [], facts: () => ({ kind: 'unknown', problems: [{ line: null, message: problem }], redacted: null }) };
}

function openKind(kind: FileKind, name: string, time: number): OpenFile {
  if (kind === 'capture') return openCapture();
  return kind === 'ag-ui-devtools' ? openDevtools(time) : openBody(kind, name, time);
}

function openCapture(): OpenFile {
  const reader = createReader();
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  return {
    take: (bytes) => readText(reader, decoder.decode(bytes, { stream: true })),
    end: () => [...readText(reader, decoder.decode()), ...endReader(reader)],
    facts: () => ({ kind: 'capture', problems: reader.problems.list, redacted: reader.redacted }),
  };
}

function openDevtools(time: number): OpenFile {
  const file = createDevtoolsFile(time);
  const lines = createLines();
  const decoder = new TextDecoder('utf-8');
  const problems = createProblems();
  const take = (texts: readonly (string | null)[]): CaptureRecord[] =>
    texts.flatMap((text, index) => {
      const no = lines.no - texts.length + index + 1;
      if (text !== null && text.trim() === '') return [];
      const told = text === null ? 'is longer than 256 Mi characters and was left out' : devtoolsLine(file, text);
      if (typeof told !== 'string') return told;
      tell(problems, no, `Line ${no} ${told}.`);
      return [];
    });
  return {
    take: (bytes) => take(takeLines(lines, decoder.decode(bytes, { stream: true }))),
    end: () => {
      const records = [...take(takeLines(lines, decoder.decode())), ...take(endLines(lines)), ...endDevtoolsFile(file)];
      endProblems(problems, 'lines could not be read');
      if (file.conns.size === 0) tellOfFile(problems, 'There is no event in the file.');
      return records;
    },
    facts: () => ({ kind: 'ag-ui-devtools', problems: problems.list, redacted: file.redacted }),
  };
}

type BodyKind = keyof typeof CODECS;

interface Body {
  readonly kind: BodyKind;
  readonly name: string;
  readonly clock: FileClock;
  readonly problems: Problems;
  /** Positions of line feeds not yet counted, and the lines counted before them. */
  feeds: number[];
  lines: number;
  taken: number;
  /** Bytes of a body that are in no chunk yet. */
  held: Uint8Array[];
  heldFrom: number;
  begun: boolean;
  frames: number;
  /** The first values, by which the protocol is told, and the text of frames without. */
  readonly values: unknown[];
  readonly texts: string[];
}

function openBody(kind: BodyKind, name: string, time: number): OpenFile {
  const stream = createStream({ codec: CODECS[kind] });
  const clock = createClock(time);
  const body: Body = {
    ...{ kind, name, clock, problems: createProblems(), feeds: [], lines: 1, taken: 0, held: [], heldFrom: 0, begun: false, frames: 0 },
    ...{ values: [], texts: [] },
  };
  const isEvents = kind === 'events-jsonl' || kind === 'events-json';
  return {
    take: (bytes) => {
      if (isEvents) countFeeds(body, bytes);
      else body.held.push(bytes.slice());
      body.taken += bytes.length;
      const records = takeFrames(body, feed(stream, bytes, 0), isEvents);
      if (isEvents) passLines(body, stream.offset);
      else if (isDark(body) && stream.stopped) {
        body.held = [];
        body.heldFrom = body.taken;
      } else if (body.taken - body.heldFrom > MOST_HELD && !isDark(body)) records.push(...begin(body), bodyChunk(body, body.taken, clock.last ?? clock.base));
      return records;
    },
    end: () => endBody(body, takeFrames(body, finish(stream, 0).frames, isEvents)),
    facts: () => ({ kind, problems: body.problems.list, redacted: null }),
  };
}

function takeFrames(body: Body, frames: readonly Frame[], isEvents: boolean): CaptureRecord[] {
  const records: CaptureRecord[] = [];
  for (const frame of frames) {
    body.frames++;
    for (const value of frame.values) if (body.values.length < 8) body.values.push(value);
    if (frame.text !== undefined && body.texts.length < 8) body.texts.push(frame.text);
    if (isEvents) {
      complain(body, frame);
      for (const value of frame.values) {
        const time = timeOf(body.clock, value);
        const json = toJson(withoutExtras(value));
        if (json === null) tell(body.problems, null, 'An event is nested too deeply and was left out.');
        const bytes = encoder.encode(json === null ? '' : `data: ${json}\n\n`);
        records.push(...begin(body), { kind: 'chunk', conn: 0, asked: time, came: time, bytes });
      }
    } else if (!isDark(body)) {
      const time = timeOf(body.clock, frame.values[0]);
      records.push(...begin(body), bodyChunk(body, frame.offset + frame.length, time));
    }
  }
  return records;
}

/** A protobuf body that has given no event yet may be any binary file: its bytes wait. */
function isDark({ kind, values }: Body): boolean {
  return kind === 'proto' && values.length === 0;
}

/** The request and response that the connection begins with; at its first event, which tells the time. */
function begin(body: Body): CaptureRecord[] {
  if (body.begun) return [];
  body.begun = true;
  const time = body.clock.last ?? body.clock.base;
  const contentType = body.kind === 'proto' ? 'application/vnd.ag-ui.event+proto' : 'text/event-stream';
  return [
    { kind: 'request', conn: 0, carrier: 'file', document: null, request: { url: body.name, method: '', time } },
    { kind: 'response', conn: 0, response: { time, status: 200, contentType } },
  ];
}

/** A body's own bytes up to `to`, cut behind each frame. */
function bodyChunk(body: Body, to: number, time: number): CaptureRecord {
  const length = Math.max(0, to - body.heldFrom);
  const bytes = new Uint8Array(length);
  let at = 0;
  while (at < length && body.held[0]) {
    const part = body.held[0].subarray(0, length - at);
    bytes.set(part, at);
    at += part.length;
    if (part.length === body.held[0].length) body.held.shift();
    else body.held[0] = body.held[0].subarray(part.length);
  }
  body.heldFrom += at;
  return { kind: 'chunk', conn: 0, asked: time, came: time, bytes: bytes.subarray(0, at) };
}

function endBody(body: Body, records: CaptureRecord[]): CaptureRecord[] {
  const { clock, problems } = body;
  endProblems(problems, 'could not be read');
  const unreadable = body.values.length === 0 && (body.frames === 0 || body.kind === 'proto');
  if (unreadable) tellOfFile(problems, 'There is no event in the file that could be read.');
  else if (body.kind !== 'sse' || body.texts.length === 0) noteForeign(body);
  if (unreadable && !body.begun) return [];
  const first = clock.last ?? clock.base;
  const rest = body.held.length > 0 && body.heldFrom < body.taken ? [bodyChunk(body, body.taken, first)] : [];
  return [...begin(body), ...records, ...rest, { kind: 'end', conn: 0, end: { time: first, how: 'complete' } }];
}

function noteForeign({ values, texts, name, problems, kind }: Body): void {
  const contentType = kind === 'proto' ? 'application/vnd.ag-ui.event+proto' : 'text/event-stream';
  const told = recognise({ requestUrl: name, contentType, values, texts, ended: true });
  if (told.as !== 'foreign') return;
  const what = told.name === 'other event stream' ? 'of a protocol Runlens does not know' : told.name;
  tellOfFile(problems, `What is in it can be read, but is not AG-UI: it is ${what}.`);
}

/** In a file of events a frame that is none is the file's fault, not a producer's: it is told here and judged by no rule. */
function complain(body: Body, frame: Frame): void {
  const message = frameProblem(frame);
  if (message === null) return;
  passLines(body, frame.offset);
  tell(body.problems, body.lines, body.kind === 'events-jsonl' ? `Line ${body.lines} ${message}` : `The element at line ${body.lines} ${message}`);
}

/** What is wrong with a frame of a file of events, as the rest of a sentence; null for a good one. */
export function frameProblem(frame: Frame): string | null {
  if (frame.faults.includes('frame-not-one-event')) return `is not a single JSON object; the events in it (${frame.values.length}) were taken.`;
  if (frame.faults.includes('frame-too-large')) return 'is longer than 10 Mi characters and was left out.';
  if (frame.faults.includes('unterminated-frame')) return 'is cut off: the file ends inside it.';
  return frame.faults.length > 0 ? 'is not JSON and was left out.' : null;
}

function countFeeds(body: Body, bytes: Uint8Array): void {
  for (let at = bytes.indexOf(10); at >= 0; at = bytes.indexOf(10, at + 1)) body.feeds.push(body.taken + at);
}

/** Counts the line feeds before a position. */
function passLines(body: Body, to: number): void {
  let passed = 0;
  while (passed < body.feeds.length && body.feeds[passed]! < to) passed++;
  body.lines += passed;
  if (passed > 0) body.feeds = body.feeds.slice(passed);
}
