/** Runs as they should be, and the ways in which one may end without anybody having broken a rule. */
import type { RunInput, Scenario, Script, Story } from '../story.ts';
import { script, story } from '../story.ts';

/** Opens the three steps, thinks aloud, and starts both searches at once. */
function research(s: Script): void {
  s.started().send('STATE_SNAPSHOT', { snapshot: { city: null, budget: 900, flights: [], hotels: [] } });
  s.send('STEP_STARTED', { stepName: 'plan' }, 80);
  s.send('REASONING_START', { messageId: 'think-1' }).send('REASONING_MESSAGE_START', { messageId: 'think-1', role: 'reasoning' });
  for (const delta of ['Three days in May. ', 'Flights first, ', 'hotels near the river, ', 'and mind the weather.'])
    s.send('REASONING_MESSAGE_CONTENT', { messageId: 'think-1', delta }, 140);
  s.send('REASONING_MESSAGE_END', { messageId: 'think-1' }).send('REASONING_END', { messageId: 'think-1' });
  s.send('STATE_DELTA', { delta: [{ op: 'replace', path: '/city', value: 'Lisbon' }] });
  s.send('STEP_STARTED', { stepName: 'research' }).send('TEXT_MESSAGE_START', { messageId: 'msg-1', role: 'assistant' });
  for (const delta of ['I am ', 'looking for ', 'flights and ', 'hotels.']) s.send('TEXT_MESSAGE_CONTENT', { messageId: 'msg-1', delta }, 90);
  s.send('TEXT_MESSAGE_END', { messageId: 'msg-1' }).send('STEP_FINISHED', { stepName: 'plan' });
  s.send('TOOL_CALL_START', { toolCallId: 'call-flights', toolCallName: 'search_flights', parentMessageId: 'msg-1' });
  s.send('TOOL_CALL_START', { toolCallId: 'call-hotels', toolCallName: 'search_hotels', parentMessageId: 'msg-1' });
  s.send('TOOL_CALL_ARGS', { toolCallId: 'call-flights', delta: '{"from":"BER",' }, 90).send('TOOL_CALL_ARGS', {
    toolCallId: 'call-hotels',
    delta: '{"city":"Lis',
  });
  s.send('TOOL_CALL_ARGS', { toolCallId: 'call-flights', delta: '"to":"LIS"}' }, 90).send('TOOL_CALL_ARGS', {
    toolCallId: 'call-hotels',
    delta: 'bon","nights":3}',
  });
  s.send('TOOL_CALL_END', { toolCallId: 'call-flights' }).send('TOOL_CALL_END', { toolCallId: 'call-hotels' });
}

/** A subagent with a message and a call of its own, while the searches wait for their results. */
function weather(s: Script): void {
  const own = { subagentRunId: 'scout-1' };
  s.send('SUBAGENT_STARTED', { ...own, name: 'weather-scout', description: 'Looks up the weather' });
  s.says('msg-scout', 'Checking the forecast for May.', own).calls('call-forecast', 'get_forecast', '{"city":"Lisbon"}', '22 °C, sunny', own);
  s.send('SUBAGENT_FINISHED', { ...own, result: { weather: 'sunny' } });
}

function good(input: RunInput): Story {
  const s = script(input, 70);
  research(s);
  s.send('STEP_STARTED', { stepName: 'write' });
  weather(s);
  s.send('TOOL_CALL_RESULT', { messageId: 'result-flights', toolCallId: 'call-flights', content: '14 flights, from 129 EUR' }, 300);
  s.send('STATE_DELTA', { delta: [{ op: 'add', path: '/flights/-', value: { no: 'TP 531', price: 129 } }] });
  s.send('TOOL_CALL_RESULT', { messageId: 'result-hotels', toolCallId: 'call-hotels', content: '6 hotels, from 88 EUR' }, 200);
  s.send('STATE_DELTA', { delta: [{ op: 'add', path: '/hotels/-', value: { name: 'Casa do Rio', price: 88 } }] });
  s.send('STEP_FINISHED', { stepName: 'research' });
  s.says('msg-2', 'Three days in Lisbon: TP 531 for 129 EUR, three nights at Casa do Rio, and sun.').send('STEP_FINISHED', { stepName: 'write' });
  s.finished({ result: { booked: false }, usage: [{ provider: 'demo', model: 'demo-1', inputTokens: 812, outputTokens: 164, totalTokens: 976 }] });
  return story(s, input, 'succeeded', { Step: 2, Message: 2, 'Tool call': 3, Subagent: 1 });
}

/** Three steps open at the same instant: each needs a lane of its own. */
function overlapping(input: RunInput): Story {
  const s = script(input).started();
  for (const stepName of ['flights', 'hotels', 'weather']) s.send('STEP_STARTED', { stepName }, 150);
  s.says('msg-1', 'All three at once.');
  for (const stepName of ['hotels', 'flights', 'weather']) s.send('STEP_FINISHED', { stepName }, 150);
  return story(s.finished(), input, 'succeeded', { Step: 3 });
}

function chunks(input: RunInput): Story {
  const s = script(input).started();
  s.send('REASONING_MESSAGE_CHUNK', { messageId: 'think-1', delta: 'Chunks need ' }).send('REASONING_MESSAGE_CHUNK', { delta: 'no start and no end.' });
  s.send('TEXT_MESSAGE_CHUNK', { messageId: 'msg-1', role: 'assistant', delta: 'A message ' });
  for (const delta of ['built of ', 'chunks ', 'alone.']) s.send('TEXT_MESSAGE_CHUNK', { delta });
  s.send('TOOL_CALL_CHUNK', { toolCallId: 'call-1', toolCallName: 'look_up', delta: '{"q":' }).send('TOOL_CALL_CHUNK', { delta: '"chunks"}' });
  s.send('TOOL_CALL_RESULT', { messageId: 'result-1', toolCallId: 'call-1', content: 'found' }, 200);
  return story(s.finished(), input, 'succeeded');
}

/** A replayed thread: two earlier runs, then the one that was asked for. */
function several(input: RunInput): Story {
  const first = { ...input, runId: `${input.runId}-before-2` };
  const second = { ...input, runId: `${input.runId}-before-1` };
  const runs = [first, second, input];
  const moves = runs.flatMap((run, no) => {
    const answer = (s: Script) => s.says(`msg-${no + 1}`, `This is answer ${no + 1}.`);
    return script(run).started().step('answer', answer).finished().moves;
  });
  return { moves, expected: { runs: runs.map(({ runId }) => ({ runId, status: 'succeeded' as const })), findings: [] } };
}

function interrupted(input: RunInput): Story {
  const s = script(input)
    .started()
    .step('refund', (told) => told.says('msg-1', 'This refund needs your approval.').calls('call-refund', 'issue_refund', '{"order":"1042","amount":80}'));
  const interrupts = [{ id: 'approval-1', reason: 'tool_call', message: 'Refund 80 EUR for order 1042?', toolCallId: 'call-refund' }];
  return story(s.finished({ outcome: { type: 'interrupt', interrupts } }), input, 'interrupted');
}

function cancelled(input: RunInput): Story {
  const s = script(input)
    .started()
    .step('lookup', (told) => told.says('msg-1', 'Looking for your order'));
  return story(s.finished({ outcome: { type: 'cancelled' } }), input, 'cancelled');
}

function failed(input: RunInput): Story {
  const s = script(input).started().send('STEP_STARTED', { stepName: 'answer' }).send('TEXT_MESSAGE_START', { messageId: 'msg-1', role: 'assistant' });
  s.send('TEXT_MESSAGE_CONTENT', { messageId: 'msg-1', delta: 'One moment' }).send(
    'RUN_ERROR',
    { message: 'The model is overloaded.', code: 'overloaded' },
    300,
  );
  return story(s, input, 'failed-by-report');
}

function failedLate(input: RunInput): Story {
  const s = script(input).started().says('msg-1', 'Your order is on its way.').finished();
  return story(s.send('RUN_ERROR', { message: 'The transcript could not be saved.', code: 'flush_failed' }, 400), input, 'failed-late');
}

function failedFirst(input: RunInput): Story {
  const s = script(input).send('RUN_ERROR', { message: 'The agent cannot be reached.', code: 'unreachable' }, 200);
  s.started().says('msg-1', 'Reached at the second try.').finished();
  const runs = [
    { runId: null, status: 'failed-by-report' as const },
    { runId: input.runId, status: 'succeeded' as const },
  ];
  return { moves: s.moves, expected: { runs, findings: [] } };
}

function slow(input: RunInput): Story {
  const s = script(input).started().send('STEP_STARTED', { stepName: 'wait' }).send('TEXT_MESSAGE_START', { messageId: 'msg-1', role: 'assistant' });
  s.send('TEXT_MESSAGE_CONTENT', { messageId: 'msg-1', delta: 'This will take a while…' });
  s.moves.push({ wait: 0, hold: true });
  return story(s, input, 'active');
}

export const RUNS: readonly Scenario[] = [
  {
    id: 'good',
    group: 'Runs',
    title: 'A good run',
    about: 'Overlapping steps, reasoning, text, two tool calls at once, a subagent and state. Nothing to complain about.',
    build: good,
  },
  {
    id: 'overlapping',
    group: 'Runs',
    title: 'Three steps at once',
    about: 'Steps may overlap without nesting. Each is drawn in a lane of its own.',
    build: overlapping,
  },
  {
    id: 'chunks',
    group: 'Runs',
    title: 'Chunked events',
    about: 'Text, reasoning and a tool call as chunks, which open and close by themselves.',
    build: chunks,
  },
  {
    id: 'several',
    group: 'Runs',
    title: 'Several runs on one stream',
    about: 'A replayed thread: two earlier runs, then the one that was asked for.',
    build: several,
  },
  {
    id: 'interrupted',
    group: 'Runs',
    title: 'Interrupted',
    about: 'The run stops and waits for an approval. That is neither success nor failure.',
    build: interrupted,
  },
  { id: 'cancelled', group: 'Runs', title: 'Cancelled', about: 'The agent stopped on request and says so.', build: cancelled },
  {
    id: 'run-error',
    group: 'Runs',
    title: 'RUN_ERROR',
    about: 'The agent reports its own failure. The stream is well formed: Failed, not Rejected.',
    build: failed,
  },
  {
    id: 'late-run-error',
    group: 'Runs',
    title: 'Late RUN_ERROR',
    about: 'The run reports success, then a failure while flushing. That is allowed, and the run has failed.',
    build: failedLate,
  },
  { id: 'run-error-first', group: 'Runs', title: 'RUN_ERROR first', about: 'A failure before any run began, then a run. Allowed too.', build: failedFirst },
  {
    id: 'slow',
    group: 'Runs',
    title: 'A run that stays open',
    about: 'Begins to answer and then keeps the stream open. Stop it whenever you like.',
    open: true,
    build: slow,
  },
];
