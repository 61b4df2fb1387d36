/** What a frame's text is taken for, text by text. */
import { describe, expect, it } from 'vitest';
import { isObject, parseJson, readPayload } from './payload.ts';

const ONE_EVENT = ['frame-not-one-event'];
const NOT_JSON = ['frame-not-json'];

describe('a payload', () => {
  it.each([
    ['one object', '{"a":1}', [{ a: 1 }], [], false],
    ['a bare number', '7', [7], [], false],
    ['null', 'null', [null], [], false],
    ['an array keeps its objects', '[{"a":1},2,null,[3],{"b":4}]', [{ a: 1 }, { b: 4 }], ONE_EVENT, true],
    ['an event encoded twice', '"{\\"a\\":1}"', [{ a: 1 }], ONE_EVENT, true],
    ['a string that holds no event', '"null"', [], ONE_EVENT, true],
    ['objects in a row', '{"a":1}{"b":2}', [{ a: 1 }, { b: 2 }], ONE_EVENT, true],
    ['objects in a row with others and arrays inside', '{"a":{"b":[{"c":1}]}} {"d":[[1],{}]}\n', [{ a: { b: [{ c: 1 }] } }, { d: [[1], {}] }], ONE_EVENT, true],
    ['objects in a row with brackets and quotes in words', '{"a":"}{[\\""}{"b":"]\\\\"}', [{ a: '}{["' }, { b: ']\\' }], ONE_EVENT, true],
    ['an array between objects is no event', '{"a":1}[2]{"b":3}', [], NOT_JSON, true],
    ['something after the last object', '{"a":1}{"b":2}x', [], NOT_JSON, true],
    ['an object that is not closed', '{"a":1}{"b":2', [], NOT_JSON, true],
    ['one object and something after it', '{"a":1} x', [], NOT_JSON, true],
    ['words', 'hello', [], NOT_JSON, true],
    ['nothing', '', [], NOT_JSON, true],
  ])('%s', (_, text, values, faults, keeps) => {
    expect(readPayload(text)).toEqual({ values, faults, ...(keeps ? { text } : {}) });
  });

  it('is undefined where JSON cannot be read, and an object only where it is one', () => {
    expect(parseJson('{')).toBeUndefined();
    expect([{}, null, [], 'a', 1, undefined].map(isObject)).toEqual([true, false, false, false, false, false]);
  });
});
