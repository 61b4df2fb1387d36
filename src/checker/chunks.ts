/** Chunks: each is judged as a chunk, finds its lane and then opens or continues a message or call there. */

import type { ItemRules } from './item-rules.ts';
import { closeItem, growItem, touch } from './items.ts';
import { closeLane, laneMemory, mixForms, setLane } from './lanes.ts';
import { checkOwner } from './owners.ts';
import type { OwnerRecord, Track } from './tracking.ts';
import { absorb, listOf, NO_FINDING, quote, report, reportOnce, text, type Work } from './work.ts';

/** A field that a continuing chunk may only repeat. */
export interface FixedField {
  readonly field: string;
  readonly of: (track: Track) => string | null;
}

export interface ChunkRules {
  readonly rules: ItemRules;
  readonly idField: 'messageId' | 'toolCallId';
  readonly missing: string;
  readonly ambiguous: string;
  readonly conflict?: string;
  readonly fixed: readonly FixedField[];
  readonly owners: (work: Work) => Map<string, OwnerRecord>;
  /** Fields beside the id that an opening chunk has to have. */
  readonly needs: readonly string[];
  /** Opens the item as an explicit opener would; the lane is set by the caller. */
  readonly open: (work: Work, id: string, lane: string | null) => Track;
}

const AMBIGUOUS = Symbol('ambiguous');

/** More candidates than a reader would look at are left out. */
const CANDIDATES = 100;

/** The lane of a chunk without an id: its tag's, else the parent's, else the only one that has a stream of its kind. */
function findLane(work: Work, rules: ItemRules): string | null | typeof AMBIGUOUS {
  if (work.tag !== undefined) return work.tag;
  const lanes = work.run.lanesOf[rules.kind];
  if (lanes.size === 0 || lanes.has(null)) return null;
  if (lanes.size > 1) return AMBIGUOUS;
  const [only] = lanes;
  return only ?? null;
}

/** Works on one chunk. */
export function chunk(work: Work, chunks: ChunkRules): void {
  const { rules, idField } = chunks;
  const id = text(work.event[idField]);
  if (id === undefined) {
    // A malformed id has its own finding, and the chunk is nobody's (M9).
    if (work.raw[idField] === undefined) shorthand(work, chunks);
    return;
  }
  const track = work.run.tracks[rules.kind].get(id);
  if (track === undefined || !track.open) {
    openChunk(work, chunks, id, work.tag ?? null);
  } else if (track.form === 'chunk') {
    checkLaneOwner(work, chunks, track);
    proceed(work, chunks, track);
  } else if (track.excused && !isMixed(work, rules, track)) {
    closeItem(work, track, 'closed');
    openChunk(work, chunks, id, work.tag ?? null);
  } else {
    mixForms(work, rules, track);
    growItem(work, track, text(work.event['delta']));
  }
}

function isMixed(work: Work, rules: ItemRules, track: Track): boolean {
  return rules.mixed !== undefined && work.run.reported.has(`${rules.mixed} ${track.id}`);
}

/** A chunk that names an id continues it wherever it is open, and may not carry the tag of another lane. */
function checkLaneOwner(work: Work, chunks: ChunkRules, track: Track): void {
  const { tag } = work;
  if (tag === undefined) return;
  if (tag === track.lane) {
    checkOwner(work, chunks.owners(work), track.id, chunks.rules.noun);
    return;
  }
  reportOnce(work, {
    rule: 'subagent-attribution-mismatch',
    key: `${chunks.rules.noun} ${track.id}`,
    subject: track.id,
    related: [track.openedAt],
    message: `${work.type} is tagged with subagent ${quote(tag)}, but ${chunks.rules.noun} ${quote(track.id)} is being built by ${track.lane === null ? 'the parent agent' : `subagent ${quote(track.lane)}`}; use the tag of its first chunk or none.`,
  });
}

function shorthand(work: Work, chunks: ChunkRules): void {
  const { rules } = chunks;
  const { run } = work;
  const lane = findLane(work, rules);
  if (lane === AMBIGUOUS) {
    const told = run.reported.get(`${chunks.ambiguous} `);
    if (told !== undefined) {
      absorb(work, told);
      return;
    }
    const candidates = [...run.lanesOf[rules.kind]].slice(0, CANDIDATES).flatMap((owner) => run.lanes.get(owner) ?? []);
    reportOnce(work, {
      rule: chunks.ambiguous,
      key: '',
      related: candidates.map((track) => track.openedAt),
      message: `${work.type} has neither ${chunks.idField} nor subagentRunId while ${listOf(candidates.map((track) => quote(track.id)))} are being built; tag it or repeat the id.`,
    });
    return;
  }
  const track = run.lanes.get(lane);
  if (track !== undefined && track.kind === rules.kind) {
    proceed(work, chunks, track);
    return;
  }
  missingOpener(work, chunks, lane, `no ${chunks.idField}`);
}

function missingOpener(work: Work, chunks: ChunkRules, lane: string | null, lacks: string): void {
  const { run } = work;
  const { rules } = chunks;
  const memory = laneMemory(run, rules.kind, lane);
  if (memory.by !== NO_FINDING) {
    absorb(work, memory.by);
    if (memory.track?.open) growItem(work, memory.track, text(work.event['delta']));
    return;
  }
  if (!run.named) {
    absorb(work, run.preambleBy);
    return;
  }
  const before =
    memory.openedAt < 0 ? `${rules.noun} is being built there` : `${rules.noun} is being built there since event ${memory.closedAt} ended the last one`;
  memory.by = report(work, {
    rule: chunks.missing,
    subject: lane ?? 'parent',
    related: [memory.openedAt, memory.closedAt],
    message: `${work.type} of ${lane === null ? 'the parent agent' : `subagent ${quote(lane)}`} has ${lacks} and no ${before}; give the first chunk all it needs.`,
  });
}

function openChunk(work: Work, chunks: ChunkRules, id: string, lane: string | null): void {
  const { run } = work;
  const { rules } = chunks;
  for (const field of chunks.needs) {
    if (text(work.event[field]) !== undefined) continue;
    // A malformed one has its own finding, and one field's absence does not hide the call.
    if (work.raw[field] !== undefined) continue;
    missingOpener(work, chunks, lane, `no ${field}`);
    return;
  }
  closeLane(work, lane);
  const track = chunks.open(work, id, lane);
  setLane(run, lane, track);
  const memory = laneMemory(run, rules.kind, lane);
  memory.by = -1;
  memory.track = null;
  run.reported.delete(`${chunks.ambiguous} `);
  growItem(work, track, text(work.event['delta']));
}

function proceed(work: Work, chunks: ChunkRules, track: Track): void {
  const { run } = work;
  if (run.reported.size > 0) run.reported.delete(`${chunks.ambiguous} `);
  for (const { field, of } of chunks.fixed) {
    const value = text(work.event[field]);
    if (value === undefined || value === of(track) || chunks.conflict === undefined) continue;
    const set = of(track);
    reportOnce(work, {
      rule: chunks.conflict,
      key: `${track.id} ${field}`,
      subject: `${track.id} ${field}`,
      related: [track.openedAt],
      message: `${work.type} repeats ${field} as ${quote(value)}, but ${chunks.rules.noun} ${quote(track.id)} was opened ${set === null ? `without ${field}` : `with ${quote(set)}`}; leave it out after the first chunk.`,
    });
  }
  touch(work, track);
  growItem(work, track, text(work.event['delta']));
}
