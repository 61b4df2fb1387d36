/** What a file holds, told by its first bytes. */
import { parseJson } from '../stream/index.ts';

export type FileKind = 'capture' | 'ag-ui-devtools' | 'events-jsonl' | 'events-json' | 'sse' | 'proto';

export const FILE_KINDS: readonly FileKind[] = ['capture', 'ag-ui-devtools', 'events-jsonl', 'events-json', 'sse', 'proto'];

/** As many bytes as `tellKind` looks at. */
export const KIND_HEAD = 64 * 1024;

const lenient = new TextDecoder('utf-8');

/** The kind, or a sentence that says why none fits. Looks at the first 64 KiB. */
export function tellKind(bytes: Uint8Array): FileKind | { readonly problem: string } {
  const head = bytes.subarray(0, KIND_HEAD);
  if (head.length === 0) return { problem: 'The file is empty.' };
  if (head[0] === 0x1f && head[1] === 0x8b) return { problem: 'The file is compressed with gzip; unpack it first.' };
  if (head[0] === 0x50 && head[1] === 0x4b && head[2]! < 9) return { problem: 'The file is a zip archive; unpack it first.' };
  if (head[0] === 0) return 'proto';
  const text = lenient.decode(head);
  const start = text.trimStart();
  if (start === '') return { problem: 'There is nothing but white space in the file.' };
  if (start.startsWith('[')) return 'events-json';
  if (start.startsWith('{')) return kindOfObject(start);
  if (start.startsWith(':') || /^\ufeff?(data|event|id|retry):/m.test(text)) return 'sse';
  return { problem: 'The file is neither a Runlens capture nor AG-UI events as JSON lines, a JSON array, an SSE body or a protobuf body.' };
}

function kindOfObject(text: string): FileKind {
  const end = text.indexOf('\n');
  const line = end < 0 ? text : text.slice(0, end);
  const value = parseJson(line);
  if (typeof value === 'object' && value !== null) {
    if (Object.hasOwn(value, 'runlens')) return 'capture';
    return Object.hasOwn(value, 'schemaVersion') && Reflect.get(value, 'kind') === 'header' ? 'ag-ui-devtools' : 'events-jsonl';
  }
  // a damaged header still tells what the file was
  if (/^\{\s*"runlens"\s*:/.test(line)) return 'capture';
  // an object over several lines is a JSON text; a first line longer than the head is a long event
  return end >= 0 && /[{[,]\s*$/.test(line.slice(-20)) ? 'events-json' : 'events-jsonl';
}
