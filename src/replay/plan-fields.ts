/** What may stand in the fields of a plan's changes, and the words for it. */
import { isObject } from '../stream/payload.ts';

export type Field = 'event' | 'place' | 'end' | 'times' | 'ms' | 'bytes' | 'object' | 'pointer' | 'part' | 'any' | 'status' | 'media';

interface FieldRule {
  readonly fits: (value: unknown) => boolean;
  /** Ends the sentence "it must be …". */
  readonly must: string;
}

const MOST_TIMES = 1000;
const MOST_MS = 3_600_000;

const isCount = (value: unknown, least: number, most = Number.MAX_SAFE_INTEGER): boolean =>
  Number.isInteger(value) && (value as number) >= least && (value as number) <= most;

function hasOnly(value: Record<string, unknown>, ...keys: readonly string[]): boolean {
  return Object.keys(value).every((key) => keys.includes(key));
}

function isEvent(value: unknown): boolean {
  if (!isObject(value)) return isCount(value, 0);
  const { type, nth } = value;
  return typeof type === 'string' && type !== '' && hasOnly(value, 'type', 'nth') && (nth === undefined || (Number.isInteger(nth) && nth !== 0));
}

const isByte = (value: unknown): boolean => isObject(value) && hasOnly(value, 'byte') && isCount(value['byte'], 0);

/** RFC 6901. */
const isPointer = (value: unknown): boolean => typeof value === 'string' && /^(\/([^/~]|~[01])*)*$/.test(value);

/** A response of these statuses has no body, and browsers refuse to make one with it. */
const BODILESS = [204, 205, 304];

const EVENT = 'an event: its number from 0, or { "type": "TOOL_CALL_ARGS", "nth": 1 }, where nth counts from 1 (the first) or from -1 (the last)';

export const FIELDS: Readonly<Record<Field, FieldRule>> = {
  event: { fits: isEvent, must: EVENT },
  place: { fits: (value) => isEvent(value) || isByte(value), must: `${EVENT}; or bytes of the body: { "byte": 100 }` },
  end: { fits: (value) => value === 'network-error' || value === 'complete', must: '"network-error" or "complete"' },
  times: { fits: (value) => isCount(value, 1, MOST_TIMES), must: `a whole number from 1 to ${MOST_TIMES}` },
  ms: { fits: (value) => typeof value === 'number' && value >= 0 && value <= MOST_MS, must: 'a number of ms from 0 to 3600000 (an hour)' },
  bytes: { fits: (value) => isCount(value, 1), must: 'a whole number of bytes, 1 or more' },
  object: { fits: isObject, must: 'an event as an object, such as { "type": "RUN_ERROR", "message": "…" }' },
  pointer: { fits: isPointer, must: 'a JSON pointer such as "/delta" or "/outcome/type", or "" for the whole event' },
  part: { fits: (value) => value !== '' && isPointer(value), must: 'a JSON pointer such as "/delta" or "/outcome/type"' },
  any: { fits: () => true, must: 'any value' },
  status: {
    fits: (value) => isCount(value, 200, 599) && !BODILESS.includes(value as number),
    must: 'an HTTP status from 200 to 599 that has a body',
  },
  media: { fits: (value) => typeof value === 'string' && /^[\x20-\x7e]*$/.test(value), must: 'a media type such as "application/json"' },
};
