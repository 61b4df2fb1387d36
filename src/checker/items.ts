/**
 * Opening, continuing and closing, the same for every kind of item: twins (M3), orphans (M4, M5), ids of cut-off runs (M6), the
 * preamble (M8) and openers or closers without an id (M9).
 */
import { settle } from './abandoned.ts';
import { beginHeld, growHeld, settleHeld } from './history.ts';
import type { ItemRules } from './item-rules.ts';
import { createTrack, type Track } from './tracking.ts';
import type { ItemEnd, ItemForm, ItemKind } from './types.ts';
import { fact, quote, reportOnce, type Work } from './work.ts';

/** Texts longer than this are not kept to be parsed at the call's end; `tool-args-not-json` is then not judged. */
const LONGEST_ARGUMENTS = 4 * 1024 * 1024;

/** Whether a kind of item has text that grows. */
export function hasText(kind: ItemKind): boolean {
  return kind === 'text' || kind === 'tool' || kind === 'reasoning';
}

export interface Opening {
  readonly id: string;
  readonly owner: string | null;
  readonly form: ItemForm;
  readonly lane?: string | null;
  readonly name?: string | null;
  readonly role?: string | null;
  readonly parent?: string | null;
  /** Nobody will be blamed for leaving it open (M8, M9). */
  readonly excused?: boolean;
}

function freeSubjects(work: Work, rules: ItemRules, key: string, id: string): void {
  const { reported } = work.run;
  if (reported.size === 0) return;
  reported.delete(`${rules.already} ${key}`);
  if (rules.mixed !== undefined) reported.delete(`${rules.mixed} ${key}`);
  reported.delete(`subagent-attribution-mismatch ${rules.noun} ${id}`);
}

/** Tells that a track's item is open, under a new ordinal. */
export function show(work: Work, track: Track): void {
  track.item = work.state.items;
  work.state.items += 1;
  track.shown = true;
  fact(work, {
    kind: 'item-opened',
    item: track.item,
    itemKind: track.kind,
    id: track.id,
    name: track.name ?? '',
    owner: track.owner,
    parent: track.parent,
    run: work.run.ordinal,
    form: track.form,
    ...(track.role === null ? {} : { role: track.role }),
  });
}

/** Tells that a track's item has ended, if it is shown as open. */
export function hide(work: Work, track: Track, how: ItemEnd): void {
  if (!track.shown) return;
  track.shown = false;
  work.run.adrift.delete(track);
  fact(work, { kind: 'item-closed', item: track.item, how });
}

/** Opens an item for a legal opener. */
export function openItem(work: Work, rules: ItemRules, key: string, opening: Opening): Track {
  const tracks = work.run.tracks[rules.kind];
  settle(work, rules.kind, key);
  let track = tracks.get(key);
  if (track === undefined) {
    track = createTrack(rules.kind, opening.id);
    tracks.set(key, track);
  } else {
    freeSubjects(work, rules, key, opening.id);
    hide(work, track, 'closed');
  }
  if (track.orphan === 2) track.prepaid = true;
  track.excused = opening.excused === true || track.prepaid;
  track.orphan = 0;
  track.open = true;
  track.form = opening.form;
  track.lane = opening.lane ?? null;
  track.openedAt = work.at;
  track.nowName = opening.name ?? null;
  track.nowRole = opening.role ?? null;
  track.nowParent = opening.parent ?? null;
  if (track.firstAt < 0) {
    track.firstAt = work.at;
    track.name = track.nowName;
    track.role = track.nowRole;
    track.parent = track.nowParent;
  }
  track.owner = opening.owner;
  track.unowned = work.tagBroken;
  work.run.open.add(track);
  if (hasText(rules.kind)) beginHeld(work, track);
  show(work, track);
  touch(work, track);
  return track;
}

/** This input belongs to a track's item. */
export function touch(work: Work, track: Track): void {
  work.item = track.item;
  work.touched = track;
}

/** Whether an opener may open: it may not where the item is open already, which is then reported (M3). */
export function mayOpen(work: Work, rules: ItemRules, key: string): boolean {
  const track = work.run.tracks[rules.kind].get(key);
  if (track === undefined || !track.open) return true;
  const wild = work.run.wild[rules.kind];
  if (track.excused || wild.closed > 0) {
    if (!track.excused) wild.closed -= 1;
    track.prepaid = false;
    closeItem(work, track, 'closed');
    return true;
  }
  track.credit += 1;
  track.twinBy = reportOnce(work, {
    rule: rules.already,
    key,
    subject: track.id,
    related: [track.openedAt],
    message: `${work.type} for ${rules.noun} ${quote(track.id)}, which is open since event ${track.openedAt}; close it before opening it again.`,
  });
  touch(work, track);
  return false;
}

/** A text that was too long to keep is not judged. */
function judgeArguments(work: Work, track: Track): void {
  if (track.length === 0 || track.text.length !== track.length || work.state.off.has('tool-args-not-json')) return;
  try {
    JSON.parse(track.text);
  } catch {
    reportOnce(work, {
      rule: 'tool-args-not-json',
      key: track.id,
      subject: track.id,
      related: [track.openedAt],
      message: `The arguments of tool call ${quote(track.id)}${track.name === null ? '' : ` (${track.name})`} do not parse as JSON; look for lost fragments or a token limit.`,
    });
  }
}

/** Closes an open item. */
export function closeItem(work: Work, track: Track, how: ItemEnd): void {
  const ended = how === 'closed' || how === 'lane' || how === 'owner-ended';
  track.open = false;
  track.closedAt = work.at;
  work.run.open.delete(track);
  if (hasText(track.kind)) settleHeld(work, track, ended);
  if (track.kind === 'tool') {
    if (ended) judgeArguments(work, track);
    track.text = '';
  }
  hide(work, track, how);
}

/** Ends all that is shown as open in the facts: the run ended around it. */
export function endAll(work: Work, how: ItemEnd): void {
  for (const track of work.run.open) closeItem(work, track, how);
  for (const track of work.run.adrift) hide(work, track, how);
}

/** Adds text to an item. */
export function growItem(work: Work, track: Track, delta: string | undefined): void {
  touch(work, track);
  if (delta === undefined) return;
  if (track.open) {
    growHeld(track, delta);
    if (track.kind === 'tool' && track.length <= LONGEST_ARGUMENTS) track.text += delta;
    work.run.delivered = true;
  }
  fact(work, { kind: 'item-grew', item: track.item, delta });
}
