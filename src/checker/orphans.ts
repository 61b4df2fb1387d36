/** Fragments and closes of items that are not open: credits (M3), orphans (M4, M5), abandoned items (M6), the preamble (M8), wildcards (M9). */
import { abandonedBy } from './abandoned.ts';
import type { ItemRules } from './item-rules.ts';
import { hasText, hide, openItem, show, touch } from './items.ts';
import { createTrack, type Track } from './tracking.ts';
import { absorb, fact, quote, report, type Work } from './work.ts';

function orphan(work: Work, rules: ItemRules, key: string, id: string): Track {
  const tracks = work.run.tracks[rules.kind];
  let track = tracks.get(key);
  if (track === undefined) {
    track = createTrack(rules.kind, id);
    tracks.set(key, track);
  }
  return track;
}

function phantom(work: Work, rules: ItemRules, key: string, id: string): Track {
  return openItem(work, rules, key, { id, owner: work.tag ?? null, form: 'explicit', excused: true });
}

/** An opener with a blank id is probably the one that is missed here: it is not blamed for staying open. */
function excuseBlank(work: Work, rules: ItemRules): void {
  const blank = rules.kind === 'step' ? undefined : work.run.tracks[rules.kind].get('');
  if (blank?.open) blank.excused = true;
}

/** The orphan's text is shown under its id although nothing opened it. */
function adrift(work: Work, track: Track, delta: string | undefined): void {
  if (track.item < 0) {
    track.owner = work.tag ?? null;
    show(work, track);
    work.run.adrift.add(track);
  }
  touch(work, track);
  if (track.shown && delta !== undefined) fact(work, { kind: 'item-grew', item: track.item, delta });
}

/**
 * A fragment or a close for an item that is not open. `delta` is undefined for a close. Opens a phantom where the opener is excused
 * (M8, M9) and answers it; otherwise reports or absorbs, and answers null.
 */
export function notOpen(work: Work, rules: ItemRules, key: string, id: string, closes: boolean, delta: string | undefined): Track | null {
  const { run } = work;
  const track = run.tracks[rules.kind].get(key);
  if (track !== undefined && track.credit > 0) {
    if (closes) track.credit -= 1;
    absorb(work, track.twinBy);
    touch(work, track);
    return null;
  }
  if (track !== undefined && track.orphan > 0) {
    absorb(work, track.orphanBy);
    drift(work, track, closes, delta);
    return null;
  }
  const abandoned = abandonedBy(work, rules.kind, key);
  if (abandoned !== undefined) {
    absorb(work, abandoned);
    remember(work, rules, key, id, abandoned);
    drift(work, orphan(work, rules, key, id), closes, delta);
    return null;
  }
  if (run.wild[rules.kind].opened > 0) {
    run.wild[rules.kind].opened -= 1;
    return phantom(work, rules, key, id);
  }
  if (!run.named) {
    absorb(work, run.preambleBy);
    const made = phantom(work, rules, key, id);
    if (closes) made.prepaid = true;
    return made;
  }
  const made = orphan(work, rules, key, id);
  made.orphanBy = report(work, {
    rule: rules.notOpen,
    subject: id,
    related: [made.closedAt],
    message:
      made.closedAt < 0
        ? `${work.type} for ${rules.noun} ${quote(id)}, which was never opened; send ${rules.opener} for it first.`
        : `${work.type} for ${rules.noun} ${quote(id)}, which was closed by event ${made.closedAt}; send ${rules.opener} again or close it later.`,
  });
  excuseBlank(work, rules);
  drift(work, made, closes, delta);
  if (closes && id === '') run.wild[rules.kind].closed += 1;
  return null;
}

function drift(work: Work, track: Track, closes: boolean, delta: string | undefined): void {
  if (closes) {
    track.orphan = 2;
    touch(work, track);
    hide(work, track, 'closed');
    return;
  }
  if (track.orphan === 0) track.orphan = 1;
  if (hasText(track.kind)) adrift(work, track, delta);
  else touch(work, track);
}

/** Remembers an id whose fragments, or whose close, an earlier finding explains: nothing of it is reported until it is opened (M4, M6). */
export function remember(work: Work, rules: ItemRules, key: string, id: string, by: number, met: 1 | 2 = 1): void {
  const track = orphan(work, rules, key, id);
  if (track.open) return;
  track.orphan = met;
  track.orphanBy = by;
}
