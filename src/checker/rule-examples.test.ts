import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { RULES } from './catalogue.ts';
import { RULE_EXAMPLES, runExample } from './rule-examples.ts';
import { rulePages } from './rule-pages.ts';

const FOLDER = resolve(import.meta.dirname, '../../docs/rules');

describe('the example of each rule', () => {
  it.each(RULE_EXAMPLES)('$rule: the bad stream gives it and nothing else', ({ rule, bad }) => {
    expect(runExample(rule, bad).map((finding) => finding.rule)).toEqual([rule]);
  });

  it.each(RULE_EXAMPLES)('$rule: the mended stream is silent', ({ rule, mended }) => {
    expect(runExample(rule, mended)).toEqual([]);
  });

  it('is there once for every rule, in the order of the catalogue', () => {
    expect(RULE_EXAMPLES.map(({ rule }) => rule)).toEqual(RULES.map(({ id }) => id));
  });
});

describe('docs/rules', () => {
  const pages = rulePages();

  it.each([...pages])('%s is what the catalogue gives; `npm run docs:rules` writes it', (name, text) => {
    expect(readFileSync(join(FOLDER, name), 'utf8')).toBe(text);
  });

  it('holds no page of a rule that is gone', () => {
    expect(readdirSync(FOLDER).sort()).toEqual([...pages.keys()].sort());
  });
});
