import { describe, expect, it } from 'vitest';
import type { Family, RunStatus } from '../checker/types.ts';
import { liveProblems } from './apply.ts';
import { parsePlan, writePlan } from './plan.ts';
import { READY_PLANS } from './ready.ts';
import { answerOf, framesOf, GOOD_RUN, goodAnswer, planOf } from './testkit.ts';
import { verdictOf } from './verdict.ts';

const STATUSES: readonly RunStatus[] = [
  'active',
  'succeeded',
  'interrupted',
  'cancelled',
  'failed-by-report',
  'failed-late',
  'rejected-by-violation',
  'truncated',
];
const FAMILIES: readonly Family[] = [
  'stream',
  'run',
  'step',
  'text',
  'tool',
  'reasoning',
  'subagent',
  'state',
  'activity',
  'interrupt',
  'schema',
  'transport',
  'version',
  'usage',
];
const familyOf = (rule: string) => rule.slice(0, rule.indexOf('-'));

it('the good run is good', () => {
  const verdict = verdictOf(goodAnswer(), planOf());
  expect(verdict).toMatchObject({ findings: [], notes: [], failure: null, events: GOOD_RUN.length });
  expect(verdict.runs.map(({ status }) => status)).toEqual(['succeeded']);
});

it('there is one a status and one a family, each with a name of its own', () => {
  const leads = READY_PLANS.map(({ leads }) => leads);
  expect(leads.flatMap((one) => ('status' in one ? [one.status] : [])).sort()).toEqual([...STATUSES].sort());
  expect(leads.flatMap((one) => ('family' in one ? [one.family] : [])).sort()).toEqual([...FAMILIES].sort());
  expect(new Set(READY_PLANS.map(({ plan }) => plan.name)).size).toBe(READY_PLANS.length);
});

describe.each(READY_PLANS.map((ready) => [ready.plan.name, ready] as const))('%s', (_, { plan, leads }) => {
  it.each(['sse', 'proto'] as const)('leads a good run over %s where it says', (codec) => {
    const { runs, findings, failure, notes } = verdictOf(goodAnswer(codec), plan);
    expect(notes).toEqual([]);
    if ('status' in leads) {
      expect(runs.map(({ status }) => status)).toEqual([leads.status]);
      const worst = findings.map(({ severity }) => severity);
      if (leads.status !== 'rejected-by-violation') expect(worst).not.toContain('violation');
    } else if ('family' in leads) expect([...new Set(findings.map(({ rule }) => familyOf(rule)))]).toEqual([leads.family]);
    else expect([runs, failure]).toEqual([[], expect.stringContaining('503')]);
  });

  it('is a text that reads back, and does on a live stream', () => {
    expect(parsePlan(writePlan(plan))).toEqual({ plan });
    expect(liveProblems(plan)).toEqual([]);
  });
});

it('tells what a plan did not do', () => {
  const answer = answerOf(framesOf('sse', GOOD_RUN.slice(0, 3)));
  expect(verdictOf(answer, READY_PLANS.find(({ plan }) => plan.name.includes('tool call'))!.plan).notes).toHaveLength(1);
});

it('judges by the rules that are on, and an answer that never came or was refused', () => {
  const plan = planOf({ do: 'drop', event: { type: 'RUN_STARTED' } });
  const told = verdictOf(goodAnswer(), plan).findings.map(({ rule }) => rule);
  expect(told.length).toBeGreaterThan(0);
  const rules = Object.fromEntries(told.map((rule) => [rule, false]));
  expect(verdictOf(goodAnswer(), plan, { url: 'http://localhost/', method: 'POST', rules }).findings.map(({ rule }) => rule)).not.toContain(told[0]);
  const none = { ...goodAnswer(), answered: false, chunks: [], end: 'network-error' as const };
  expect(verdictOf(none, planOf())).toMatchObject({ runs: [], events: 0, failure: expect.any(String) });
  const refused = { ...answerOf([]), status: 500, statusText: 'Out Of Order', contentType: 'text/plain' };
  expect(verdictOf(refused, planOf())).toMatchObject({ events: 0, failure: expect.stringContaining('500') });
});

it('knows the request', () => {
  const body = JSON.stringify({ threadId: 't', runId: 'r', messages: [], tools: [], context: [], state: {}, forwardedProps: {} });
  const empty = verdictOf(goodAnswer(), planOf({ do: 'cut', after: { byte: 0 }, end: 'complete' }), { url: 'http://localhost/agent', method: 'POST', body });
  expect(empty.findings.map(({ rule }) => rule)).toEqual(['stream-empty']);
});
