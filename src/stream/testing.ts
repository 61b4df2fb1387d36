/** Runs bytes through a stream the way a test wants them cut. For tests only. */
import { type Codec, createStream, type Frame, feed, finish } from './index.ts';

interface Cutting {
  readonly codec?: Codec | 'auto';
  readonly maxFrame?: number;
  /** Structured-clones the state after each chunk. */
  readonly clone?: boolean;
}

export interface Outcome {
  readonly frames: readonly Frame[];
  readonly cut: boolean;
}

/** Feeds `bytes` cut at the positions `cuts`, chunk i at time i + 1, and finishes. */
export function runCut(bytes: Uint8Array, cuts: readonly number[], options: Cutting = {}): Outcome {
  let state = createStream({ codec: options.codec ?? 'sse', ...(options.maxFrame === undefined ? {} : { maxFrame: options.maxFrame }) });
  const frames: Frame[] = [];
  const borders = [0, ...[...cuts].sort((a, b) => a - b), bytes.length];
  for (let i = 1; i < borders.length; i++) {
    // a copy that is wiped afterwards: the stream may not keep the caller's bytes
    const chunk = bytes.slice(borders[i - 1], borders[i]);
    frames.push(...feed(state, chunk, i));
    chunk.fill(0x21);
    if (options.clone) state = structuredClone(state);
  }
  const last = finish(state, borders.length);
  return { frames: [...frames, ...last.frames], cut: last.cut };
}
