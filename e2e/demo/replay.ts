/** For the replay specs: an app with the real client whose work takes two runs, a tool of its own and the answer to an interrupt. */
import { HttpAgent } from '@ag-ui/client';
import { byId } from './page.ts';

const out = byId<HTMLPreElement>('out');
const query = new URLSearchParams(location.search);
const pace = query.get('pace') ?? '2';
const address = (scenario: string) => new URL(`/agent/${scenario}?pace=${pace}`, location.href).href;
let turns = 0;

/** What the app has in the end is what it shows: `data-turns` counts its attempts, `data-events` what has reached it. */
async function refund(): Promise<void> {
  out.textContent = '';
  out.dataset['events'] = '0';
  let events = 0;
  const count = {
    onEvent: () => {
      events++;
      out.dataset['events'] = String(events);
    },
  };
  const agent = new HttpAgent({
    url: address('interrupted'),
    threadId: 'thread-refund',
    initialMessages: [{ id: 'ask', role: 'user', content: 'Refund 1042' }],
  });
  let failure = '';
  try {
    await agent.runAgent({ runId: 'run-ask' }, count);
    agent.messages.push({ id: 'tool-1', role: 'tool', toolCallId: 'call-refund', content: '{"refunded":80}' });
    agent.url = address('good');
    await agent.runAgent({ runId: 'run-go', resume: [{ interruptId: 'approval-1', status: 'resolved', payload: { approved: true } }] }, count);
  } catch (error) {
    failure = String(error);
  }
  out.textContent = JSON.stringify({ failure, messages: agent.messages, state: agent.state }, null, 1);
  turns++;
  out.dataset['turns'] = String(turns);
}

byId('refund').addEventListener('click', () => void refund());
byId('again').addEventListener('click', () => location.reload());
if (query.has('start')) void refund();
