/** What the panel would say of an altered answer: the same fold that judges what a page receives. */
import type { CaptureRecord } from '../capture/types.ts';
import type { FindingView, RunView } from '../runs/types.ts';
import { addRecord, createSession, everything, tickSession } from '../session/index.ts';
import { applyPlan } from './apply.ts';
import type { Plan } from './plan.ts';
import type { Answer } from './types.ts';

export interface Verdict {
  readonly runs: readonly RunView[];
  readonly findings: readonly FindingView[];
  /** Events that a reader gets. */
  readonly events: number;
  /** Where no stream came: one sentence, else null. */
  readonly failure: string | null;
  /** Changes of the plan that were not made, a sentence each. */
  readonly notes: readonly string[];
}

/** The request that is answered, where it is known. */
export interface Asking {
  readonly url: string;
  readonly method: string;
  /** Its text. */
  readonly body?: string;
  /** Rule id → on or off, over the catalogue's default. */
  readonly rules?: Readonly<Record<string, boolean>>;
}

const ANY: Asking = { url: '/', method: 'POST' };

/** How long an open answer is waited for, ms: longer than any rule does. */
const PATIENCE = 60_000;

/** Judges `answer` as `plan` alters it. Rows are numbered from 0, times are ms since the request. Never throws. */
export function verdictOf(answer: Answer, plan: Plan, asking: Asking = ANY): Verdict {
  const altered = applyPlan(answer, plan);
  const session = createSession(asking.rules ? { rules: asking.rules } : {});
  for (const record of recordsOf(altered, asking)) addRecord(session, record);
  if (altered.end === 'open') tickSession(session, altered.wait + altered.endAfter + PATIENCE);
  const { runs, findings, connections } = everything(session);
  const { events, failure } = connections[0]!;
  return { runs, findings, events, failure, notes: altered.notes };
}

function recordsOf({ status, statusText, contentType, wait, answered, chunks, end, endAfter }: Answer, { url, method, body }: Asking): CaptureRecord[] {
  const conn = 0;
  const request = { url, method, time: 0, ...(body === undefined ? {} : { body: { kind: 'text' as const, text: body } }) };
  let asked = wait;
  return [
    { kind: 'request', conn, carrier: 'fetch', document: null, request },
    ...(answered
      ? [{ kind: 'response', conn, response: { time: wait, status, contentType, ...(statusText === undefined ? {} : { statusText }) } } as const]
      : []),
    ...chunks.map(({ after, bytes }): CaptureRecord => {
      const record = { kind: 'chunk', conn, asked, came: wait + after, bytes } as const;
      asked = wait + after;
      return record;
    }),
    ...(end === 'open' ? [] : [{ kind: 'end', conn, end: { time: wait + endAfter, how: end } } as const]),
  ];
}
