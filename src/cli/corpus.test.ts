import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { isRule, ruleOf } from '../checker/catalogue.ts';
import table from './conformance-table.json' with { type: 'json' };
import { checkValues, differenceTo, type Expectation, runCorpus } from './corpus.ts';

const folder = mkdtempSync(join(tmpdir(), 'runlens-corpus-'));
afterAll(() => rmSync(folder, { recursive: true }));

const started = { type: 'RUN_STARTED', threadId: 't', runId: 'r' };
const finished = { type: 'RUN_FINISHED', threadId: 't', runId: 'r' };
const bad = [started, { type: 'STEP_FINISHED', stepName: 's' }, finished];

it('the table names rules of the catalogue, each in its class', () => {
  const rows = Object.entries(table as Record<string, Expectation>);
  expect(rows).toHaveLength(77);
  for (const [file, { violation, deviations = [], advice = [] }] of rows) {
    const named = [
      ...(violation === null ? [] : [[violation, 'violation']]),
      ...deviations.map((rule) => [rule, 'deviation']),
      ...advice.map((rule) => [rule, 'advice']),
    ] as [string, string][];
    for (const [rule, severity] of named) expect([file, rule, isRule(rule) && ruleOf(rule).severity]).toEqual([file, rule, severity]);
  }
});

describe('differenceTo', () => {
  it('is null for exactly what was expected', () => {
    expect(differenceTo({ violation: 'step-not-open' }, checkValues(bad))).toBeNull();
    expect(differenceTo({ violation: null, deviations: [] }, checkValues([started, finished]))).toBeNull();
  });

  it('tells what is missing, what is too much and what is another', () => {
    expect(differenceTo({ violation: null, deviations: [] }, checkValues(bad))).toBe('violations: expected none, found step-not-open');
    expect(differenceTo({ violation: 'run-nested-start' }, checkValues([started, finished]))).toBe('violations: expected run-nested-start, found none');
    expect(differenceTo({ violation: null, deviations: [] }, checkValues([started]))).toBe('deviations: expected none, found run-truncated');
    expect(differenceTo({ violation: null, advice: ['version-newer'] }, checkValues([started, finished]))).toBe('advice version-newer is missing');
  });
});

it('runCorpus holds conformance files against the table and tells recordings', async () => {
  mkdirSync(join(folder, 'a'));
  writeFileSync(join(folder, 'a/bad.json'), JSON.stringify({ stream: bad, expect: { outcome: 'failed' } }));
  writeFileSync(join(folder, 'a/new.json'), JSON.stringify({ stream: bad, expect: { outcome: 'failed' } }));
  writeFileSync(join(folder, 'recording.jsonl'), bad.map((event) => `${JSON.stringify(event)}\n`).join(''));
  let out = '';
  const result = await runCorpus(folder, (text) => (out += text), { 'a/bad.json': { violation: 'step-not-open' } });
  expect(result).toEqual({ files: 3, wrong: 1 });
  expect(out).toContain('ok    a/bad.json  step-not-open@1\n');
  expect(out).toContain('WRONG a/new.json  step-not-open@1\n      it is not in the table\n');
  expect(out).toContain('recording.jsonl  events as JSON lines · 3 events');
  expect(out.endsWith('2 files, 1 wrong\n')).toBe(true);
});
