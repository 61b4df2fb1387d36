/**
 * A plan at work on one answer, recorded or live: what comes in is given as it comes, what is to go out is told as acts. Frames that
 * no change touches keep their very bytes and chunks. While a change still waits for its event, a frame goes out when it is whole.
 */
import type { EndHow } from '../capture/types.ts';
import { codecOf, createStream, type Frame, feed, finish, type StreamState } from '../stream/index.ts';
import { changeFrame, type Deed } from './changes.ts';
import { choiceOf, choiceWords, isByte } from './choice.ts';
import { type ByteTurn, createOutlet, type Outlet, type Pieces, send, sendEnd, sendHead, type Turn, takeActs, turn } from './outlet.ts';
import type { Change, EventChange, EventChoice, Plan } from './plan.ts';
import { jsonOf, utf8 } from './text.ts';
import type { Act, Head } from './types.ts';

export interface Trouble {
  /** The response's head; `after` as in the acts. Answers what is to be done. */
  head(head: Head): Act[];
  /** Body bytes that came `time` ms after the request. They are kept by reference until they are sent. */
  take(bytes: Uint8Array, time: number): Act[];
  /** The answer ended so; a page that ended it itself leaves it `open`. */
  end(how: EndHow | 'open', time: number): Act[];
  /** Whether the answer has ended, by the plan or by itself: nothing more is made of what comes. */
  isOver(): boolean;
  /** Changes that were not made, and why, a sentence each. Complete once the answer has ended. */
  notes(): string[];
}

/** A change that waits for its event. */
interface Waiting {
  readonly no: number;
  readonly change: EventChange;
  readonly choice: EventChoice;
}

interface State {
  readonly plan: Plan;
  readonly stream: StreamState;
  readonly outlet: Outlet;
  waiting: Waiting[];
  /** Bytes that have not gone out, and where the first of them lies in the body. */
  parts: Uint8Array[];
  from: number;
  /** Events seen, and how many of each type. */
  events: number;
  readonly types: Map<string, number>;
  /** A frame that lets the next one pass. */
  held: { readonly no: number; readonly deeds: readonly Deed[] } | null;
  headed: boolean;
  readonly refused: Map<number, string>;
}

/** Never throws, whatever the plan, the content type and the bytes. Times are ms since the request and must not go back. */
export function createTrouble(plan: Plan, contentType: string): Trouble {
  const { turns, splits } = turnsOf(plan);
  const state: State = {
    plan,
    stream: createStream({ codec: 'auto', contentType }),
    outlet: createOutlet(turns, splits),
    waiting: plan.changes.flatMap((change, no) => {
      const choice = choiceOf(change);
      return choice === null ? [] : [{ no, change: change as EventChange, choice }];
    }),
    parts: [],
    from: 0,
    events: 0,
    types: new Map(),
    held: null,
    headed: false,
    refused: new Map(),
  };
  return {
    head: (head) => takeHead(state, head),
    take: (bytes, time) => takeBytes(state, bytes, time),
    end: (how, time) => takeEnd(state, how, time),
    isOver: () => state.outlet.ended,
    notes: () => notesOf(state),
  };
}

/** What holds for all bytes, or begins at a byte. */
function turnsOf({ changes }: Plan): { turns: ByteTurn[]; splits: Pieces[] } {
  const turns: ByteTurn[] = [];
  const splits: Pieces[] = [];
  changes.forEach((change, no) => {
    if (change.do === 'split' && 'every' in change) splits.push({ every: change.every, pause: change.pause ?? 0 });
    if (change.do === 'slow' && change.from === undefined) turns.push({ byte: 0, change: no, turn: turnOf(change) });
    const place = change.do === 'cut' || change.do === 'stall' ? change.after : change.do === 'slow' || change.do === 'delay' ? change.from : undefined;
    if (place !== undefined && isByte(place)) turns.push({ byte: place.byte, change: no, turn: turnOf(change as PlacedChange) });
  });
  return { turns, splits };
}

type PlacedChange = Extract<Change, { do: 'cut' | 'stall' | 'slow' | 'delay' }>;

function turnOf(change: PlacedChange): Turn {
  if (change.do === 'cut') return { kind: 'end', how: change.end ?? 'network-error' };
  if (change.do === 'stall') return { kind: 'end', how: 'open' };
  return change.do === 'slow' ? { kind: 'rate', bytesPerSecond: change.bytesPerSecond } : { kind: 'later', ms: change.ms };
}

function takeHead(state: State, head: Head): Act[] {
  const { outlet } = state;
  if (state.headed || outlet.ended) return [];
  state.headed = true;
  const instead = state.plan.changes.find((change) => change.do === 'answer');
  if (instead) answerInstead(outlet, instead, head.after);
  else sendHead(outlet, { kind: 'head', ...head });
  return takeActs(outlet);
}

function answerInstead(outlet: Outlet, { status, contentType, body }: Extract<Change, { do: 'answer' }>, time: number): void {
  const text = typeof body === 'string' ? body : body === undefined ? '' : (jsonOf(body) ?? '');
  const media = contentType ?? (typeof body === 'string' ? 'text/plain; charset=utf-8' : 'application/json');
  outlet.acts.push({ kind: 'head', after: time, status, contentType: media });
  if (text !== '') outlet.acts.push({ kind: 'bytes', after: time, bytes: utf8(text) });
  turn(outlet, { kind: 'end', how: 'complete' }, time);
}

function takeBytes(state: State, bytes: Uint8Array, time: number): Act[] {
  const { outlet, stream } = state;
  if (outlet.ended || bytes.length === 0) return [];
  state.parts.push(bytes);
  if (state.waiting.length > 0 || state.held) {
    for (const frame of feed(stream, bytes, time)) takeFrame(state, frame, time);
    // a frame past the limit holds no event, and after a bad protobuf frame there is none
    passTo(state, stream.head !== null || stream.stopped ? Number.POSITIVE_INFINITY : stream.offset, time);
  }
  if (state.waiting.length === 0 && !state.held) passTo(state, Number.POSITIVE_INFINITY, time);
  return takeActs(outlet);
}

function takeEnd(state: State, how: EndHow | 'open', time: number): Act[] {
  const { outlet, stream } = state;
  if (outlet.ended) return [];
  const instead = state.headed ? undefined : state.plan.changes.find((change) => change.do === 'answer');
  if (instead) {
    answerInstead(outlet, instead, time);
    return takeActs(outlet);
  }
  // what a broken connection left unfinished was never an event
  if (how === 'complete' && (state.waiting.length > 0 || state.held)) for (const frame of finish(stream, time).frames) takeFrame(state, frame, time);
  if (!outlet.ended) passTo(state, Number.POSITIVE_INFINITY, time);
  if (!outlet.ended && state.held) {
    state.refused.set(state.held.no, 'no event follows the one that was to be swapped');
    doAll(state, state.held.deeds, time);
  }
  sendEnd(outlet, how === 'complete' || how === 'network-error' ? how : 'open', time);
  return takeActs(outlet);
}

/** Sends what lies before `position` in the body as it is. */
function passTo(state: State, position: number, time: number): void {
  sendParts(state.outlet, shiftTo(state, position), time);
}

/** Takes the bytes before `position` from those that have not gone out. */
function shiftTo(state: State, position: number): Uint8Array[] {
  const taken: Uint8Array[] = [];
  let used = 0;
  for (; used < state.parts.length && state.from < position; used++) {
    const part = state.parts[used]!;
    const length = Math.min(part.length, position - state.from);
    state.from += length;
    taken.push(part.subarray(0, length));
    if (length < part.length) {
      state.parts[used] = part.subarray(length);
      break;
    }
  }
  state.parts.splice(0, used);
  return taken;
}

function sendParts(outlet: Outlet, parts: readonly Uint8Array[], time: number): void {
  parts.forEach((part, index) => {
    outlet.seam ||= index > 0;
    send(outlet, part, time);
  });
}

function takeFrame(state: State, frame: Frame, time: number): void {
  const { outlet } = state;
  if (outlet.ended) return;
  passTo(state, frame.offset, time);
  const chosen = chosenBy(state, frame);
  const parts = shiftTo(state, frame.offset + frame.length);
  const codec = codecOf(state.stream);
  if (frame.values.length === 0 || codec === null) {
    sendParts(outlet, parts, time);
    return;
  }
  const refuse = (no: number, why: string): void => void state.refused.set(no, why);
  const { held } = state;
  const { deeds, swap } = changeFrame({ codec, parts, values: frame.values, followed: held !== null, changes: chosen, turnOf, refuse });
  if (held) {
    if (swap !== null) refuse(swap, 'this event already changes places with the one before it');
    state.held = null;
    doAll(state, [...deeds, ...held.deeds], time);
  } else if (swap !== null) state.held = { no: swap, deeds };
  else doAll(state, deeds, time);
}

/** Counts the events of a frame and takes the changes that waited for one of them. */
function chosenBy(state: State, { values }: Frame): Waiting[] {
  const chosen: Waiting[] = [];
  for (const value of values) {
    const type = typeOf(value);
    const nth = (state.types.get(type) ?? 0) + 1;
    state.types.set(type, nth);
    const at = state.events++;
    for (const waiting of state.waiting) {
      const { choice } = waiting;
      if (typeof choice === 'number' ? choice === at : choice.type === type && (choice.nth ?? 1) === nth) chosen.push(waiting);
    }
  }
  if (chosen.length > 0) state.waiting = state.waiting.filter((one) => !chosen.includes(one));
  return chosen.sort((a, b) => a.no - b.no);
}

/** The type as it is on the wire, '' where there is none. */
export function typeOf(value: unknown): string {
  const type = typeof value === 'object' && value !== null ? (value as { type?: unknown }).type : undefined;
  return typeof type === 'string' ? type : '';
}

function doAll(state: State, deeds: readonly Deed[], time: number): void {
  for (const deed of deeds) {
    if (deed.kind === 'send') {
      state.outlet.seam ||= deed.apart === true;
      sendParts(state.outlet, deed.parts, time);
    } else turn(state.outlet, deed.turn, time);
  }
}

function notesOf(state: State): string[] {
  const { plan, outlet, events, types, refused } = state;
  const answered = plan.changes.findIndex((change) => change.do === 'answer');
  return plan.changes.flatMap((change, no) => {
    const said = (why: string): string[] => [`Change ${no + 1} (${change.do}) was not made: ${why}.`];
    if (answered >= 0) return no === answered ? [] : said('the plan answers with another response');
    const why = refused.get(no);
    if (why !== undefined) return said(why);
    const waits = state.waiting.find((one) => one.no === no);
    if (waits) return said(`${choiceWords(waits.choice, events, types)}${outlet.isCut ? ' before the answer ended' : ''}`);
    const byte = outlet.turns.find((one) => one.change === no)?.byte;
    return byte === undefined || byte === 0 ? [] : said(`only ${outlet.sent} bytes were sent`);
  });
}
