/** Changes that meet one another or an odd frame. */
import { describe, expect, it } from 'vitest';
import { applyPlan } from './apply.ts';
import type { Change } from './plan.ts';
import { answerOf, bodyOf, eventsOf, framesOf, MEDIA, planOf, textOf } from './testkit.ts';
import { utf8 } from './text.ts';
import { createTrouble } from './trouble.ts';
import type { Answer } from './types.ts';

const alter = (answer: Answer, ...changes: readonly Change[]) => applyPlan(answer, planOf(...changes));
const sse = (text: string) => answerOf([utf8(text)]);
const abc = sse('data: {"type":"A"}\n\ndata: {"type":"B"}\n\ndata: {"type":"C"}\n\n');
const typesOf = (answer: Answer) => eventsOf(answer).map((event) => (event as { type: unknown }).type);
const deep = JSON.parse(`${'['.repeat(100_000)}${']'.repeat(100_000)}`) as unknown;

describe('two changes of one event', () => {
  it('what is left out is not doubled, and what is doubled is left out', () => {
    expect(typesOf(alter(abc, { do: 'drop', event: 1 }, { do: 'duplicate', event: 1 }))).toEqual(['A', 'C']);
    expect(typesOf(alter(abc, { do: 'duplicate', event: 1 }, { do: 'drop', event: 1 }))).toEqual(['A', 'C']);
  });

  it('of two swaps in a row the second is not made, and told', () => {
    const altered = alter(abc, { do: 'swap', event: 0 }, { do: 'swap', event: 1 });
    expect(typesOf(altered)).toEqual(['B', 'A', 'C']);
    expect(altered.notes).toEqual(['Change 2 (swap) was not made: this event already changes places with the one before it.']);
  });

  it('choices from both ends of a recording are settled together', () => {
    const altered = alter(abc, { do: 'drop', event: { type: 'C', nth: -1 } }, { do: 'drop', event: { type: 'A' } }, { do: 'cut', after: 5 });
    expect(typesOf(altered)).toEqual(['B']);
    expect(altered.notes).toHaveLength(1);
  });
});

describe('a frame that is not as most are', () => {
  it('with several events is not changed inside, and told', () => {
    const answer = answerOf([utf8('[{"type":"A"},{"type":"B"}]\n{"type":"C"}')], MEDIA.ndjson);
    const altered = alter(answer, { do: 'remove', event: 1, field: '/type' }, { do: 'set', event: 2, field: '/type', value: 'Z' });
    expect(textOf(altered)).toBe('[{"type":"A"},{"type":"B"}]\n{"type":"Z"}');
    expect(altered.notes).toEqual(['Change 1 (remove) was not made: its frame holds several events.']);
  });

  it('with a data field without a value before the one that has one keeps one line', () => {
    const altered = alter(sse('data\ndata: {"type":"A"}\n\n'), { do: 'set', event: 0, field: '/type', value: 'Z' });
    expect(textOf(altered)).toBe('data: {"type":"Z"}\n\n');
  });

  it('that lacks half of its border gets that half where something comes behind it', () => {
    expect(textOf(alter(sse('data: {"type":"A"}\r\n'), { do: 'duplicate', event: 0 }))).toBe('data: {"type":"A"}\r\n\r\ndata: {"type":"A"}\r\n');
  });

  it('whose type is no text is an event all the same', () => {
    expect(eventsOf(alter(sse('data: {"type":5}\n\ndata: {"type":"A"}\n\n'), { do: 'drop', event: 0 }))).toEqual([{ type: 'A' }]);
  });
});

describe('what no frame can carry is not made, and told', () => {
  const notesOf = (answer: Answer, change: Change) => {
    const altered = alter(answer, change);
    expect(bodyOf(altered)).toEqual(bodyOf(answer));
    return altered.notes;
  };

  it('a value nested beyond the stack', () => {
    expect(notesOf(abc, { do: 'set', event: 0, field: '', value: deep })).toEqual([expect.stringMatching(/^Change 1 \(set\) was not made: .+\.$/)]);
    expect(notesOf(abc, { do: 'insert', after: 0, value: { deep } })).toEqual(['Change 1 (insert) was not made: JSON cannot carry such an event.']);
  });

  it('a field of an event nested beyond the stack', () => {
    const answer = sse(`data: {"type":"A","deep":${'['.repeat(20_000)}${']'.repeat(20_000)}}\n\n`);
    expect(notesOf(answer, { do: 'set', event: 0, field: '/type', value: 'Z' })).toEqual([expect.stringMatching(/^Change 1 \(set\) was not made: .+\.$/)]);
  });

  it('a field that is no pointer, in a plan nobody has read', () => {
    expect(notesOf(abc, { do: 'remove', event: 0, field: 'type' })).toEqual([expect.stringMatching(/^Change 1 \(remove\) was not made: .+\.$/)]);
  });

  it('another event in a protobuf frame', () => {
    const answer = answerOf(framesOf('proto', [{ type: 'CUSTOM', name: 'x.y', value: 1 }]), MEDIA.proto);
    expect(notesOf(answer, { do: 'set', event: 0, field: '', value: { type: 'NO_SUCH' } })).toEqual([expect.stringMatching(/protobuf cannot carry/)]);
  });
});

describe('another answer', () => {
  const answered = (body: unknown, contentType?: string) =>
    alter(abc, { do: 'answer', status: 503, ...(body === undefined ? {} : { body }), ...(contentType === undefined ? {} : { contentType }) });

  it.each([
    ['Busy', undefined, 'Busy', 'text/plain; charset=utf-8'],
    ['<p>Busy</p>', 'text/html', '<p>Busy</p>', 'text/html'],
    [{ a: 1 }, undefined, '{"a":1}', 'application/json'],
    [undefined, undefined, '', 'application/json'],
  ])('%.20j as %s', (body, contentType, text, media) => {
    const altered = answered(body, contentType);
    expect([altered.status, textOf(altered), altered.contentType, altered.end]).toEqual([503, text, media, 'complete']);
  });

  it('has no body where that is nested beyond the stack', () => {
    expect(textOf(answered(deep))).toBe('');
  });
});

it('the status text stays where the head does', () => {
  expect(alter({ ...abc, statusText: 'Fine' }, { do: 'drop', event: 0 }).statusText).toBe('Fine');
});

it('a second head, and one behind the end, are nothing', () => {
  const trouble = createTrouble(planOf({ do: 'drop', event: 0 }), MEDIA.sse);
  const head = { after: 1, status: 200, contentType: MEDIA.sse };
  expect([trouble.head(head).length, trouble.head(head).length, trouble.end('complete', 2).length, trouble.head(head).length]).toEqual([1, 0, 1, 0]);
});
