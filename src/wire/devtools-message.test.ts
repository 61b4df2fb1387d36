import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type DevtoolsMessage, isDevtoolsMessage, isLoggedAck } from './devtools-to-worker.ts';
import { forgeries, RECORDS } from './testkit.ts';

const MESSAGES: readonly DevtoolsMessage[] = [
  { kind: 'ping' },
  { kind: 'exchange', no: 1, key: 'k', records: RECORDS },
  { kind: 'page', url: 'http://a/', timeOrigin: 5, heard: true, navigated: true },
];

it.each(MESSAGES.map((message) => [message.kind, message] as const))('the worker takes %s, and refuses it with any one field of another type', (_, message) => {
  expect(isDevtoolsMessage(message)).toBe(true);
  for (const [path, forged] of forgeries(message, '')) expect(isDevtoolsMessage(forged), path).toBe(false);
});

it('the worker takes a page it knows less of, and an exchange of which nothing is known yet', () => {
  expect(isDevtoolsMessage({ kind: 'page', url: '', timeOrigin: null, heard: null, navigated: false })).toBe(true);
  expect(isDevtoolsMessage({ kind: 'exchange', no: 0, key: '', records: [] })).toBe(true);
});

it.each([
  ['no object', null],
  ['a text', 'ping'],
  ['a kind of another version', { kind: 'explode', url: '', timeOrigin: null, heard: null, navigated: false }],
  ['a time that is none', { kind: 'page', url: '', timeOrigin: Number.NaN, heard: null, navigated: false }],
  ['a number with a fraction', { kind: 'exchange', no: 0.5, key: 'k', records: [] }],
])('the worker refuses %s', (_, message) => {
  expect(isDevtoolsMessage(message)).toBe(false);
});

it('the devtools page takes an acknowledgement and nothing else', () => {
  expect(isLoggedAck({ kind: 'journaled', no: 3 })).toBe(true);
  for (const other of [null, undefined, 'journaled', {}, { kind: 'journaled' }, { kind: 'journaled', no: '3' }, { kind: 'other', no: 3 }]) {
    expect(isLoggedAck(other)).toBe(false);
  }
});

it('neither ever throws', () => {
  fc.assert(fc.property(fc.anything({ withTypedArray: true, withNullPrototype: true }), (value) => !isDevtoolsMessage(value) && !isLoggedAck(value)));
});
