/** One input read piece by piece into a fold, whatever its kind: a gigabyte passes through a few chunks of memory. */
import { createClock, type FileKind, frameProblem, KIND_HEAD, type OpenFile, openFile, tellKind, timeOf, withoutExtras } from '../export/index.ts';
import { createStream, type Frame, feed, finish } from '../stream/index.ts';
import { addConnection, type CheckedConnection, type CheckOptions, createFold, endFold, type Fold, foldRecord, foldValue } from './check-stream.ts';

export interface CheckedInput {
  readonly kind: FileKind | null;
  readonly connections: readonly CheckedConnection[];
  /** What could not be read, in sentences. Empty for a file read whole. */
  readonly problems: readonly string[];
}

export interface InputOptions extends CheckOptions {
  readonly as?: FileKind;
}

/** Takes pieces in order, then is ended once. */
interface Sink {
  take(bytes: Uint8Array): void;
  end(): void;
}

const MOST_PROBLEMS = 20;

/** Reads `pieces` to their end. A source that throws midway is a problem beside what was read before. */
export async function checkInput(pieces: AsyncIterable<Uint8Array>, options: InputOptions): Promise<CheckedInput> {
  const problems: string[] = [];
  let head: Uint8Array = new Uint8Array(0);
  let kind: FileKind | null = options.as ?? null;
  let fold: Fold | null = null;
  let sink: Sink | null = null;
  let refused = false;
  const open = (): void => {
    const told = kind ?? tellKind(head);
    if (typeof told === 'object') {
      problems.push(told.problem);
      refused = true;
      return;
    }
    kind = told;
    const hidden = told === 'events-jsonl' || told === 'events-json';
    fold = createFold({ ...options, lenient: told !== 'capture', framingHidden: hidden });
    sink = openSink(told, fold, (sentence) => problems.push(sentence));
    sink.take(head);
  };
  try {
    for await (const piece of pieces) {
      if (sink) (sink as Sink).take(piece);
      else {
        head = joined(head, piece);
        if (head.length >= KIND_HEAD) open();
        if (refused) break;
      }
    }
  } catch (error) {
    problems.push(`Reading stopped: ${error instanceof Error ? error.message : String(error)}.`);
  }
  // a source that failed before its first byte has said enough
  if (!sink && !refused && (head.length > 0 || problems.length === 0)) open();
  (sink as Sink | null)?.end();
  const connections = fold ? endFold(fold) : [];
  // in a capture other streams are to be expected; a file that was named to be checked and was not must not pass for clean
  if (kind !== 'capture')
    for (const { foreign } of connections) if (foreign !== null) problems.push(`The stream is not AG-UI but ${foreign}: nothing was checked.`);
  return { kind, connections, problems };
}

function joined(a: Uint8Array, b: Uint8Array): Uint8Array {
  const both = new Uint8Array(a.length + b.length);
  both.set(a);
  both.set(b, a.length);
  return both;
}

function openSink(kind: FileKind, fold: Fold, complain: (sentence: string) => void): Sink {
  if (kind === 'capture' || kind === 'ag-ui-devtools') return recordsSink(openFile('', { as: kind }), fold, complain);
  return kind === 'sse' || kind === 'proto' ? bodySink(kind, fold) : eventsSink(kind, fold, complain);
}

/** A file of records. */
function recordsSink(file: OpenFile, fold: Fold, complain: (sentence: string) => void): Sink {
  return {
    take(bytes) {
      for (const record of file.take(bytes)) foldRecord(fold, record);
    },
    end() {
      for (const record of file.end()) foldRecord(fold, record);
      for (const { message } of file.facts().problems) complain(message);
    },
  };
}

/** A body has no times: all of it came at once. */
function bodySink(kind: 'sse' | 'proto', fold: Fold): Sink {
  foldRecord(fold, {
    kind: 'response',
    conn: 0,
    response: { time: 0, status: 200, contentType: kind === 'sse' ? 'text/event-stream' : 'application/vnd.ag-ui.event+proto' },
  });
  return {
    take(bytes) {
      foldRecord(fold, { kind: 'chunk', conn: 0, asked: 0, came: 0, bytes });
    },
    end() {},
  };
}

/** In a file of events a frame that is none is the file's fault, not a producer's: it is told and judged by no rule. */
function eventsSink(kind: 'events-jsonl' | 'events-json', fold: Fold, complain: (sentence: string) => void): Sink {
  addConnection(fold, 0);
  const stream = createStream({ codec: kind === 'events-jsonl' ? 'ndjson' : 'json' });
  const clock = createClock(0);
  let unlisted = 0;
  let listed = 0;
  const take = (frames: readonly Frame[]): void => {
    for (const frame of frames) {
      for (const value of frame.values) foldValue(fold, 0, withoutExtras(value), frame.no, timeOf(clock, value));
      const problem = frameProblem(frame);
      if (problem === null) continue;
      if (listed++ < MOST_PROBLEMS) complain(`The entry at byte ${frame.offset} ${problem}`);
      else unlisted++;
    }
  };
  return {
    take(bytes) {
      take(feed(stream, bytes, 0));
    },
    end() {
      take(finish(stream, 0).frames);
      if (unlisted > 0) complain(`${unlisted} more entries could not be read.`);
    },
  };
}
