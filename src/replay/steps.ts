/** An answer cut up for stepping: each step ends with an event, or holds what follows the last one. */
import { createStream, feed, finish } from '../stream/index.ts';
import { joined } from './frames.ts';
import { typeOf } from './trouble.ts';
import type { Answer } from './types.ts';

export interface Step {
  readonly bytes: Uint8Array;
  /** Types of its events as they are on the wire; none for what follows the last event. */
  readonly types: readonly string[];
  /** Events that have come with it, this step's included. */
  readonly events: number;
}

/** The steps together are the answer's bytes. A stream that cannot be decoded has a step a chunk. Never throws. */
export function stepsOf({ chunks, contentType, end }: Answer): Step[] {
  const body = joined(chunks.map(({ bytes }) => bytes));
  const stream = createStream({ codec: 'auto', contentType });
  const frames = [...feed(stream, body, 0)];
  if (end === 'complete') frames.push(...finish(stream, 0).frames);
  const steps: Step[] = [];
  let from = 0;
  let events = 0;
  for (const { offset, length, values } of frames) {
    const to = Math.min(body.length, offset + length);
    if (values.length === 0 || to <= from) continue;
    events += values.length;
    steps.push({ bytes: body.slice(from, to), types: values.map(typeOf), events });
    from = to;
  }
  if (steps.length === 0) return chunks.map(({ bytes }) => ({ bytes, types: [], events: 0 }));
  if (from < body.length) steps.push({ bytes: body.slice(from), types: [], events });
  return steps;
}
