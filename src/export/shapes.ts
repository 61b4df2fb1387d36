/**
 * The shape of each line of a capture file, in zod/mini, which unlike zod never tries to compile code, so no page policy hears of it.
 * What a line has beyond its shape is passed over, so that a later writer may add fields.
 */
import * as z from 'zod/mini';
import type { CaptureRecord } from '../capture/types.ts';
import { fromBase64 } from './base64.ts';

const conn = z.int().check(z.nonnegative());
const count = z.number().check(z.nonnegative());
const text = z.string();
const time = z.number();

const body = z.object({
  kind: z.enum(['none', 'text', 'bytes', 'form', 'stream', 'unreadable']),
  text: z.optional(text),
  size: z.optional(count),
  cut: z.optional(z.boolean()),
});
const document = z.object({ doc: text, url: text, frame: z.number(), time });

const place = z.int().check(z.gte(-1));
const finding = z.object({
  rule: text,
  at: place,
  frame: z.optional(conn),
  related: z.array(place),
  run: z.nullable(conn),
  message: text,
  repeats: conn,
});

const SHAPES = {
  request: z.object({
    kind: z.literal('request'),
    conn,
    carrier: z.enum(['fetch', 'eventsource', 'xhr', 'websocket', 'network-log', 'file']),
    document: z.nullable(document),
    request: z.object({ url: text, method: text, time, body: z.optional(body), stack: z.optional(text) }),
  }),
  body: z.object({ kind: z.literal('body'), conn, body }),
  response: z.object({
    kind: z.literal('response'),
    conn,
    response: z.object({ time, status: z.number(), statusText: z.optional(text), contentType: text, url: z.optional(text) }),
  }),
  chunk: z.object({ kind: z.literal('chunk'), conn, asked: time, came: time, text: z.optional(text), base64: z.optional(text) }),
  gap: z.object({ kind: z.literal('gap'), conn, gap: z.object({ time, bytes: count, chunks: count, why: text }) }),
  replay: z.object({ kind: z.literal('replay'), conn, replay: z.object({ time, of: text, plan: z.optional(text) }) }),
  end: z.object({
    kind: z.literal('end'),
    conn,
    end: z.object({ time, how: z.enum(['complete', 'network-error', 'aborted', 'cancelled', 'closed', 'navigated']), message: z.optional(text) }),
  }),
  findings: z.object({ kind: z.literal('findings'), conn, protocol: z.optional(text), rules: z.array(text), findings: z.array(finding) }),
};

const encoder = new TextEncoder();

const POOL = 64 * 1024;
let pool = new Uint8Array(0);
let used = 0;

/** Short texts side by side in one buffer: fifty thousand buffers of their own are slow to make, to send to another context and to collect. */
function encodeText(text: string): Uint8Array {
  const most = text.length * 3;
  if (most > POOL / 4) return encoder.encode(text);
  if (pool.length - used < most) {
    pool = new Uint8Array(POOL);
    used = 0;
  }
  const { written } = encoder.encodeInto(text, pool.subarray(used));
  used += written;
  return pool.subarray(used - written, used);
}

/** The record a line holds, or what is wrong with it, as the end of a sentence ("… is no capture record: <this>"). */
export function toRecord(line: unknown): CaptureRecord | string {
  if (typeof line !== 'object' || line === null || Array.isArray(line)) return 'it is not a JSON object';
  const kind: unknown = Reflect.get(line, 'kind');
  if (typeof kind !== 'string') return 'it has no "kind"';
  if (!Object.hasOwn(SHAPES, kind)) return `its kind "${kind.slice(0, 40)}" is not one this format has`;
  const shape = SHAPES[kind as keyof typeof SHAPES];
  const read = shape.safeParse(line);
  if (!read.success) return complaint(read.error.issues[0]!);
  const record = read.data;
  if (record.kind !== 'chunk') return record;
  const bytes = record.base64 === undefined ? encodeText(record.text ?? '') : fromBase64(record.base64);
  if (record.text === undefined && record.base64 === undefined) return 'the chunk has neither "text" nor "base64"';
  if (!bytes) return 'its "base64" is not base64';
  return { kind: 'chunk', conn: record.conn, asked: record.asked, came: record.came, bytes };
}

function complaint(issue: z.core.$ZodIssue): string {
  const path = issue.path.map(String).join('.');
  if (issue.code === 'invalid_type') return `"${path}" should be ${/^[aeiou]/.test(issue.expected) ? 'an' : 'a'} ${issue.expected}`;
  if (issue.code === 'invalid_value') return `"${path}" should be one of ${issue.values.map(String).join(', ')}`;
  return `"${path}" has a value it cannot have`;
}
