import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createSettings, type Settings } from './settings.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe('settings', () => {
  it('are saved at once, and what changes soon after that together', () => {
    const saved: Settings[] = [];
    const settings = createSettings(undefined, (all) => saved.push(all));
    settings.set({ rules: { 'step-already-open': false } });
    expect(saved.map(({ rules }) => rules)).toEqual([{ 'step-already-open': false }]);
    for (const detailWidth of [300, 310, 320]) settings.set({ detailWidth });
    expect(saved).toHaveLength(1);
    vi.runAllTimers();
    expect(saved.map(({ detailWidth }) => detailWidth).slice(1)).toEqual([320]);
    settings.set({ time: 'absolute' });
    expect(saved.at(-1)?.time).toBe('absolute');
  });
});
