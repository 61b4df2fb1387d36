/**
 * Opening, continuing and closing, the same for every kind of item: twins (M3), orphans (M4, M5), ids of cut-off runs (M6), the
 * preamble (M8) and openers or closers without an id (M9).
 */
import { beginHeld, growHeld, settleHeld } from './history.ts';
import { createTrack, type Track } from './state.ts';
import type { ItemEnd, ItemForm, ItemKind } from './types.ts';
import { absorb, fact, quote, report, reportOnce, type Work } from './work.ts';

export interface ItemRules {
  readonly kind: ItemKind;
  readonly noun: string;
  readonly opener: string;
  readonly already: string;
  readonly notOpen: string;
  /** Rule on mixed forms, where the kind has chunks. */
  readonly mixed?: string;
}

export const TEXT: ItemRules = {
  kind: 'text',
  noun: 'message',
  opener: 'TEXT_MESSAGE_START',
  already: 'text-already-open',
  notOpen: 'text-not-open',
  mixed: 'text-mixed-forms',
};
export const TOOL: ItemRules = {
  kind: 'tool',
  noun: 'tool call',
  opener: 'TOOL_CALL_START',
  already: 'tool-already-open',
  notOpen: 'tool-not-open',
  mixed: 'tool-mixed-forms',
};
export const REASONING: ItemRules = {
  kind: 'reasoning',
  noun: 'reasoning message',
  opener: 'REASONING_MESSAGE_START',
  already: 'reasoning-message-already-open',
  notOpen: 'reasoning-message-not-open',
  mixed: 'reasoning-mixed-forms',
};
export const SPAN: ItemRules = {
  kind: 'reasoning-span',
  noun: 'reasoning span',
  opener: 'REASONING_START',
  already: 'reasoning-span-already-open',
  notOpen: 'reasoning-span-not-open',
};
export const STEP: ItemRules = { kind: 'step', noun: 'step', opener: 'STEP_STARTED', already: 'step-already-open', notOpen: 'step-not-open' };
export const SUBAGENT: ItemRules = {
  kind: 'subagent',
  noun: 'subagent',
  opener: 'SUBAGENT_STARTED',
  already: 'subagent-already-active',
  notOpen: 'subagent-not-active',
};

export const RULES_OF: Readonly<Record<ItemKind, ItemRules>> = {
  text: TEXT,
  tool: TOOL,
  'reasoning-span': SPAN,
  reasoning: REASONING,
  step: STEP,
  subagent: SUBAGENT,
};

/** Texts longer than this are not kept to be parsed at the call's end; `tool-args-not-json` is then not judged. */
const LONGEST_ARGUMENTS = 4 * 1024 * 1024;

function hasText(kind: ItemKind): boolean {
  return kind === 'text' || kind === 'tool' || kind === 'reasoning';
}

/** The key of a step: owner and name. The parent's and those of a subagent with an empty id differ. */
export function stepKey(owner: string | null, name: string): string {
  return owner === null ? `-${name}` : `${owner.length}:${owner}${name}`;
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

function show(work: Work, track: Track): void {
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

function hide(work: Work, track: Track, how: ItemEnd): void {
  if (!track.shown) return;
  track.shown = false;
  work.run.adrift.delete(track);
  fact(work, { kind: 'item-closed', item: track.item, how });
}

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
        ? `${work.type} for ${rules.noun} ${quote(id)}, which was never opened; send ${rules.opener} with this id first.`
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

/** Remembers an id whose fragments an earlier finding explains: nothing of it is reported until it is opened (M4, M6). */
export function remember(work: Work, rules: ItemRules, key: string, id: string, by: number): void {
  const track = orphan(work, rules, key, id);
  if (track.open) return;
  track.orphan = 1;
  track.orphanBy = by;
}
