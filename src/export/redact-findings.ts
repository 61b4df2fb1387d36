/** Findings that depend on redacted content: they travel as they were recorded, since judging the stand-ins could say something else. */
import { ruleOf } from '../checker/catalogue.ts';
import type { Finding } from '../checker/types.ts';
import { ACTIVITY, REASONING, REQUEST, STATE, TEXT, TOOL } from './redact-groups.ts';
import type { RecordWriter } from './redact-records.ts';

const RULES: Readonly<Record<string, number>> = {
  'tool-args-not-json': TOOL,
  'run-history-restreamed': TEXT | REASONING | TOOL | REQUEST,
  'text-known-id-reopened': TEXT | REASONING | TOOL | REQUEST,
  'state-patch-failed': STATE | REQUEST,
  'activity-patch-failed': ACTIVITY | REQUEST,
};

/** The rules whose verdict may change when the groups of the mask are redacted. */
export function contentRules(on: number): string[] {
  return Object.entries(RULES).flatMap(([rule, groups]) => (on & groups ? [rule] : []));
}

/** A line of a redacted capture, beside its records. `at`, `related` and `run` count as in a Finding. */
export interface RecordedFindings {
  readonly kind: 'findings';
  readonly conn: number;
  readonly findings: readonly (Pick<Finding, 'rule' | 'severity' | 'at' | 'related' | 'run' | 'message' | 'repeats'> & { readonly frame?: number })[];
}

/** What is told of the findings of one connection: their sentences may quote content, so the rule's own title stands for them. */
export function recordedFindings(redactor: RecordWriter, conn: number, findings: readonly Finding[]): RecordedFindings {
  const rules = new Set(contentRules(redactor.on));
  return {
    kind: 'findings',
    conn,
    findings: findings
      .filter(({ rule }) => rules.has(rule))
      .map(({ rule, severity, at, frame, related, run, repeats }) => ({
        rule,
        severity,
        at,
        ...(frame === undefined ? {} : { frame }),
        related,
        run,
        message: `${ruleOf(rule).title} (as recorded: the content is redacted).`,
        repeats,
      })),
  };
}
