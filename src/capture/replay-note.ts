/** What a file says of a stream whose answer was not, or not all, the agent's. */
import type { ReplayRecord } from './types.ts';

/** The name of a plan, '' where there is none or it has none. Never throws. */
export function planName(text: string | undefined): string {
  try {
    const { name } = JSON.parse(text ?? '{}') as { name?: unknown };
    return typeof name === 'string' ? name : '';
  } catch {
    return '';
  }
}

/** Whether the answer was recorded for another request. Trouble on a live stream leaves it the agent's. */
export const isReplayed = (replay: ReplayRecord | null): boolean => replay !== null && replay.of !== '';

/** One sentence. */
export function replayNote({ of, plan }: ReplayRecord): string {
  const name = planName(plan);
  const by = name === '' ? 'a plan' : `the plan “${name}”`;
  if (of === '') return `Runlens made trouble on this stream${plan === undefined ? '' : `, by ${by}`}.`;
  return `This stream was replayed by Runlens, from ${of}${plan === undefined ? '' : `; ${by} changed it`}.`;
}
