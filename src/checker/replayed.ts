/** Streams whose answer was recorded for another request. */
import type { CheckerState } from './state.ts';

/** From here on the run that the request asked for is not held against the stream: Runlens gave it the answer to another one. */
export function takeAsReplayed(state: CheckerState): void {
  state.off.add('run-request-id-mismatch');
}
