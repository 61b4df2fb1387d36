/** What the consumer holds of messages and calls, as digests (`run-history-restreamed`, `text-known-id-reopened`, `text-id-collision`). */
import type { Held, Known, Track } from './tracking.ts';
import { quote, reportOnce, type Work } from './work.ts';

const SEED = 0x811c9dc5;

/** FNV-1a over UTF-16 code units, continued from an earlier digest. */
export function digest(text: string, from = SEED): number {
  let hash = from;
  for (let i = 0; i < text.length; i += 1) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return hash;
}

function mapOf(work: Work, track: Track): Map<string, Known> {
  return track.kind === 'tool' ? work.state.calls : work.state.messages;
}

function isHeld(work: Work, known: Known): boolean {
  return known.held !== null && (known.generation === work.state.generation || known.kind === 'reasoning' || known.kind === 'activity');
}

/** An item was opened: what is held of it from before this run is kept for its close. */
export function beginHeld(work: Work, track: Track): void {
  const map = mapOf(work, track);
  const known = map.get(track.id);
  track.hash = SEED;
  track.length = 0;
  track.totalHash = SEED;
  track.totalLength = 0;
  track.text = '';
  track.held = null;
  if (known === undefined) {
    const kind = track.kind === 'tool' ? 'tool' : track.kind === 'reasoning' ? 'reasoning' : 'text';
    const role = track.kind === 'tool' ? track.name : track.role;
    map.set(track.id, { kind, role, at: work.at, held: null, run: work.run.ordinal, generation: work.state.generation });
    return;
  }
  if (!isHeld(work, known) || known.held === null) return;
  if (known.run !== work.run.ordinal) track.held = known.held;
  if (known.held.length >= 0) {
    track.totalHash = known.held.hash;
    track.totalLength = known.held.length;
  }
}

/** Text was added to an open item. */
export function growHeld(track: Track, delta: string): void {
  track.hash = digest(delta, track.hash);
  track.length += delta.length;
  track.totalHash = track.totalLength === track.length - delta.length ? track.hash : digest(delta, track.totalHash);
  track.totalLength += delta.length;
}

/** An item ended. `judge` is false where the run ended around it: then what it holds is only noted. */
export function settleHeld(work: Work, track: Track, judge: boolean): void {
  if (judge && track.held !== null && track.length > 0) judgeHeld(work, track, track.held);
  const known = mapOf(work, track).get(track.id);
  if (known === undefined) return;
  known.held = { hash: track.totalHash, length: track.totalLength, at: track.openedAt };
  known.run = work.run.ordinal;
  known.generation = work.state.generation;
  track.held = null;
}

function judgeHeld(work: Work, track: Track, held: Held): void {
  const related = [held.at, track.openedAt];
  const what = track.kind === 'tool' ? 'Tool call' : 'Message';
  if (held.length === track.length && held.hash === track.hash) {
    reportOnce(work, {
      rule: 'run-history-restreamed',
      key: '',
      subject: track.id,
      related,
      message: `${what} ${quote(track.id)} was already held before this run and was streamed again with the same content; restate history with MESSAGES_SNAPSHOT.`,
    });
    return;
  }
  if (track.kind === 'tool' || held.length <= 0) return;
  reportOnce(work, {
    rule: 'text-known-id-reopened',
    key: '',
    subject: track.id,
    related,
    message: `Message ${quote(track.id)} is from before this run and other text was added to it; use a new messageId for a new message.`,
  });
}

const NOUN: Readonly<Record<Known['kind'], string>> = {
  text: 'a text message',
  reasoning: 'a reasoning message',
  activity: 'an activity',
  result: 'a tool result',
  tool: 'a tool call',
};

/** A message id is used for a kind of message; the first use decides (`text-id-collision`). */
export function useMessageId(work: Work, id: string, kind: Exclude<Known['kind'], 'tool'>, role: string | null): void {
  const known = work.state.messages.get(id);
  if (known === undefined) {
    work.state.messages.set(id, { kind, role, at: work.at, held: null, run: work.run.ordinal, generation: work.state.generation });
    return;
  }
  if (known.kind === kind) return;
  reportOnce(work, {
    rule: 'text-id-collision',
    key: id,
    subject: id,
    related: [known.at],
    message: `Id ${quote(id)} names ${NOUN[known.kind]} already and is used for ${NOUN[kind]} here; give each message its own id.`,
  });
}

function kindOfRole(role: string | null): Exclude<Known['kind'], 'tool'> {
  if (role === 'reasoning' || role === 'activity') return role;
  return role === 'tool' ? 'result' : 'text';
}

/** One message or call that a request, an echo or a snapshot lists. `source` undefined: its text is not known. */
export interface Listed {
  readonly id: string;
  readonly role: string | null;
  readonly source: string | undefined;
}

/**
 * Notes a listed message or call. A snapshot restates: it overrides what was known. A request or an echo is history from before the
 * run and only fills gaps. `at` is -1 for a request.
 */
export function noteListed(work: Work, listed: Listed, what: 'message' | 'call', from: 'snapshot' | 'history'): void {
  const { state } = work;
  const map = what === 'call' ? state.calls : state.messages;
  const known = map.get(listed.id);
  if (known !== undefined && from === 'history') return;
  const at = from === 'history' && work.ordinal < 0 ? -1 : work.at;
  const held: Held = listed.source === undefined ? { hash: SEED, length: -1, at } : { hash: digest(listed.source), length: listed.source.length, at };
  if (known !== undefined) {
    known.held = held;
    known.generation = state.generation;
    return;
  }
  const kind = what === 'call' ? 'tool' : kindOfRole(listed.role);
  const run = from === 'history' ? -1 : work.run.ordinal;
  map.set(listed.id, { kind, role: listed.role, at, held, run, generation: state.generation });
}
