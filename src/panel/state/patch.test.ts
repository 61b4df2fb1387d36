import { describe, expect, test } from 'vitest';
import { applyWhole, changesOf, isUnknown, type Op } from './patch.ts';

const DOCUMENT = { status: 'planning', flights: [{ price: 96 }, { price: 118 }], budget: { total: 420 }, none: [] };
const fail = (...ops: Op[]) => applyWhole(DOCUMENT, ops).failed!;
const walk = (op: Op) => fail(op).walk.map(({ key, what, state }) => `${key}: ${what}${state === 'met' ? '' : ` (${state})`}`);

describe('a patch', () => {
  test('applies whole or not at all, and leaves the document it was given alone', () => {
    const before = structuredClone(DOCUMENT);
    const good = applyWhole(DOCUMENT, [{ op: 'replace', path: '/status', value: 'x' }]);
    expect(good).toMatchObject({ document: { status: 'x' }, failed: null });
    const bad = applyWhole(DOCUMENT, [
      { op: 'replace', path: '/status', value: 'x' },
      { op: 'remove', path: '/nowhere' },
    ]);
    expect([bad.document, bad.failed!.at]).toEqual([DOCUMENT, 1]);
    expect(DOCUMENT).toEqual(before);
  });

  test.each<[string, Op, string]>([
    ['an item past the end', { op: 'replace', path: '/flights/2/price', value: 1 }, '/flights has no item “2”, its last is 1.'],
    ['an item of an empty array', { op: 'remove', path: '/none/0' }, '/none has no item “0”, it is empty.'],
    ['a missing member', { op: 'remove', path: '/budget/left' }, '/budget has no member “left”.'],
    ['a name where an index belongs', { op: 'replace', path: '/flights/first', value: 1 }, '/flights is an array, “first” is no index of it.'],
    ['a way through a text', { op: 'add', path: '/status/0', value: 1 }, '/status is "planning", no object or array.'],
    ['a test that fails', { op: 'test', path: '/budget/total', value: 360 }, '/budget/total is 420, the test asks for 360.'],
    ['a copy from nowhere', { op: 'copy', from: '/hotels', path: '/status' }, 'the state has no member “hotels”.'],
  ])('says why it failed: %s', (_, op, why) => {
    expect(fail(op).why).toBe(why);
  });

  test('tells the way of its path, with the value it met at each place', () => {
    expect(walk({ op: 'replace', path: '/flights/2/price', value: 1 })).toEqual([
      'state: object, 4 members',
      'flights: array, 2 items',
      '2: missing, last is 1 (bad)',
      'price: not reached (beyond)',
    ]);
    expect(walk({ op: 'test', path: '/budget/total', value: 360 }).at(-1)).toBe('total: 420, not 360 (bad)');
    expect(walk({ op: 'replace', path: '/status/word', value: 1 })).toEqual([
      'state: object, 4 members',
      'status: "planning": no object or array (bad)',
      'word: not reached (beyond)',
    ]);
  });

  test('a failure meets what the operations before it made', () => {
    expect(fail({ op: 'remove', path: '/flights/1' }, { op: 'remove', path: '/flights/1' }).why).toBe('/flights has no item “1”, its last is 0.');
  });

  test('an operation of an unknown name is told apart', () => {
    expect([{ op: 'upsert', path: '/a' }, { op: 'add', path: '/a' }, 7, { path: '/a' }].map(isUnknown)).toEqual([true, false, false, false]);
  });
});

describe('what a patch changed', () => {
  test('paths with what was there before; removed ones too', () => {
    const { changes, removed } = changesOf(DOCUMENT, [
      { op: 'replace', path: '/status', value: 'x' },
      { op: 'add', path: '/flights/-', value: { price: 1 } },
      { op: 'add', path: '/budget/left', value: 2 },
      { op: 'add', path: '/budget/total', value: 3 },
      { op: 'remove', path: '/flights/0' },
      { op: 'move', from: '/none', path: '/some' },
    ]);
    expect([...changes]).toEqual([
      ['/status', { sign: '~', was: 'planning' }],
      ['/flights/2', { sign: '+' }],
      ['/budget/left', { sign: '+' }],
      ['/budget/total', { sign: '~', was: 420 }],
      ['/some', { sign: '+' }],
    ]);
    expect(removed).toEqual([
      { path: '/flights/0', was: { price: 96 } },
      { path: '/none', was: [] },
    ]);
  });
});
