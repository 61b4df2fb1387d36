/** The smallest bad stream of every rule and the mended one (`fixtures/rule-examples.json`, or the file of the rule), and how such a stream is run. */
import { createStream, type Frame, feed, finish } from '../stream/index.ts';
import { orderFindings, RULES, ruleOf } from './catalogue.ts';
import ruleExamples from './fixtures/rule-examples.json' with { type: 'json' };
import { check, createChecker, findingsOf } from './index.ts';
import { FILE_EXAMPLES } from './rules/index.generated.ts';
import type { CheckerState } from './state.ts';
import type { Finding, StreamEnd, ThreadMemory } from './types.ts';

/** Text that comes in one piece, or `times` pieces of it `every` ms apart; without `every` they come at once. `time` in ms since the connection began. */
export interface Piece {
  readonly text: string;
  readonly time?: number;
  readonly times?: number;
  readonly every?: number;
}

/** One connection. Its body is one of `events` (a frame each), `sse` (text of a body) or `hex` (protobuf frames, bytes in hexadecimal). */
export interface ExampleStream {
  /** Connections before this one in the same session. */
  readonly before?: readonly ExampleStream[];
  /** When it began, ISO 8601; else the epoch, where no time is known. */
  readonly clock?: string;
  readonly request?: unknown;
  /** `text/event-stream` where a body of text does not say otherwise. */
  readonly contentType?: string;
  readonly events?: readonly unknown[];
  readonly sse?: readonly (string | Piece)[];
  readonly hex?: readonly string[];
  /** The clock is read once more at this many ms, while the response is open. */
  readonly watched?: number;
  /** Default `closed`. */
  readonly end?: StreamEnd;
}

export interface RuleExample {
  readonly rule: string;
  /** What a reader has to know besides the streams. */
  readonly note?: string;
  readonly bad: ExampleStream;
  readonly mended: ExampleStream;
}

const LISTED = ruleExamples as unknown as readonly RuleExample[];
const BY_FILE: readonly RuleExample[] = Object.entries(FILE_EXAMPLES).map(([rule, example]) => ({ rule, ...example }));
const PLACE = new Map(RULES.map(({ id }, place) => [id, place]));

/** In the order of the catalogue. */
export const RULE_EXAMPLES: readonly RuleExample[] = [...LISTED, ...BY_FILE].sort(
  (a, b) => (PLACE.get(a.rule) ?? RULES.length) - (PLACE.get(b.rule) ?? RULES.length),
);

/** The findings of a stream, the connections before it included; the rule is turned on where it is off by default. */
export function runExample(rule: string, stream: ExampleStream): Finding[] {
  const rules = ruleOf(rule).off === true ? { [rule]: true } : {};
  const threads: ThreadMemory = {};
  return [...(stream.before ?? []), stream].flatMap((connection) => {
    const state = createChecker({ rules, threads });
    play(state, connection);
    return orderFindings(findingsOf(state));
  });
}

function play(state: CheckerState, stream: ExampleStream): void {
  const began = stream.clock === undefined ? 0 : Date.parse(stream.clock);
  const contentType = stream.contentType ?? 'text/event-stream';
  check(state, { kind: 'request', body: stream.request ?? null, time: began });
  check(state, { kind: 'response', status: 200, contentType, time: began });
  const last = stream.events === undefined ? playBytes(state, stream, contentType, began) : playEvents(state, stream.events, began);
  if (stream.watched !== undefined) check(state, { kind: 'tick', time: began + stream.watched });
  check(state, { kind: 'end', end: stream.end ?? 'closed', time: last });
}

function playEvents(state: CheckerState, events: readonly unknown[], time: number): number {
  for (const [frame, value] of events.entries()) check(state, { kind: 'event', value, frame, time });
  return time;
}

/** The page waits all the time: it asks for the next piece when it has the one before. */
function playBytes(state: CheckerState, { sse = [], hex = [], end = 'closed' }: ExampleStream, contentType: string, began: number): number {
  const stream = createStream({ codec: hex.length > 0 ? 'proto' : 'sse', contentType });
  let asked = began;
  for (const { bytes, time } of hex.length > 0 ? hex.map((digits) => ({ bytes: bytesOf(digits), time: 0 })) : sse.flatMap(piecesOf)) {
    const came = began + time;
    for (const frame of feed(stream, bytes, came)) playFrame(state, frame, asked);
    asked = came;
  }
  if (end !== 'open') for (const frame of finish(stream, asked, end === 'closed').frames) playFrame(state, frame, asked);
  return asked;
}

function playFrame(state: CheckerState, frame: Frame, asked: number): void {
  const text = frame.text === undefined ? {} : { text: frame.text };
  for (const fault of frame.faults) check(state, { kind: 'fault', fault, frame: frame.no, time: frame.time, ...text });
  for (const value of frame.values) check(state, { kind: 'event', value, frame: frame.no, time: frame.time, asked });
}

function piecesOf(piece: string | Piece): { bytes: Uint8Array; time: number }[] {
  const { text, time = 0, times = 1, every } = typeof piece === 'string' ? { text: piece } : piece;
  const encoder = new TextEncoder();
  if (every === undefined) return [{ bytes: encoder.encode(text.repeat(times)), time }];
  return Array.from({ length: times }, (_, index) => ({ bytes: encoder.encode(text), time: time + index * every }));
}

function bytesOf(hex: string): Uint8Array {
  return Uint8Array.from({ length: hex.length / 2 }, (_, index) => Number.parseInt(hex.slice(index * 2, index * 2 + 2), 16));
}
