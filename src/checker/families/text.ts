/** Family text. */
import { type ChunkRules, chunk } from '../chunks.ts';
import { useMessageId } from '../history.ts';
import { TEXT } from '../item-rules.ts';
import { closeItem, growItem, mayOpen, openItem } from '../items.ts';
import { closeLane, mixForms } from '../lanes.ts';
import { notOpen } from '../orphans.ts';
import { checkOwner, claimOwner } from '../owners.ts';
import type { Track } from '../tracking.ts';
import type { ItemForm } from '../types.ts';
import { quote, reportOnce, text, type Work } from '../work.ts';

const DEFAULT_ROLE = 'assistant';

function reopens(work: Work, track: Track): void {
  for (const field of ['role', 'name'] as const) {
    const value = text(work.event[field]);
    const first = field === 'role' ? track.role : track.name;
    if (value === undefined || value === first) continue;
    reportOnce(work, {
      rule: 'text-reopen-mismatch',
      key: `${track.id} ${field}`,
      subject: track.id,
      related: [track.firstAt],
      message: `Message ${quote(track.id)} is opened again with ${field} ${quote(value)} instead of ${first === null ? 'none' : quote(first)}; use a new messageId for a new message.`,
    });
  }
}

function open(work: Work, id: string, form: ItemForm, lane: string | null): Track {
  const { run, event } = work;
  const before = run.tracks.text.get(id);
  const owner = claimOwner(work, run.owners.message, id, TEXT.noun);
  const role = text(event['role']) ?? DEFAULT_ROLE;
  if (before !== undefined && before.firstAt >= 0) reopens(work, before);
  useMessageId(work, id, 'text', role);
  return openItem(work, TEXT, id, { id, owner, form, lane, role, name: text(event['name']) ?? null });
}

/** TEXT_MESSAGE_START. */
export function textStart(work: Work): void {
  closeLane(work, work.tag ?? null);
  const id = text(work.event['messageId']);
  if (id === undefined) {
    work.run.wild.text.opened += 1;
    return;
  }
  if (mayOpen(work, TEXT, id)) open(work, id, 'explicit', null);
}

/** TEXT_MESSAGE_CONTENT. */
export function textContent(work: Work): void {
  const { run, event, tag } = work;
  const id = text(event['messageId']);
  const track = id === undefined ? undefined : run.tracks.text.get(id);
  if (track?.open && track.form === 'chunk') mixForms(work, TEXT, track);
  if (run.lanes.size > 0) closeLane(work, tag ?? null);
  if (id === undefined) return;
  const delta = text(event['delta']);
  if (track?.open) {
    if (tag !== undefined) checkOwner(work, run.owners.message, id, TEXT.noun);
    growItem(work, track, delta);
    return;
  }
  const phantom = notOpen(work, TEXT, id, id, false, delta);
  if (phantom !== null) growItem(work, phantom, delta);
}

/** TEXT_MESSAGE_END. */
export function textEnd(work: Work): void {
  const { run, event, tag } = work;
  const id = text(event['messageId']);
  const track = id === undefined ? undefined : run.tracks.text.get(id);
  if (track?.open && track.form === 'chunk') mixForms(work, TEXT, track);
  if (run.lanes.size > 0) closeLane(work, tag ?? null);
  if (id === undefined) {
    run.wild.text.closed += 1;
    return;
  }
  if (track?.open) {
    if (tag !== undefined) checkOwner(work, run.owners.message, id, TEXT.noun);
    growItem(work, track, undefined);
    closeItem(work, track, 'closed');
    return;
  }
  const phantom = notOpen(work, TEXT, id, id, true, undefined);
  if (phantom !== null) closeItem(work, phantom, 'closed');
}

const CHUNKS: ChunkRules = {
  rules: TEXT,
  idField: 'messageId',
  missing: 'text-chunk-missing-opener',
  ambiguous: 'text-chunk-ambiguous',
  conflict: 'text-chunk-conflict',
  fixed: [
    { field: 'role', of: (track) => track.nowRole },
    { field: 'name', of: (track) => track.nowName },
  ],
  owners: (work) => work.run.owners.message,
  needs: [],
  open: (work, id, lane) => open(work, id, 'chunk', lane),
};

/** TEXT_MESSAGE_CHUNK. */
export function textChunk(work: Work): void {
  chunk(work, CHUNKS);
}
