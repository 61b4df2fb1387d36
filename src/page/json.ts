/** Values that came from JSON, back to text. */
import { hasOwn, stringify } from './natives.ts';

const SHARED = [Object.prototype, Array.prototype, String.prototype, Number.prototype, Boolean.prototype];

/** The JSON of a value that was parsed from JSON; undefined where a page has put a `toJSON` on a prototype, which would be run. */
export function jsonOf(value: unknown): string | undefined {
  for (let i = 0; i < SHARED.length; i += 1) if (hasOwn(SHARED[i] as object, 'toJSON')) return undefined;
  return stringify(value);
}
