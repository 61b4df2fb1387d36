import { describe, expect, it } from 'vitest';
import { parseBody, runIdOf, withoutText } from './request.ts';

describe('the captured request', () => {
  it('tells the run it asked for, in every shape', () => {
    expect(runIdOf({ runId: 'r1' })).toBe('r1');
    expect(runIdOf({ run_id: 'r2' })).toBe('r2');
    expect(runIdOf({ method: 'agent/run', body: { runId: 'r3' } })).toBe('r3');
    for (const none of [undefined, null, 1, 'text', [], {}, { runId: 5 }, { body: null }, Object.create({ runId: 'inherited' })])
      expect(runIdOf(none)).toBeNull();
  });

  it('is parsed only when whole and JSON', () => {
    expect(parseBody({ kind: 'text', text: '{"a":1}' })).toEqual({ a: 1 });
    expect(parseBody({ kind: 'text', text: '{"a":1}', cut: true })).toBeUndefined();
    expect(parseBody({ kind: 'text', text: 'a=1' })).toBeUndefined();
    expect(parseBody({ kind: 'bytes', size: 3 })).toBeUndefined();
    expect(parseBody(null)).toBeUndefined();
  });

  it('loses its text in views, not its size', () => {
    expect(withoutText({ kind: 'text', text: 'aé€😀' })).toEqual({ kind: 'text', size: 1 + 2 + 3 + 4 });
    expect(withoutText({ kind: 'text', text: 'cut', size: 99, cut: true })).toEqual({ kind: 'text', size: 99, cut: true });
  });
});
