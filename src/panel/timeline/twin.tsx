/** The DOM twin of the canvas: a tree of runs and what is in the focused one, unseen but heard, which holds the keyboard's focus. */
import type { JSX } from 'preact';
import { findRun, findSpan, findTick, isFoldedAway, type Layout, nameOf, type PlacedRun, type Target } from '../../timeline/index.ts';
import type { Engine } from './engine.ts';
import { currentOf, startOf, treeKey } from './keys.ts';

/** Items on each side of the focus: a screen reader reads around it, and a large capture must not fill the document. */
const AROUND = 12;

interface Item {
  readonly target: Target;
  readonly level: number;
  readonly position: number;
  readonly size: number;
  /** Whether what is in it is listed; undefined for what holds nothing. */
  readonly expanded: boolean | undefined;
}

const idOf = (target: Target): string => `tl-${target.kind}-${target.kind === 'thread' ? target.key : target.kind === 'tick' ? target.row : target.id}`;

const allRuns = (layout: Layout): PlacedRun[] => layout.groups.flatMap((group) => group.thread.bands.flatMap((band) => band.runs));

function runOf(layout: Layout, target: Target | null): PlacedRun | null {
  if (target?.kind === 'run') return findRun(layout, target.id)?.run ?? null;
  if (target?.kind === 'span') return findSpan(layout, target.id)?.span.run ?? null;
  if (target?.kind === 'finding') return layout.markOf.get(target.id)?.mark.run ?? null;
  return target?.kind === 'tick' ? (findTick(layout, target.row)?.tick.run ?? null) : null;
}

interface Timed {
  readonly time: number;
  readonly target: Target;
  /** The subagent it is in. */
  readonly owner: number | null;
  readonly expanded: boolean | undefined;
}

/** What is in a run and not folded away, by time. */
function contentsOf(layout: Layout, run: PlacedRun): Timed[] {
  const group = findRun(layout, run.view.id)?.group;
  if (!group) return [];
  const found: Timed[] = [];
  const point = (time: number, target: Target) => found.push({ time, target, owner: null, expanded: undefined });
  for (const span of group.thread.spans.values()) {
    const target: Target = { kind: 'span', id: span.view.id };
    if (span.run !== run || isFoldedAway(group.thread, span)) continue;
    found.push({ time: span.start, target, owner: span.owner, expanded: span.foldKey === null ? undefined : group.thread.folded || !span.folded });
  }
  for (const { marks } of run.band.marks) for (const mark of marks) if (mark.run === run) point(mark.time, { kind: 'finding', id: mark.view.id });
  if (!run.folded)
    for (const { ticks } of run.band.states) for (const tick of ticks) if (tick.run === run) point(tick.time, { kind: 'tick', row: tick.view.row });
  return found.sort((a, b) => a.time - b.time);
}

function byOwner(all: readonly Timed[]): ReadonlyMap<number | null, readonly Timed[]> {
  const owned = new Map<number | null, Timed[]>();
  for (const one of all) {
    const own = owned.get(one.owner);
    if (own) own.push(one);
    else owned.set(one.owner, [one]);
  }
  return owned;
}

/** The same as a tree, read from top to bottom: what ran in a subagent stands under it. */
function nested(owned: ReadonlyMap<number | null, readonly Timed[]>, owner: number | null, level: number): Item[] {
  const own = owned.get(owner) ?? [];
  return own.flatMap(({ target, expanded }, i): Item[] => {
    const item: Item = { target, level, position: i + 1, size: own.length, expanded };
    return target.kind === 'span' && expanded ? [item, ...nested(owned, target.id, level + 1)] : [item];
  });
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
    const target: Target = { kind: 'run', id: one.view.id };
    const own: Item = { target, level: 1, position: near.from + i + 1, size: runs.length, expanded: one === run && !one.folded };
    if (one !== run) return [own];
    const inside = nested(byOwner(contentsOf(layout, one)), null, 2);
    const at = focus && focus.kind !== 'run' ? inside.findIndex((item) => idOf(item.target) === idOf(focus)) : 0;
    return [own, ...around(inside, at).items];
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
  const focus = currentOf(engine);
  const items = itemsOf(layout, focus);
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
      aria-label="Timeline: runs and what happened in them. Arrows move by time and by lane, left and right fold and open runs and subagents, Page Up and Page Down go by run, Enter selects."
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
          aria-expanded={item.expanded}
          onClick={() => engine.inputs.onSelect(item.target)}
          onKeyDown={(event) => treeKey(engine, event)}
        >
          {nameOf(layout, item.target)}
        </div>
      ))}
    </div>
  );
}
