import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { clock, duration, stretches, ticks, timeScale } from './scale.ts';
import { bounds } from './times.ts';
import type { Measure, TimelineModel, Window } from './types.ts';
import { fitted, held, panned, zoomed } from './window.ts';

const wide: Measure = (text, size) => text.length * size * 0.7;
const ORIGIN = 1_764_547_200_000;

const windows = fc
  .record({
    start: fc.double({ min: -1e5, max: 2e8, noNaN: true }),
    exponent: fc.double({ min: -1, max: 8.4, noNaN: true }),
    width: fc.integer({ min: 220, max: 2600 }),
    gutter: fc.constantFrom(28, 136),
  })
  .map(({ start, exponent, width, gutter }): Window => ({ from: ORIGIN + start, to: ORIGIN + start + 10 ** exponent, width, height: 300, scroll: 0, gutter }));

describe('ticks', () => {
  it('ascend, lie in the window, and their labels never touch', () => {
    fc.assert(
      fc.property(windows, (window) => {
        const scale = timeScale(window, ORIGIN);
        const { list } = ticks(window, ORIGIN, wide);
        let end = Number.NEGATIVE_INFINITY;
        let before = Number.NEGATIVE_INFINITY;
        for (const tick of list) {
          expect(tick.time).toBeGreaterThan(before);
          before = tick.time;
          const x = scale.x(tick.time);
          expect(x).toBeGreaterThanOrEqual(window.gutter - 1);
          expect(x).toBeLessThanOrEqual(window.width + 1);
          expect(x + 4).toBeGreaterThan(end);
          end = x + 4 + wide(tick.label, 10, false);
        }
      }),
    );
  });

  it('say different things at different times', () => {
    fc.assert(
      fc.property(windows, (window) => {
        const labels = ticks(window, ORIGIN, wide).list.map((tick) => tick.label);
        expect(new Set(labels).size).toBe(labels.length);
      }),
    );
  });

  it('are on round numbers from a fraction of a ms to hours', () => {
    const at = (from: number, length: number) =>
      ticks(
        { from: ORIGIN + from, to: ORIGIN + from + length, width: 1280, height: 0, scroll: 0, gutter: 136 },
        ORIGIN,
        (text, size) => text.length * size * 0.55,
      )
        .list.slice(0, 3)
        .map((tick) => tick.label);
    expect(at(0, 2)).toEqual(['0 ms', '0.2 ms', '0.4 ms']);
    expect(at(0, 900)).toEqual(['0 ms', '100 ms', '200 ms']);
    expect(at(45_600, 52_400)).toEqual(['0:50', '0:55', '1:00']);
    expect(at(72_600, 20)).toEqual(['1:12.600', '1:12.602', '1:12.604']);
    expect(at(3_590_000, 60_000)).toEqual(['59:50', '59:55', '1:00:00']);
    expect(at(0, 36_000_000)).toEqual(['0:00', '1:00:00', '2:00:00']);
  });
});

describe('words for times', () => {
  it('reads as a clock', () => {
    expect([clock(65_000), clock(72_604, 3), clock(3_723_004, 3), clock(-5000), clock(59_999.96, 1)]).toEqual([
      '1:05',
      '1:12.604',
      '1:02:03.004',
      '−0:05',
      '1:00.0',
    ]);
  });

  it('reads as a length', () => {
    expect([0.4, 0, 9, 100, 704, 2700, 13_900, 125_000, 120_000, 11_040_000].map(duration)).toEqual([
      '0.4 ms',
      '0 ms',
      '9 ms',
      '100 ms',
      '704 ms',
      '2.70 s',
      '13.9 s',
      '2 min 5 s',
      '2 min',
      '3 h 4 min',
    ]);
  });
});

describe('stretches of deltas', () => {
  const px = (time: number) => time / 10;

  it('joins what is nearer than 4 px and keeps the rest apart', () => {
    expect(stretches([0, 30, 60, 200, 400, 430], px, 10, { low: 0, high: 1000 })).toEqual([
      { from: 0, to: 6, solid: true },
      { from: 20, to: 20, solid: false },
      { from: 40, to: 43, solid: true },
    ]);
  });

  it('covers every delta of the range and nothing else', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 5000 }), { maxLength: 80 }), fc.integer({ min: 1, max: 40 }), (raw, msPerPx) => {
        const times = raw.toSorted((a, b) => a - b);
        const found = stretches(times, (time) => time, msPerPx, { low: 1000, high: 4000 });
        const inside = times.filter((time) => time >= 1000 && time <= 4000);
        for (const time of inside) expect(found.some((one) => one.from <= time && one.to >= time)).toBe(true);
        for (const one of found) expect(inside.some((time) => time === one.from)).toBe(true);
        for (let i = 1; i < found.length; i++) expect(found[i]!.from).toBeGreaterThan(found[i - 1]!.to);
      }),
    );
  });
});

describe('window', () => {
  const limits = { from: ORIGIN, to: ORIGIN + 60_000 };
  const box: Window = { from: ORIGIN + 10_000, to: ORIGIN + 20_000, width: 1136, height: 0, scroll: 0, gutter: 136 };

  it('zooms about the pointer', () => {
    const next = zoomed(box, 0.5, 136 + 250, limits);
    expect(next).toEqual({ from: ORIGIN + 11_250, to: ORIGIN + 16_250 });
  });

  it('pans by px', () => {
    expect(panned(box, 100, limits)).toEqual({ from: ORIGIN + 11_000, to: ORIGIN + 21_000 });
  });

  it('never loses the capture and never shows less than nothing', () => {
    fc.assert(
      fc.property(windows, fc.double({ min: 1e-9, max: 1e9, noNaN: true }), fc.integer({ min: -100_000, max: 100_000 }), (window, factor, px) => {
        for (const span of [zoomed(window, factor, 400, limits), panned(window, px, limits), held(window, limits)]) {
          expect(span.to).toBeGreaterThan(span.from);
          expect(span.to).toBeGreaterThan(limits.from);
          expect(span.from).toBeLessThan(limits.to);
        }
      }),
    );
  });

  it('fits with air on both sides', () => {
    expect(fitted({ from: 0, to: 100 })).toEqual({ from: -2.5, to: 102.5 });
  });
});

describe('bounds', () => {
  it('of nothing are one second', () => {
    const nothing: TimelineModel = {
      runs: [],
      spans: [],
      ticks: [],
      findings: [],
      connections: [],
      timeOfRow: () => Number.NaN,
      deltasOf: () => [],
      now: 5000,
    };
    expect(bounds(nothing)).toEqual({ from: 4000, to: 5000 });
  });
});
