import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { rulePages } from './rule-pages.ts';

const FOLDER = resolve(import.meta.dirname, '../../docs/rules');

describe('docs/rules', () => {
  const pages = rulePages();

  it.each([...pages])('%s is what the catalogue gives; `npm run docs:rules` writes it', (name, text) => {
    expect(readFileSync(join(FOLDER, name), 'utf8')).toBe(text);
  });

  it('holds no page of a rule that is gone', () => {
    expect(readdirSync(FOLDER).sort()).toEqual([...pages.keys()].sort());
  });
});
