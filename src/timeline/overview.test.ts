import { describe, expect, it } from 'vitest';
import { brush, overview, type Strip } from './overview.ts';
import { buildModel, EPOCH, type FindingStory, type RunStory } from './scenes/build.ts';
import { SCENES } from './scenes/index.ts';
import { drawn, measure, textsOf } from './scenes/open.ts';
import { GUTTER } from './sizes.ts';
import type { TimelineModel } from './types.ts';

const run = (more: Partial<RunStory>): RunStory => ({ id: 'r', thread: 't', a: 0, b: 10, status: 'succeeded', ...more });
const strip = (more: Partial<Strip> = {}): Strip => ({ width: 1000, height: 58, gutter: GUTTER, ...more });
const travel = SCENES['travel']!.model();

describe('the strip over the timeline', () => {
  it('has fewer parts the lower it is, and all of its runs and findings at any height', () => {
    const parts = (height: number) => {
      const list = overview(travel, strip({ height }), measure);
      const marks = drawn(list, 'icon').filter(({ name }) => name.startsWith('finding')).length;
      return { density: drawn(list, 'rect', 'k-run').some(({ alpha }) => alpha === 0.55), marks, caption: textsOf(list).includes('Capture') };
    };
    expect([58, 44, 30].map(parts)).toEqual([
      { density: true, marks: 4, caption: true },
      { density: true, marks: 4, caption: true },
      { density: false, marks: 4, caption: true },
    ]);
    const words = (more: Partial<Strip>) => textsOf(drawn(overview(travel, strip(more), measure), 'text').filter(({ x }) => x === 10));
    expect(words({}).at(-1)).toMatch(/ so far$/);
    expect(words({ height: 44 })).toEqual(['Capture', expect.stringMatching(/^11 runs, \d+ events$/)]);
    expect(words({ height: 30 })).toEqual(['Capture']);
    // counts are left out where there is no room for them, all words where there is no gutter
    expect(words({ gutter: 30, height: 44 })).toEqual(['Capture']);
    expect(words({ gutter: 0 })).toEqual([]);
  });

  it('draws each run by how it ended: rejected up to its stop, cut ones torn, open ones pointed', () => {
    const marks = (story: RunStory, fill: string) =>
      overview(buildModel([run({ id: 'long', a: -30, b: -20 }), story], 30), strip(), measure).filter((draw) => 'fill' in draw && draw.fill === fill);
    const at = (seconds: number) => ({ severity: 'violation', rule: 'x', at: seconds }) as const;
    const rejected = (seconds: number) => run({ status: 'rejected-by-violation', findings: [at(seconds)] });
    const outline = (seconds: number) =>
      drawn(overview(buildModel([rejected(seconds)], 30), strip(), measure), 'rect').filter((draw) => draw.stroke === 'k-run').length;
    expect([outline(5), outline(9.99)]).toEqual([1, 0]);
    expect(marks(run({ status: 'truncated' }), 'st-truncated')).toMatchObject([{ op: 'poly' }]);
    expect(marks(run({ status: 'truncated', b: 0.1 }), 'st-truncated')).toMatchObject([{ op: 'rect' }]);
    expect(marks(run({ status: 'active', b: null }), 'st-active')).toMatchObject([{ op: 'poly' }]);
    expect(marks(run({ status: 'active', a: 29.9, b: null }), 'st-active')).toMatchObject([{ op: 'rect' }]);
  });

  it('makes what succeeded pale among very many runs', () => {
    const many = Array.from({ length: 61 }, (_, i) => run({ id: `r${i}`, a: i, b: i + 0.9, ...(i === 7 ? { status: 'cancelled' as const } : {}) }));
    const pale = (stories: readonly RunStory[]) =>
      drawn(overview(buildModel(stories, 70), strip(), measure), 'rect').filter(({ alpha }) => alpha === 0.42).length;
    expect([pale(many), pale(many.slice(0, 60))]).toEqual([60, 0]);
  });

  it('shows the gravest finding of those that would cover each other', () => {
    const findings: FindingStory[] = (['advice', 'violation', 'deviation'] as const).map((severity, i) => ({ severity, rule: 'x', at: 5 + i * 0.01 }));
    const signs = (stories: readonly FindingStory[]) =>
      drawn(overview(buildModel([run({ findings: stories })], 30), strip(), measure), 'icon').map(({ name }) => name);
    expect(signs(findings)).toEqual(['finding-violation']);
    expect(signs([...findings, { severity: 'advice', rule: 'x', at: 9 }])).toEqual(['finding-violation', 'finding-advice']);
  });

  it('shows very many findings as strokes, violations longer, one a column; advice is left out', () => {
    const findings: FindingStory[] = Array.from({ length: 60 }, (_, i) => ({
      severity: (['advice', 'deviation', 'violation'] as const)[i % 3]!,
      rule: 'x',
      at: 1 + (i % 30) * 0.2,
    }));
    const list = overview(buildModel([run({ findings })], 30), strip(), measure);
    expect(drawn(list, 'icon')).toEqual([]);
    expect(drawn(list, 'rect', 'f-advice')).toEqual([]);
    const heights = (severity: string) => drawn(list, 'rect', `f-${severity}`).map(({ h }) => h);
    expect(heights('violation')).toEqual(Array.from({ length: 10 }, () => 9));
    expect(heights('deviation')).toEqual(Array.from({ length: 10 }, () => 5));
  });

  it('of nothing is empty but for its caption, and passes over what has not come yet', () => {
    const empty = buildModel([], 1);
    const list = overview(empty, strip(), measure);
    expect([textsOf(list), drawn(list, 'rect').length, brush(empty, strip(), { from: EPOCH, to: EPOCH + 1 })]).toEqual([
      ['Capture', '0 runs, 0 events'],
      2,
      [],
    ]);
    const model = buildModel([run({})], 12);
    const holes = { ...model, runs: [undefined, ...model.runs], findings: [undefined] } as unknown as TimelineModel;
    expect(overview(holes, strip(), measure)).toEqual(overview(model, strip(), measure));
  });
});

describe('the brush', () => {
  it('dims what is outside of it, on the side where something is', () => {
    const dim = (from: number, to: number) =>
      drawn(brush(travel, strip(), { from: EPOCH + from * 1000, to: EPOCH + to * 1000 }), 'rect', 'scrim').map(({ x }) => x);
    expect(dim(10, 50)).toHaveLength(2);
    expect(dim(-500, 50)).toHaveLength(1);
    expect(dim(-500, 50)[0]).toBeGreaterThan(GUTTER + 100);
    expect(dim(50, 900)[0]).toBe(GUTTER);
    expect(dim(5000, 6000)).toEqual([GUTTER]);
  });

  it('of a finding outside of any run has a place too', () => {
    const model = buildModel([run({ findings: [{ severity: 'violation', rule: 'x', at: 5 }] })], 12);
    expect(brush({ ...model, runs: [], spans: [], ticks: [] }, strip(), { from: EPOCH, to: EPOCH + 1000 }).length).toBeGreaterThan(0);
  });
});
