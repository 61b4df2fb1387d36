import { describe, expect, it } from 'vitest';
import { describeTarget, nameOf } from './describe.ts';
import { display } from './display.ts';
import { gutter, ruler } from './gutter.ts';
import { findingsAt, hitTest } from './hit.ts';
import { layout } from './layout.ts';
import { neighbour } from './neighbour.ts';
import { brush, brushAt, overview, stripTimes } from './overview.ts';
import type { Look } from './pen.ts';
import { timeScale } from './scale.ts';
import { buildModel, EPOCH } from './scenes/build.ts';
import { SCENES, type Scene } from './scenes/index.ts';
import { measure, openScene } from './scenes/open.ts';
import { FULL, GUTTER } from './sizes.ts';
import type { Draw, Target } from './types.ts';

const LISTED: Readonly<Record<string, Scene>> = Object.fromEntries(Object.entries(SCENES).filter(([name]) => name !== 'heavy'));

const number = (n: number) => String(Math.round(n * 100) / 100);

function word(key: string, value: unknown): string {
  if (Array.isArray(value)) return `${key}=${value.map(number).join(',')}`;
  return key === 'text' || key === 'name' ? JSON.stringify(value) : `${key}=${typeof value === 'number' ? number(value) : value}`;
}

/** One line a drawing: `rect 10 20 30 4 fill=k-step`. */
function lineOf(draw: Draw): string {
  const { op, ...rest } = draw as unknown as { op: string } & Record<string, unknown>;
  const place = ['x', 'y', 'w', 'h'].filter((key) => key in rest);
  const others = Object.keys(rest).filter((key) => !place.includes(key) && rest[key] !== undefined);
  const words = [...place.map((key) => number(rest[key] as number)), ...others.map((key) => word(key, rest[key]))];
  return [op, ...words].join(' ');
}

function listOf(scene: Scene): string {
  const { model, l, window, look } = openScene(scene);
  const part = (title: string, list: readonly Draw[]) => `# ${title}\n${list.map(lineOf).join('\n')}\n`;
  return [
    part('plot', display(l, model, window, look, measure)),
    part('gutter', gutter(l, window, look, measure)),
    part('ruler', ruler(l, window, look, measure)),
  ].join('\n');
}

describe('display lists', () => {
  for (const [name, scene] of Object.entries(LISTED)) {
    it(name, async () => {
      const drawn = openScene(scene);
      // 300 runs are counted, not listed: the list is as long as what is in sight
      const text = name === 'many' ? summary(display(drawn.l, drawn.model, drawn.window, drawn.look, measure)) : listOf(scene);
      await expect(text).toMatchFileSnapshot(`scenes/lists/${name}.txt`);
    });
  }

  function summary(list: readonly Draw[]): string {
    const counts = new Map<string, number>();
    for (const draw of list) {
      const colour = 'stroke' in draw && draw.stroke ? draw.stroke : 'fill' in draw && draw.fill ? draw.fill : '';
      const key = `${draw.op} ${draw.op === 'icon' ? draw.name : colour}`;
      counts.set(key, (counts.get(key) ?? 0) + 1);
    }
    return `${[...counts]
      .map(([key, count]) => `${key}: ${count}`)
      .sort()
      .join('\n')}\n`;
  }

  it('of the overview', async () => {
    const model = SCENES['travel']!.model();
    const strip = { width: 1000, height: 58, gutter: GUTTER };
    const list = [...overview(model, strip, measure), ...brush(model, strip, { from: EPOCH + 49_400, to: EPOCH + 90_000 })];
    await expect(`${list.map(lineOf).join('\n')}\n`).toMatchFileSnapshot('scenes/lists/overview.txt');
  });

  it('opens and closes clips in pairs', () => {
    for (const scene of Object.values(LISTED)) {
      const { model, l, window, look } = openScene(scene);
      let depth = 0;
      for (const draw of display(l, model, window, look, measure)) {
        if (draw.op === 'clip') depth++;
        if (draw.op === 'unclip') depth--;
        expect(depth).toBeGreaterThanOrEqual(0);
      }
      expect(depth).toBe(0);
    }
  });

  it('cuts no words at the edges of the plot or of a bar', () => {
    const cut: string[] = [];
    for (const [name, scene] of Object.entries(LISTED)) {
      const { model, l, window, look } = openScene(scene);
      for (let shift = 0; shift < 30; shift++) {
        const moved = { ...window, from: window.from + shift * 311, to: window.to + shift * 311 };
        for (const draw of display(l, model, moved, look, measure)) {
          if (draw.op !== 'text' || draw.align) continue;
          const end = draw.x + measure(draw.text, draw.size, draw.bold ?? false);
          if (draw.x < moved.gutter || end > moved.width) cut.push(`${name} ${shift}: ${draw.text}`);
        }
      }
    }
    expect(cut).toEqual([]);
  });

  it('draws only what the window touches', () => {
    const { model, l, window, look } = openScene(SCENES['many']!);
    const all = display(l, model, { ...window, from: EPOCH, to: EPOCH + 2_800_000, height: 2000 }, look, measure).length;
    const some = display(l, model, { ...window, to: window.from + 60_000 }, look, measure).length;
    expect(some).toBeLessThan(all / 5);
    const past = display(l, model, { ...window, from: EPOCH + 9e6, to: EPOCH + 9.1e6 }, look, measure);
    expect(past.some((draw) => draw.op === 'icon' || (draw.op === 'rect' && draw.fill?.startsWith('k-')))).toBe(false);
  });

  it('never tells failed and rejected runs by the same signs', () => {
    const signs = (name: string) => {
      const { model, l, window, look } = openScene(SCENES[name]!);
      const list = display(l, model, window, look, measure);
      return new Set(
        list.flatMap((draw) => ('stroke' in draw && draw.stroke ? [draw.stroke] : draw.op === 'icon' && draw.name.startsWith('status') ? [draw.name] : [])),
      );
    };
    const [failed, rejected] = [signs('failed'), signs('rejected')];
    expect(failed.has('st-failed')).toBe(true);
    expect(failed.has('st-rejected')).toBe(false);
    expect(rejected.has('st-failed')).toBe(false);
    expect(rejected.has('st-rejected')).toBe(true);
    expect(failed.has('status-rejected-by-violation') || rejected.has('status-failed-by-report')).toBe(false);
    // two facts, two signs: rejected, and then failed
    const both = signs('rejected-failed');
    expect(both.has('st-failed') && both.has('st-rejected')).toBe(true);
  });

  it('draws the bracket only for the picked or hovered finding', () => {
    const rings = (look: Partial<Look>) => {
      const { model, l, window, look: own } = openScene(SCENES['rejected']!, look);
      return display(l, model, window, own, measure).filter((draw) => draw.op === 'icon' && draw.name === 'related').length;
    };
    expect(rings({})).toBe(0);
    expect(rings({ hover: { kind: 'finding', id: 0 } })).toBe(1);
    expect(rings({ selection: { kind: 'finding', id: 0 } })).toBe(1);
    const row = SCENES['rejected']!.model().findings[0]!.row!;
    expect(rings({ selection: { kind: 'row', row } })).toBe(1);
  });

  it('fades what is switched off and keeps it', () => {
    const { model, l, window, look } = openScene(SCENES['succeeded']!, { faded: new Set(['step']) });
    const bars = display(l, model, window, look, measure).filter((draw) => draw.op === 'rect' && draw.stroke === 'k-step');
    expect(bars.length).toBe(1);
    expect(bars.every((draw) => 'alpha' in draw && draw.alpha! < 1)).toBe(true);
  });
});

describe('hit test', () => {
  const { model, l, window } = openScene(SCENES['travel']!);
  const scale = timeScale(window, l.origin);
  const at = (seconds: number) => scale.x(EPOCH + seconds * 1000 - l.origin);
  const spanY = (label: string) => {
    const placed = [...l.groups[0]!.thread.spans.values()].find((span) => span.view.label === label)!;
    return l.groups[0]!.top + placed.lane.y + placed.lane.height / 2;
  };

  it('finds findings before spans before runs, and nothing where nothing is', () => {
    expect(hitTest(l, window, at(72.604), spanY('search'))).toEqual({ kind: 'finding', id: 1 });
    const span = hitTest(l, window, at(70.9), spanY('search'));
    expect(span?.kind === 'span' && model.spans[span.id]!.label).toBe('search');
    const bar = l.groups[0]!.thread.bands[0]!.top + 5;
    expect(hitTest(l, window, at(70), bar)).toEqual({ kind: 'run', id: 1 });
    expect(hitTest(l, window, at(66.5), bar)).toBeNull();
    expect(hitTest(l, window, at(66.5), 5000)).toBeNull();
    expect(hitTest(l, window, 20, 30)).toEqual({ kind: 'thread', key: 't_lisbon' });
  });

  it('finds ticks', () => {
    const [state] = l.groups[0]!.thread.bands[0]!.states;
    const target = hitTest(l, window, at(62.4) + 1, state!.y + 6);
    expect(target?.kind === 'tick' && model.timeOfRow(target.row)).toBe(EPOCH + 62_400);
  });

  it('gives all findings of a merged mark, the gravest first', () => {
    const merged = openScene(SCENES['many-marks']!);
    const [row] = merged.l.groups[0]!.thread.bands[0]!.marks;
    const grave = merged.model.findings.find((finding) => finding.severity === 'violation')!;
    const x = timeScale(merged.window, merged.l.origin).x(grave.time - merged.l.origin);
    const ids = findingsAt(merged.l, merged.window, x, row!.y);
    expect(ids.length).toBeGreaterThan(3);
    expect(ids[0]).toBe(grave.id);
  });

  it('finds the whole box of a folded run', () => {
    const folded = openScene(SCENES['folded']!);
    const band = folded.l.groups[0]!.thread.bands[0]!;
    expect(hitTest(folded.l, folded.window, at(64), band.bottom - 1)).toEqual({ kind: 'run', id: 0 });
  });
});

describe('walking', () => {
  const { model, l } = openScene(SCENES['travel']!);
  const labels = (target: Target | null) =>
    target?.kind === 'span' ? model.spans[target.id]!.label : target?.kind === 'run' ? model.runs[target.id]!.runId : target?.kind;

  it('goes by time and by lane', () => {
    const run: Target = { kind: 'run', id: 0 };
    expect(labels(neighbour(l, run, 'right'))).toBe('run_02');
    expect(neighbour(l, run, 'left')).toBeNull();
    const plan = neighbour(l, run, 'down')!;
    expect(labels(plan)).toBe('plan');
    expect(labels(neighbour(l, plan, 'right'))).toBe('write');
    expect(labels(neighbour(l, plan, 'down'))).toBe('research');
    expect(neighbour(l, plan, 'up')).toEqual(run);
    expect(neighbour(l, { kind: 'finding', id: 1 }, 'down')).toEqual({ kind: 'span', id: model.findings[1]!.span });
    expect(neighbour(l, { kind: 'finding', id: 1 }, 'right')).toEqual({ kind: 'finding', id: 2 });
  });

  it('reaches everything from the first run', () => {
    const all = new Set<string>();
    const queue: Target[] = [{ kind: 'run', id: 0 }];
    while (queue.length > 0) {
      const target = queue.pop()!;
      const key = JSON.stringify(target);
      if (all.has(key)) continue;
      all.add(key);
      for (const direction of ['left', 'right', 'up', 'down'] as const) {
        const next = neighbour(l, target, direction);
        if (next) queue.push(next);
      }
    }
    for (const span of model.spans) expect(all.has(JSON.stringify({ kind: 'span', id: span.id })), span.label).toBe(true);
    for (const run of model.runs) expect(all.has(JSON.stringify({ kind: 'run', id: run.id }))).toBe(true);
    for (const tick of model.ticks) expect(all.has(JSON.stringify({ kind: 'tick', row: tick.row }))).toBe(true);
  });
});

describe('words', () => {
  it('name a run, a span and a finding', () => {
    const { model, l } = openScene(SCENES['travel']!);
    expect(nameOf(l, { kind: 'run', id: 1 })).toBe(
      'Run run_02, t_lisbon, rejected, 10.6 s, 75 events, 1 violation, step-already-open at 1:12.604, then reported success',
    );
    const search = model.findings[1]!.span!;
    expect(nameOf(l, { kind: 'span', id: search })).toBe('Step search, 5.20 s, rejected here: Step “search” was started while it was already open.');
    expect(describeTarget(l, { kind: 'finding', id: 1 })?.word).toBe('Violation');
    expect(nameOf(l, { kind: 'run', id: 99 })).toBe('');
  });

  it('tell a tool call that waits from one that was answered', () => {
    const scene = buildModel(
      [
        {
          id: 'r',
          thread: 't',
          a: 0,
          b: null,
          status: 'active',
          spans: [
            { kind: 'tool', name: 'one', a: 1, b: 2, quiet: [2, 4], result: 4 },
            { kind: 'tool', name: 'two', a: 1, b: 2, quiet: [2, 2] },
          ],
        },
      ],
      9,
    );
    const l = layout(scene, { folded: new Set(), density: FULL, narrow: false });
    expect(describeTarget(l, { kind: 'span', id: 0 })?.facts).toContain('result after 2.00 s');
    expect(describeTarget(l, { kind: 'span', id: 1 })?.facts).toContain('waiting for its result');
  });
});

describe('overview', () => {
  it('tells the parts of the brush', () => {
    const model = SCENES['travel']!.model();
    const strip = { width: 1000, height: 58, gutter: 136 };
    const { from, to } = stripTimes(model);
    const window = { from: from + (to - from) * 0.25, to: from + (to - from) * 0.75 };
    const x = (share: number) => 136 + 864 * share;
    expect([x(0.25), x(0.75), x(0.5), x(0.1)].map((at) => brushAt(model, strip, window, at))).toEqual(['from', 'to', 'inside', 'outside']);
  });
});
