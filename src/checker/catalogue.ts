/** Every rule there is, in the order that breaks ties between findings of one position (rules.md §4). */
import { REASONING_RULES } from './catalogue/reasoning.ts';
import { REST_RULES } from './catalogue/rest.ts';
import { rulesOf } from './catalogue/rule.ts';
import { RUN_RULES } from './catalogue/run.ts';
import { SCHEMA_RULES } from './catalogue/schema.ts';
import { TEXT_RULES } from './catalogue/text.ts';
import { TOOL_RULES } from './catalogue/tool.ts';
import { VERSION_RULES } from './catalogue/version.ts';
import { FILE_RULES } from './rules/index.generated.ts';
import type { Finding, Rule } from './types.ts';

const LISTED = [...RUN_RULES, ...TEXT_RULES, ...TOOL_RULES, ...REASONING_RULES, ...REST_RULES, ...SCHEMA_RULES, ...VERSION_RULES];
const BY_FILE = rulesOf(FILE_RULES);

/** Family by family; within one, the rules with a file of their own come last. */
export const RULES: readonly Rule[] = [...new Set([...LISTED, ...BY_FILE].map(({ family }) => family))].flatMap((family) =>
  [...LISTED, ...BY_FILE].filter((rule) => rule.family === family),
);

const BY_ID: ReadonlyMap<string, Rule> = new Map(RULES.map((rule) => [rule.id, rule]));
const ORDER: ReadonlyMap<string, number> = new Map(RULES.map((rule, index) => [rule.id, index]));

const UNKNOWN: Rule = {
  id: '',
  family: 'stream',
  severity: 'advice',
  title: 'Unknown rule',
  meaning: 'This version has no rule of that name.',
  cause: 'A capture or a setting of another version.',
  fix: 'Update, or remove the name.',
  spec: null,
  reference: 'silent',
};

/** The rule of an id; a placeholder that says so for an id this version does not know. */
export function ruleOf(id: string): Rule {
  return BY_ID.get(id) ?? { ...UNKNOWN, id };
}

/** Whether the catalogue has a rule of this id. */
export function isRule(id: string): boolean {
  return BY_ID.has(id);
}

function compare(a: Finding, b: Finding): number {
  return a.at - b.at || (ORDER.get(a.rule) ?? RULES.length) - (ORDER.get(b.rule) ?? RULES.length) || a.id - b.id;
}

/** A copy in the order of rules.md §4.15: by position, ties in the order of the catalogue. */
export function orderFindings(findings: readonly Finding[]): Finding[] {
  return [...findings].sort(compare);
}
