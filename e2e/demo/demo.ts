/** The demo app: the real @ag-ui/client asks the demo agent for runs, and the page shows what that client made of them. */
import { HttpAgent } from '@ag-ui/client';
import { SCENARIOS } from '../agent/scenarios.ts';
import type { Scenario } from '../agent/story.ts';
import { byId, expectation, newEntry, showButtons } from './page.ts';

const PACES: readonly (readonly [value: string, label: string])[] = [
  ['', 'as told'],
  ['250', 'slow, 250 ms an event'],
  ['10', 'fast, 10 ms an event'],
  ['0', 'at once'],
];
const stop = byId<HTMLButtonElement>('stop');
const pace = byId<HTMLSelectElement>('pace');
const active = new Set<HttpAgent>();
const query = new URLSearchParams(location.search);
let pressed = 0;

async function run(scenario: Scenario): Promise<void> {
  const no = ++pressed;
  // an interrupted thread waits for an answer, which the next run would not be
  const threadId = scenario.id === 'interrupted' ? `thread-refund-${no}` : 'thread-demo';
  const input = { threadId, runId: `run-${scenario.id}-${no}` };
  const entry = newEntry(scenario, input.runId, expectation(scenario.build(input)));
  const url = new URL(`/agent/${scenario.id}`, location.href);
  if (pace.value) url.searchParams.set('pace', pace.value);
  if (query.has('n')) url.searchParams.set('n', query.get('n')!);
  const agent = new HttpAgent({ url: url.href, threadId: input.threadId, initialMessages: [{ id: `ask-${no}`, role: 'user', content: scenario.title }] });
  active.add(agent);
  stop.disabled = false;
  let events = 0;
  let report = '';
  try {
    await agent.runAgent(
      { runId: input.runId },
      {
        onEvent: () => {
          events++;
          if (events % 100 === 0) entry.facts(`${events} events`);
        },
        onTextMessageContentEvent: ({ event, textMessageBuffer }) => entry.got(textMessageBuffer + event.delta),
        onRunErrorEvent: ({ event }) => {
          report = event.message;
        },
      },
    );
    if (report) entry.done('reported', `The client reports a failed run: ${report}`);
    else entry.done('resolved', 'The client resolved.');
  } catch (error) {
    entry.done('threw', `The client threw: ${error instanceof Error ? error.message : String(error)}`);
  }
  entry.facts(`${events} events reached the app`);
  active.delete(agent);
  stop.disabled = active.size === 0;
}

pace.replaceChildren(...PACES.map(([value, label]) => new Option(label, value)));
const asked = query.get('pace');
if (asked !== null) {
  if (!PACES.some(([value]) => value === asked)) pace.add(new Option(`${asked} ms an event`, asked));
  pace.value = asked;
}
stop.addEventListener('click', () => {
  for (const agent of active) agent.abortRun();
});
showButtons(SCENARIOS, (scenario) => void run(scenario));
