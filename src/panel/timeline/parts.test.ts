// @vitest-environment happy-dom
import { describe, expect, it, vi } from 'vitest';
import type { Draw } from '../../timeline/index.ts';
import { createFolding, MANY } from './folding.ts';
import { ICONS } from './icons.ts';
import { moving, stepped, still, towards } from './motion.ts';
import { createPalette, paint } from './paint.ts';

describe('motion', () => {
  const goal = { from: 10, to: 20 };

  it('arrives after 120 ms, slower at the end, and is then still', () => {
    const start = towards(still({ from: 0, to: 10 }), goal, 1000, false);
    const half = stepped(start, 1060);
    expect(half.at.from).toBeGreaterThan(5);
    expect(half.at.from).toBeLessThan(10);
    expect(moving(half)).toBe(true);
    expect(stepped(half, 1120)).toEqual(still(goal));
    expect(moving(stepped(half, 1120))).toBe(false);
  });

  it('is there at once under reduced motion', () => {
    expect(towards(still({ from: 0, to: 10 }), goal, 1000, true)).toEqual(still(goal));
  });
});

describe('folding', () => {
  it('remembers a choice and forgets broken memories', () => {
    localStorage.clear();
    createFolding(localStorage).toggle('a');
    expect([...createFolding(localStorage).folded.value]).toEqual(['a']);
    localStorage.setItem('runlens.timeline.folds', '{"a":');
    expect(createFolding(localStorage).folded.value.size).toBe(0);
    localStorage.clear();
  });

  it('opens a capture of many threads folded, but for those the reader opened', () => {
    const folding = createFolding(null);
    const keys = Array.from({ length: MANY + 1 }, (_, i) => `t${i}`);
    folding.setAll(['t0'], false);
    folding.open(keys.slice(0, MANY));
    expect(folding.folded.value.size).toBe(0);
    folding.open(keys);
    expect(folding.folded.value.has('t0')).toBe(false);
    expect(folding.folded.value.size).toBe(MANY);
  });
});

describe('paint', () => {
  /** A context that writes down what is called and set. */
  function recorder() {
    const calls: string[] = [];
    const ctx = new Proxy({} as Record<string, unknown>, {
      get: (target, key: string) =>
        target[key] ?? ((...args: unknown[]) => calls.push(`${key}(${args.map((arg) => (typeof arg === 'object' ? '…' : String(arg))).join(',')})`)),
      set: (target, key: string, value) => {
        target[key] = value;
        calls.push(`${key}=${value}`);
        return true;
      },
    });
    return { calls, ctx: ctx as unknown as CanvasRenderingContext2D };
  }
  const palette = { color: (token: string) => `<${token}>`, ui: 'ui', mono: 'mono', hatches: new Map() };

  it('closes every clip, also when the list forgot', () => {
    const { calls, ctx } = recorder();
    const list: Draw[] = [{ op: 'unclip' }, { op: 'clip', x: 0, y: 0, w: 5, h: 5 }, { op: 'rect', x: 1, y: 2, w: 3, h: 4, fill: 'line', alpha: 0.5 }];
    paint({ ctx, dpr: 2, path: () => ({}) as Path2D }, list, palette);
    expect(calls.filter((call) => call === 'save()').length).toBe(1);
    expect(calls.filter((call) => call === 'restore()').length).toBe(1);
    expect(calls).toContain('fillStyle=<line>');
    expect(calls.indexOf('globalAlpha=0.5')).toBeLessThan(calls.indexOf('fillRect(1,2,3,4)'));
    expect(calls.at(-2)).toBe('globalAlpha=1');
  });

  it('asks the page for a colour once', () => {
    const read = vi.fn(() => '#123456');
    vi.stubGlobal('getComputedStyle', () => ({ getPropertyValue: read }));
    const own = createPalette(document.documentElement);
    read.mockClear();
    expect([own.color('line'), own.color('line')]).toEqual(['#123456', '#123456']);
    expect(read).toHaveBeenCalledTimes(1);
    vi.unstubAllGlobals();
  });

  it('has a drawing for every icon', () => {
    const statuses = ['active', 'succeeded', 'interrupted', 'cancelled', 'failed-by-report', 'failed-late', 'rejected-by-violation', 'truncated'].map(
      (name) => `status-${name}`,
    );
    const kinds = ['run', 'step', 'text', 'reasoning', 'reasoning-span', 'tool', 'subagent', 'state'].map((name) => `kind-${name}`);
    for (const name of [
      ...statuses,
      ...kinds,
      'finding-violation',
      'finding-deviation',
      'finding-advice',
      'related',
      'diamond',
      'chevron-open',
      'chevron-folded',
    ]) {
      expect(ICONS[name]?.length, name).toBeGreaterThan(0);
    }
    const shapes = statuses.map((name) => JSON.stringify(ICONS[name]));
    expect(new Set(shapes).size).toBe(shapes.length);
  });
});
