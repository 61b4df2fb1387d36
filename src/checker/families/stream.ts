/** Family stream: what opens the stream, CUSTOM and RAW. */
import { isEventType } from '../../protocol/events.ts';
import { closeLane } from '../lanes.ts';
import { isRecord, quote, report, reportOnce, text, type Work } from '../work.ts';

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
  const name = text(work.event['name']);
  if (name === undefined || /[.:/]/.test(name)) return;
  reportOnce(work, {
    rule: 'stream-custom-unprefixed',
    key: name,
    subject: name,
    message: `The CUSTOM name ${quote(name)} has no prefix of its owner; name it for example "com.example.${name.slice(0, 40)}".`,
  });
}

/** RAW: opaque, but for the heuristic. */
export function raw(work: Work): void {
  work.run.delivered = true;
  const inner = work.event['event'];
  const type = isRecord(inner) ? inner['type'] : undefined;
  if (typeof type !== 'string' || !isEventType(type)) return;
  reportOnce(work, {
    rule: 'stream-raw-instead-of-standard',
    key: type,
    subject: type,
    message: `RAW carries a ${type} event, which has no effect there; emit the event itself.`,
  });
}
