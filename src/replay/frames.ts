/** One event as the bytes of a frame, and a frame with another event in it: what is around the event keeps its bytes. */
import { decode, encode } from '@ag-ui/proto';
import type { Codec } from '../stream/types.ts';
import { jsonOf, utf8 } from './text.ts';

const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
const PREFIX = 4;
const RECORD_SEPARATOR = '\u001e';

/** A frame of its own for `value`, with the line ends of its neighbour. Null where the codec cannot carry it. */
export function frameFor(codec: Codec, value: unknown, beside: Uint8Array): Uint8Array | null {
  if (codec === 'proto') return protoFrame(value);
  const json = jsonOf(value);
  if (json === undefined || codec === 'json') return null;
  const text = decoder.decode(beside);
  const end = lineEnd(text);
  if (codec === 'sse') return utf8(`data: ${json}${end}${end}`);
  return utf8(`${withoutBom(text).startsWith(RECORD_SEPARATOR) ? RECORD_SEPARATOR : ''}${json}${end}`);
}

/** The frame with `value` for its event: byte-order mark, comments, other fields and line ends stay. Null where the codec cannot carry it. */
export function withValue(codec: Codec, frame: Uint8Array, value: unknown): Uint8Array | null {
  if (codec === 'proto') return protoFrame(value);
  const json = jsonOf(value);
  if (json === undefined) return null;
  if (codec === 'json') return utf8(json);
  const text = decoder.decode(frame);
  if (codec === 'sse') return utf8(withData(text, json));
  const line = withoutBom(text);
  const mark = line.startsWith(RECORD_SEPARATOR) ? RECORD_SEPARATOR : '';
  return utf8(text.slice(0, text.length - line.length) + mark + json + (/\r?\n$/.exec(text)?.[0] ?? ''));
}

/** The frame with its border behind it, which the last one of a body may lack. */
export function bordered(codec: Codec, frame: Uint8Array): Uint8Array {
  if (codec !== 'sse' && codec !== 'ndjson') return frame;
  const text = decoder.decode(frame);
  const end = lineEnd(text);
  const missing = codec === 'sse' ? (/(?:\r\n|\n|\r(?!\n)){2}$/.test(text) ? 0 : /[\r\n]$/.test(text) ? 1 : 2) : text.endsWith('\n') ? 0 : 1;
  return missing === 0 ? frame : joined([frame, utf8(end.repeat(missing))]);
}

/** `data` lines are one text: the first takes the new event, the others go. */
function withData(text: string, json: string): string {
  const lines = withoutBom(text).split(/(?<=\r\n|\n|\r(?!\n))/);
  let told = false;
  const kept = lines.map((line) => {
    const [, field = '', , end = ''] = /^(data(?::[ ]?|(?=[\r\n]|$)))(.*?)(\r\n|\n|\r|)$/s.exec(line) ?? [];
    if (field === '') return line;
    if (told) return '';
    told = true;
    return `${field === 'data' ? 'data: ' : field}${json}${end}`;
  });
  return text.slice(0, text.length - withoutBom(text).length) + kept.join('');
}

function withoutBom(text: string): string {
  return text.startsWith('\ufeff') ? text.slice(1) : text;
}

function lineEnd(text: string): string {
  return /\r\n|\n|\r/.exec(text)?.[0] ?? '\n';
}

function protoFrame(value: unknown): Uint8Array | null {
  try {
    const message = encode(value as Parameters<typeof encode>[0]);
    // what it has no place for becomes a message that says nothing, and cannot be read
    decode(message);
    const frame = new Uint8Array(PREFIX + message.length);
    frame.set([message.length >>> 24, message.length >>> 16, message.length >>> 8, message.length]);
    frame.set(message, PREFIX);
    return frame;
  } catch {
    return null;
  }
}

export function joined(parts: readonly Uint8Array[]): Uint8Array {
  if (parts.length === 1) return parts[0]!;
  const all = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}
