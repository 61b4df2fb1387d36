import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { judgeUsage } from './usage.ts';

const lines = (usage: unknown) => judgeUsage(usage).map(({ rule, subject }) => `${rule} ${subject}`);

describe('judgeUsage', () => {
  test.each([
    [{}],
    [{ inputTokens: 10, outputTokens: 2, totalTokens: 12, reasoningTokens: 2, cachedInputTokens: 4, cacheWriteInputTokens: 6 }],
    [{ inputTokens: 0, outputTokens: 3 }],
    [{ cachedInputTokens: 4 }],
    [{ totalTokens: 5, inputTokens: 9 }],
    [{ provider: 'p', model: 'm' }],
  ])('silent: %j', (entry) => {
    expect(lines([entry])).toEqual([]);
  });

  test.each<[Record<string, number>, string]>([
    [{ inputTokens: 5, cachedInputTokens: 6 }, 'usage-part-exceeds-total'],
    [{ inputTokens: 5, cachedInputTokens: 3, cacheWriteInputTokens: 3 }, 'usage-part-exceeds-total'],
    [{ outputTokens: 2, reasoningTokens: 5 }, 'usage-part-exceeds-total'],
    [{ inputTokens: 5, outputTokens: 2, totalTokens: 8 }, 'usage-total-mismatch'],
    [{ inputTokens: 0, outputTokens: 0, totalTokens: 0 }, 'usage-all-zero'],
  ])('%j: %s', (entry, rule) => {
    expect(lines([entry])).toEqual([`${rule} usage[0]`]);
  });

  test('parts before totals, one an entry: reasoning reported beside the output breaks both', () => {
    expect(lines([{ inputTokens: 10, outputTokens: 2, reasoningTokens: 5, totalTokens: 17 }])).toEqual(['usage-part-exceeds-total usage[0]']);
  });

  test('one entry a provider and model; nameless entries are not the same', () => {
    const named = { provider: 'p', model: 'm', inputTokens: 1 };
    expect(lines([named, { ...named, model: 'n' }, named, { model: 'm' }, {}, {}])).toEqual(['usage-repeated-entry usage[2]']);
  });

  test('what the schema rejects is not judged twice', () => {
    expect(lines([{ inputTokens: -5, outputTokens: 'x', totalTokens: 1.5 }, null, 5, []])).toEqual([]);
    expect(lines('no list')).toEqual([]);
  });

  test('never throws', () => {
    fc.assert(fc.property(fc.oneof(fc.jsonValue(), fc.array(fc.jsonValue())), (usage) => void judgeUsage(usage)));
  });
});
