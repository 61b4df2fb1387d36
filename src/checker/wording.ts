/** Reading a field that may be anything, and the words of a message. Imports nothing, so that every rule can use it. */

/** A string field, undefined if it is absent or anything else. */
export function text(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

/** Whether a value is an object that is no array. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const LONGEST = 80;

/** An id as a message quotes it. */
export function quote(id: string): string {
  return `"${id.length > LONGEST ? `${id.slice(0, LONGEST)}…` : id}"`;
}

/** An owner as a message names it. */
export function ownerName(owner: string | null): string {
  return owner === null ? 'the parent agent' : `subagent ${quote(owner)}`;
}

const LISTED = 12;

/** A list for a message, cut where it gets long. */
export function listOf(parts: readonly string[]): string {
  if (parts.length <= LISTED) return parts.join(', ');
  return `${parts.slice(0, LISTED).join(', ')} and ${parts.length - LISTED} more`;
}
