/** Family stream: what opens the stream, CUSTOM and RAW. */
import { closeLane } from '../lanes.ts';
import { report, type Work } from '../work.ts';

/** The first recognised event is no boundary. Answers the finding. */
export function badOpening(work: Work): number {
  return report(work, {
    rule: 'stream-opening-event',
    message: `The stream opens with ${work.type} instead of RUN_STARTED or RUN_ERROR; announce the run first.`,
  });
}

/** CUSTOM. */
export function custom(work: Work): void {
  closeLane(work, work.tag ?? null);
  work.run.delivered = true;
}

/** RAW: opaque. */
export function raw(work: Work): void {
  work.run.delivered = true;
}
