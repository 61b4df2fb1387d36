import { describe, expect, it } from 'vitest';
import { display } from './display.ts';
import { gutter, ruler } from './gutter.ts';
import { restack } from './layout.ts';
import type { Look } from './pen.ts';
import { EPOCH, type RunStory } from './scenes/build.ts';
import { SCENES } from './scenes/index.ts';
import { drawn, measure, type Opened, onRun, onSpan, openScene, openStories, runNamed, spanNamed, textsOf, xOf } from './scenes/open.ts';
import type { Draw, Target } from './types.ts';

const STORIES: readonly RunStory[] = [
  {
    id: 'r1',
    thread: 'a',
    conn: 3,
    request: 0,
    a: 1,
    b: 9,
    status: 'succeeded',
    spans: [
      { kind: 'step', name: 'plan', a: 2, b: 6 },
      { kind: 'reasoning-span', name: '', a: 2, b: 7 },
      { kind: 'reasoning', name: 'weigh it', a: 3, b: 6 },
    ],
    ticks: [
      [4, 'state-delta'],
      [7, 'messages'],
    ],
    findings: [{ severity: 'deviation', rule: 'x', at: 5, span: 'plan' }],
  },
  { id: 'r2', thread: 'b', conn: 4, a: 2, b: 9, status: 'succeeded', spans: [{ kind: 'step', name: 'write', a: 3, b: 5 }] },
];
const open = openStories(STORIES, [0, 10]);
const { l, model, window } = open;

const plot = (look: Partial<Look>, of: Opened = open): Draw[] => display(of.l, of.model, of.window, { ...of.look, ...look }, measure);
const RINGS = { selected: 'accent', focus: 'focus', hover: 'text-2' } as const;

/** Rings of a kind, as the boxes that they stand around. */
function rings(list: readonly Draw[], kind: keyof typeof RINGS) {
  const air = { selected: 2, focus: 3, hover: 1.5 }[kind];
  return drawn(list, 'rect', RINGS[kind])
    .filter((draw) => draw.stroke !== undefined && !('alpha' in draw))
    .map(({ x, y, w, h }) => ({ x: x + air, y: y + air, w: w - 2 * air, h: h - 2 * air }));
}

const barOf = (name: string) => {
  const { lane } = spanNamed(l, name);
  const { top } = l.groups.find(({ thread }) => thread.spans.has(spanNamed(l, name).view.id))!;
  return { y: top + lane.y + 2, h: 14 };
};

describe('rings', () => {
  it('stand around the bar of what is picked, focused and pointed at', () => {
    const target = onSpan(l, 'plan');
    const place = { x: xOf(open, 2), w: xOf(open, 6) - xOf(open, 2), ...barOf('plan') };
    expect(rings(plot({ selection: target }), 'selected')).toEqual([place]);
    expect(rings(plot({ focus: target }), 'focus')).toEqual([place]);
    expect(rings(plot({ hover: target }), 'hover')).toEqual([place]);
    expect(rings(plot({}), 'selected')).toEqual([]);
  });

  it('of a message in the bar of its reasoning leave the upper part of the bar to it', () => {
    const { y, h } = barOf('weigh it');
    expect(rings(plot({ focus: onSpan(l, 'weigh it') }), 'focus')).toMatchObject([{ y: y + 5, h: h - 5 }]);
  });

  it('of a run are around its head when it is picked, around all of it when it is pointed at', () => {
    const { band, bottom } = runNamed(l, 'r1');
    expect(rings(plot({ selection: onRun(l, 'r1') }), 'selected')).toMatchObject([{ y: band.top, h: band.runBar }]);
    expect(rings(plot({ hover: onRun(l, 'r1') }), 'hover')).toMatchObject([{ y: band.top, h: bottom - band.top }]);
    const folded = openStories(STORIES, [0, 10], { folded: new Set(['a']) });
    const { band: low, bottom: foot } = runNamed(folded.l, 'r1');
    expect(rings(plot({ selection: onRun(folded.l, 'r1') }, folded), 'selected')).toMatchObject([{ y: low.top, h: foot - low.top }]);
    const { lane } = spanNamed(folded.l, 'plan');
    expect(rings(plot({ selection: onSpan(folded.l, 'plan') }, folded), 'selected')).toMatchObject([{ y: lane.y, h: lane.height - 1 }]);
  });

  it('of a point are 10 px wide, of a finding 16', () => {
    const tick: Target = { kind: 'tick', row: model.ticks[1]!.row };
    expect(rings(plot({ selection: tick }), 'selected')).toMatchObject([{ x: xOf(open, 7) - 5, w: 10 }]);
    expect(rings(plot({ focus: { kind: 'finding', id: 0 } }), 'focus')).toMatchObject([{ x: xOf(open, 5) - 8, w: 16 }]);
  });

  it('of a connection are around all of its runs', () => {
    expect(rings(plot({ selection: { kind: 'connection', id: 4 } }), 'selected')).toMatchObject([{ x: xOf(open, 2) }]);
    expect(rings(plot({ selection: { kind: 'connection', id: 9 } }), 'selected')).toEqual([]);
  });

  it('of a row are around what it opens or closes, or where it is a point, and none where it is nothing', () => {
    const row = (no: number) => rings(plot({ selection: { kind: 'row', row: no } }), 'selected');
    expect(row(spanNamed(l, 'plan').view.firstRow)).toMatchObject([barOf('plan')]);
    expect(row(spanNamed(l, 'write').view.lastRow)).toMatchObject([barOf('write')]);
    expect(row(model.ticks[0]!.row)).toMatchObject([{ x: xOf(open, 4) - 5 }]);
    expect(row(9999)).toEqual([]);
    // a row with a finding is shown by the finding's mark
    expect(row(model.findings[0]!.row!)).toEqual([]);
    expect(drawn(plot({ selection: { kind: 'row', row: model.findings[0]!.row! } }), 'poly', 'accent')).toHaveLength(1);
  });

  it('are drawn once, in the thread that has the thing, and for nothing that is not there', () => {
    for (const name of ['plan', 'write']) expect(rings(plot({ focus: onSpan(l, name) }), 'focus')).toHaveLength(1);
    for (const focus of [
      { kind: 'span', id: 99 },
      { kind: 'run', id: 99 },
      { kind: 'tick', row: 99 },
      { kind: 'finding', id: 99 },
      { kind: 'thread', key: 'a' },
    ] as const)
      expect(rings(plot({ focus }), 'focus')).toEqual([]);
  });

  it('of a long bar close at the edges of the plot', () => {
    const near = { ...open, window: { ...window, from: EPOCH + 3000, to: EPOCH + 4000 } };
    const [ring] = rings(plot({ focus: onSpan(l, 'plan') }, near), 'focus');
    expect([ring!.x, ring!.x + ring!.w]).toEqual([window.gutter - 8, window.width + 8]);
  });

  it('are not drawn in a thread that is one row', () => {
    const away = { ...open, l: restack(l, new Set(['b'])) };
    expect(rings(plot({ selection: onSpan(l, 'write') }, away), 'selected')).toEqual([]);
  });
});

describe('lines through all threads', () => {
  const at = (seconds: number) => EPOCH + seconds * 1000;
  const upright = (list: readonly Draw[], stroke: string) => drawn(list, 'line', stroke).filter(({ points }) => points[0] === points[2] && points[1] === 0);
  const ground = (look: Partial<Look>) => ruler(l, window, { ...open.look, ...look }, measure);

  it('show the moment and the pointer, and say on the ruler how far they are apart', () => {
    const look = { moment: at(4), cursor: at(6.5) };
    expect(upright(plot(look), 'accent')).toMatchObject([{ points: [xOf(open, 4), 0, xOf(open, 4), 600] }]);
    expect(upright(plot(look), 'text-3')).toMatchObject([{ points: [xOf(open, 6.5) + 0.5, 0, xOf(open, 6.5) + 0.5, 600] }]);
    expect(textsOf(ground(look))).toEqual(expect.arrayContaining(['0:04.000', '0:06.500 +2.50 s']));
    expect(textsOf(ground({ moment: at(4), cursor: at(1) }))).toContain('0:01.000 −3.00 s');
    expect(textsOf(ground({ cursor: at(1) }))).toContain('0:01.000');
  });

  it('are not drawn out of sight', () => {
    const look = { moment: at(-5), cursor: at(50) };
    expect([upright(plot(look), 'accent'), upright(plot(look), 'text-3')]).toEqual([[], []]);
    expect(textsOf(ground(look)).filter((text) => text.startsWith('0:50') || text.includes('−'))).toEqual([]);
  });

  it('show the stretch that is measured, whichever end came first, in place of the pointer', () => {
    for (const measured of [
      { from: at(2), to: at(5) },
      { from: at(5), to: at(2) },
    ]) {
      const list = plot({ measured, cursor: at(3) });
      expect(drawn(list, 'rect', 'accent').filter(({ alpha }) => alpha === 0.1)).toMatchObject([{ x: xOf(open, 2), w: xOf(open, 5) - xOf(open, 2) }]);
      expect(upright(list, 'text-3')).toEqual([]);
      expect(textsOf(ground({ measured, cursor: at(3) }))).toContain('3.00 s');
      expect(textsOf(ground({ measured, cursor: at(3) }))).not.toContain('0:03.000');
    }
    // a plate of its own where the stretch is narrower than its words
    const plates = (to: number) => drawn(ground({ measured: { from: at(2), to: at(to) } }), 'rect', 'accent-fill').length;
    expect([plates(5), plates(2.05)]).toEqual([1, 2]);
  });

  it('tell the time under the pointer as finely as it can be pointed at', () => {
    const label = (span: number) => {
      const near = { ...window, from: at(4), to: at(4) + span };
      return textsOf(drawn(ruler(l, near, { ...open.look, cursor: at(4) + span / 2 }, measure), 'text', 'text-2'))[0];
    };
    expect([label(500), label(80), label(8)]).toEqual(['0:04.250', '0:04.0400', '0:04.00400']);
    const wide = { ...window, from: at(0), to: at(200_000) };
    expect(textsOf(ruler(l, wide, { ...open.look, cursor: at(100_000) }, measure))).toContain('27:46:40.0');
  });
});

describe('the gutter', () => {
  it('fades the names of kinds that are switched off', () => {
    const list = gutter(l, window, { ...open.look, faded: new Set(['step']) }, measure);
    const alpha = (text: string) => drawn(list, 'text').find((draw) => draw.text === text)?.alpha;
    expect([alpha('Steps'), alpha('State')]).toEqual([0.4, undefined]);
  });

  it('has a fold sign before the name, in a narrow dock over the whole width', () => {
    const signs = (folded: readonly string[]) => {
      const narrow = openStories(STORIES, [0, 10], { narrow: true, folded: new Set(folded) });
      const list = gutter(narrow.l, { ...narrow.window, width: 400 }, narrow.look, measure);
      return drawn(list, 'icon').flatMap(({ name }) => (name.startsWith('chevron') ? [name] : []));
    };
    expect(signs([])).toEqual(['chevron-open', 'chevron-open']);
    expect(signs(['b'])).toEqual(['chevron-open', 'chevron-folded']);
  });

  it('points to runs out of sight in a narrow dock, at the end of the row with the name', () => {
    const { l: full, look, window: shown } = openScene(SCENES['narrow']!);
    const low = restack(full, new Set(['t_refund', 't_faq']));
    const list = gutter(low, { ...shown, height: 800 }, look, measure);
    const arrows = drawn(list, 'poly');
    expect(arrows.length).toBeGreaterThan(1);
    expect(Math.min(...arrows.map(({ points }) => points[0]!))).toBeGreaterThan(360);
    expect(low.groups[1]!.height).toBeLessThan(full.groups[1]!.height);
  });

  it('leaves out the path where the thread has none, and names that do not fit', () => {
    const names = (width: number) => textsOf(gutter(l, { ...window, gutter: width }, open.look, measure));
    expect(names(136)).toContain('/api/agent');
    expect(names(40)).not.toContain('/api/agent');
    const away = { ...window, gutter: 64 };
    expect(textsOf(gutter(restack(l, new Set(['a', 'b'])), away, open.look, measure))).toEqual(['1 run', '1 run']);
  });
});
