import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { applyPlan } from './apply.ts';
import type { Change } from './plan.ts';
import { answerOf, bodyOf, eventsOf, GOOD_RUN, goodAnswer, MEDIA, planOf, textOf } from './testkit.ts';
import { utf8 } from './text.ts';
import { createTrouble } from './trouble.ts';

describe('any input', () => {
  const place = fc.oneof(fc.nat(8), fc.record({ type: fc.constantFrom('CUSTOM', 'A', 'RUN_ERROR'), nth: fc.constantFrom(1, 2, -1) }));
  const byte = fc.record({ byte: fc.nat(60) });
  const change: fc.Arbitrary<Change> = fc.oneof(
    fc.record({ do: fc.constant('cut' as const), after: fc.oneof(place, byte) }),
    fc.record({ do: fc.constant('stall' as const), after: fc.oneof(place, byte) }),
    fc.record({ do: fc.constantFrom('drop' as const, 'swap' as const, 'duplicate' as const), event: place }),
    fc.record({ do: fc.constant('delay' as const), from: fc.oneof(place, byte), ms: fc.nat(50) }),
    fc.record({ do: fc.constant('slow' as const), bytesPerSecond: fc.integer({ min: 1, max: 500 }), from: fc.oneof(place, byte) }),
    fc.record({ do: fc.constant('split' as const), every: fc.integer({ min: 1, max: 30 }) }),
    fc.record({ do: fc.constant('split' as const), event: place, offset: fc.integer({ min: 1, max: 30 }) }),
    fc.record({ do: fc.constant('insert' as const), after: place, value: fc.dictionary(fc.string(), fc.jsonValue()) }),
    fc.record({ do: fc.constant('set' as const), event: place, field: fc.constantFrom('', '/a', '/value/b', '/__proto__/x'), value: fc.jsonValue() }),
    fc.record({ do: fc.constant('remove' as const), event: place, field: fc.constantFrom('/a', '/value') }),
  );
  const soup = fc.oneof(
    fc.constantFrom('data: {"type":"CUSTOM","value":{}}\n\n', 'data: {"type":"A"}\r\n\r\n', ': c\n\n', '\n', '\r', '[', '{"a":1}\n', '\u0000\u0000'),
    fc.string(),
  );
  const answer = fc.record({
    texts: fc.array(soup, { maxLength: 8 }),
    contentType: fc.constantFrom(...Object.values(MEDIA), 'text/plain', ''),
    end: fc.constantFrom('complete' as const, 'network-error' as const, 'aborted' as const, 'open' as const),
  });

  it('never throws; times never go back; the end is the last act', () => {
    fc.assert(
      fc.property(fc.array(change, { maxLength: 4 }), answer, (changes, { texts, contentType, end }) => {
        const altered = applyPlan(answerOf(texts.map(utf8), contentType, { end }), planOf(...changes));
        const times = [...altered.chunks.map(({ after }) => after), altered.endAfter];
        expect(times).toEqual([...times].sort((x, y) => x - y));
      }),
      { numRuns: 1000 },
    );
  });

  it('of an event that is nested past all bounds the field is not changed, and that is told', () => {
    const deep = `${'['.repeat(50_000)}${']'.repeat(50_000)}`;
    const altered = applyPlan(answerOf([utf8(`data: {"type":"A","deep":${deep}}\n\n`)]), planOf({ do: 'set', event: 0, field: '/x', value: 1 }));
    expect(altered.notes).toHaveLength(1);
    expect(textOf(altered)).toContain(deep);
  });

  it('changes that meet nothing change nothing', () => {
    const idle: Change[] = [
      { do: 'drop', event: 99 },
      { do: 'delay', from: { type: 'NONE' }, ms: 5 },
    ];
    fc.assert(
      fc.property(answer, ({ texts, contentType, end }) => {
        const whole = answerOf(texts.map(utf8), contentType, { end });
        const altered = applyPlan(whole, planOf(...idle));
        expect(bodyOf(altered)).toEqual(bodyOf(whole));
        expect({ ...altered, chunks: [], notes: [] }).toEqual({ ...whole, chunks: [], notes: [] });
      }),
      { numRuns: 1000 },
    );
  });

  it('without changes it is the same answer, live too', () => {
    const whole = goodAnswer();
    expect(applyPlan(whole, planOf())).toEqual({ ...whole, notes: [] });
    const trouble = createTrouble(planOf(), MEDIA.sse);
    for (const { after, bytes } of whole.chunks) expect(trouble.take(bytes, after)).toEqual([{ kind: 'bytes', after, bytes }]);
    expect(eventsOf(whole)).toEqual(GOOD_RUN);
  });
});
