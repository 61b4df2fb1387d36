/** Whose an item is. The opener decides, for the whole run and beyond the close; an absent tag never disagrees (rules.md §4.7). */
import type { OwnerRecord } from './tracking.ts';
import { ownerName, quote, reportOnce, type Work } from './work.ts';

function mismatch(work: Work, record: OwnerRecord, noun: string, id: string): void {
  reportOnce(work, {
    rule: 'subagent-attribution-mismatch',
    key: `${noun} ${id}`,
    subject: id,
    related: [record.at],
    message: `${work.type} is tagged with subagent ${quote(work.tag ?? '')}, but ${noun} ${quote(id)} belongs to ${ownerName(record.owner)}; use the tag of its opener or none.`,
  });
}

/** An opener claims an id: the first one owns it, a later one has to agree. Answers the owner. */
export function claimOwner(work: Work, owners: Map<string, OwnerRecord>, id: string, noun: string): string | null {
  const record = owners.get(id);
  const { tag } = work;
  if (record === undefined) {
    const owner = tag ?? null;
    if (!work.tagBroken) owners.set(id, { owner, at: work.at });
    return owner;
  }
  if (tag !== undefined && record.owner !== tag) mismatch(work, record, noun, id);
  return record.owner;
}

/** A tagged event goes on with an item: its tag has to be the owner's. */
export function checkOwner(work: Work, owners: Map<string, OwnerRecord>, id: string, noun: string): void {
  if (work.tag === undefined) return;
  const record = owners.get(id);
  if (record !== undefined && record.owner !== work.tag) mismatch(work, record, noun, id);
}

/** The id is given to an owner whatever was recorded: results, snapshots and replacing activities do so. */
export function setOwner(work: Work, owners: Map<string, OwnerRecord>, id: string, owner: string | null): void {
  owners.set(id, { owner, at: work.at });
}
