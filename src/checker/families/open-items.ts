/** `run-finished-with-open-items`. */
import { abandon } from '../abandoned.ts';
import { RULES_OF, stepKey } from '../item-rules.ts';
import type { RunTracking, Track } from '../tracking.ts';
import type { ItemKind } from '../types.ts';
import { listOf, ownerName, quote, report, type Work } from '../work.ts';

/** The key a track is filed under. */
export function keyOf(track: Track): string {
  return track.kind === 'step' ? stepKey(track.owner, track.id) : track.id;
}

/** Open items that count: not the excused ones, not steps that were forgiven, not what closes without an id cover (M5, M9). */
function leftOpen(run: RunTracking): Track[] {
  const counted = new Map<ItemKind, number>();
  for (const track of run.open) if (!track.excused) counted.set(track.kind, (counted.get(track.kind) ?? 0) + 1);
  const forgiven = new Map(run.forgiven);
  return [...run.open].filter((track) => {
    if (track.excused || (counted.get(track.kind) ?? 0) <= run.wild[track.kind].closed) return false;
    const spare = track.kind === 'step' ? (forgiven.get(track.id) ?? 0) : 0;
    if (spare > 0) forgiven.set(track.id, spare - 1);
    return spare === 0;
  });
}

/** RUN_FINISHED: one finding for all that is still open. */
export function judgeOpen(work: Work): void {
  const { run } = work;
  if (run.open.size === 0) return;
  const left = leftOpen(run);
  if (left.length === 0) return;
  const parts = left.map((track) => {
    const owner = track.owner === null || track.kind === 'subagent' ? '' : ` of ${ownerName(track.owner)}`;
    return `${RULES_OF[track.kind].noun} ${quote(track.id)}${owner} (opened by event ${track.openedAt})`;
  });
  const by = report(work, {
    rule: 'run-finished-with-open-items',
    related: left.map((track) => track.openedAt),
    message: `RUN_FINISHED while ${listOf(parts)} ${left.length === 1 ? 'is' : 'are'} still open; close everything before the run finishes.`,
  });
  run.strayBy = by;
  // Closed too late, in a run to come, is the same mistake.
  for (const track of left) abandon(work, track.kind, keyOf(track), by);
}
