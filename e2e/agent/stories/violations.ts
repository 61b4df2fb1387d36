/** One broken rule a story. The id of the scenario is the rule that its one finding names. */
import type { RunInput, Scenario, Script, Story } from '../story.ts';
import { script, story } from '../story.ts';

/** A story whose one run is rejected. `tell` writes what lies between RUN_STARTED and RUN_FINISHED. */
function rejected(tell: (s: Script) => unknown): (input: RunInput) => Story {
  return (input) => {
    const s = script(input).started();
    tell(s);
    return story(s.finished(), input, 'rejected-by-violation');
  };
}

function openingEvent(input: RunInput): Story {
  const s = script(input).send('STEP_STARTED', { stepName: 'boot' }, 120).breaks('stream-opening-event');
  s.started().says('msg-1', 'Started before the start.').send('STEP_FINISHED', { stepName: 'boot' });
  return story(s.finished(), input, 'rejected-by-violation');
}

function afterClose(input: RunInput): Story {
  const s = script(input)
    .started()
    .send('STATE_SNAPSHOT', { snapshot: { step: 1 } })
    .says('msg-1', 'Done.')
    .finished();
  s.send('STATE_DELTA', { delta: [{ op: 'replace', path: '/step', value: 2 }] }, 300).breaks('run-event-after-close');
  return story(s, input, 'rejected-by-violation');
}

/** A planning run that is never closed before the run that was asked for begins. */
function nestedStart(input: RunInput): Story {
  const planning = { ...input, runId: `${input.runId}-planning` };
  const before = script(planning).started().send('STEP_STARTED', { stepName: 'plan' });
  const s = script(input).started().breaks('run-nested-start').says('msg-1', 'The plan was never finished.').finished();
  const runs = [
    { runId: planning.runId, status: 'rejected-by-violation' as const },
    { runId: input.runId, status: 'succeeded' as const },
  ];
  const findings = s.findings.map((finding) => ({ ...finding, at: finding.at + before.moves.length }));
  return { moves: [...before.moves, ...s.moves], expected: { runs, findings } };
}

function openItems(input: RunInput): Story {
  const s = script(input).started().send('STEP_STARTED', { stepName: 'search' }).says('msg-1', 'Nearly there.');
  s.send('TOOL_CALL_START', { toolCallId: 'call-1', toolCallName: 'search' }).send('TOOL_CALL_ARGS', { toolCallId: 'call-1', delta: '{"q":"' });
  return story(s.finished().breaks('run-finished-with-open-items'), input, 'rejected-by-violation');
}

const step = (s: Script, type: 'STEP_STARTED' | 'STEP_FINISHED', stepName: string, more = {}) => s.send(type, { stepName, ...more });

const VIOLATING: readonly (readonly [rule: string, title: string, about: string, build: (input: RunInput) => Story])[] = [
  ['stream-opening-event', 'An event before RUN_STARTED', 'The stream opens with a step. It must open with RUN_STARTED or RUN_ERROR.', openingEvent],
  ['run-event-after-close', 'An event after RUN_FINISHED', 'A state change arrives when the run is already closed.', afterClose],
  ['run-nested-start', 'RUN_STARTED inside a run', 'A second run starts before the first was closed.', nestedStart],
  ['run-finished-with-open-items', 'RUN_FINISHED with open items', 'A step and a tool call are still open when the run says that it is finished.', openItems],
  [
    'step-already-open',
    'A step opened twice',
    'Two branches announce the same step name at the same time.',
    rejected((s) => {
      step(step(s, 'STEP_STARTED', 'search').says('msg-1', 'Looking for flights to Lisbon in May.'), 'STEP_STARTED', 'search').breaks('step-already-open');
      step(step(s.says('msg-2', 'And for hotels by the river.'), 'STEP_FINISHED', 'search'), 'STEP_FINISHED', 'search');
    }),
  ],
  [
    'step-not-open',
    'A step finished that is not open',
    'STEP_FINISHED without its STEP_STARTED.',
    rejected((s) => step(s.says('msg-1', 'Which step was that?'), 'STEP_FINISHED', 'search').breaks('step-not-open')),
  ],
  [
    'step-finish-wrong-owner',
    'A step finished by somebody else',
    'A subagent opened the step; the parent finishes it.',
    rejected((s) => {
      s.send('SUBAGENT_STARTED', { subagentRunId: 'scout-1', name: 'scout' });
      step(s, 'STEP_STARTED', 'search', { subagentRunId: 'scout-1' }).says('msg-1', 'Searching.', { subagentRunId: 'scout-1' });
      step(s, 'STEP_FINISHED', 'search').breaks('step-finish-wrong-owner').send('SUBAGENT_FINISHED', { subagentRunId: 'scout-1' });
    }),
  ],
  [
    'text-already-open',
    'A message opened twice',
    'TEXT_MESSAGE_START for a message that is still being written.',
    rejected((s) => {
      s.send('TEXT_MESSAGE_START', { messageId: 'msg-1', role: 'assistant' }).send('TEXT_MESSAGE_CONTENT', { messageId: 'msg-1', delta: 'Hello' });
      s.send('TEXT_MESSAGE_START', { messageId: 'msg-1', role: 'assistant' }).breaks('text-already-open');
      s.send('TEXT_MESSAGE_CONTENT', { messageId: 'msg-1', delta: ' again' }).send('TEXT_MESSAGE_END', { messageId: 'msg-1' });
    }),
  ],
  [
    'text-not-open',
    'Text for a message that is not open',
    'Content without TEXT_MESSAGE_START.',
    rejected((s) => {
      s.send('TEXT_MESSAGE_CONTENT', { messageId: 'msg-1', delta: 'Where do I ' }).breaks('text-not-open');
      s.send('TEXT_MESSAGE_CONTENT', { messageId: 'msg-1', delta: 'belong?' }).send('TEXT_MESSAGE_END', { messageId: 'msg-1' });
    }),
  ],
  [
    'tool-already-open',
    'A tool call opened twice',
    'TOOL_CALL_START repeated while its arguments are arriving.',
    rejected((s) => {
      s.send('TOOL_CALL_START', { toolCallId: 'call-1', toolCallName: 'search' }).send('TOOL_CALL_ARGS', { toolCallId: 'call-1', delta: '{"q":"' });
      s.send('TOOL_CALL_START', { toolCallId: 'call-1', toolCallName: 'search' }).breaks('tool-already-open');
      s.send('TOOL_CALL_ARGS', { toolCallId: 'call-1', delta: 'lisbon"}' }).send('TOOL_CALL_END', { toolCallId: 'call-1' });
      s.send('TOOL_CALL_RESULT', { messageId: 'result-1', toolCallId: 'call-1', content: 'found' });
    }),
  ],
  [
    'tool-not-open',
    'Arguments for a tool call that is not open',
    'TOOL_CALL_ARGS without TOOL_CALL_START.',
    rejected((s) => s.send('TOOL_CALL_ARGS', { toolCallId: 'call-1', delta: '{}' }).breaks('tool-not-open').send('TOOL_CALL_END', { toolCallId: 'call-1' })),
  ],
  [
    'reasoning-span-already-open',
    'Reasoning opened twice',
    'REASONING_START for a span that is open.',
    rejected((s) =>
      s
        .send('REASONING_START', { messageId: 'think-1' })
        .send('REASONING_START', { messageId: 'think-1' })
        .breaks('reasoning-span-already-open')
        .send('REASONING_END', { messageId: 'think-1' }),
    ),
  ],
  [
    'reasoning-span-not-open',
    'Reasoning ended that is not open',
    'REASONING_END without REASONING_START.',
    rejected((s) => s.send('REASONING_END', { messageId: 'think-1' }).breaks('reasoning-span-not-open').says('msg-1', 'Thought enough.')),
  ],
  [
    'reasoning-message-already-open',
    'A reasoning message opened twice',
    'REASONING_MESSAGE_START repeated.',
    rejected((s) => {
      const start = () => s.send('REASONING_MESSAGE_START', { messageId: 'think-1', role: 'reasoning' });
      start().send('REASONING_MESSAGE_CONTENT', { messageId: 'think-1', delta: 'Hm. ' });
      start().breaks('reasoning-message-already-open').send('REASONING_MESSAGE_CONTENT', { messageId: 'think-1', delta: 'Hm!' });
      s.send('REASONING_MESSAGE_END', { messageId: 'think-1' });
    }),
  ],
  [
    'reasoning-message-not-open',
    'A thought without a beginning',
    'Reasoning content inside a span, but its message was never opened.',
    rejected((s) => {
      s.send('REASONING_START', { messageId: 'think-1' });
      s.send('REASONING_MESSAGE_CONTENT', { messageId: 'think-1', delta: 'So it is.' }).breaks('reasoning-message-not-open');
      s.send('REASONING_END', { messageId: 'think-1' });
    }),
  ],
  [
    'subagent-already-active',
    'A subagent started twice',
    'SUBAGENT_STARTED for an invocation that is active.',
    rejected((s) => {
      const start = () => s.send('SUBAGENT_STARTED', { subagentRunId: 'scout-1', name: 'scout' });
      start().says('msg-1', 'On my way.', { subagentRunId: 'scout-1' });
      start().breaks('subagent-already-active').send('SUBAGENT_FINISHED', { subagentRunId: 'scout-1' });
    }),
  ],
  [
    'subagent-not-active',
    'A subagent finished that never started',
    'SUBAGENT_FINISHED alone.',
    rejected((s) => s.says('msg-1', 'Who was that?').send('SUBAGENT_FINISHED', { subagentRunId: 'scout-1' }).breaks('subagent-not-active')),
  ],
  [
    'subagent-id-reused',
    'A subagent id used again',
    'A second invocation takes the id of one that has ended.',
    rejected((s) => {
      const start = () => s.send('SUBAGENT_STARTED', { subagentRunId: 'scout-1', name: 'scout' });
      start().send('SUBAGENT_FINISHED', { subagentRunId: 'scout-1' });
      start().breaks('subagent-id-reused').send('SUBAGENT_FINISHED', { subagentRunId: 'scout-1' });
    }),
  ],
];

export const VIOLATIONS: readonly Scenario[] = VIOLATING.map(([id, title, about, build]) => ({ id, group: 'Violations', title, about, build }));
