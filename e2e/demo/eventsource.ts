/** The demo app without fetch: the browser's own EventSource takes the stream apart. */
import { SCENARIOS } from '../agent/scenarios.ts';
import type { Scenario } from '../agent/story.ts';
import { byId, expectation, newEntry, showButtons } from './page.ts';

const TOLD = ['good', 'chunks', 'run-error', 'step-already-open', 'slow', 'steady'];
const NAMES = [
  ...['RUN_STARTED', 'RUN_FINISHED', 'RUN_ERROR', 'STEP_STARTED', 'STEP_FINISHED', 'STATE_SNAPSHOT', 'STATE_DELTA', 'CUSTOM'],
  ...['TEXT_MESSAGE_START', 'TEXT_MESSAGE_CONTENT', 'TEXT_MESSAGE_END', 'TEXT_MESSAGE_CHUNK'],
  ...['TOOL_CALL_START', 'TOOL_CALL_ARGS', 'TOOL_CALL_END', 'TOOL_CALL_CHUNK', 'TOOL_CALL_RESULT'],
  ...['REASONING_START', 'REASONING_MESSAGE_START', 'REASONING_MESSAGE_CONTENT', 'REASONING_MESSAGE_END', 'REASONING_MESSAGE_CHUNK', 'REASONING_END'],
  ...['SUBAGENT_STARTED', 'SUBAGENT_FINISHED'],
];
const stop = byId<HTMLButtonElement>('stop');
const active = new Map<EventSource, () => void>();
let pressed = 0;

function listen(scenario: Scenario): void {
  const no = ++pressed;
  const input = { threadId: `thread-${scenario.id}-${no}`, runId: `run-${scenario.id}-${no}` };
  const entry = newEntry(scenario, input.runId, expectation(scenario.build(input)));
  const query = new URLSearchParams({ thread: input.threadId, run: input.runId });
  if (byId<HTMLInputElement>('named').checked) query.set('named', '1');
  const pace = new URLSearchParams(location.search).get('pace');
  if (pace !== null) query.set('pace', pace);
  const source = new EventSource(`/events/${scenario.id}?${query}`);
  let events = 0;
  let text = '';
  const end = (outcome: 'resolved' | 'reported', message: string) => {
    source.close();
    active.delete(source);
    stop.disabled = active.size === 0;
    entry.facts(`${events} events reached the app`);
    entry.done(outcome, message);
  };
  const take = ({ data }: MessageEvent<string>) => {
    const event = JSON.parse(data) as { type: string; delta?: unknown; message?: string };
    events++;
    if (event.type.startsWith('TEXT_MESSAGE_') && typeof event.delta === 'string') {
      text += event.delta;
      entry.got(text);
    }
    if (event.type === 'RUN_FINISHED') end('resolved', 'RUN_FINISHED: the page closed the EventSource.');
    if (event.type === 'RUN_ERROR') end('reported', `RUN_ERROR: ${event.message}`);
  };
  source.onmessage = take;
  for (const name of NAMES) source.addEventListener(name, take);
  active.set(source, () => end('resolved', 'Stopped by the page.'));
  stop.disabled = false;
}

stop.addEventListener('click', () => {
  for (const end of [...active.values()]) end();
});
showButtons(
  SCENARIOS.filter((scenario) => TOLD.includes(scenario.id)),
  listen,
);
