/**
 * The page of the benches: reads an agent's stream as an app would, and says how long that took. Two readers: the real client, and
 * one that does nothing but parse. Built by `server.ts`, one script for both.
 */
import { HttpAgent } from '@ag-ui/client';

export interface ReadResult {
  /** From the call to the end of the stream, ms. */
  readonly wall: number;
  readonly events: number;
  /** Reads that held exactly one event; the bare reader alone knows. */
  readonly single: number;
}

async function bare(url: string): Promise<ReadResult> {
  const start = performance.now();
  const input = { threadId: 'thread-1', runId: 'run-0', messages: [], tools: [], context: [], state: {}, forwardedProps: {} };
  const headers = { 'content-type': 'application/json', accept: 'text/event-stream' };
  const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(input) });
  const reader = response.body!.getReader();
  const decoder = new TextDecoder();
  let [rest, events, single] = ['', 0, 0];
  for (let got = await reader.read(); !got.done; got = await reader.read()) {
    const frames = (rest + decoder.decode(got.value, { stream: true })).split('\n\n');
    rest = frames.pop() ?? '';
    for (const frame of frames) if (typeof JSON.parse(frame.slice(6)).type === 'string') events++;
    if (frames.length === 1 && rest === '') single++;
  }
  return { wall: performance.now() - start, events, single };
}

async function client(url: string): Promise<ReadResult> {
  const start = performance.now();
  let events = 0;
  const agent = new HttpAgent({ url, threadId: 'thread-1' });
  await agent.runAgent(
    { runId: 'run-0' },
    {
      onEvent: () => {
        events++;
      },
    },
  );
  return { wall: performance.now() - start, events, single: 0 };
}

Object.assign(globalThis, { readers: { bare, client } });
