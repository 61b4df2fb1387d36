/** Capture records, and messages with a forged field. Used by tests only. */
import type { CaptureRecord } from '../capture/types.ts';

/** A capture record of each kind, with all that may be left out. */
export const RECORDS: readonly CaptureRecord[] = [
  {
    kind: 'request',
    conn: 0,
    carrier: 'fetch',
    document: { doc: 'd', url: 'http://a/', frame: 0, time: 1 },
    request: { url: 'http://a/', method: 'POST', time: 1, stack: 'at a', body: { kind: 'text', text: 'abc', size: 3, cut: false } },
  },
  { kind: 'body', conn: 0, body: { kind: 'text', text: 'abc', size: 3, cut: true } },
  { kind: 'response', conn: 0, response: { time: 2, status: 200, statusText: 'OK', contentType: 'text/event-stream', url: 'http://a/' } },
  { kind: 'chunk', conn: 0, asked: 2, came: 3, bytes: new Uint8Array(2) },
  { kind: 'replay', conn: 0, replay: { time: 3, of: 'run r of yesterday', plan: '{}' } },
  { kind: 'gap', conn: 0, gap: { time: 3, bytes: 5, chunks: 1, why: 'x' } },
  { kind: 'end', conn: 0, end: { time: 4, how: 'complete', message: 'm' } },
  {
    kind: 'findings',
    conn: 0,
    protocol: '1.1',
    rules: ['a'],
    findings: [{ rule: 'a', at: -1, frame: 0, related: [0], run: 0, message: 'm', subject: 's', repeats: 0 }],
  },
] as readonly CaptureRecord[];

/** No field of any message may be one of these. */
const FORGED: readonly unknown[] = [Symbol('forged'), Number.NaN];

/** The value with each one of its fields, at any depth, forged in each way. `parseLimits` and a finding's reader take anything. */
export function* forgeries(value: unknown, path: string): Generator<readonly [path: string, forged: unknown]> {
  if (typeof value !== 'object' || value === null || value instanceof Uint8Array) return;
  for (const [key, inner] of Object.entries(value)) {
    const put = (other: unknown) => (Array.isArray(value) ? value.with(Number(key), other) : { ...value, [key]: other });
    if (key !== 'subject' && !path.endsWith('limits')) for (const forged of FORGED) yield [`${path}.${key}`, put(forged)];
    for (const [at, forged] of forgeries(inner, `${path}.${key}`)) yield [at, put(forged)];
  }
}
