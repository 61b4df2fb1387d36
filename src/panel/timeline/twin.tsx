/** The DOM twin of the canvas: a tree of runs and what is in the focused one, unseen but heard, which holds the keyboard's focus. */
import type { JSX } from 'preact';
import { findRun, findSpan, type Layout, nameOf, type PlacedRun, type Target } from '../../timeline/index.ts';
import type { Engine } from './engine.ts';
import { startOf, treeKey } from './keys.ts';

/** Items on each side of the focus: a screen reader reads around it, and a large capture must not fill the document. */
const AROUND = 12;

interface Item {
  readonly target: Target;
  readonly level: 1 | 2;
  readonly position: number;
  readonly size: number;
}

const idOf = (target: Target): string => `tl-${target.kind}-${target.kind === 'thread' ? target.key : target.kind === 'tick' ? target.row : target.id}`;

const allRuns = (layout: Layout): PlacedRun[] => layout.groups.flatMap((group) => group.thread.bands.flatMap((band) => band.runs));

function runOf(layout: Layout, target: Target | null): PlacedRun | null {
  if (target?.kind === 'run') return findRun(layout, target.id)?.run ?? null;
  if (target?.kind === 'span') return findSpan(layout, target.id)?.span.run ?? null;
  if (target?.kind === 'finding') return layout.markOf.get(target.id)?.mark.run ?? null;
  if (target?.kind !== 'tick') return null;
  for (const { thread } of layout.groups)
    for (const { state } of thread.bands) for (const tick of state?.ticks ?? []) if (tick.view.row === target.row) return tick.run;
  return null;
}

/** What is in a run, by time. */
function contentsOf(layout: Layout, run: PlacedRun): Target[] {
  const group = findRun(layout, run.view.id)?.group;
  if (!group) return [];
  const timed: { time: number; target: Target }[] = [];
  for (const span of group.thread.spans.values()) if (span.run === run) timed.push({ time: span.start, target: { kind: 'span', id: span.view.id } });
  for (const { marks } of run.band.marks)
    for (const mark of marks) if (mark.run === run) timed.push({ time: mark.time, target: { kind: 'finding', id: mark.view.id } });
  for (const tick of run.band.state?.ticks ?? []) if (tick.run === run) timed.push({ time: tick.time, target: { kind: 'tick', row: tick.view.row } });
  return timed.sort((a, b) => a.time - b.time).map((one) => one.target);
}

function around<T>(list: readonly T[], at: number): { readonly from: number; readonly items: readonly T[] } {
  const from = Math.max(0, at - AROUND);
  return { from, items: list.slice(from, Math.max(0, at) + AROUND + 1) };
}

function itemsOf(layout: Layout, focus: Target | null): Item[] {
  const runs = allRuns(layout);
  const run = runOf(layout, focus);
  const near = around(runs, run ? runs.indexOf(run) : 0);
  return near.items.flatMap((one, i): Item[] => {
    const own: Item = { target: { kind: 'run', id: one.view.id }, level: 1, position: near.from + i + 1, size: runs.length };
    if (one !== run) return [own];
    const inside = contentsOf(layout, one);
    const shown = around(inside, focus && focus.kind !== 'run' ? inside.findIndex((target) => idOf(target) === idOf(focus)) : 0);
    return [own, ...shown.items.map((target, k): Item => ({ target, level: 2, position: shown.from + k + 1, size: inside.length }))];
  });
}

function isSelected(engine: Engine, target: Target): boolean {
  const selection = engine.inputs.selection.value;
  if (selection.kind !== target.kind) return false;
  return 'id' in selection && 'id' in target && selection.id === target.id;
}

/** The tree. It re-renders with the layout and the focus, not with the window. */
export function Twin({ engine }: { readonly engine: Engine }): JSX.Element {
  const layout = engine.layout.value;
  const focus = engine.focus.value;
  const items = itemsOf(layout, focus);
  const run = runOf(layout, focus);
  const onFocus = () => {
    engine.focused.value = true;
    if (!engine.focus.peek()) engine.focus.value = startOf(engine);
  };
  const onBlur = () => {
    engine.focused.value = false;
  };
  if (items.length === 0) return <div class="tl-twin" role="note" aria-label="Timeline: nothing captured yet" />;
  return (
    <div
      class="tl-twin"
      role="tree"
      tabIndex={0}
      aria-label="Timeline: runs and what happened in them. Arrows move by time and by lane, Enter selects."
      aria-activedescendant={focus ? idOf(focus) : undefined}
      onKeyDown={(event) => treeKey(engine, event)}
      onFocus={onFocus}
      onBlur={onBlur}
    >
      {items.map((item) => (
        <div
          key={idOf(item.target)}
          id={idOf(item.target)}
          role="treeitem"
          tabIndex={-1}
          aria-level={item.level}
          aria-posinset={item.position}
          aria-setsize={item.size}
          aria-selected={isSelected(engine, item.target)}
          aria-expanded={item.level === 1 ? run !== null && item.target.kind === 'run' && item.target.id === run.view.id : undefined}
          onClick={() => engine.inputs.onSelect(item.target)}
          onKeyDown={(event) => treeKey(engine, event)}
        >
          {nameOf(layout, item.target)}
        </div>
      ))}
    </div>
  );
}
