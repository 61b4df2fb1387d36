/** A plan over a recorded answer: the altered answer, whole. */
import { createStream, feed, finish } from '../stream/index.ts';
import { choiceOf, fromStart, isFromEnd } from './choice.ts';
import type { Change, EventChoice, Plan } from './plan.ts';
import { createTrouble, type Trouble, typeOf } from './trouble.ts';
import type { Act, Answer, AnswerChunk } from './types.ts';

/** An altered answer, and the changes that were not made, a sentence each. */
export interface AlteredAnswer extends Answer {
  readonly notes: readonly string[];
}

/** What a plan asks that a live stream cannot give, a sentence each: events counted from the end. */
export function liveProblems(plan: Plan): string[] {
  return plan.changes.flatMap((change, no) =>
    isFromEnd(choiceOf(change)) ? [`Change ${no + 1} (${change.do}) counts from the end, which a live stream does not know: give a positive nth.`] : [],
  );
}

/** The answer as the plan makes it. One without changes is the same answer. Never throws. */
export function applyPlan(answer: Answer, plan: Plan): AlteredAnswer {
  if (plan.changes.length === 0) return { ...answer, notes: [] };
  const trouble = createTrouble(settled(plan, answer), answer.contentType);
  const before: Act[] = [];
  const acts = play(answer, trouble, before);
  const head = acts.find((act) => act.kind === 'head');
  const end = acts.find((act) => act.kind === 'end')!;
  const start = head?.after ?? answer.wait;
  const chunks = acts.flatMap((act): AnswerChunk[] => (act.kind === 'bytes' ? [{ after: act.after - start, bytes: act.bytes }] : []));
  // an answer that the page ended stays one, where the plan did not end it before
  const how = end.how === 'open' && !before.includes(end) ? answer.end : end.how;
  return {
    status: head?.status ?? answer.status,
    ...(head?.statusText === undefined ? {} : { statusText: head.statusText }),
    contentType: head?.contentType ?? answer.contentType,
    wait: start,
    answered: head !== undefined,
    chunks,
    end: how,
    endAfter: Math.max(0, end.after - start),
    notes: trouble.notes(),
  };
}

/** Plays an answer through; `before` takes the acts that came before its own end. */
function play(answer: Answer, trouble: Trouble, before: Act[] = []): Act[] {
  const { status, statusText, contentType, wait, answered, chunks, end, endAfter } = answer;
  if (answered) {
    before.push(...trouble.head({ after: wait, status, ...(statusText === undefined ? {} : { statusText }), contentType }));
    for (const { after, bytes } of chunks) for (const act of trouble.take(bytes, wait + after)) before.push(act);
  }
  return [...before, ...trouble.end(end, wait + endAfter)];
}

/** The plan with every choice counted from the start of this answer. */
function settled(plan: Plan, answer: Answer): Plan {
  if (!plan.changes.some((change) => isFromEnd(choiceOf(change)))) return plan;
  const types = new Map<string, number>();
  for (const type of eventTypesOf(answer)) types.set(type, (types.get(type) ?? 0) + 1);
  const settle = (choice: EventChoice): EventChoice => fromStart(choice, types);
  return { ...plan, changes: plan.changes.map((change) => withChoice(change, settle)) };
}

function withChoice(change: Change, settle: (choice: EventChoice) => EventChoice): Change {
  const choice = choiceOf(change);
  if (choice === null) return change;
  const field = ['event', 'before', 'after', 'from'].find((key) => (change as unknown as Record<string, unknown>)[key] === choice)!;
  return { ...change, [field]: settle(choice) } as Change;
}

/** The types of a recorded answer's events, in order: what a plan can choose from. '' for an event without one. */
export function eventTypesOf({ chunks, contentType, end }: Answer): string[] {
  const stream = createStream({ codec: 'auto', contentType });
  const frames = chunks.flatMap(({ bytes }) => feed(stream, bytes, 0));
  // what a broken connection left unfinished was never an event
  if (end === 'complete') frames.push(...finish(stream, 0).frames);
  return frames.flatMap(({ values }) => values.map(typeOf));
}
