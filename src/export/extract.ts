/** One connection's content out of capture records, for other tools: its body as received, its events as JSON lines. */
import type { CaptureRecord } from '../capture/types.ts';
import { createStream, feed, finish } from '../stream/index.ts';

/** The body's bytes as they came; bytes lost to a gap are not in it. */
export function toRawBody(records: Iterable<CaptureRecord>, conn: number): Uint8Array {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for (const record of records) {
    if (record.kind !== 'chunk' || record.conn !== conn) continue;
    chunks.push(record.bytes);
    length += record.bytes.length;
  }
  const body = new Uint8Array(length);
  let at = 0;
  for (const chunk of chunks) {
    body.set(chunk, at);
    at += chunk.length;
  }
  return body;
}

/** The decoded events, one a line, as sent. Frames that do not parse are not in it. */
export function toEventsJsonl(records: Iterable<CaptureRecord>, conn: number): string {
  const lines: string[] = [];
  let stream = createStream({ codec: 'auto' });
  const take = (values: readonly unknown[]) => {
    for (const value of values) lines.push(`${JSON.stringify(value)}\n`);
  };
  for (const record of records) {
    if (record.conn !== conn) continue;
    if (record.kind === 'response') stream = createStream({ codec: 'auto', contentType: record.response.contentType });
    else if (record.kind === 'chunk') for (const frame of feed(stream, record.bytes, record.came)) take(frame.values);
  }
  for (const frame of finish(stream, 0).frames) take(frame.values);
  return lines.join('');
}
