/** What is said of a stream whose answer was Runlens' own. */
import type { ReplayRecord } from '../../capture/types.ts';

/** The name of a plan, '' where there is none or it has none. Never throws. */
export function planName(text: string | undefined): string {
  try {
    const { name } = JSON.parse(text ?? '{}') as { name?: unknown };
    return typeof name === 'string' ? name : '';
  } catch {
    return '';
  }
}

/** One line: what was replayed, and what was changed about it. */
export function replayWords({ of, plan }: ReplayRecord): string {
  const name = planName(plan);
  const trouble = plan === undefined ? '' : name === '' ? 'changed by a plan' : `changed by the plan “${name}”`;
  return [of === '' ? 'the live answer' : `from ${of}`, trouble].filter(Boolean).join(', ');
}
