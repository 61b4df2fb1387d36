import fc from 'fast-check';
import jsonPatch, { type Operation } from 'fast-json-patch';
import { describe, expect, test } from 'vitest';
import { applyPatch } from './patch.ts';

const doc = () => ({ a: 1, list: [1, 2, 3], deep: { b: { c: 'x' }, 'k/1': { '~': 1 } } });

function applied(operations: unknown, on: unknown = doc()) {
  const result = applyPatch(on, operations);
  if (!result.ok) throw new Error(JSON.stringify(result));
  return result.doc;
}

function malformed(operations: unknown): string {
  const on = doc();
  const result = applyPatch(on, operations);
  expect(on).toEqual(doc());
  return !result.ok && 'malformed' in result ? result.malformed : '';
}

function failed(operations: unknown, on: unknown = doc()): string {
  const before = structuredClone(on);
  const result = applyPatch(on, operations);
  expect(on).toEqual(before);
  return !result.ok && 'failed' in result ? result.failed : '';
}

describe('applies', () => {
  test.each<[unknown, unknown]>([
    [[], doc()],
    [[{ op: 'add', path: '/a', value: 2 }], { ...doc(), a: 2 }],
    [[{ op: 'add', path: '/list/-', value: 4 }], { ...doc(), list: [1, 2, 3, 4] }],
    [[{ op: 'add', path: '/list/1', value: null }], { ...doc(), list: [1, null, 2, 3] }],
    [[{ op: 'remove', path: '/list/0', value: 'left over' }], { ...doc(), list: [2, 3] }],
    [[{ op: 'replace', path: '/deep/k~11/~0', value: 2 }], { ...doc(), deep: { b: { c: 'x' }, 'k/1': { '~': 2 } } }],
    [[{ op: 'move', from: '/list/0', path: '/list/2' }], { ...doc(), list: [2, 3, 1] }],
    [[{ op: 'move', from: '/deep/b', path: '/a' }], { a: { c: 'x' }, list: [1, 2, 3], deep: { 'k/1': { '~': 1 } } }],
    [
      [
        { op: 'copy', from: '/list', path: '/copy' },
        { op: 'remove', path: '/list/0' },
      ],
      { ...doc(), copy: [1, 2, 3], list: [2, 3] },
    ],
    [[{ op: 'test', path: '/deep/b', value: { c: 'x' } }], doc()],
    [[{ op: 'replace', path: '', value: [1] }], [1]],
    [[{ op: 'remove', path: '' }], null],
    [[{ op: 'copy', from: '/list', path: '' }], [1, 2, 3]],
    [[{ op: 'copy', from: '', path: '/self' }], { ...doc(), self: doc() }],
  ])('%j', (operations, expected) => {
    expect(applied(operations)).toEqual(expected);
  });

  test('in place: the same document comes back, and the values of the patch stay the event’s own', () => {
    const on = doc();
    const operations = [{ op: 'add', path: '/new', value: { list: [] as number[] } }];
    expect(applied(operations, on)).toBe(on);
    applied([{ op: 'add', path: '/new/list/-', value: 1 }], on);
    expect(operations[0]!.value).toEqual({ list: [] });
  });

  test('an unknown op is dropped and named, the rest applied', () => {
    const result = applyPatch({ n: 1 }, [
      { op: 'increment', path: '/n' },
      { op: 'replace', path: '/n', value: 5 },
      { op: '__proto__' },
      { op: '_get', path: '/n' },
    ]);
    expect(result).toEqual({ ok: true, doc: { n: 5 }, unknownOps: ['increment', '__proto__', '_get'] });
  });
});

describe('malformed', () => {
  test.each<[unknown, RegExp]>([
    [undefined, /^The patch is missing and not an array/],
    [null, /null/],
    [{}, /an object/],
    ['[]', /the string "\[\]"/],
    [[5], /^Operation 1 is the number 5 and not an object/],
    [[null], /not an object/],
    [[{ path: '/a' }], /has no op/],
    [[{ op: 5, path: '/a' }], /the op the number 5, which is not a string/],
    [[{ op: 'remove' }], /^Operation 1 has no path/],
    [[{ op: 'remove', path: 5 }], /is the number 5 and not a string/],
    [[{ op: 'remove', path: 'a' }], /"a", is no JSON Pointer/],
    [[{ op: 'remove', path: '/a~2' }], /no JSON Pointer/],
    [[{ op: 'add', path: '/a' }], /\(add\) has no value/],
    [[{ op: 'test', path: '/a' }], /\(test\) has no value/],
    [[{ op: 'move', path: '/a' }], /has no from/],
    [[{ op: 'copy', path: '/a', from: 'x' }], /from of operation 1, "x", is no JSON Pointer/],
    [[{ op: 'replace', path: '/a', value: 2 }, { op: 'remove' }], /^Operation 2 has no path/],
  ])('%j', (operations, sentence) => {
    expect(malformed(operations)).toMatch(sentence);
  });
});

describe('fails, and leaves the document as it was', () => {
  test.each<[unknown, RegExp]>([
    [[{ op: 'remove', path: '/no' }], /^Operation 1 \(remove "\/no"\) does not apply: there is nothing at \/no\.$/],
    [[{ op: 'replace', path: '/no/such', value: 1 }], /there is nothing at \/no\./],
    [[{ op: 'add', path: '/a/b', value: 1 }], /\/a is the number 1, which holds nothing/],
    [[{ op: 'add', path: '/list/9', value: 1 }], /index 9 is past the end of an array of 3/],
    [[{ op: 'add', path: '/list/x', value: 1 }], /"x" is no index, but \/list is an array/],
    [[{ op: 'add', path: '/list/01', value: 1 }], /no index/],
    [[{ op: 'remove', path: '/list/3' }], /nothing at \/list\/3/],
    [[{ op: 'remove', path: '/list/-' }], /nothing/],
    [[{ op: 'test', path: '/a', value: 2 }], /\(test "\/a"\) does not apply: \/a is the number 1 and not the number 2/],
    [[{ op: 'test', path: '/deep', value: {} }], /\/deep is an object, another one than expected/],
    [[{ op: 'test', path: '/no', value: null }], /nothing at \/no/],
    [[{ op: 'move', from: '/no', path: '/b' }], /^Operation 1 \(move "\/no" to "\/b"\) does not apply: there is nothing at \/no/],
    [[{ op: 'move', from: '/deep', path: '/deep/b/d' }], /cannot move into itself/],
    [[{ op: 'move', from: '', path: '/b' }], /cannot move into itself/],
    [[{ op: 'copy', from: '/a', path: '/no/b' }], /nothing at \/no/],
  ])('%j', (operations, sentence) => {
    expect(failed(operations)).toMatch(sentence);
    const earlier = [
      { op: 'replace', path: '/a', value: 2 },
      { op: 'add', path: '/list/0', value: 9 },
      { op: 'remove', path: '/list/0' },
      { op: 'copy', from: '/deep', path: '/x' },
      { op: 'replace', path: '/a', value: 1 },
    ];
    expect(failed([...earlier, ...(operations as unknown[])])).toMatch(/^Operation 6 /);
  });

  test('a document that is no container', () => {
    for (const on of [null, 5, 'abc', true]) expect(failed([{ op: 'add', path: '/0', value: 1 }], on)).toMatch(/^Operation 1 .* the root is /);
  });

  test('a replaced root is undone too', () => {
    const on = doc();
    expect(
      failed(
        [
          { op: 'replace', path: '', value: {} },
          { op: 'add', path: '/b', value: 1 },
          { op: 'remove', path: '/a' },
        ],
        on,
      ),
    ).toMatch(/^Operation 3/);
  });
});

describe('names of Object.prototype', () => {
  const pointers = [
    '/__proto__',
    '/__proto__/x',
    '/constructor',
    '/constructor/prototype/x',
    '/constructor/name',
    '/toString',
    '/list/constructor',
    '/list/length',
    '/hasOwnProperty',
  ];

  test.each(pointers)('%s leads nowhere in a document that has it not', (path) => {
    for (const operation of [
      { op: 'remove', path },
      { op: 'replace', path, value: 1 },
      { op: 'test', path, value: 1 },
      { op: 'move', from: path, path: '/m' },
      { op: 'copy', from: path, path: '/m' },
    ]) {
      expect(failed([operation])).toMatch(/does not apply/);
    }
    applyPatch(doc(), [{ op: 'add', path, value: { polluted: true } }]);
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
    expect((Object as unknown as { polluted?: boolean }).polluted).toBeUndefined();
    expect(Object.name).toBe('Object');
  });

  test('constructor is a key like any other once it is there', () => {
    expect(
      applied(
        [
          { op: 'add', path: '/constructor', value: 1 },
          { op: 'replace', path: '/constructor', value: 2 },
        ],
        {},
      ),
    ).toEqual({ constructor: 2 });
    expect(
      failed(
        [
          { op: 'add', path: '/constructor', value: 1 },
          { op: 'remove', path: '/x' },
        ],
        {},
      ),
    ).toMatch(/^Operation 2/);
  });
});

const leaf = fc.oneof(fc.constantFrom(null, true, 0, 1, 'x'), fc.string({ maxLength: 3 }));
const { tree } = fc.letrec((tie) => ({
  tree: fc.oneof(
    { maxDepth: 3 },
    leaf,
    fc.array(tie('tree'), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom('a', 'b', 'c/d', '~'), tie('tree'), { maxKeys: 3 }),
  ),
}));

/** Every pointer into a document, and some that lead past it. */
function pointersOf(value: unknown, at = ''): string[] {
  if (typeof value !== 'object' || value === null) return [at];
  const inner = Object.entries(value).flatMap(([key, child]) => pointersOf(child, `${at}/${jsonPatch.escapePathComponent(key)}`));
  return [at, ...inner, `${at}/${Array.isArray(value) ? '-' : 'new'}`, `${at}/9`, `${at}/a/b`];
}

const step = fc.record({
  op: fc.constantFrom('add', 'remove', 'replace', 'move', 'copy', 'test'),
  path: fc.nat(),
  from: fc.nat(),
  value: tree,
  keep: fc.boolean(),
});

/** A patch of which most operations apply: pointers are drawn from the document as the operations before left it. */
function patchFor(on: unknown, steps: readonly { op: string; path: number; from: number; value: unknown; keep: boolean }[]): Operation[] {
  let now = structuredClone(on);
  return steps.map(({ op, path, from, value, keep }) => {
    const pointers = pointersOf(now);
    const pick = (n: number) => pointers[n % pointers.length]!;
    const operation = { op, path: pick(path), from: pick(from), value: op === 'test' && keep ? valueAt(now, pick(path)) : value } as unknown as Operation;
    const next = applyPatch(structuredClone(now), [operation]);
    if (next.ok) now = next.doc;
    return operation;
  });
}

function valueAt(on: unknown, pointer: string): unknown {
  try {
    return jsonPatch.getValueByPointer(on, pointer) ?? null;
  } catch {
    return null;
  }
}

test('an applied patch equals what fast-json-patch makes of a copy, a failed one leaves the document deep-equal', () => {
  let good = 0;
  let bad = 0;
  fc.assert(
    fc.property(tree, fc.array(step, { minLength: 1, maxLength: 5 }), (on, steps) => {
      const operations = patchFor(on, steps);
      const before = structuredClone(on);
      const sent = structuredClone(operations);
      const result = applyPatch(on, operations);
      expect(operations).toEqual(sent);
      if (!result.ok) {
        bad += 1;
        expect(result).toHaveProperty('failed');
        expect(on).toEqual(before);
        return;
      }
      good += 1;
      expect(result.doc).toEqual(jsonPatch.applyPatch(before, structuredClone(operations), true, false).newDocument);
    }),
    { numRuns: 5_000 },
  );
  expect(Math.min(good, bad)).toBeGreaterThan(500);
});

test('what does not apply here does not apply in fast-json-patch; moves and copies to the root are its blind spots', () => {
  fc.assert(
    fc.property(tree, step, (on, one) => {
      const [operation] = patchFor(on, [one]);
      const result = applyPatch(structuredClone(on), [operation]);
      // It checks a move before taking the value out and not after, and does not look whether what goes to the root is there.
      if (result.ok || operation!.op === 'move' || (operation!.op === 'copy' && operation!.path === '')) return;
      expect(() => jsonPatch.applyPatch(structuredClone(on), structuredClone([operation!]), true, false)).toThrow();
    }),
    { numRuns: 5_000 },
  );
});

test('never throws', () => {
  const operation = fc.record({ op: fc.jsonValue(), path: fc.jsonValue(), from: fc.jsonValue(), value: fc.jsonValue() }, { requiredKeys: [] });
  fc.assert(fc.property(fc.jsonValue(), fc.oneof(fc.jsonValue(), fc.array(operation)), (on, operations) => void applyPatch(on, operations)));
});
