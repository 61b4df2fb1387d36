/** Which codec a body has, by its content type and, where that does not say, by its first byte. */
import type { Codec } from './types.ts';

const LINES = new Set([
  'application/x-ndjson',
  'application/ndjson',
  'application/jsonl',
  'application/x-jsonlines',
  'application/jsonlines',
  'application/json-seq',
]);

/** Null: more bytes are needed. Anything that begins like no other is read as SSE, which every client falls back to. */
export function sniffCodec(contentType: string, bytes: Uint8Array): Codec | null {
  const media = mediaType(contentType);
  if (media === 'text/event-stream') return 'sse';
  if (media === 'application/vnd.ag-ui.event+proto') return 'proto';
  if (LINES.has(media)) return 'ndjson';
  const first = firstByte(bytes);
  if (first === null) return null;
  if (first === 0) return 'proto';
  if (first === 0x5b) return 'json';
  if (first === 0x7b) return media.endsWith('json') ? 'json' : 'ndjson';
  return first === 0x1e ? 'ndjson' : 'sse';
}

/** The media type without parameters, lower case. */
export function mediaType(contentType: string): string {
  return contentType.split(';')[0]!.trim().toLowerCase();
}

/** The first byte that is neither white space nor part of a byte-order mark, or null. */
function firstByte(bytes: Uint8Array): number | null {
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes[i]!;
    const bom = i < 3 && byte === [0xef, 0xbb, 0xbf][i];
    if (!bom && byte !== 0x20 && byte !== 0x09 && byte !== 0x0a && byte !== 0x0d) return byte;
  }
  return null;
}
