/** What is said of a stream whose answer was Runlens' own. */
import { planName } from '../../capture/replay-note.ts';
import type { ReplayRecord } from '../../capture/types.ts';

/** One line: what was replayed, and what was changed about it. */
export function replayWords({ of, plan }: ReplayRecord): string {
  const name = planName(plan);
  const trouble = plan === undefined ? '' : name === '' ? 'changed by a plan' : `changed by the plan “${name}”`;
  return [of === '' ? 'the live answer' : `from ${of}`, trouble].filter(Boolean).join(', ');
}
