import { expect, it } from 'vitest';
import { DEFAULT_LIMITS, FRAME_LIMITS, parseLimits, sizeWords, TAB_LIMITS } from './limits.ts';

it('takes every choice there is, and the default for all else', () => {
  for (const tab of TAB_LIMITS) for (const frame of FRAME_LIMITS) expect(parseLimits({ tab, frame })).toEqual({ tab, frame });
  for (const stored of [undefined, null, 'x', 7, {}, { tab: 1, frame: '1' }]) expect(parseLimits(stored)).toEqual(DEFAULT_LIMITS);
});

it('says a size in whole MiB or GiB', () => {
  expect([...TAB_LIMITS].map(sizeWords)).toEqual(['16 MiB', '64 MiB', '256 MiB', '1 GiB']);
});
