import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Change, parsePlan, readPlan, writePlan } from './plan.ts';
import { READY_PLANS } from './ready.ts';
import { goodAnswer, planOf } from './testkit.ts';
import { verdictOf } from './verdict.ts';

const errorOf = (change: unknown) => {
  const result = readPlan({ runlens: 'plan', version: 1, name: 'x', changes: [{ do: 'drop', event: 0 }, change] });
  return 'error' in result ? result.error : null;
};

describe('a plan that is wrong', () => {
  const texts: readonly [string, RegExp][] = [
    ['', /^The plan is not JSON: .+\.$/],
    ['{"runlens":"plan",}', /^The plan is not JSON: /],
    ['[]', /^A plan is a JSON object: /],
    ['{}', /must begin with "runlens": "plan"/],
    ['{"runlens":"plan","version":2,"name":"x","changes":[]}', /"version" must be 1/],
    ['{"runlens":"plan","version":1,"changes":[]}', /"name" must be a text/],
    ['{"runlens":"plan","version":1,"name":"x"}', /"changes" must be a list/],
    ['{"runlens":"plan","version":1,"name":"x","changes":[],"more":1}', /has a field "more"; it may have "runlens", "version", "name" and "changes"\./],
    [JSON.stringify({ ...planOf(), changes: Array.from({ length: 1001 }, () => ({})) }), /has 1001 changes; it may have 1000/],
  ];
  it.each(texts)('%s', (text, words) => {
    expect(parsePlan(text)).toEqual({ error: expect.stringMatching(words) });
  });

  const changes: readonly [unknown, string][] = [
    [7, 'Change 2: it must be an object such as { "do": "drop", "event": 3 }.'],
    [{}, 'Change 2: "do" is missing; it must be one of "cut", "stall", "drop",'],
    [{ do: 'brake' }, 'Change 2: "do" is "brake"; it must be one of'],
    [{ do: 'toString' }, 'Change 2: "do" is "toString"; it must be one of'],
    [{ do: 'drop', event: 1, evnt: 2 }, 'Change 2 (drop): it has a field "evnt"; it may have "event".'],
    [{ do: 'drop' }, 'Change 2 (drop): "event" is missing; it must be an event: its number from 0, or {'],
    [{ do: 'drop', event: -1 }, 'Change 2 (drop): "event" is -1; it must be an event'],
    [{ do: 'drop', event: { type: 'RAW', nth: 0 } }, 'Change 2 (drop): "event" is {"type":"RAW","nth":0}; it must be an event'],
    [{ do: 'drop', event: { byte: 3 } }, 'Change 2 (drop): "event" is {"byte":3}; it must be an event'],
    [{ do: 'cut', after: { byte: 1.5 } }, 'Change 2 (cut): "after" is {"byte":1.5}; it must be an event'],
    [{ do: 'cut', after: 1, end: 'loud' }, 'Change 2 (cut): "end" is "loud"; it must be "network-error" or "complete".'],
    [{ do: 'duplicate', event: 1, times: 0 }, 'Change 2 (duplicate): "times" is 0; it must be a whole number from 1 to 1000.'],
    [{ do: 'delay', from: 1 }, 'Change 2 (delay): "ms" is missing; it must be a number of ms'],
    [{ do: 'delay', from: 1, ms: '5' }, 'Change 2 (delay): "ms" is "5"; it must be a number of ms'],
    [{ do: 'slow' }, 'Change 2 (slow): "bytesPerSecond" is missing; it must be a whole number of bytes, 1 or more.'],
    [{ do: 'split' }, 'Change 2 (split): "every" or "event" is missing'],
    [{ do: 'split', event: 1, every: 2 }, 'Change 2 (split): it has a field "event"; it may have "every" and "pause", or "event", "offset" and "pause".'],
    [{ do: 'split', event: 1 }, 'Change 2 (split): "offset" is missing'],
    [{ do: 'insert', value: {} }, 'Change 2 (insert): "before" or "after" is missing'],
    [{ do: 'insert', after: 1, value: 'RUN_ERROR' }, 'Change 2 (insert): "value" is "RUN_ERROR"; it must be an event as an object'],
    [{ do: 'set', event: 1, field: 'delta', value: 1 }, 'Change 2 (set): "field" is "delta"; it must be a JSON pointer such as "/delta"'],
    [{ do: 'set', event: 1, field: '/delta' }, 'Change 2 (set): "value" is missing; it must be any value.'],
    [{ do: 'remove', event: 1, field: '' }, 'Change 2 (remove): "field" is ""; it must be a JSON pointer'],
    [{ do: 'drop', ['x'.repeat(50)]: 1 }, `Change 2 (drop): it has a field "${'x'.repeat(39)}…"; it may have "event".`],
    [{ do: 'drop', event: 'x'.repeat(80) }, `Change 2 (drop): "event" is "${'x'.repeat(58)}…; it must be an event`],
    [{ do: 'answer', status: 204 }, 'Change 2 (answer): "status" is 204; it must be an HTTP status from 200 to 599 that has a body.'],
    [{ do: 'answer', status: 500, contentType: 'a\nb' }, 'Change 2 (answer): "contentType" is "a\\nb"; it must be a media type'],
  ];
  it.each(changes)('%j', (change, words) => {
    expect(errorOf(change)).toContain(words);
  });

  it('never throws, however odd', () => {
    fc.assert(fc.property(fc.string(), (text) => Object.keys(parsePlan(text)).length === 1));
    fc.assert(fc.property(fc.jsonValue(), (value) => errorOf(value) !== undefined));
    const deep = `${'['.repeat(20_000)}${']'.repeat(20_000)}`;
    expect(parsePlan(`{"runlens":"plan","version":1,"name":"x","changes":[{"do":"drop","event":${deep}}]}`)).toHaveProperty('error');
  });
});

it('a plan without changes, and one behind a byte-order mark, are plans', () => {
  expect(parsePlan(`\ufeff${writePlan(planOf())}`)).toEqual({ plan: planOf() });
});

describe('docs/plans.md', () => {
  const page = readFileSync(new URL('../../docs/plans.md', import.meta.url), 'utf8');
  const blocks = [...page.matchAll(/```json\n(.*?)```/gs)].map(([, text]) => text!);
  const changes = blocks.filter((text) => !text.includes('"runlens"'));
  const kindOf = (text: string) => (JSON.parse(text) as Change).do;

  it('every example is right, and does something to a good run', () => {
    expect(blocks.length).toBeGreaterThan(12);
    for (const text of blocks) {
      const whole = text.includes('"runlens"') ? text : JSON.stringify({ runlens: 'plan', version: 1, name: 'x', changes: [JSON.parse(text)] });
      const read = parsePlan(whole);
      if ('error' in read) throw new Error(`${text}\n${read.error}`);
      expect([text, verdictOf(goodAnswer(), read.plan).notes]).toEqual([text, []]);
    }
  });

  it('every change and every ready plan is described', () => {
    const kinds: readonly Change['do'][] = ['cut', 'stall', 'drop', 'duplicate', 'swap', 'delay', 'slow', 'split', 'insert', 'set', 'remove', 'answer'];
    expect([...new Set(changes.map(kindOf))].sort()).toEqual([...kinds].sort());
    for (const { plan } of READY_PLANS) expect(page).toContain(plan.name);
  });
});
