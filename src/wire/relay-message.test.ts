import fc from 'fast-check';
import { expect, it } from 'vitest';
import { checkRelayMessage } from './relay-message.ts';

const BATCH = { no: 1, meta: [1, 'chunk', 2, 1, 3], bytes: new Uint8Array(3) };
const MESSAGE = { doc: 'd', url: 'http://a/', timeOrigin: 5, batches: [BATCH], lost: { bytes: 1, chunks: 2, batches: 3 } };

it('takes what a relay sends, and drops fields that are none of its own', () => {
  expect(checkRelayMessage({ ...MESSAGE, more: 1 })).toEqual(MESSAGE);
  expect(checkRelayMessage({ ...MESSAGE, lost: undefined })).toEqual({ doc: 'd', url: 'http://a/', timeOrigin: 5, batches: [BATCH] });
});

it.each([
  ['doc', 1],
  ['doc', 'd'.repeat(101)],
  ['url', null],
  ['timeOrigin', Number.NaN],
  ['timeOrigin', '5'],
  ['batches', {}],
])('refuses it with %s being %s', (field, value) => {
  expect(checkRelayMessage({ ...MESSAGE, [field]: value })).toBeNull();
});

it.each([['none'], [null], [{ bytes: 1, chunks: 2 }], [{ bytes: '1', chunks: 2, batches: 3 }], [{ bytes: 1, chunks: '2', batches: 3 }]])(
  'leaves out a loss that is %j',
  (lost) => {
    expect(checkRelayMessage({ ...MESSAGE, lost })).toEqual({ doc: 'd', url: 'http://a/', timeOrigin: 5, batches: [BATCH] });
  },
);

it('keeps the number of a malformed batch, so that it is acknowledged, and forgets one without a number', () => {
  const batches = [{ no: 7, meta: 'x' }, { no: 0 }, { no: 1.5 }, { no: '2' }, null, 3];
  expect(checkRelayMessage({ ...MESSAGE, batches })?.batches).toEqual([{ no: 7, malformed: true }]);
});

it('never throws', () => {
  fc.assert(fc.property(fc.anything({ withTypedArray: true, withNullPrototype: true }), (value) => checkRelayMessage(value) === null));
});
