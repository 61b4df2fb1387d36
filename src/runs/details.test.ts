import { describe, expect, it } from 'vitest';
import { detailsOf } from './details.ts';

describe('what a closing event reports', () => {
  it('error and usage of RUN_ERROR', () => {
    const event = { type: 'RUN_ERROR', message: 'boom', code: 'E1', usage: [{ model: 'm', inputTokens: 3, outputTokens: '4' }] };
    expect(detailsOf(event)).toEqual({ error: { message: 'boom', code: 'E1' }, usage: [{ model: 'm', inputTokens: 3 }] });
    expect(detailsOf({ type: 'RUN_ERROR', message: 5 })).toEqual({ error: { message: '', code: null } });
  });

  it('interrupts and result of RUN_FINISHED', () => {
    const outcome = { type: 'interrupt', interrupts: [{ id: 'i1', reason: 'approval', toolCallId: 't1' }, null, { reason: 'x' }] };
    expect(detailsOf({ type: 'RUN_FINISHED', outcome, result: null })).toEqual({
      hasResult: true,
      interrupts: [
        { id: 'i1', reason: 'approval', toolCallId: 't1' },
        { id: '', reason: 'x' },
      ],
    });
    expect(detailsOf({ type: 'RUN_FINISHED', outcome: { type: 'success', interrupts: [{ id: 'no' }] } })).toEqual({ hasResult: false, interrupts: [] });
  });

  it('what is of another type or missing is left out, what is beside it is not', () => {
    const list = { type: 'RUN_FINISHED', usage: [null, 5, { model: 5, outputTokens: 7 }], outcome: { type: 'interrupt', interrupts: 'all' } };
    expect(detailsOf(list)).toEqual({ hasResult: false, interrupts: [], usage: [{ outputTokens: 7 }] });
    expect(detailsOf({ type: 'RUN_FINISHED', usage: 'much', outcome: { type: 'interrupt', interrupts: [{ id: 'i' }] } })).toEqual({
      hasResult: false,
      interrupts: [{ id: 'i', reason: '' }],
    });
  });

  it('nothing of other events, and no more than a bounded part of a hostile one', () => {
    expect(detailsOf({ type: 'TEXT_MESSAGE_CONTENT', delta: 'x' })).toBeNull();
    const usage = Array.from({ length: 1_000 }, () => ({ model: 'm'.repeat(9_999) }));
    const kept = detailsOf({ type: 'RUN_FINISHED', usage })?.usage;
    expect(kept).toHaveLength(100);
    expect(kept?.[0]?.model).toHaveLength(4_000);
  });
});
