/** Every story the demo agent can tell. The demo page makes its buttons of this list, and the specs their expectations. */
import { CONVERSATION } from './stories/conversation.ts';
import { HOSTILE } from './stories/hostile.ts';
import { RUNS } from './stories/runs.ts';
import { LOAD, RESTLESS, STREAMS } from './stories/streams.ts';
import { VIOLATIONS } from './stories/violations.ts';
import type { Scenario } from './story.ts';

export const SCENARIOS: readonly Scenario[] = [...RUNS, ...CONVERSATION, ...VIOLATIONS, ...STREAMS, ...LOAD];

/** The scenario of that id, also of those that are not on the demo page, or undefined. */
export function scenarioOf(id: string): Scenario | undefined {
  return [...SCENARIOS, RESTLESS, ...HOSTILE].find((scenario) => scenario.id === id);
}
