/** What comes after a close: belated closes of cut-off runs (M6) and strays (M7). */
import { abandon, settle } from '../abandoned.ts';
import { stepKey } from '../item-rules.ts';
import { laneKey } from '../lanes.ts';
import type { ItemKind } from '../types.ts';
import { absorb, NO_FINDING, report, text, type Work } from '../work.ts';

/** Whether a RUN_FINISHED is the belated close of a cut-off run (M6). Answers that run. */
export function belatedClose(work: Work): { readonly ordinal: number; readonly by: number } | undefined {
  const { state } = work;
  if (work.type !== 'RUN_FINISHED' || state.cut.size === 0) return undefined;
  const runId = text(work.raw['runId']);
  if (runId === undefined || state.run === null) return undefined;
  return state.runs[state.run.ordinal]?.runId === runId ? undefined : state.cut.get(runId);
}

const OPENERS: Readonly<Record<string, ItemKind>> = {
  TEXT_MESSAGE_START: 'text',
  TEXT_MESSAGE_CHUNK: 'text',
  TOOL_CALL_START: 'tool',
  TOOL_CALL_CHUNK: 'tool',
  REASONING_START: 'reasoning-span',
  REASONING_MESSAGE_START: 'reasoning',
  REASONING_MESSAGE_CHUNK: 'reasoning',
  STEP_STARTED: 'step',
  SUBAGENT_STARTED: 'subagent',
};

const CLOSERS: Readonly<Record<string, ItemKind>> = {
  TEXT_MESSAGE_END: 'text',
  TOOL_CALL_END: 'tool',
  REASONING_END: 'reasoning-span',
  REASONING_MESSAGE_END: 'reasoning',
  STEP_FINISHED: 'step',
  SUBAGENT_FINISHED: 'subagent',
  SUBAGENT_ERROR: 'subagent',
};

const ID_FIELDS: Readonly<Record<ItemKind, string>> = {
  text: 'messageId',
  tool: 'toolCallId',
  'reasoning-span': 'messageId',
  reasoning: 'messageId',
  step: 'stepName',
  subagent: 'subagentRunId',
};

/** An event after the close (M7): reported once a run and not applied; what it opens may be gone on with in the next run (M6). */
export function stray(work: Work): void {
  const { run } = work;
  // A tracking exists only beside its verdict.
  const verdict = work.state.runs[run.ordinal]!;
  work.stray = true;
  if (run.strayBy !== NO_FINDING) {
    absorb(work, run.strayBy);
  } else {
    const ended = verdict.ending === 'late-error' || verdict.ending === 'error' ? 'RUN_ERROR' : 'RUN_FINISHED';
    const may = verdict.ending.startsWith('finished/') ? 'RUN_STARTED or RUN_ERROR' : 'RUN_STARTED';
    run.strayBy = report(work, {
      rule: 'run-event-after-close',
      related: [verdict.endedAt ?? -1],
      message: `${work.type} came after ${ended} had closed the run at event ${verdict.endedAt}; only ${may} may follow.`,
    });
  }
  handOn(work, run.strayBy);
}

function handOn(work: Work, by: number): void {
  const { state, raw, type, tag } = work;
  const opens = type === null ? undefined : OPENERS[type];
  const closes = type === null ? undefined : CLOSERS[type];
  const kind = opens ?? closes;
  if (kind === undefined) return;
  const id = text(raw[ID_FIELDS[kind]]);
  if (id === undefined) return;
  const key = kind === 'step' ? stepKey(tag ?? null, id) : id;
  if (closes !== undefined) {
    settle(work, kind, key);
    return;
  }
  abandon(work, kind, key, by);
  if (type?.endsWith('_CHUNK')) state.abandonedLanes.push({ key: laneKey(kind, tag ?? null), by });
}
