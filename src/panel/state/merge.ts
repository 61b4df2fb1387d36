/**
 * Snapshots of the conversation merged into what streams built, as a client does it: a message the snapshot has is as the snapshot
 * has it, one it lacks is gone, new ones are added. Reasoning and activities stay where the snapshot has none of their kind.
 */
import type { Fate, RunTurns, Turn } from './conversation.ts';
import { type Message, messagesOf } from './message.ts';

type Content = Extract<Turn, { kind: 'asked' | 'span' | 'message' | 'activity' }>;

const isContent = (turn: Turn): turn is Content =>
  turn.kind === 'asked' || turn.kind === 'message' || turn.kind === 'activity' || (turn.kind === 'span' && turn.span.kind !== 'subagent');

function idOf(turn: Content): string {
  if (turn.kind === 'asked') return turn.asked.id;
  if (turn.kind === 'span') return turn.span.itemId;
  return turn.kind === 'message' ? turn.message.id : turn.id;
}

function fateOf(turn: Content, row: number, held: ReadonlyMap<string, Message>, calls: ReadonlySet<string>, roles: ReadonlySet<string>): Fate | undefined {
  const message = held.get(idOf(turn));
  if (message) return { row, kind: 'restated', content: message.content };
  if (turn.kind === 'span' && turn.span.kind === 'tool') return calls.has(turn.span.itemId) ? turn.fate : { row, kind: 'dropped' };
  if (turn.kind === 'span' && turn.span.kind === 'reasoning' && !roles.has('reasoning')) return turn.fate;
  if (turn.kind === 'activity' && !roles.has('activity')) return turn.fate;
  // a message that only its calls made stands in the snapshot under the id of a call
  if (turn.kind === 'span' && turn.calls.some((call) => calls.has(call.itemId))) return turn.fate;
  return { row, kind: 'dropped' };
}

/** Results that are shown beside their calls already. */
const isAnswer = (message: Message, made: ReadonlySet<string>): boolean => message.answers !== null && made.has(message.answers);

/** Turns with every snapshot merged in; `read` gives the value of a snapshot's row, undefined while it is not there. */
export function merge(runs: readonly RunTurns[], read: (row: number) => unknown): RunTurns[] {
  const done: { readonly run: RunTurns['run']; readonly turns: Turn[] }[] = [];
  for (const { run, turns } of runs) {
    const out: Turn[] = [];
    done.push({ run, turns: out });
    for (const turn of turns) {
      out.push(turn);
      if (turn.kind !== 'snapshot') continue;
      const value = read(turn.row) as { messages?: unknown } | undefined;
      if (value === undefined) continue;
      const messages = messagesOf(value.messages);
      const held = new Map(messages.map((message) => [message.id, message]));
      const calls = new Set(messages.flatMap((message) => message.calls.map((call) => call.id)));
      const roles = new Set(messages.map((message) => message.role));
      const known = new Set<string>();
      const made = new Set<string>();
      let dropped = 0;
      for (const one of done) {
        one.turns.forEach((before, i) => {
          if (!isContent(before)) return;
          known.add(idOf(before));
          if (before.kind === 'span') for (const call of [before.span, ...before.calls]) if (call.kind === 'tool') made.add(call.itemId);
          if (before.kind === 'message') for (const call of before.message.calls) made.add(call.id);
          const fate = fateOf(before, turn.row, held, calls, roles);
          if (fate?.kind === 'dropped' && before.fate?.kind !== 'dropped') dropped++;
          one.turns[i] = { ...before, fate };
        });
      }
      const fresh = messages.filter((message) => !known.has(message.id) && !isAnswer(message, made) && !message.calls.some((call) => made.has(call.id)));
      out[out.length - 1] = { ...turn, total: messages.length, fresh: fresh.length, dropped };
      for (const message of fresh) out.push({ kind: 'message', message, row: turn.row, after: turn.after });
    }
  }
  return done;
}
