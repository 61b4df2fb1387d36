/** Capture files made up for the specs: a story with exact times, and a hundred thousand events with one word hidden in one payload. */
import type { CaptureRecord } from '../src/capture/types.ts';
import { writeHeader, writeRecord } from '../src/export/index.ts';
import type { Story } from './agent/story.ts';

const EPOCH = Date.UTC(2026, 0, 5, 9);
const PER_RUN = 1000;
const encoder = new TextEncoder();

function eventsOf(run: number, hidden: string | null): object[] {
  const ids = { threadId: `thread-${run % 10}`, runId: `run-${run}` };
  const messageId = `m-${run}`;
  const pieces = Array.from({ length: PER_RUN - 6 }, (_, i) => {
    const word = hidden !== null && i === 500 ? `${hidden} ` : `word ${i} `;
    return { type: 'TEXT_MESSAGE_CONTENT', messageId, delta: word };
  });
  return [
    { type: 'RUN_STARTED', ...ids },
    { type: 'STEP_STARTED', stepName: 'answer' },
    { type: 'TEXT_MESSAGE_START', messageId, role: 'assistant' },
    ...pieces,
    { type: 'TEXT_MESSAGE_END', messageId },
    { type: 'STEP_FINISHED', stepName: 'answer' },
    { type: 'RUN_FINISHED', ...ids },
  ];
}

function* records(runs: number, word: string): Generator<CaptureRecord> {
  for (let conn = 0; conn < runs; conn++) {
    const start = EPOCH + conn * 2000;
    yield { kind: 'request', conn, carrier: 'fetch', document: null, request: { url: 'http://localhost/agent', method: 'POST', time: start } };
    yield { kind: 'response', conn, response: { time: start + 50, status: 200, contentType: 'text/event-stream' } };
    const lines = eventsOf(conn, conn === Math.floor(runs * 0.7) ? word : null).map((event) => `data: ${JSON.stringify(event)}\n\n`);
    for (let from = 0; from < lines.length; from += 100) {
      const came = start + 100 + from;
      yield { kind: 'chunk', conn, asked: came - 1, came, bytes: encoder.encode(lines.slice(from, from + 100).join('')) };
    }
    yield { kind: 'end', conn, end: { time: start + 1200, how: 'complete' } };
  }
}

/** The file's text: a hundred runs make a hundred thousand events. `word` stands in one delta of a run two thirds down. */
export function bigCapture(runs: number, word: string): string {
  let text = writeHeader({ created: new Date(EPOCH).toISOString(), app: 'made up' });
  for (const record of records(runs, word)) text += writeRecord(record);
  return text;
}

/** A story as a capture file, one event every 100 ms: no machine is so slow that two of them would come together. */
export function storyCapture(story: Story): string {
  const request = { url: 'http://localhost/agent', method: 'POST', time: EPOCH };
  const list: CaptureRecord[] = [
    { kind: 'request', conn: 0, carrier: 'fetch', document: null, request },
    { kind: 'response', conn: 0, response: { time: EPOCH + 50, status: 200, contentType: 'text/event-stream' } },
  ];
  let came = EPOCH;
  for (const move of story.moves) {
    if (!('event' in move)) continue;
    came += 100;
    list.push({ kind: 'chunk', conn: 0, asked: came - 1, came, bytes: encoder.encode(`data: ${JSON.stringify(move.event)}\n\n`) });
  }
  list.push({ kind: 'end', conn: 0, end: { time: came + 10, how: 'complete' } });
  return writeHeader({ created: new Date(EPOCH).toISOString(), app: 'made up' }) + list.map(writeRecord).join('');
}
