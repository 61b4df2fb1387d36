/** A body as it was sent, frame by frame, for eyes: comments, `event:`, `id:` and `retry:` lines included. */
import { newBorderScan, nextBorder, resetBorderScan } from './borders.ts';
import { dataReader } from './sse.ts';
import { decodeUtf8 } from './state.ts';

export interface RawFrame {
  /** The frame number, as `Frame.no` counts, or null for a frame that carries no data. */
  readonly no: number | null;
  readonly offset: number;
  readonly length: number;
  /** As sent, line ends and all. */
  readonly text: string;
}

/** Splits SSE bytes into frames that lie end to end from the first byte to the last. Blank lines before a frame belong to the frame before. */
export function splitRaw(bytes: Uint8Array): RawFrame[] {
  const frames: RawFrame[] = [];
  const scan = newBorderScan();
  const read = dataReader();
  let no = 0;
  for (let from = 0; from < bytes.length; ) {
    resetBorderScan(scan);
    const border = nextBorder(scan, bytes, from);
    const end = border < 0 ? bytes.length : border;
    const text = decodeUtf8(bytes.subarray(from, end));
    const last = frames[frames.length - 1];
    if (last && /^[\r\n]*$/.test(text)) {
      frames[frames.length - 1] = { ...last, length: last.length + end - from, text: last.text + text };
    } else {
      const plain = from === 0 && text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;
      const bears = read(border < 0 ? `${plain}\n\n` : plain) !== null;
      frames.push({ no: bears ? no++ : null, offset: from, length: end - from, text });
    }
    from = end;
  }
  return frames;
}
