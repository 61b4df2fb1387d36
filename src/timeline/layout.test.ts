import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { SpanKind } from '../runs/types.ts';
import { hitTest } from './hit.ts';
import { layout } from './layout.ts';
import type { Layout, PlacedSpan } from './placed.ts';
import { buildModel, EPOCH, type RunStory, type SpanStory } from './scenes/build.ts';
import { FULL, GUTTER } from './sizes.ts';
import type { TimelineModel, Window } from './types.ts';

const options = { folded: new Set<string>(), density: FULL, narrow: false };
const kinds: readonly SpanKind[] = ['step', 'text', 'reasoning', 'reasoning-span', 'tool', 'subagent'];

/** Times on a coarse grid, so that many things share an instant. */
const spanStory = fc.record({
  kind: fc.constantFrom(...kinds),
  offset: fc.integer({ min: 0, max: 12 }),
  length: fc.integer({ min: 0, max: 8 }),
  open: fc.boolean(),
  owner: fc.option(fc.integer({ min: 0, max: 5 }), { nil: null }),
  answered: fc.boolean(),
});

const runStory = fc.record({
  thread: fc.constantFrom('t_1', 't_2', null),
  a: fc.integer({ min: 0, max: 30 }),
  length: fc.integer({ min: 0, max: 15 }),
  status: fc.constantFrom('succeeded', 'failed-by-report', 'truncated', 'active', 'cancelled') as fc.Arbitrary<RunStory['status']>,
  spans: fc.array(spanStory, { maxLength: 24 }),
});

function toStory(run: typeof runStory extends fc.Arbitrary<infer T> ? T : never, i: number): RunStory {
  const active = run.status === 'active';
  const names = run.spans.map((span, k) => (span.kind === 'subagent' ? `agent${k}` : `s${k}`));
  const spans = run.spans.map((span, k): SpanStory => {
    const a = run.a + span.offset;
    const b = span.open ? null : a + span.length;
    const owner = span.owner !== null && run.spans[span.owner]?.kind === 'subagent' && span.owner !== k ? names[span.owner]! : null;
    const answer = span.kind === 'tool' && b !== null && span.answered ? { result: b, quiet: [a, b] as const } : {};
    return { kind: span.kind, name: names[k]!, a, b, ...answer, ...(owner === null ? {} : span.kind === 'subagent' ? { parent: owner } : { owner }) };
  });
  return { id: `run_${i}`, thread: run.thread, a: run.a, b: active ? null : run.a + run.length, status: run.status, spans };
}

const model = fc.array(runStory, { maxLength: 6 }).map((runs) => buildModel(runs.map(toStory), 60));

const lanesOf = (l: Layout) => l.groups.flatMap((group) => group.thread.bands.flatMap((band) => band.lanes));
const spansOf = (l: Layout) => l.groups.flatMap((group) => [...group.thread.spans.values()].map((span) => ({ group, span })));

function mostAtOnce(spans: readonly { readonly start: number; readonly end: number }[]): number {
  return spans.reduce((most, one) => Math.max(most, spans.filter((other) => other.start <= one.start && other.end > one.start).length), 0);
}

/** Windows of several widths around a span, and points along its bar at the height that is its own. */
function reachable(l: Layout, top: number, span: PlacedSpan): boolean {
  const end = span.end === Number.POSITIVE_INFINITY ? Math.max(l.now, span.start + 1) : span.end;
  const length = Math.max(end - span.start, 1e-4);
  const centre = l.origin + span.start + length / 2;
  const half = span.lane.height / 2;
  const y = span.lane.y + (span.host ? half + 4 : span.lane.inner.length > 0 ? 5 : half);
  for (const width of [length * 2, length * 1.1]) {
    const window: Window = {
      from: centre - width / 2,
      to: centre + width / 2,
      width: 1200,
      height: 600,
      scroll: Math.max(0, top + span.lane.y - 100),
      gutter: GUTTER,
    };
    for (const share of [0.3, 0.5, 0.7]) {
      const x = GUTTER + (1200 - GUTTER) * (0.5 + (share - 0.5) * (length / width));
      const target = hitTest(l, window, x, top + y - window.scroll);
      if (target?.kind === 'span' && target.id === span.view.id) return true;
    }
  }
  return false;
}

describe('layout', () => {
  it('places every span once, and no two of one lane overlap', () => {
    fc.assert(
      fc.property(model, (m) => {
        const l = layout(m, options);
        const placed = lanesOf(l).flatMap((lane) => [...lane.spans, ...lane.inner].map((span) => span.view.id));
        expect(placed.toSorted((a, b) => a - b)).toEqual(m.spans.map((span) => span.id).toSorted((a, b) => a - b));
        for (const lane of lanesOf(l)) {
          for (const row of [lane.spans, lane.inner]) for (let i = 1; i < row.length; i++) expect(row[i]!.start).toBeGreaterThanOrEqual(row[i - 1]!.end);
        }
      }),
    );
  });

  it('uses no more lanes of a kind than the most spans at once', () => {
    fc.assert(
      fc.property(model, (m) => {
        for (const { thread } of layout(m, options).groups) {
          for (const band of thread.bands) {
            for (const kind of ['step', 'text', 'reasoning', 'tool'] as const) {
              const lanes = band.lanes.filter((lane) => lane.kind === kind && lane.depth === 0);
              expect(lanes.length).toBe(mostAtOnce(lanes.flatMap((lane) => lane.spans)));
            }
          }
        }
      }),
    );
  });

  it('gives every span a length of its own, also when all came in one chunk', () => {
    fc.assert(
      fc.property(model, (m) => {
        for (const { span } of spansOf(layout(m, options))) expect(span.end).toBeGreaterThan(span.start);
      }),
    );
  });

  it('lets the pointer reach every span at some zoom', () => {
    fc.assert(
      fc.property(model, (m) => {
        const l = layout(m, options);
        for (const { group, span } of spansOf(l)) expect(reachable(l, group.top, span), `${span.view.kind} ${span.view.label}`).toBe(true);
      }),
    );
  });

  it('keeps what ran in a subagent inside its box', () => {
    fc.assert(
      fc.property(model, (m) => {
        for (const { group, span } of spansOf(layout(m, options))) {
          const owner =
            span.view.owner === null
              ? undefined
              : [...group.thread.spans.values()].find(
                  (one) => one.view.run === span.view.run && one.view.kind === 'subagent' && one.view.itemId === span.view.owner,
                );
          if (!owner?.box) continue;
          expect(span.lane.y).toBeGreaterThan(owner.lane.y);
          expect(span.lane.y + span.lane.height).toBeLessThanOrEqual(owner.box.bottom);
          expect(span.start).toBeGreaterThanOrEqual(Math.min(owner.box.start, span.start));
          expect(span.end).toBeLessThanOrEqual(owner.box.end);
        }
      }),
    );
  });

  it('takes over threads of which nothing changed, and only those', () => {
    const m = buildModel(
      [
        { id: 'r1', thread: 'a', a: 0, b: 5, status: 'succeeded', spans: [{ kind: 'step', name: 'x', a: 1, b: 2 }] },
        { id: 'r2', thread: 'b', a: 0, b: 5, status: 'succeeded', spans: [{ kind: 'step', name: 'y', a: 1, b: 2 }] },
      ],
      9,
    );
    const before = layout(m, options);
    const changed: TimelineModel = { ...m, spans: m.spans.map((span) => (span.label === 'y' ? { ...span, end: EPOCH + 3000 } : span)) };
    const after = layout(changed, options, before);
    expect(after.groups[0]!.thread).toBe(before.groups[0]!.thread);
    expect(after.groups[1]!.thread).not.toBe(before.groups[1]!.thread);
    const folded = layout(changed, { ...options, folded: new Set(['a']) }, after);
    expect(folded.groups[0]!.thread.folded).toBe(true);
    expect(folded.groups[1]!.thread).toBe(after.groups[1]!.thread);
  });

  it('lays a thread out again when its stops, its address or who answered it is told', () => {
    const m = buildModel([{ id: 'r1', thread: 'a', a: 0, b: 5, status: 'succeeded', spans: [{ kind: 'step', name: 'x', a: 1, b: 2 }] }], 9);
    const before = layout(m, options);
    const again = (connections: TimelineModel['connections']) => layout({ ...m, connections }, options, before).groups[0]!.thread;
    const [known] = m.connections;
    expect(again([{ ...known! }])).toBe(before.groups[0]!.thread);
    expect(again([{ ...known!, stopsAtRow: 1, referenceStopsAtRow: 2 }]).runs.get(0)!.referenceStop).toBe(2000);
    expect(again([{ ...known!, url: 'http://localhost:5173/other?x=1' }]).where).toBe('/other');
    expect(again([{ ...known!, url: 'http://localhost:5173' }]).where).toBe('/');
    expect(again([{ ...known!, replay: {} }]).runs.get(0)!.played).toBe(true);
    // not yet told at all
    expect(again([]).where).toBe('/');
  });

  it('puts what ran in a subagent that began twice in the one that was there', () => {
    const agent = (a: number, b: number): SpanStory => ({ kind: 'subagent', name: 'scout', a, b });
    const inside = (name: string, a: number, b: number, owner: string): SpanStory => ({ kind: 'step', name, a, b, owner });
    const spans = [agent(1, 3), inside('first', 1.5, 2.5, 'scout'), agent(4, 6), inside('second', 4.5, 5.5, 'scout'), inside('lost', 4.5, 5.5, 'nobody')];
    const l = layout(buildModel([{ id: 'r', thread: 't', a: 0, b: 9, status: 'succeeded', spans }], 9), options);
    const ownerOf = (name: string) => spansOf(l).find(({ span }) => span.view.label === name)!.span.owner;
    expect([ownerOf('first'), ownerOf('second'), ownerOf('lost')]).toEqual([0, 2, null]);
  });

  it('keeps every lane of a folded thread', () => {
    fc.assert(
      fc.property(model, (m) => {
        const open = layout(m, options);
        const folded = layout(m, { ...options, folded: new Set(open.groups.map((group) => group.thread.key)) });
        expect(lanesOf(folded).length).toBe(lanesOf(open).length);
        expect(spansOf(folded).length).toBe(spansOf(open).length);
        for (const lane of lanesOf(folded)) expect(lane.height).toBe(FULL.micro);
      }),
    );
  });

  it('opens a second band for runs of one thread at the same time, and shares one otherwise', () => {
    const story = (id: string, a: number, b: number): RunStory => ({ id, thread: 't', a, b, status: 'succeeded' });
    const bands = (...stories: RunStory[]) =>
      layout(buildModel(stories, 20), options).groups[0]!.thread.bands.map((band) => band.runs.map((run) => run.view.runId));
    expect(bands(story('r1', 0, 5), story('r2', 6, 9))).toEqual([['r1', 'r2']]);
    expect(bands(story('r1', 0, 5), story('r2', 4, 9), story('r3', 6, 8))).toEqual([['r1', 'r3'], ['r2']]);
  });

  it('draws a reasoning message in the bar of its reasoning span', () => {
    const spans: SpanStory[] = [
      { kind: 'reasoning-span', name: '', a: 1, b: 6 },
      { kind: 'reasoning', name: 'first', a: 1, b: 3 },
      { kind: 'reasoning', name: 'second', a: 3.5, b: 6 },
    ];
    const lanes = lanesOf(layout(buildModel([{ id: 'r', thread: 't', a: 0, b: 9, status: 'succeeded', spans }], 9), options));
    expect(lanes.map((lane) => [lane.spans.length, lane.inner.length])).toEqual([[1, 2]]);
  });

  it('lets a tool call last until its result, or its run', () => {
    const spans: SpanStory[] = [
      { kind: 'tool', name: 'answered', a: 1, b: 2, quiet: [2, 4], result: 4 },
      { kind: 'tool', name: 'waiting', a: 1, b: 2, quiet: [2, 2] },
    ];
    const ends = (b: number | null) => {
      const l = layout(buildModel([{ id: 'r', thread: 't', a: 0, b, status: b === null ? 'active' : 'succeeded', spans }], 20), options);
      return spansOf(l).map(({ span }) => Math.round(span.end));
    };
    expect(ends(9)).toEqual([4000, 9000]);
    expect(ends(null)).toEqual([4000, Number.POSITIVE_INFINITY]);
  });

  it('passes over holes and records of unknown runs', () => {
    const m = buildModel([{ id: 'r', thread: 't', a: 0, b: 5, status: 'succeeded', spans: [{ kind: 'step', name: 'x', a: 1, b: 2 }] }], 9);
    const broken = {
      ...m,
      runs: [undefined, ...m.runs],
      spans: [undefined, { ...m.spans[0]!, id: 7, run: 99 }, ...m.spans],
      ticks: [undefined],
      findings: [undefined],
    } as unknown as TimelineModel;
    expect(spansOf(layout(broken, options)).length).toBe(1);
  });
});
