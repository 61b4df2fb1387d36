/** One answer that is given step by step, as the reader says. */
import { type ReadonlySignal, signal } from '@preact/signals';
import { actsOf, endAct } from '../../replay/acts.ts';
import { NO_PLAN } from '../../replay/plan.ts';
import { type Step, stepsOf } from '../../replay/steps.ts';
import type { Act, Answer } from '../../replay/types.ts';
import { verdictOf } from '../../replay/verdict.ts';

export interface Stepper {
  readonly steps: readonly Step[];
  /** Steps taken. */
  readonly at: ReadonlySignal<number>;
  /** Steps in which a finding comes up, in order. */
  readonly findings: readonly number[];
  readonly step: () => void;
  /** Up to and with the next step in which a finding comes up; to the end where none does. */
  readonly toFinding: () => void;
  /** The rest, at the recorded pace from here. */
  readonly runOn: () => void;
}

interface Asked {
  readonly url: string;
  readonly method: string;
  readonly body: string;
}

/** `answer` is the one that is given, its head apart; `give` plays acts whose times count from the request. */
export function createStepper(answer: Answer, asked: Asked, give: (acts: readonly Act[]) => void): Stepper {
  const steps = stepsOf(answer);
  const begun = performance.now();
  const at = signal(0);
  const findings = findingSteps(answer, asked, steps);
  const go = (to: number) => {
    const acts = steps.slice(at.peek(), to).map(({ bytes }): Act => ({ kind: 'bytes', after: 0, bytes }));
    at.value = Math.max(at.peek(), to);
    if (to >= steps.length) acts.push(endAct(answer, 0));
    give(acts);
  };
  return {
    steps,
    at,
    findings,
    step: () => go(Math.min(steps.length, at.peek() + 1)),
    toFinding: () => go((findings.find((no) => no >= at.peek()) ?? steps.length - 1) + 1),
    runOn: () => {
      const sent = steps.slice(0, at.peek()).reduce((sum, { bytes }) => sum + bytes.length, 0);
      const acts = restOf(answer, sent, performance.now() - begun);
      at.value = steps.length;
      give(acts);
    },
  };
}

function findingSteps(answer: Answer, { url, method, body }: Asked, steps: readonly Step[]): number[] {
  const { findings } = verdictOf(answer, NO_PLAN, { url, method, ...(body === '' ? {} : { body }) });
  const found = findings.map(({ at }) => (at < 0 ? steps.length - 1 : steps.findIndex(({ events }) => events > at))).filter((no) => no >= 0);
  return [...new Set(found)].sort((a, b) => a - b);
}

/** What lies behind the first `sent` bytes of an answer: the first of it now, at `now` ms since the request, the rest at its pace. */
function restOf(answer: Answer, sent: number, now: number): Act[] {
  let left = sent;
  let shift: number | null = null;
  const rest: Act[] = [];
  for (const act of actsOf(answer, 1)) {
    if (act.kind === 'head') continue;
    if (act.kind === 'bytes') {
      const skip = Math.min(left, act.bytes.length);
      left -= skip;
      if (skip === act.bytes.length) continue;
      shift ??= now - act.after;
      rest.push({ ...act, after: act.after + shift, bytes: act.bytes.slice(skip) });
    } else rest.push({ ...act, after: act.after + (shift ?? now - act.after) });
  }
  return rest;
}
