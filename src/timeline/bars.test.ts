import { describe, expect, it } from 'vitest';
import { display } from './display.ts';
import { restack } from './layout.ts';
import type { Look } from './pen.ts';
import { EPOCH, type RunStory, type SpanStory } from './scenes/build.ts';
import { SCENES } from './scenes/index.ts';
import { drawn, measure, type Opened, openModel, openScene, openStories, runNamed, spanNamed, textsOf, xOf } from './scenes/open.ts';
import type { Draw, TimelineModel } from './types.ts';

const plot = (open: Opened, look: Partial<Look> = {}): Draw[] => display(open.l, open.model, open.window, { ...open.look, ...look }, measure);
const run = (more: Partial<RunStory>): RunStory => ({ id: 'r', thread: 't', a: 0, b: 9, status: 'succeeded', ...more });
const text = (a: number, b: number | null, more: Partial<SpanStory> = {}): SpanStory => ({ kind: 'text', name: 'Hello', a, b, ...more });
const within = (seconds: [number, number], of: Opened): Opened => ({
  ...of,
  window: { ...of.window, from: EPOCH + seconds[0] * 1000, to: EPOCH + seconds[1] * 1000 },
});
const violation = (at: number) => ({ severity: 'violation', rule: 'x', at }) as const;

/** Filled parts of bars of a kind, in seconds of the story. */
const fills = (list: readonly Draw[], kind: string) => drawn(list, 'rect', `k-${kind}-fill`).map(({ x, w }) => [x, x + w]);

describe('a message', () => {
  it('is filled where its text arrives, hollow in a silence that can be seen', () => {
    const parts = (quiet: [number, number]) => fills(plot(openStories([run({ spans: [text(1, 8, { quiet })] })], [0, 10])), 'text').length;
    expect([parts([3, 5]), parts([3, 3.3])]).toEqual([2, 1]);
  });

  it('without text is empty, and filled as a whole where the moments of its text are not known', () => {
    const { model } = openStories([run({ spans: [text(1, 8)] })], [0, 10]);
    const span = model.spans[0]!;
    const changed = (more: object): TimelineModel => ({ ...model, deltasOf: () => [], spans: [{ ...span, ...more }] });
    const open = (more: object) => openModel(changed(more), [0, 10]);
    expect(fills(plot(open({ contentStart: null, contentEnd: null })), 'text')).toEqual([]);
    expect(fills(plot(open({})), 'text')).toHaveLength(1);
    const [from, to] = fills(plot(open({ contentEnd: null })), 'text')[0]!;
    expect(to! - from!).toBe(1);
  });

  it('is a solid bar where it is too short for a rim, and one of many is drawn where they cover each other', () => {
    const many = Array.from({ length: 40 }, (_, i) => text(1 + i * 0.05, 1 + i * 0.05 + 0.04));
    const near = openStories([run({ spans: many })], [0, 10]);
    const far = within([0, 1000], near);
    const solid = (of: Opened) => drawn(plot(of), 'rect', 'k-text').filter(({ r }) => r === 1).length;
    expect(solid(near)).toBe(40);
    expect(solid(far)).toBeLessThan(6);
  });

  it('of a run that ends before it is open on its right, and cut at the edge of the run', () => {
    const cut = (story: Partial<RunStory>) => {
      const open = openStories([run({ ...story, spans: [text(1, null)] })], [0, 10]);
      return drawn(plot(open), 'rect', 'k-text').filter(({ corners }) => corners?.[1] === 0 && corners[0] > 0).length;
    };
    for (const status of ['failed-by-report', 'truncated', 'succeeded'] as const) expect(cut({ status }), status).toBe(1);
    expect(cut({ status: 'active', b: null })).toBe(0);
    // after the stop it has no colour, open or not
    const after = openStories([run({ status: 'rejected-by-violation', findings: [violation(2)], spans: [text(3, null)] })], [0, 10]);
    expect(drawn(plot(after), 'rect', 'k-text')).toEqual([]);
    expect(drawn(plot(after), 'rect', 'k-run').length).toBeGreaterThan(0);
  });

  it('says its words, those of the messages in it, or nothing', () => {
    const words = (...spans: SpanStory[]) => textsOf(plot(openStories([run({ spans })], [0, 10])));
    const thought = (name: string): SpanStory[] => [
      { kind: 'reasoning-span', name: '', a: 1, b: 8 },
      { kind: 'reasoning', name, a: 2, b: 7 },
    ];
    expect(words(...thought('weigh it'))).toContain('weigh it');
    expect(words(...thought('')).filter((one) => /reasoning/.test(one))).toEqual([]);
    expect(words(text(1, 8, { name: '' })).filter((one) => one.includes('text_'))).toEqual([]);
    expect(words({ kind: 'tool', name: '', a: 1, b: 8 })).toContain('tool_0');
    expect(words(text(1, 8, { name: 'two\n  lines' }))).toContain('“two lines”');
    // of a very long one the beginning, and never half of a letter
    expect(words(text(1, 8, { name: '🙂'.repeat(150) })).some((one) => /^“(🙂)+…$/u.test(one))).toBe(true);
    expect(words(text(1, 8, { name: `${'🙂'.repeat(34)}a🙂${'🙂'.repeat(34)}` })).some((one) => /^“[^\uD800-\uDFFF]*…$/u.test(one))).toBe(true);
  });
});

describe('a tool call', () => {
  const call = (more: Partial<SpanStory>): SpanStory => ({ kind: 'tool', name: 'search', a: 1, b: 3, quiet: [3, 3], ...more });
  const shown = (span: SpanStory, of: Partial<RunStory> = {}, more: readonly RunStory[] = []) => openStories([run({ ...of, spans: [span] }), ...more], [0, 20]);
  const dashed = (list: readonly Draw[]) => drawn(list, 'line', 'k-tool').filter(({ dash }) => dash?.[0] === 3);

  it('is filled while its arguments arrive', () => {
    const open = shown(call({ result: 6 }));
    expect(fills(plot(open), 'tool')).toEqual([[xOf(open, 1) + 1, xOf(open, 3)]]);
    const live = shown({ kind: 'tool', name: 'search', a: 1, b: null }, { status: 'active', b: null });
    expect(fills(plot(live), 'tool')).toEqual([]);
    const { model } = live;
    const filled = (more: object) => fills(plot(openModel({ ...model, spans: [{ ...model.spans[0]!, ...more }] }, [0, 20])), 'tool');
    expect(filled({ contentEnd: EPOCH + 5000 })).toEqual([[xOf(live, 1) + 1, xOf(live, 5)]]);
    // cut off before its arguments were complete: up to the last of them, or as a whole
    expect(filled({ contentEnd: EPOCH + 5000, end: EPOCH + 9000, how: 'cut-off' })[0]![1]).toBe(xOf(live, 5));
    expect(filled({ end: EPOCH + 9000, how: 'cut-off', resultTime: EPOCH + 9000 })[0]![1]).toBe(xOf(live, 9) - 1);
  });

  it('goes on, dashed, until the app asks again, and a little while it has not', () => {
    const waiting = plot(shown(call({})));
    expect(dashed(waiting)).toHaveLength(2);
    expect(textsOf(waiting).filter((one) => /\bapp\b/.test(one))).toEqual(['app']);
    const asked = shown(call({}), {}, [run({ id: 'next', a: 16, b: 18, request: 15 })]);
    const [frame] = dashed(plot(asked));
    expect(Math.max(...frame!.points.filter((_, i) => i % 2 === 0))).toBe(xOf(asked, 15) - 2);
    expect(textsOf(plot(asked))).toContain('waits for the app');
    // without a request of its own: until the run itself
    const unasked = shown(call({}), {}, [run({ id: 'next', a: 16, b: 18 })]);
    expect(Math.max(...dashed(plot(unasked))[0]!.points.filter((_, i) => i % 2 === 0))).toBe(xOf(unasked, 16) - 2);
    // no room for it
    expect(dashed(plot(shown(call({}), {}, [run({ id: 'next', a: 9.1, b: 18 })])))).toEqual([]);
    expect(textsOf(plot(shown(call({}), {}, [run({ id: 'next', a: 9.6, b: 18 })])))).not.toContain('app');
    expect(dashed(plot(shown(call({}), { status: 'interrupted' })))[0]!.points[0]! - xOf(shown(call({})), 9)).toBe(6);
    const faded = dashed(plot(shown(call({})), { faded: new Set(['tool']) }));
    expect(faded.map(({ alpha }) => alpha)).toEqual([0.28, 0.28]);
  });
});

describe('points', () => {
  const kinds = ['state-snapshot', 'state-delta', 'messages', 'activity', 'custom', 'raw', 'unknown'] as const;
  const signs = (open: Opened, look: Partial<Look> = {}) =>
    plot(open, look).flatMap((draw) =>
      draw.op === 'icon' && draw.name === 'diamond'
        ? [`diamond ${draw.fill}`]
        : draw.op === 'rect' && draw.h <= 10 && draw.w <= 5 && draw.x > 140 && (draw.stroke ?? draw.fill)?.startsWith('k-')
          ? [`${draw.w}×${draw.h} ${draw.stroke ?? draw.fill}`]
          : [],
    );

  it('have a sign of their kind', () => {
    const open = openStories([run({ ticks: kinds.map((kind, i) => [i + 1, kind] as const) })], [0, 10]);
    expect(signs(open)).toEqual(['diamond k-state', '2×10 k-state', 'diamond k-text', '5×5 k-other', '5×5 k-other', '5×5 k-other', '5×5 k-other']);
  });

  it('have no colour after the stop', () => {
    const open = openStories(
      [run({ status: 'rejected-by-violation', findings: [violation(0.5)], ticks: kinds.map((kind, i) => [i + 1, kind] as const) })],
      [0, 10],
    );
    expect(new Set(signs(open).map((sign) => sign.split(' ')[1]))).toEqual(new Set(['k-run']));
  });

  it('are drawn once a column, in full and folded', () => {
    const dense = [run({ ticks: Array.from({ length: 200 }, (_, i) => [2 + i * 0.001, 'state-delta'] as const) })];
    expect(signs(openStories(dense, [0, 10])).length).toBeLessThan(13);
    const folded = openStories(dense, [0, 10], { folded: new Set(['t']) });
    const micro = drawn(plot(folded), 'rect', 'k-state').length;
    expect(micro).toBeGreaterThan(2);
    expect(micro).toBeLessThan(13);
  });

  it('are faded with the state', () => {
    const open = openStories([run({ ticks: [[1, 'state-delta']] })], [0, 10]);
    expect(drawn(plot(open, { faded: new Set(['state']) }), 'rect', 'k-state')).toMatchObject([{ alpha: 0.3 }]);
  });
});

describe('a subagent', () => {
  it('has a box around it, without colour after the stop, and fades', () => {
    const story = (at: number) =>
      run({
        status: 'rejected-by-violation',
        findings: [violation(at)],
        spans: [{ kind: 'subagent', name: 'scout', a: 2, b: 6 }, text(3, 5, { owner: 'scout' })],
      });
    const box = (at: number, look: Partial<Look> = {}) => {
      const open = openStories([story(at)], [0, 10]);
      const { lane } = spanNamed(open.l, 'scout');
      return drawn(plot(open, look), 'rect').find(({ y, fill, stroke }) => stroke !== undefined && fill === undefined && y === lane.y + 2.5);
    };
    expect(box(8)).toMatchObject({ stroke: 'k-subagent', alpha: 0.9 });
    expect(box(1)).toMatchObject({ stroke: 'k-run', alpha: 0.9 });
    expect(box(8, { faded: new Set(['subagent']) })).toMatchObject({ alpha: 0.3 });
  });
});

describe('what is folded', () => {
  it('fades with its kind, and is one bar where many would cover each other', () => {
    const many = Array.from({ length: 50 }, (_, i): SpanStory => ({ kind: 'step', name: `s${i}`, a: 1 + i * 0.01, b: 1 + i * 0.01 + 0.008 }));
    const open = openStories([run({ spans: [...many, text(3, 8)], ticks: [[4, 'state-delta']] })], [0, 100], { folded: new Set(['t']) });
    expect(drawn(plot(open), 'rect', 'k-step').length).toBeLessThan(8);
    const faded = drawn(plot(open, { faded: new Set(['text']) }), 'rect', 'k-text');
    expect(faded.length).toBeGreaterThan(0);
    expect(faded.every(({ alpha }) => alpha === 0.3)).toBe(true);
  });

  it('shows where a client stops, the conforming and the other', () => {
    const story = run({ status: 'rejected-by-violation', findings: [violation(3)], referenceStop: 6, spans: [text(1, 8)] });
    const stops = (folded: readonly string[]) => {
      const open = openStories([story], [0, 10], { folded: new Set(folded) });
      return drawn(plot(open), 'line', 'st-rejected').map(({ points }) => points[0]);
    };
    const open = openStories([story], [0, 10]);
    expect(stops(['t'])).toEqual([xOf(open, 3), xOf(open, 6)]);
    expect(stops([])).toEqual([xOf(open, 3), xOf(open, 6)]);
  });

  it('of a run that was rejected at once has no strip but its edge', () => {
    const open = openStories([run({ status: 'rejected-by-violation', findings: [violation(0)], spans: [text(1, 8)] })], [0, 10], { folded: new Set(['t']) });
    expect(drawn(plot(open), 'rect', 'st-rejected-fill')).toEqual([]);
    expect(drawn(plot(open), 'rect', 'st-rejected').length).toBeGreaterThan(0);
  });

  it('keeps the points of a folded run, in an open thread', () => {
    const stories = [run({ ticks: [[4, 'state-delta']], spans: [text(1, 8)] })];
    const key = runNamed(openStories(stories, [0, 10]).l, 'r').foldKey!;
    const open = openStories(stories, [0, 10], { folded: new Set([key]) });
    expect(drawn(plot(open), 'rect', 'k-state')).toMatchObject([{ x: xOf(open, 4) - 1, h: 3 }]);
  });
});

describe('a run', () => {
  it('says who answered, and its id where it has one', () => {
    const { model } = openStories([run({ more: { runId: null } })], [0, 10]);
    const played = { ...model, connections: model.connections.map((one) => ({ ...one, replay: {} })) };
    expect(textsOf(plot(openModel(played, [0, 10])))).toEqual(expect.arrayContaining(['Succeeded', 'by Runlens', 'no run id']));
  });

  it('says beside two stop lines that are near each other what each is', () => {
    const words = (reference: number, seconds: [number, number] = [0, 10]) =>
      textsOf(
        drawn(
          plot(within(seconds, openStories([run({ status: 'rejected-by-violation', findings: [violation(5)], referenceStop: reference })], [0, 10]))),
          'text',
          'st-rejected',
        ),
      ).filter((one) => one.includes('stop'));
    // room on the right, else on the left of the first, else none for the first
    expect(words(8)).toEqual(['a conforming client stops here', '@ag-ui/client stops here']);
    expect(words(5.2)).toEqual(['a conforming client stops here', '@ag-ui/client stops here']);
    expect(words(5.2, [-40, 60])).toEqual(['@ag-ui/client stops here']);
  });

  it('that is open when nothing has come after it runs up to now', () => {
    const open = openStories([run({ status: 'active', a: 4, b: null })], [0, 10]);
    const ground = drawn(plot(open), 'rect', 'surface').find(({ x }) => x === xOf(open, 4));
    expect(ground!.x + ground!.w).toBe(xOf(open, 10));
  });

  it('of a thread in a single row is a strip', () => {
    const open = openScene(SCENES['travel']!);
    const low = { ...open, l: restack(open.l, new Set(['t_lisbon'])) };
    const [group] = low.l.groups;
    expect(drawn(plot(low), 'rect').filter(({ y, h }) => y === 4 && h === group!.height - 8).length).toBeGreaterThan(1);
  });
});
