/** Threads, runs and subagents as things that fold, and what stands for something that is folded away. */
import { findRun, findSpan, findTick } from './layout.ts';
import type { Layout, PlacedSpan, Thread } from './placed.ts';
import type { Target } from './types.ts';

export interface Foldable {
  readonly key: string;
  readonly folded: boolean;
  /** Keys of all its likes: the other runs of its thread, the other subagents of its run. */
  readonly likes: readonly string[];
}

const keys = (list: Iterable<{ readonly foldKey: string | null }>): string[] => [...list].map((one) => one.foldKey).filter((key) => key !== null);

/** How a run or a subagent folds; null for what has nothing in it, and for everything that does not fold by itself. */
export function foldableOf(layout: Layout, target: Target): Foldable | null {
  if (target.kind === 'run') {
    const found = findRun(layout, target.id);
    if (!found?.run.foldKey || found.group.thread.folded) return null;
    return { key: found.run.foldKey, folded: found.run.folded, likes: keys(found.group.thread.runs.values()) };
  }
  if (target.kind !== 'span') return null;
  const found = findSpan(layout, target.id);
  if (!found?.span.foldKey || found.span.lane.micro) return null;
  const likes = keys([...found.group.thread.spans.values()].filter((span) => span.run === found.span.run));
  return { key: found.span.foldKey, folded: found.span.folded, likes };
}

/** The outermost folded subagent around a span, unless its run is folded or its thread. */
function foldedAround(thread: Thread, span: PlacedSpan): PlacedSpan | null {
  let outermost: PlacedSpan | null = null;
  // owners have lower ids than what they own, so this ends
  for (let at = span.owner; at !== null; ) {
    const owner = thread.spans.get(at);
    if (owner?.folded) outermost = owner;
    at = owner?.owner ?? null;
  }
  return outermost;
}

/** Whether a span of a thread is folded away in its run or in a subagent. In a folded thread everything can still be walked to. */
export const isFoldedAway = (thread: Thread, span: PlacedSpan): boolean => !thread.folded && (span.run.folded || foldedAround(thread, span) !== null);

/** A target, or the folded run or subagent that it is folded away in. In a folded thread everything can still be walked to. */
export function standsFor(layout: Layout, target: Target): Target {
  if (target.kind === 'tick') {
    const run = findTick(layout, target.row)?.tick.run;
    return run?.folded ? { kind: 'run', id: run.view.id } : target;
  }
  if (target.kind !== 'span') return target;
  const found = findSpan(layout, target.id);
  if (!found || found.group.thread.folded) return target;
  if (found.span.run.folded) return { kind: 'run', id: found.span.run.view.id };
  const around = foldedAround(found.group.thread, found.span);
  return around ? { kind: 'span', id: around.view.id } : target;
}
