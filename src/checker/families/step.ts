/** Family step: by owner and name (rules.md §6 no. 22). */
import { abandonedBy } from '../abandoned.ts';
import { STEP, stepKey } from '../item-rules.ts';
import { closeItem, hide, mayOpen, openItem, touch } from '../items.ts';
import { closeLane } from '../lanes.ts';
import { notOpen, remember } from '../orphans.ts';
import type { Track } from '../tracking.ts';
import { absorb, listOf, ownerName, quote, report, reportOnce, text, type Work } from '../work.ts';

function forget(work: Work, track: Track): void {
  const same = work.run.openSteps.get(track.id);
  if (same?.delete(track) && same.size === 0) work.run.openSteps.delete(track.id);
}

function close(work: Work, track: Track): void {
  touch(work, track);
  forget(work, track);
  closeItem(work, track, 'closed');
}

/** STEP_STARTED. */
export function stepStarted(work: Work): void {
  const { run, event } = work;
  closeLane(work, work.tag ?? null);
  const name = text(event['stepName']);
  if (name === undefined) {
    run.wild.step.opened += 1;
    return;
  }
  const owner = work.tag ?? null;
  const key = stepKey(owner, name);
  const before = run.tracks.step.get(key);
  if (!mayOpen(work, STEP, key)) return;
  if (before !== undefined) forget(work, before);
  const others = run.openSteps.get(name);
  if (others !== undefined) shared(work, name, others);
  const track = openItem(work, STEP, key, { id: name, owner, form: 'explicit', name });
  if (others === undefined) run.openSteps.set(name, new Set([track]));
  else others.add(track);
}

/** More owners of one step name than a reader would look at are left out. */
const CANDIDATES = 100;

function candidates(open: ReadonlySet<Track>): Track[] {
  const found: Track[] = [];
  for (const track of open) {
    if (found.length === CANDIDATES) break;
    found.push(track);
  }
  return found;
}

function shared(work: Work, name: string, open: ReadonlySet<Track>): void {
  if (work.state.off.has('step-name-shared-across-owners')) return;
  const others = candidates(open);
  reportOnce(work, {
    rule: 'step-name-shared-across-owners',
    key: name,
    subject: name,
    related: others.map((track) => track.openedAt),
    message: `Step ${quote(name)} is open under ${listOf(others.map((track) => ownerName(track.owner)))} as well; give it another name if your consumers match steps by name alone.`,
  });
}

/** The open step a finish means although its key is not open: one whose owner, or the finish's, is unknown. */
function loose(work: Work, name: string): Track | undefined {
  const same = work.run.openSteps.get(name);
  if (same === undefined) return undefined;
  return candidates(same).find((track) => work.tagBroken || track.unowned);
}

/** STEP_FINISHED. */
export function stepFinished(work: Work): void {
  const { run, event } = work;
  closeLane(work, work.tag ?? null);
  const name = text(event['stepName']);
  if (name === undefined) {
    run.wild.step.closed += 1;
    return;
  }
  const owner = work.tag ?? null;
  const key = stepKey(owner, name);
  const track = run.tracks.step.get(key);
  const found = track?.open ? track : loose(work, name);
  if (found !== undefined) {
    close(work, found);
    return;
  }
  const others = run.openSteps.get(name);
  const explained = (track !== undefined && (track.credit > 0 || track.orphan > 0)) || run.wild.step.opened > 0 || abandonedBy(work, 'step', key) !== undefined;
  if (others !== undefined && !explained) {
    wrongOwner(work, key, name, owner, candidates(others));
    return;
  }
  const phantom = notOpen(work, STEP, key, name, true, undefined);
  if (phantom !== null) closeItem(work, phantom, 'closed');
}

function wrongOwner(work: Work, key: string, name: string, owner: string | null, others: readonly Track[]): void {
  const { run } = work;
  if (!run.named && run.tracks.step.get(key) === undefined) {
    absorb(work, run.preambleBy);
    return;
  }
  const by = report(work, {
    rule: 'step-finish-wrong-owner',
    subject: name,
    related: others.map((track) => track.openedAt),
    message: `STEP_FINISHED for step ${quote(name)} comes from ${ownerName(owner)}, but the step is open under ${listOf(others.map((track) => ownerName(track.owner)))}; finish it with the tag it was started with.`,
  });
  remember(work, STEP, key, name, by, 2);
  run.forgiven.set(name, (run.forgiven.get(name) ?? 0) + 1);
  const only = others.length === 1 ? others[0] : undefined;
  if (only === undefined) return;
  touch(work, only);
  hide(work, only, 'closed');
}
