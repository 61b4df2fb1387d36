/** A page may say anything in a hold script's name: what is not one of its messages is told apart, and nothing throws. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isFromHold, isHello, readBaton } from './hold.ts';

const GOOD = [
  { kind: 'holding', id: 3 },
  { kind: 'ask', id: 0, url: 'http://a/', method: 'POST', body: '' },
  { kind: 'late', id: 1, url: 'http://a/' },
  { kind: 'head', id: 1, time: 0.5, status: 200, statusText: '', contentType: 'text/event-stream' },
  { kind: 'bytes', id: 1, time: 2, bytes: new Uint8Array(2) },
  { kind: 'end', id: 1, time: 3, how: 'complete' },
  { kind: 'end', id: 1, time: 3, how: 'network-error' },
  { kind: 'over', id: 1, how: 'aborted' },
];
const HELLO = { kind: 'hello', secret: 's', url: 'http://a/', kept: false, heard: true };

describe('messages of a hold script', () => {
  it('are taken as they are', () => {
    for (const message of GOOD) expect(isFromHold(message), message.kind).toBe(true);
    expect(isHello(HELLO)).toBe(true);
  });

  it('are refused with a field missing or of another type', () => {
    const wrong = [undefined, null, {}, [], -1, 1.5, Number.NaN, true];
    for (const message of [...GOOD, HELLO] as Record<string, unknown>[]) {
      const is = message['kind'] === 'hello' ? isHello : isFromHold;
      for (const key of Object.keys(message)) {
        const { [key]: _gone, ...rest } = message;
        expect(is(rest), `${String(message['kind'])} without ${key}`).toBe(false);
        for (const value of wrong) {
          if (typeof value === typeof message[key] && (key === 'kept' || key === 'heard' || (key === 'time' && value === 1.5))) continue;
          expect(is({ ...message, [key]: value }), `${String(message['kind'])}.${key} = ${String(value)}`).toBe(false);
        }
      }
    }
    for (const kind of ['constructor', '__proto__', 'rules', '']) expect(isFromHold({ kind, id: 1 })).toBe(false);
  });

  it('never throw, whatever comes', () => {
    fc.assert(
      fc.property(fc.anything({ withNullPrototype: true, withBigInt: true, withTypedArray: true }), (value) => {
        expect(typeof isFromHold(value)).toBe('boolean');
        expect(typeof isHello(value)).toBe('boolean');
      }),
    );
  });
});

describe('a baton', () => {
  it('is read back as it was laid down', () => {
    const baton = { secret: 's', rules: [{ method: 'POST', pattern: '^x$' }] };
    expect(readBaton(JSON.stringify(baton))).toEqual(baton);
  });

  it('is none where the page has written something else', () => {
    const others = [
      null,
      '',
      'no',
      '{}',
      '[]',
      '{"secret":1,"rules":[]}',
      '{"secret":"s","rules":{}}',
      '{"secret":"s","rules":[null]}',
      '{"secret":"s","rules":[{"method":"x"}]}',
    ];
    for (const text of others) expect(readBaton(text), String(text)).toBe(null);
    fc.assert(fc.property(fc.oneof(fc.string(), fc.json()), (text) => readBaton(text) === null));
  });
});
