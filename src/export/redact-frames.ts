/** Bytes of one frame, and of what lies between frames, redacted in the framing they came in. */
import { decode, encode } from '@ag-ui/proto';
import { isEventType } from '../protocol/events.ts';
import { type Codec, type Frame, parseJson } from '../stream/index.ts';
import type { DataReader } from '../stream/sse.ts';
import { decodeUtf8 } from '../stream/state.ts';
import { rewriteJson } from './redact-json.ts';
import type { Policies } from './redact-policy.ts';
import { type StandIns, standIn } from './redact-stand-ins.ts';

export interface FrameWriter {
  readonly standIns: StandIns;
  readonly policies: Policies;
  readonly read: DataReader;
}

const encoder = new TextEncoder();
const FILL = 0x78;
const SPACE = 0x20;
const COMMA = 0x2c;
const OPEN = 0x5b;
const CLOSE = 0x5d;

/** One frame, with all bytes it took. */
export function redactFrame(writer: FrameWriter, codec: Codec | null, bytes: Uint8Array, frame: Frame): Uint8Array {
  if (codec === 'proto') return protoFrame(writer, bytes, frame);
  const text = decodeUtf8(bytes);
  if (codec === 'sse') return encoder.encode(sseText(writer, text));
  if (codec === 'ndjson') return encoder.encode(lineText(writer, text));
  return encoder.encode(rewriteJson(text, writer.policies.payload) ?? opaque(writer, text, 'solid'));
}

/** Bytes that belong to no frame: SSE comments and fields without data; in other bodies separators, white space and a byte-order mark. */
export function redactBetween(writer: FrameWriter, codec: Codec | null, bytes: Uint8Array): Uint8Array {
  if (codec === 'sse') return encoder.encode(sseText(writer, decodeUtf8(bytes)));
  return bytes.map((byte) => (byte <= SPACE || byte === COMMA || byte === OPEN || byte === CLOSE ? byte : SPACE));
}

/** Bytes nothing is known of: line ends stay, so that what follows is found again. */
export function blind(bytes: Uint8Array): Uint8Array {
  return bytes.map((byte) => (byte === 10 || byte === 13 ? byte : FILL));
}

/** Lines with their ends; the data of all of them is one payload. */
function sseText(writer: FrameWriter, text: string): string {
  const pieces = text.split(/(\r\n|\r|\n)/);
  const held: { readonly index: number; readonly data: string }[] = [];
  for (let index = 0; index < pieces.length; index += 2) {
    const line = pieces[index]!;
    const lead = index === 0 && line.startsWith('\ufeff') ? 1 : 0;
    const data = line === '' ? null : writer.read(`${line.slice(lead)}\n\n`);
    if (data !== null && data !== '' && line.endsWith(data)) held.push({ index, data });
    else pieces[index] = line.slice(0, lead) + fieldLine(writer, line.slice(lead));
  }
  const payload = held.map(({ data }) => data).join('\n');
  const lines = payload === '' ? [] : payloadText(writer, payload).split('\n');
  for (const [no, { index, data }] of held.entries()) {
    const line = pieces[index]!;
    pieces[index] = line.slice(0, line.length - data.length) + (no === held.length - 1 ? lines.slice(no).join(' ') : lines[no]!);
  }
  return pieces.join('');
}

/** A line of an SSE frame that bears no data. */
function fieldLine({ standIns, policies }: FrameWriter, line: string): string {
  if (/^data:? ?$/.test(line)) return line;
  if (line.startsWith(':')) return `:${standIn(standIns, line.slice(1), 'line')}`;
  const [, name, gap = '', value = ''] = /^(event|id|retry)(: ?)(.*)$/s.exec(line) ?? [];
  if (name === 'id') return name + gap + policies.id(value);
  if (name === 'retry' && /^\d{1,10}$/.test(value)) return line;
  if (name === 'event' && (value === 'message' || isEventType(value))) return line;
  return name === undefined ? standIn(standIns, line, 'line') : name + gap + standIn(standIns, value, 'line');
}

function payloadText(writer: FrameWriter, payload: string): string {
  return rewriteJson(payload, writer.policies.payload) ?? opaque(writer, payload, 'line');
}

function lineText(writer: FrameWriter, line: string): string {
  const mark = line.startsWith('\ufeff') ? 1 : 0;
  // the record separator of a JSON text sequence (RFC 7464)
  const lead = line.charCodeAt(mark) === 0x1e ? mark + 1 : mark;
  return line.slice(0, lead) + payloadText(writer, line.slice(lead));
}

/** Known words in what is no JSON: that and where AG-UI types are in it tells what it should have been. */
const KNOWN = /(\\*"type\\*"\s*:\s*\\*"[A-Z_]+\\*"|^data: ?|^\s*\[DONE\]\s*$)/;

/** A payload that does not parse, and still does not. */
function opaque({ standIns }: FrameWriter, text: string, mode: 'line' | 'solid'): string {
  const pieces = text.split(KNOWN);
  return pieces.map((piece, index) => (index % 2 === 1 && isKnown(piece) ? piece : standIn(standIns, piece, mode))).join('');
}

function isKnown(piece: string): boolean {
  const type = /"type\\*"\s*:\s*\\*"([A-Z_]+)/.exec(piece)?.[1];
  return type === undefined || isEventType(type);
}

/**
 * The event encoded again. One that was not decoded is replaced by bytes that are as unreadable: a variant nobody knows, or none at all.
 * Fields outside of the schema do not survive the decoding, so they are gone and the frame is shorter.
 */
function protoFrame(writer: FrameWriter, bytes: Uint8Array, frame: Frame): Uint8Array {
  const [value] = frame.values;
  if (value === undefined) return unreadableProto(bytes, frame);
  try {
    const text = rewriteJson(JSON.stringify(value), writer.policies.payload);
    const message = encode(parseJson(text!) as Parameters<typeof encode>[0]);
    decode(message);
    return prefixed(message);
  } catch {
    return prefixed(unknownArm(bytes.length - PREFIX));
  }
}

const PREFIX = 4;

function prefixed(message: Uint8Array): Uint8Array {
  const { length } = message;
  const out = new Uint8Array(PREFIX + length);
  out.set([(length >>> 24) & 255, (length >>> 16) & 255, (length >>> 8) & 255, length & 255]);
  out.set(message, PREFIX);
  return out;
}

function unreadableProto(bytes: Uint8Array, frame: Frame): Uint8Array {
  if (frame.faults.includes('proto-unknown-arm')) return prefixed(unknownArm(bytes.length - PREFIX));
  const out = bytes.slice();
  // the declared length stays; 0xff begins no protobuf field
  out.fill(0xff, PREFIX);
  return out;
}

/**
 * Field 1001 of a protobuf message, which no AG-UI event is, filled up to `length` bytes (three at least) with a message of fields
 * nobody knows: bytes that are no message at all would make the frame undecodable instead.
 */
function unknownArm(length: number): Uint8Array {
  const out = new Uint8Array(Math.max(3, length)).fill(FILL);
  const least = out.length <= 130 ? 1 : out.length <= 0x4003 ? 2 : 4;
  const digits = out.length - 2 - least === 1 ? least + 1 : least;
  const size = out.length - 2 - digits;
  out.set([0xca, 0x3e]);
  for (let i = 0; i < digits; i++) out[2 + i] = ((size >>> (7 * i)) & 0x7f) | (i < digits - 1 ? 0x80 : 0);
  // field 15 with a one-byte number takes two bytes; an odd one out is a number of two
  if (size % 2 === 1) out.set([0x78, 0xf8, 0x01], 2 + digits);
  return out;
}
