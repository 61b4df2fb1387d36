/** Streams for the benches: deterministic, realistic in mix (mostly small content deltas), clean by the checker's rules. */
import { delta, exchange, finished, inputOf, merge, sorted, started, step, type Timed, text, tool } from '../e2e/gallery/panel-scenes.ts';
import type { CaptureRecord } from '../src/capture/types.ts';
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

/**
 * A capture for the panel: `runs` runs on ten threads, about `events` events in all, sixteen spans a run beside the run itself. Steps
 * and tool calls overlap, and every tenth run breaks a rule.
 */
export function panelRecords(runs: number, events: number): CaptureRecord[] {
  const words = Math.max(3, Math.round((events / runs - 76) / 3));
  const lists: CaptureRecord[][] = [];
  for (let conn = 0; conn < runs; conn++) {
    const [runId, threadId] = [`run_${conn + 1}`, `thread_${conn % 10}`];
    const from = Math.floor(conn / 10) * 45 + (conn % 10) * 2;
    const parts = Array.from({ length: 4 }, (_, i) => [
      ...step(`step ${i}`, from + 1 + i * 8, from + 12 + i * 8),
      ...tool(`${runId}_a${i}`, 'search_flights', from + 2 + i * 8, from + 4 + i * 8, from + 6 + i * 8, { from: 'BER', to: 'LIS' }, { flights: 14 }),
      ...tool(`${runId}_b${i}`, 'search_hotels', from + 3 + i * 8, from + 5 + i * 8, from + 8 + i * 8, { city: 'Lisbon' }, { hotels: 9 }),
    ]);
    const texts = Array.from({ length: 4 }, (_, i) =>
      text(
        `${runId}_m${i}`,
        from + 6 + i * 8,
        from + 9 + i * 8,
        SENTENCE.repeat(Math.ceil((words * 0.75) / 25))
          .split(' ')
          .slice(0, words * 0.75)
          .join(' '),
      ),
    );
    const flaw: Timed[] = conn % 10 === 0 ? [[from + 20, { type: 'STEP_FINISHED', stepName: 'never begun' }]] : [];
    const all = sorted(
      started(from, runId, threadId),
      [[from + 0.1, { type: 'STATE_SNAPSHOT', snapshot: { progress: 0 } }]],
      ...parts,
      ...texts,
      delta(from + 30, { op: 'replace', path: '/progress', value: 1 }),
      flaw,
      finished(from + 40, runId, threadId),
    );
    lists.push(
      exchange({
        conn,
        url: 'http://localhost:5173/agent',
        asked: from - 0.5,
        input: inputOf(runId, threadId, ['Where to?']),
        events: all,
        end: [from + 40.1, 'complete'],
      }),
    );
  }
  return merge(...lists);
}

const SENTENCE = 'the weekend in May is dry and the flights are direct, with two hotels near the river and one on the hill above the old town ';
