/** Words of the timeline: statuses, why a run ended so, kinds. Shorter wordings follow longer ones; none is cut. */
import type { Ending, RunStatus, Severity } from '../checker/types.ts';
import type { RunView, SpanKind, TickView } from '../runs/types.ts';
import { duration } from './scale.ts';
import type { LaneKind } from './types.ts';

export const STATUS_WORD: Readonly<Record<RunStatus, string>> = {
  active: 'Active',
  succeeded: 'Succeeded',
  interrupted: 'Interrupted',
  cancelled: 'Cancelled',
  'failed-by-report': 'Failed',
  'failed-late': 'Failed late',
  'rejected-by-violation': 'Rejected',
  truncated: 'Truncated',
};

/** Token of a status: `st-failed`. */
export const statusToken = (status: RunStatus): string => `st-${status.replace('-by-report', '').replace('-by-violation', '')}`;

/** Token of what stands for a run: quiet grey when it needs no attention. */
export const runToken = (status: RunStatus): string => (status === 'succeeded' ? 'k-run' : statusToken(status));

export const LANE_WORD: Readonly<Record<LaneKind, string>> = {
  step: 'Steps',
  text: 'Messages',
  reasoning: 'Reasoning',
  tool: 'Tools',
  subagent: 'Subagents',
  state: 'State',
};

export const SPAN_WORD: Readonly<Record<SpanKind, string>> = {
  step: 'Step',
  text: 'Message',
  reasoning: 'Reasoning message',
  'reasoning-span': 'Reasoning',
  tool: 'Tool call',
  subagent: 'Subagent',
};

export const TICK_WORD: Readonly<Record<TickView['kind'], string>> = {
  'state-snapshot': 'State snapshot',
  'state-delta': 'State delta',
  messages: 'Messages snapshot',
  activity: 'Activity',
  custom: 'Custom event',
  raw: 'Raw event',
  unknown: 'Unknown event',
};

export const SEVERITY_WORD: Readonly<Record<Severity, string>> = { violation: 'Violation', deviation: 'Deviation', advice: 'Advice' };

export const plural = (n: number, word: string, many = `${word}s`): string => `${n} ${n === 1 ? word : many}`;

const FINISH: Partial<Record<Ending, string>> = { 'finished/success': 'succeeded', 'finished/interrupt': 'interrupted', 'finished/cancelled': 'cancelled' };

function whyInterrupted(run: RunView): string[] {
  const n = run.interrupts.length;
  const [only] = n === 1 ? run.interrupts : [];
  const said = [only?.message ?? '', only?.reason ?? ''].filter((text) => text && text.length < 80).map((text) => `waits: ${text}`);
  return [...said, ...(n === 0 ? [] : [`waits for ${plural(n, 'answer')}`]), 'waits'];
}

const LOST = {
  eof: ['stream ended early', 'ended early'],
  dropped: ['connection dropped', 'dropped'],
  'consumer-abort': ['the page stopped reading', 'page stopped'],
} as const;

/** Second line under a run bar: why it ended so, or which of several runs it is; longest wording first. */
export function noteOf(run: RunView, several = false): readonly string[] {
  if (run.afterRejection) return ['a conforming client never got here', 'never reached'];
  if (several && run.answersRequest === true && run.status === 'succeeded') return ['answers the request', 'the answer'];
  if (run.answersRequest === false && run.status === 'succeeded') return ['history, sent again', 'history'];
  switch (run.status) {
    case 'active':
      return [`receiving, ${plural(run.events, 'event')}`, 'receiving'];
    case 'succeeded': {
      const events = plural(run.events, 'event');
      const odd = run.outcomeStripped ? ['unknown outcome, read as success', 'unknown outcome'] : [];
      return [...odd, ...(run.firstTextTime === null ? [] : [`${events}, first text after ${duration(run.firstTextTime - run.start)}`]), events];
    }
    case 'interrupted':
      return whyInterrupted(run);
    case 'cancelled':
      return ['stopped on request', 'stopped'];
    case 'failed-by-report':
    case 'failed-late': {
      const what = run.error?.code ?? run.error?.message ?? '';
      if (run.status === 'failed-late') return [`${(run.endingBefore && FINISH[run.endingBefore]) ?? 'finished'}, then RUN_ERROR`, 'then RUN_ERROR'];
      return [...(what && what.length < 60 ? [`RUN_ERROR ${what}`, what] : []), 'RUN_ERROR'];
    }
    case 'truncated':
      return run.lostWhy ? LOST[run.lostWhy] : ['stream stopped short', 'cut'];
    case 'rejected-by-violation':
      return [];
  }
}

/** What a rejected run's stream said after the violation, longest wording first, with the status whose icon stands for it. */
export function afterStop(run: RunView): { readonly status: RunStatus; readonly words: readonly string[] } {
  switch (run.ending) {
    case 'open':
      return { status: 'active', words: ['still receiving', 'receiving'] };
    case 'finished/success':
      return { status: 'succeeded', words: ['then reported success', 'then success'] };
    case 'finished/interrupt':
      return { status: 'interrupted', words: ['then interrupts, not safe to answer', 'then interrupts'] };
    case 'finished/cancelled':
      return { status: 'cancelled', words: ['then reported a stop', 'then a stop'] };
    case 'error':
      return { status: 'failed-by-report', words: ['also reported failure', 'also failed'] };
    case 'late-error':
      return { status: 'failed-late', words: ['finished, then reported failure', 'then failed late'] };
    case 'lost':
      return { status: 'truncated', words: ['then cut', 'cut'] };
    case 'cut-off':
      return { status: 'truncated', words: ['replaced by another run', 'replaced'] };
  }
}
