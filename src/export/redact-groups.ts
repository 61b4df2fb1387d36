/** What a reader of a capture may have taken out of it, as sets of bits. */

/**
 * `ids` are ids and the names things are told apart by (steps, tools, subagents, models, error codes). What belongs to no group (fields
 * and types the protocol does not know, RAW, rawEvent, metadata, results, error messages, stacks, SSE comments, frames that do not parse)
 * goes with any of them.
 */
export type Group = 'text' | 'reasoning' | 'tool' | 'state' | 'activity' | 'custom' | 'request' | 'urls' | 'ids';

export const GROUPS: readonly Group[] = ['text', 'reasoning', 'tool', 'state', 'activity', 'custom', 'request', 'urls', 'ids'];

export const TEXT = 1;
export const REASONING = 2;
export const TOOL = 4;
export const STATE = 8;
export const ACTIVITY = 16;
export const CUSTOM = 32;
export const REQUEST = 64;
export const URLS = 128;
export const IDS = 256;
export const ANY = 511;

/** The bits of the groups; 0 redacts nothing. */
export function maskOf(groups: ReadonlySet<Group> | 'all'): number {
  if (groups === 'all') return ANY;
  return GROUPS.reduce((mask, group, index) => (groups.has(group) ? mask | (1 << index) : mask), 0);
}

/** The groups of a mask, in the order of GROUPS. */
export function groupsOf(mask: number): Group[] {
  return GROUPS.filter((_, index) => (mask & (1 << index)) !== 0);
}
