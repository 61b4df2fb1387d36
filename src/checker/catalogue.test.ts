import { describe, expect, it } from 'vitest';
import { ruleIndex, rulePage } from './catalogue/page.ts';
import { isRule, orderFindings, RULES, ruleOf } from './catalogue.ts';
import { FILE_RULES } from './rules/index.generated.ts';
import { SHAPE_RULES } from './shape/index.ts';
import type { Finding } from './types.ts';

describe('catalogue', () => {
  it('has each rule once, the 120 that are listed and those with a file of their own, in 14 families', () => {
    expect(RULES).toHaveLength(120 + Object.keys(FILE_RULES).length);
    expect(new Set(RULES.map(({ id }) => id)).size).toBe(RULES.length);
    expect(new Set(RULES.map(({ family }) => family)).size).toBe(14);
    for (const { id, family } of RULES) expect(id.startsWith(`${family}-`), id).toBe(true);
  });

  it('says everything in whole sentences, and links into the protocol absolutely', () => {
    for (const rule of RULES) {
      for (const text of [rule.meaning, rule.cause, rule.fix]) expect(text, rule.id).toMatch(/^[A-Za-z"@].*\.$/s);
      expect(rule.title, rule.id).toMatch(/^[A-Za-z].*[^.]$/);
      if (rule.spec !== null) expect(rule.spec).toMatch(/^https:\/\/docs\.ag-ui\.com\/spec\/1\.1\/[a-z/-]+(#[a-z0-9_-]+)?$/);
    }
  });

  it('knows what the shape stage names', () => {
    for (const rule of SHAPE_RULES) expect(isRule(rule), rule).toBe(true);
  });

  it('has six listed rules that are off by default', () => {
    expect(RULES.filter(({ id, off }) => off === true && !Object.hasOwn(FILE_RULES, id)).map(({ id }) => id)).toEqual([
      'step-name-shared-across-owners',
      'tool-frontend-as-interrupt',
      'tool-unadvertised',
      'tool-parent-unknown',
      'version-undeclared',
      'usage-all-zero',
    ]);
  });

  it('answers for unknown ids too', () => {
    expect(ruleOf('of-another-version').title).toBe('Unknown rule');
    expect(isRule('__proto__')).toBe(false);
  });

  it('orders findings by position, ties by catalogue', () => {
    const finding = (id: number, rule: string, at: number) => ({ id, rule, at }) as Finding;
    const ordered = orderFindings([finding(0, 'usage-all-zero', 2), finding(1, 'run-truncated', 2), finding(2, 'step-not-open', 1)]);
    expect(ordered.map(({ id }) => id)).toEqual([2, 1, 0]);
  });

  it('writes a page a rule and an index', () => {
    const page = rulePage(ruleOf('run-truncated'));
    expect(page).toContain('# run-truncated');
    expect(page).toContain(ruleOf('run-truncated').fix);
    expect(rulePage(ruleOf('transport-silent-gap'))).toContain('The protocol is silent on this.');
    const index = ruleIndex(RULES);
    for (const { id } of RULES) expect(index).toContain(`(${id}.md)`);
    expect(index.match(/^## /gm)).toHaveLength(14);
  });
});
