/** Findings that depend on redacted content: they travel as they were recorded, since judging the stand-ins could say something else. */
import type { CaptureRecord, RecordedFinding } from '../capture/types.ts';
import { isRule, ruleOf } from '../checker/catalogue.ts';
import { foreignName } from '../protocol/foreign.ts';
import { ACTIVITY, REASONING, REQUEST, STATE, TEXT, TOOL } from './redact-groups.ts';

const RULES: Readonly<Record<string, number>> = {
  'tool-args-not-json': TOOL,
  'run-history-restreamed': TEXT | REASONING | TOOL | REQUEST,
  'text-known-id-reopened': TEXT | REASONING | TOOL | REQUEST,
  'state-patch-failed': STATE | REQUEST,
  'activity-patch-failed': ACTIVITY | REQUEST,
};

type Recorded = Extract<CaptureRecord, { kind: 'findings' }>;

/** The rules whose verdict may change when the groups of the mask are redacted. */
export function contentRules(on: number): string[] {
  return Object.entries(RULES).flatMap(([rule, groups]) => (on & groups ? [rule] : []));
}

/** What is told of the findings of one connection: their sentences may quote content, so the rule's own title stands for them. */
export function recordedFindings(rules: readonly string[], conn: number, findings: readonly RecordedFinding[], protocol: string | null = null): Recorded {
  return {
    kind: 'findings',
    conn,
    ...(protocol === null ? {} : { protocol: foreignName(protocol) }),
    rules,
    findings: findings
      .filter(({ rule }) => rules.includes(rule) && isRule(rule))
      .map(({ rule, at, frame, related, run, repeats }) => ({
        rule,
        at,
        ...(frame === undefined ? {} : { frame }),
        related,
        run,
        message: `${ruleOf(rule).title} (as recorded: the content is redacted).`,
        repeats,
      })),
  };
}
