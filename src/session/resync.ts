/** Finding the next frame border after bytes were lost: a blank line for SSE, a line end for NDJSON. */
import type { Codec } from '../stream/types.ts';

/** How a stream is coded, as far as that is known: before its first byte there is only the content type. */
export interface Coding {
  readonly codec: Codec | null;
  readonly contentType: string;
}

export interface Border {
  /** Bytes of this chunk that lie before the border. */
  readonly skipped: number;
  /** Line ends seen in a row so far; null once the border is found. */
  readonly seeking: number | null;
}

const LF = 10;
const CR = 13;

/** Looks for `need` line ends in a row (2: a blank line; 1: any line end), `seen` of which ended the chunk before. */
export function seekBorder(seen: number, need: 1 | 2, bytes: Uint8Array): Border {
  let run = seen;
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes[i];
    if (byte === LF) run++;
    else if (byte !== CR) run = 0;
    if (run >= need) return { skipped: i + 1, seeking: null };
  }
  return { skipped: bytes.length, seeking: run };
}

/** Whether the next frame can be found after lost bytes: JSON and protobuf have no border to look for. */
export function isFoundAgain({ codec, contentType }: Coding): boolean {
  if (codec !== null) return codec === 'sse' || codec === 'ndjson';
  return !/json(?!l|-seq)|vnd\.ag-ui/i.test(contentType) || /ndjson/i.test(contentType);
}

/** Looks for the next frame; `seen` line ends in a row ended the chunk before. */
export function seekFrame({ codec, contentType }: Coding, seen: number, bytes: Uint8Array): Border {
  const byLine = codec === null ? /ndjson|jsonl/i.test(contentType) : codec === 'ndjson';
  return seekBorder(seen, byLine ? 1 : 2, bytes);
}
