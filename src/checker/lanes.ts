/** Chunk lanes (rules.md §6 no. 20): one open chunk stream an owner. A lane is the tag of its chunks, null for the parent's. */

import type { ItemRules } from './item-rules.ts';
import { closeItem } from './items.ts';
import type { LaneMemory, RunTracking, Track } from './tracking.ts';
import type { ItemEnd, ItemKind } from './types.ts';
import { quote, referenceStops, reportOnce, type Work } from './work.ts';

/** The key of what is remembered of a lane and a kind. */
export function laneKey(kind: ItemKind, lane: string | null): string {
  return lane === null ? kind : `${kind}:${lane}`;
}

/** What is remembered of a lane and a kind; made at need. */
export function laneMemory(run: RunTracking, kind: ItemKind, lane: string | null): LaneMemory {
  const key = laneKey(kind, lane);
  let memory = run.laneMemory.get(key);
  if (memory === undefined) {
    memory = { openedAt: -1, closedAt: -1, by: -1, track: null };
    run.laneMemory.set(key, memory);
  }
  return memory;
}

/** A lane begins to build an item. */
export function setLane(run: RunTracking, lane: string | null, track: Track): void {
  run.lanes.set(lane, track);
  run.lanesOf[track.kind].add(lane);
}

/** A lane builds nothing any more. */
export function dropLane(run: RunTracking, lane: string | null): void {
  const track = run.lanes.get(lane);
  if (track === undefined) return;
  run.lanes.delete(lane);
  run.lanesOf[track.kind].delete(lane);
}

/** Ends the chunk stream of a lane, if it has one. */
export function closeLane(work: Work, lane: string | null, how: ItemEnd = 'lane'): void {
  const { run, state } = work;
  if (run.referenceTraps.size > 0 && run.referenceTraps.delete(lane)) referenceStops(state, work.at);
  const track = run.lanes.get(lane);
  if (track === undefined) return;
  dropLane(run, lane);
  const memory = laneMemory(run, track.kind, lane);
  memory.openedAt = track.openedAt;
  memory.closedAt = work.at;
  memory.by = -1;
  memory.track = null;
  if (track.open) closeItem(work, track, how);
}

/** Ends every chunk stream, in the order they were opened. */
export function closeAllLanes(work: Work): void {
  const { run } = work;
  if (run.lanes.size === 0 && run.referenceTraps.size === 0) return;
  for (const lane of [...run.lanes.keys(), ...run.referenceTraps]) closeLane(work, lane);
}

/**
 * An explicit event or a chunk uses the other form of an open item: told once an id, and the item goes on in explicit form. Chunks
 * without an id in that lane are absorbed from then on.
 */
export function mixForms(work: Work, rules: ItemRules, track: Track): void {
  const { run } = work;
  const chunkBuilt = track.form === 'chunk';
  const lane = chunkBuilt ? track.lane : (work.tag ?? null);
  // The reference client closes the lane of the event's own tag: under another tag it notices nothing yet.
  const seen = !chunkBuilt || lane === (work.tag ?? null);
  const by = reportOnce(work, {
    rule: rules.mixed ?? rules.already,
    key: track.id,
    subject: track.id,
    related: [track.openedAt],
    reference: seen,
    message: `${work.type} for ${rules.noun} ${quote(track.id)}, which was opened ${chunkBuilt ? 'by a chunk' : `by ${rules.opener}`} at event ${track.openedAt}; use one form for the whole ${rules.noun}.`,
  });
  if (chunkBuilt) {
    dropLane(run, lane);
    track.form = 'explicit';
    track.excused = true;
    if (!seen && work.type?.endsWith('_END')) run.referenceTraps.add(lane);
  }
  const memory = laneMemory(run, track.kind, lane);
  memory.by = by;
  memory.track = track;
}
