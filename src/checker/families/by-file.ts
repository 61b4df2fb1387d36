/** The rules that have a file each in `rules/`, and their turn after the event's family. */
import type { EventType } from '../../protocol/events.ts';
import type { FileCheck, RuleState } from '../rule-file.ts';
import { FILE_CHECKS } from '../rules/index.generated.ts';
import { reportOnce, type Work } from '../work.ts';

type Handler = (work: Work) => void;
type Check = readonly [id: string, check: FileCheck];

function judge(work: Work, checks: readonly Check[]): void {
  for (const [id, check] of checks) {
    if (work.state.off.has(id)) continue;
    // the run is there: the family has just put the event into it
    check.judge(work.event, work.state as RuleState, (told) => {
      reportOnce(work, { ...told, rule: id, key: told.subject ?? '' });
    });
  }
}

/** The handlers, and behind each the rules on its type. A type without such rules costs nothing. */
export function withFileRules(handlers: Readonly<Record<EventType, Handler>>): Readonly<Record<EventType, Handler>> {
  const all: Record<EventType, Handler> = { ...handlers };
  for (const type of Object.keys(all) as EventType[]) {
    const checks = Object.entries(FILE_CHECKS).filter(([, check]) => check.on.includes(type));
    if (checks.length === 0) continue;
    all[type] = (work) => {
      handlers[type](work);
      judge(work, checks);
    };
  }
  return all;
}
