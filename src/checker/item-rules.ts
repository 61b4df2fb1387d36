/** The kinds of item, and the rules on opening and closing each. */
import type { ItemKind } from './types.ts';

export interface ItemRules {
  readonly kind: ItemKind;
  readonly noun: string;
  readonly opener: string;
  readonly already: string;
  readonly notOpen: string;
  /** Rule on mixed forms, where the kind has chunks. */
  readonly mixed?: string;
}

export const TEXT: ItemRules = {
  kind: 'text',
  noun: 'message',
  opener: 'TEXT_MESSAGE_START',
  already: 'text-already-open',
  notOpen: 'text-not-open',
  mixed: 'text-mixed-forms',
};
export const TOOL: ItemRules = {
  kind: 'tool',
  noun: 'tool call',
  opener: 'TOOL_CALL_START',
  already: 'tool-already-open',
  notOpen: 'tool-not-open',
  mixed: 'tool-mixed-forms',
};
export const REASONING: ItemRules = {
  kind: 'reasoning',
  noun: 'reasoning message',
  opener: 'REASONING_MESSAGE_START',
  already: 'reasoning-message-already-open',
  notOpen: 'reasoning-message-not-open',
  mixed: 'reasoning-mixed-forms',
};
export const SPAN: ItemRules = {
  kind: 'reasoning-span',
  noun: 'reasoning span',
  opener: 'REASONING_START',
  already: 'reasoning-span-already-open',
  notOpen: 'reasoning-span-not-open',
};
export const STEP: ItemRules = { kind: 'step', noun: 'step', opener: 'STEP_STARTED', already: 'step-already-open', notOpen: 'step-not-open' };
export const SUBAGENT: ItemRules = {
  kind: 'subagent',
  noun: 'subagent',
  opener: 'SUBAGENT_STARTED',
  already: 'subagent-already-active',
  notOpen: 'subagent-not-active',
};

export const RULES_OF: Readonly<Record<ItemKind, ItemRules>> = {
  text: TEXT,
  tool: TOOL,
  'reasoning-span': SPAN,
  reasoning: REASONING,
  step: STEP,
  subagent: SUBAGENT,
};

/** The key of a step: owner and name. The parent's and those of a subagent with an empty id differ. */
export function stepKey(owner: string | null, name: string): string {
  return owner === null ? `-${name}` : `${owner.length}:${owner}${name}`;
}
