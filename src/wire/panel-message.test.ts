import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isCaptureRecord, isToWorker } from './panel-message.ts';
import { forgeries, RECORDS } from './testkit.ts';
import type { Command } from './worker-to-panel.ts';

const COMMANDS: readonly Command[] = [
  { name: 'clear' },
  { name: 'forget-closed' },
  { name: 'record', on: true },
  { name: 'preserve', on: false },
  { name: 'bytes', conn: 0, offset: 1, length: 2 },
  { name: 'request-body', conn: 0 },
  { name: 'import', records: RECORDS, last: true },
  { name: 'limits', limits: { tab: 1, frame: 1 } },
  { name: 'rules', rules: { a: true } },
];

describe('what the worker takes of the panel', () => {
  it.each(COMMANDS.map((command) => [command.name, command] as const))('takes %s, and refuses it with any one field of another type', (_, command) => {
    const message = { kind: 'command', id: 0, command };
    expect(isToWorker(message)).toBe(true);
    for (const [path, forged] of forgeries(message, '')) expect(isToWorker(forged), path).toBe(false);
  });

  it('takes a ping, and nothing else at random; it never throws', () => {
    expect(isToWorker({ kind: 'ping' })).toBe(true);
    fc.assert(fc.property(fc.anything({ withTypedArray: true, withNullPrototype: true }), (value) => !isToWorker(value) && !isCaptureRecord(value)));
  });

  it.each([
    ['a message number below nothing', { kind: 'command', id: -1, command: { name: 'clear' } }],
    ['a fraction as number', { kind: 'command', id: 0.5, command: { name: 'clear' } }],
    ['no command', { kind: 'command', id: 0 }],
    ['a command of another version', { kind: 'command', id: 0, command: { name: 'explode' } }],
  ])('refuses %s', (_, message) => {
    expect(isToWorker(message)).toBe(false);
  });
});

describe('imported records', () => {
  it.each(RECORDS.map((record) => [record.kind, record] as const))('takes %s, and refuses it with any one field of another type', (_, record) => {
    expect(isCaptureRecord(record)).toBe(true);
    for (const [path, forged] of forgeries(record, '')) expect(isCaptureRecord(forged), path).toBe(false);
  });

  it('takes them without what may be left out', () => {
    const [, , , chunk] = RECORDS;
    const bare = [
      { kind: 'request', conn: 1, carrier: 'file', document: null, request: { url: '', method: '', time: 0 } },
      { kind: 'body', conn: 1, body: { kind: 'none' } },
      { kind: 'response', conn: 1, response: { time: 0, status: 0, contentType: '' } },
      { kind: 'end', conn: 1, end: { time: 0, how: 'aborted' } },
      { kind: 'replay', conn: 1, replay: { time: 0, of: '' } },
      { kind: 'findings', conn: 1, rules: [], findings: [{ rule: 'a', at: 0, related: [-1], run: null, message: 'm', repeats: 0 }] },
    ];
    for (const record of bare) expect(isCaptureRecord(record), record.kind).toBe(true);
    for (const came of [Number.NaN, Number.POSITIVE_INFINITY]) expect(isCaptureRecord({ ...chunk, came })).toBe(false);
    expect(isCaptureRecord({ kind: 'of-another-version', conn: 1 })).toBe(false);
  });
});
