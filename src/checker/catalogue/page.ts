/** The pages of `docs/rules/`, made from the catalogue. */
import type { Rule } from '../types.ts';

const SEVERITY: Readonly<Record<Rule['severity'], string>> = {
  violation: 'A conforming consumer rejects the stream here.',
  deviation: 'A duty is broken; consumers carry on.',
  advice: 'Legal, but worth a look.',
};

const REFERENCE: Readonly<Record<Rule['reference'], string>> = {
  rejects: 'rejects it',
  warns: 'warns and goes on',
  silent: 'says nothing',
};

/** The Markdown page of one rule. */
export function rulePage(rule: Rule): string {
  return [
    `# ${rule.id}`,
    '',
    `**${rule.title}** · ${rule.severity}${rule.off === undefined ? '' : ' · off by default'}`,
    '',
    rule.meaning,
    '',
    `- Severity: ${rule.severity}. ${SEVERITY[rule.severity]}`,
    `- Usual cause: ${rule.cause}`,
    `- Fix: ${rule.fix}`,
    `- \`@ag-ui/client\` 1.0.0 ${REFERENCE[rule.reference]}.`,
    rule.spec === null ? '- The protocol is silent on this.' : `- Specification: <${rule.spec}>`,
    '',
  ].join('\n');
}

/** The index page: one line a rule, grouped by family. */
export function ruleIndex(rules: readonly Rule[]): string {
  const lines = ['# Rules', ''];
  let family = '';
  for (const rule of rules) {
    if (rule.family !== family) {
      family = rule.family;
      lines.push(`## ${family}`, '', '| rule | severity | what it is |', '| --- | --- | --- |');
    }
    lines.push(`| [${rule.id}](${rule.id}.md) | ${rule.severity}${rule.off === undefined ? '' : ' (off)'} | ${rule.title} |`);
    if (rules[rules.indexOf(rule) + 1]?.family !== family) lines.push('');
  }
  return lines.join('\n');
}
