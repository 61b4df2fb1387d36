import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { RULES } from './catalogue.ts';
import { RULE_EXAMPLES, runExample } from './rule-examples.ts';

const FOLDER = resolve(import.meta.dirname, '../../docs/rules');

describe('the example of each rule', () => {
  it.each(RULE_EXAMPLES)('$rule: the bad stream gives it and nothing else, in the words of its page', ({ rule, bad }) => {
    const findings = runExample(rule, bad);
    expect(findings.map((finding) => finding.rule)).toEqual([rule]);
    expect(readFileSync(resolve(FOLDER, `${rule}.md`), 'utf8')).toContain(`\n> ${findings[0]?.message}\n`);
  });

  it.each(RULE_EXAMPLES)('$rule: the mended stream is silent', ({ rule, mended }) => {
    expect(runExample(rule, mended)).toEqual([]);
  });

  it('is there once for every rule, in the order of the catalogue', () => {
    expect(RULE_EXAMPLES.map(({ rule }) => rule)).toEqual(RULES.map(({ id }) => id));
  });
});
