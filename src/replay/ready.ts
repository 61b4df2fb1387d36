/** Plans that are ready to try: one for each status a run can have, one for each family of rules. */
import type { Family, RunStatus } from '../checker/types.ts';
import type { Change, Plan } from './plan.ts';

export interface ReadyPlan {
  readonly plan: Plan;
  /** What becomes of a good run: its status, a finding of this family, or no run because the exchange failed. */
  readonly leads: { readonly status: RunStatus } | { readonly family: Family } | { readonly failure: true };
}

function ready(leads: ReadyPlan['leads'], name: string, ...changes: readonly Change[]): ReadyPlan {
  return { leads, plan: { runlens: 'plan', version: 1, name, changes } };
}

function status(of: RunStatus, name: string, ...changes: readonly Change[]): ReadyPlan {
  return ready({ status: of }, name, ...changes);
}

function family(of: Family, name: string, ...changes: readonly Change[]): ReadyPlan {
  return ready({ family: of }, name, ...changes);
}

/** An event more, just before the run closes. */
function atLast(value: Readonly<Record<string, unknown>>): Change {
  return { do: 'insert', before: { type: 'RUN_FINISHED' }, value };
}

/** The run closes with another outcome. */
function outcome(value: Readonly<Record<string, unknown>>): Change {
  return { do: 'set', event: { type: 'RUN_FINISHED' }, field: '/outcome', value };
}

const ERROR = { type: 'RUN_ERROR', message: 'The model is overloaded.', code: 'overloaded' };
const APPROVAL = { id: 'approval-1', reason: 'confirmation', message: 'Shall I go on?' };

/** None of them counts from the end, so all do on a live stream too. */
export const READY_PLANS: readonly ReadyPlan[] = [
  status('succeeded', 'Everything arrives in pieces of seven bytes', { do: 'split', every: 7, pause: 2 }),
  status('active', 'The agent falls silent in the middle of its answer', { do: 'stall', after: { type: 'TEXT_MESSAGE_CONTENT' } }),
  status('interrupted', 'The run stops to ask for an approval', outcome({ type: 'interrupt', interrupts: [APPROVAL] })),
  status('cancelled', 'The run reports that it was stopped', outcome({ type: 'cancelled' })),
  status(
    'failed-by-report',
    'The agent reports an error in the middle of its answer',
    { do: 'insert', after: { type: 'TEXT_MESSAGE_CONTENT' }, value: ERROR },
    { do: 'cut', after: { type: 'TEXT_MESSAGE_CONTENT' }, end: 'complete' },
  ),
  status('failed-late', 'The run reports success, and then an error', { do: 'insert', after: { type: 'RUN_FINISHED' }, value: ERROR }),
  status('rejected-by-violation', 'The run starts twice', { do: 'duplicate', event: { type: 'RUN_STARTED' } }),
  status('truncated', 'The connection drops in the middle of a tool call', { do: 'cut', after: { type: 'TOOL_CALL_ARGS' }, end: 'network-error' }),

  family('stream', 'The opening event is lost', { do: 'drop', event: { type: 'RUN_STARTED' } }),
  family('run', 'An event comes after the run has closed', {
    do: 'insert',
    after: { type: 'RUN_FINISHED' },
    value: { type: 'CUSTOM', name: 'runlens.late', value: null },
  }),
  family('step', 'A step finishes that never started', atLast({ type: 'STEP_FINISHED', stepName: 'runlens-step' })),
  family('text', 'The start of a message is lost', { do: 'drop', event: { type: 'TEXT_MESSAGE_START' } }),
  family('tool', 'The arguments of a tool call come before its start', { do: 'swap', event: { type: 'TOOL_CALL_START' } }),
  family('reasoning', 'Reasoning ends that never began', atLast({ type: 'REASONING_MESSAGE_END', messageId: 'runlens-reasoning' })),
  family('subagent', 'A subagent finishes that was never announced', atLast({ type: 'SUBAGENT_FINISHED', subagentRunId: 'runlens-subagent' })),
  family(
    'state',
    'A change of the state does not fit the state',
    atLast({ type: 'STATE_DELTA', delta: [{ op: 'replace', path: '/runlens-nowhere/value', value: 1 }] }),
  ),
  family(
    'activity',
    'A change comes for an activity that is not there',
    atLast({ type: 'ACTIVITY_DELTA', messageId: 'runlens-activity', activityType: 'PLAN', patch: [{ op: 'add', path: '/done', value: true }] }),
  ),
  family('interrupt', 'The run stops for an answer and asks nothing', outcome({ type: 'interrupt', interrupts: [] })),
  family('schema', 'A message has a role that nobody knows', { do: 'set', event: { type: 'TEXT_MESSAGE_START' }, field: '/role', value: 'robot' }),
  family('transport', 'The connection stays open after the run', { do: 'stall', after: { type: 'RUN_FINISHED' } }),
  family('version', 'The agent speaks a version to come', { do: 'set', event: { type: 'RUN_STARTED' }, field: '/protocolVersion', value: '9.0' }),
  family('usage', 'The token counts do not add up', {
    do: 'set',
    event: { type: 'RUN_FINISHED' },
    field: '/usage',
    value: [{ provider: 'openai', model: 'gpt-5', inputTokens: 10, outputTokens: 5, totalTokens: 99 }],
  }),

  ready({ failure: true }, 'The server is overloaded (503)', { do: 'answer', status: 503, body: { error: 'overloaded' } }),
];
