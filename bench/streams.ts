/** Streams for the benches: deterministic, realistic in mix (mostly small content deltas), clean by the checker's rules. */
import type { AgentEvent } from '../src/protocol/events.ts';

const EVENTS_A_RUN = 1000;

/** One run of exactly EVENTS_A_RUN events: three overlapping steps, text, reasoning, two tool calls, state deltas. */
function run(no: number): AgentEvent[] {
  const id = `run-${no}`;
  const message = `message-${no}`;
  const out: AgentEvent[] = [
    { type: 'RUN_STARTED', threadId: 'thread-1', runId: id },
    { type: 'STEP_STARTED', stepName: 'plan' },
    { type: 'STEP_STARTED', stepName: 'research' },
    { type: 'STATE_SNAPSHOT', snapshot: { progress: 0, notes: [] } },
    { type: 'REASONING_START', messageId: `span-${no}` },
    { type: 'REASONING_MESSAGE_START', messageId: `thought-${no}`, role: 'reasoning' },
  ];
  for (let i = 0; i < 100; i++) out.push({ type: 'REASONING_MESSAGE_CONTENT', messageId: `thought-${no}`, delta: `thinking about part ${i} ` });
  out.push({ type: 'REASONING_MESSAGE_END', messageId: `thought-${no}` }, { type: 'REASONING_END', messageId: `span-${no}` });
  out.push({ type: 'STEP_FINISHED', stepName: 'plan' }, { type: 'STEP_STARTED', stepName: 'write' });
  for (const call of ['a', 'b']) out.push({ type: 'TOOL_CALL_START', toolCallId: `call-${no}-${call}`, toolCallName: `search_${call}` });
  for (let i = 0; i < 20; i++)
    for (const call of ['a', 'b']) out.push({ type: 'TOOL_CALL_ARGS', toolCallId: `call-${no}-${call}`, delta: i === 0 ? '[0' : `,${i}` });
  for (const call of ['a', 'b']) out.push({ type: 'TOOL_CALL_ARGS', toolCallId: `call-${no}-${call}`, delta: ']' });
  for (const call of ['a', 'b']) out.push({ type: 'TOOL_CALL_END', toolCallId: `call-${no}-${call}` });
  for (const call of ['a', 'b'])
    out.push({ type: 'TOOL_CALL_RESULT', messageId: `result-${no}-${call}`, toolCallId: `call-${no}-${call}`, content: '{"hits":[1,2,3]}', role: 'tool' });
  for (let i = 0; i < 20; i++) out.push({ type: 'STATE_DELTA', delta: [{ op: 'replace', path: '/progress', value: i }] });
  out.push({ type: 'STEP_FINISHED', stepName: 'research' }, { type: 'TEXT_MESSAGE_START', messageId: message, role: 'assistant' });
  const tail = 3;
  for (let i = 0; out.length < EVENTS_A_RUN - tail; i++) out.push({ type: 'TEXT_MESSAGE_CONTENT', messageId: message, delta: `word ${i} of the answer ` });
  out.push(
    { type: 'TEXT_MESSAGE_END', messageId: message },
    { type: 'STEP_FINISHED', stepName: 'write' },
    { type: 'RUN_FINISHED', threadId: 'thread-1', runId: id },
  );
  return out;
}

/** `count` events (a multiple of 1,000), as decoded events. */
export function cleanEvents(count: number): AgentEvent[] {
  const out: AgentEvent[] = [];
  for (let no = 0; out.length < count; no++) out.push(...run(no));
  return out;
}

/** The same as an SSE body, cut into chunks of about `size` bytes. */
export function asSseChunks(events: readonly AgentEvent[], size = 16 * 1024): Uint8Array[] {
  const bytes = new TextEncoder().encode(events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join(''));
  const out: Uint8Array[] = [];
  for (let at = 0; at < bytes.length; at += size) out.push(bytes.subarray(at, at + size));
  return out;
}
