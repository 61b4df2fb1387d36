/** Items that an earlier run left behind: what is still to come of them is no new mistake (M6, M7). */
import type { ItemKind } from './types.ts';
import type { Work } from './work.ts';

/** What a later run may still bring of an item is absorbed by a finding (M6). */
export function abandon(work: Work, kind: ItemKind, key: string, by: number): void {
  work.state.abandoned.set(`${kind} ${key}`, by);
}

/** Nothing more is expected of an abandoned item. */
export function settle(work: Work, kind: ItemKind, key: string): void {
  if (work.state.abandoned.size > 0) work.state.abandoned.delete(`${kind} ${key}`);
}

/** The finding that absorbs fragments of this item, if an earlier run abandoned it. */
export function abandonedBy(work: Work, kind: ItemKind, key: string): number | undefined {
  return work.state.abandoned.size > 0 ? work.state.abandoned.get(`${kind} ${key}`) : undefined;
}
