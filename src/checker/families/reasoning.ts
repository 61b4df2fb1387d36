/** Family reasoning: spans and messages are separate open sets, and one id may name both. */
import { type ChunkRules, chunk } from '../chunks.ts';
import { useMessageId } from '../history.ts';
import { type ItemRules, REASONING, SPAN } from '../item-rules.ts';
import { closeItem, growItem, mayOpen, openItem, touch } from '../items.ts';
import { closeLane, mixForms } from '../lanes.ts';
import { notOpen } from '../orphans.ts';
import { checkOwner, claimOwner } from '../owners.ts';
import type { OwnerRecord, Track } from '../tracking.ts';
import type { ItemForm } from '../types.ts';
import { quote, report, reportOnce, text, type Work } from '../work.ts';

/**
 * The owner of a span or a reasoning message. A namesake of the other kind lends its owner to an untagged opener; a tagged one that
 * differs is legal, and told because the reference client keeps one owner for both (rules.md §6 no. 17).
 */
function claim(work: Work, rules: ItemRules, own: Map<string, OwnerRecord>, other: Map<string, OwnerRecord>, id: string): string | null {
  const namesake = other.get(id);
  if (namesake !== undefined && !own.has(id)) {
    if (work.tag === undefined) own.set(id, { owner: namesake.owner, at: work.at });
    else if (namesake.owner !== work.tag) {
      reportOnce(work, {
        rule: 'reasoning-span-message-owner-split',
        key: id,
        subject: id,
        related: [namesake.at],
        message: `The reasoning span and the reasoning message ${quote(id)} have different owners; @ag-ui/client 1.0.0 rejects this, so tag both alike or give them different ids.`,
      });
    }
  }
  return claimOwner(work, own, id, rules.noun);
}

function openMessage(work: Work, id: string, form: ItemForm, lane: string | null): Track {
  const { owners } = work.run;
  const owner = claim(work, REASONING, owners.reasoning, owners.span, id);
  useMessageId(work, id, 'reasoning', 'reasoning');
  return openItem(work, REASONING, id, { id, owner, form, lane, role: 'reasoning' });
}

function start(work: Work, rules: ItemRules): void {
  closeLane(work, work.tag ?? null);
  const id = text(work.event['messageId']);
  if (id === undefined) {
    work.run.wild[rules.kind].opened += 1;
    return;
  }
  if (!mayOpen(work, rules, id)) return;
  if (rules === REASONING) {
    openMessage(work, id, 'explicit', null);
    return;
  }
  const { owners } = work.run;
  const owner = claim(work, SPAN, owners.span, owners.reasoning, id);
  openItem(work, SPAN, id, { id, owner, form: 'explicit' });
}

function proceed(work: Work, rules: ItemRules, closes: boolean): void {
  const { run, event, tag } = work;
  const id = text(event['messageId']);
  const track = id === undefined ? undefined : run.tracks[rules.kind].get(id);
  if (track?.open && track.form === 'chunk') mixForms(work, rules, track);
  if (run.lanes.size > 0) closeLane(work, tag ?? null);
  if (id === undefined) {
    if (closes) run.wild[rules.kind].closed += 1;
    return;
  }
  const delta = closes ? undefined : text(event['delta']);
  let found: Track | null = track?.open ? track : null;
  if (found === null) found = notOpen(work, rules, id, id, closes, delta);
  else if (tag !== undefined) checkOwner(work, rules === SPAN ? run.owners.span : run.owners.reasoning, id, rules.noun);
  if (found === null) return;
  growItem(work, found, delta);
  if (closes) closeItem(work, found, 'closed');
}

/** REASONING_START. */
export const spanStart = (work: Work): void => start(work, SPAN);
/** REASONING_END. */
export const spanEnd = (work: Work): void => proceed(work, SPAN, true);
/** REASONING_MESSAGE_START. */
export const reasoningStart = (work: Work): void => start(work, REASONING);
/** REASONING_MESSAGE_CONTENT. */
export const reasoningContent = (work: Work): void => proceed(work, REASONING, false);
/** REASONING_MESSAGE_END. */
export const reasoningEnd = (work: Work): void => proceed(work, REASONING, true);

const CHUNKS: ChunkRules = {
  rules: REASONING,
  idField: 'messageId',
  missing: 'reasoning-chunk-missing-opener',
  ambiguous: 'reasoning-chunk-ambiguous',
  fixed: [],
  owners: (work) => work.run.owners.reasoning,
  needs: [],
  open: (work, id, lane) => openMessage(work, id, 'chunk', lane),
};

/** REASONING_MESSAGE_CHUNK. */
export const reasoningChunk = (work: Work): void => chunk(work, CHUNKS);

/** REASONING_ENCRYPTED_VALUE: goes on with the entity it names (rules.md §6 no. 18). */
export function encryptedValue(work: Work): void {
  const { run, state, event } = work;
  const id = text(event['entityId']);
  const subtype = text(event['subtype']);
  if (id === undefined || subtype === undefined) return;
  const call = subtype === 'tool-call';
  const track = call ? run.tracks.tool.get(id) : (run.tracks.text.get(id) ?? run.tracks.reasoning.get(id));
  if (track !== undefined && track.item >= 0) touch(work, track);
  if (call) checkOwner(work, run.owners.tool, id, 'tool call');
  else if (run.owners.message.has(id)) checkOwner(work, run.owners.message, id, 'message');
  else if (run.owners.reasoning.has(id)) checkOwner(work, run.owners.reasoning, id, 'reasoning message');
  else checkOwner(work, run.owners.span, id, 'reasoning message');
  if (!state.historyKnown) return;
  const known = call ? state.calls.get(id) : state.messages.get(id);
  if (known !== undefined && known.kind !== 'activity') return;
  report(work, {
    rule: 'reasoning-encrypted-unknown-entity',
    subject: id,
    message: `The encrypted value names ${known === undefined ? 'the unknown' : 'the activity'} ${quote(id)} and is dropped; name a message or call that was sent before.`,
  });
}
