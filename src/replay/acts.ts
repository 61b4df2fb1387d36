/** What is to be done to give an answer. */
import type { Act, ActEnd, Answer } from './types.ts';

const endOf = (end: Answer['end']): ActEnd => (end === 'complete' || end === 'network-error' ? end : 'open');

/** All of an answer, at `pace` times its own speed; `Infinity` is at once. */
export function actsOf(answer: Answer, pace: number): Act[] {
  const { wait, answered, chunks, endAfter } = answer;
  const at = (after: number) => (pace === Number.POSITIVE_INFINITY ? 0 : (wait + after) / pace);
  return [
    ...(answered ? [headOf(answer, at(0))] : []),
    ...chunks.map(({ after, bytes }): Act => ({ kind: 'bytes', after: at(after), bytes })),
    endAct(answer, at(endAfter)),
  ];
}

export function headOf({ status, statusText, contentType }: Answer, after: number): Act {
  return { kind: 'head', after, status, ...(statusText === undefined ? {} : { statusText }), contentType };
}

export function endAct({ end }: Answer, after: number): Act {
  return { kind: 'end', after, how: endOf(end) };
}
