/** Events of a file as they go to the checker: what a recorder added is taken off and read as times. */

/** Keys a recorder adds to each event; none is an AG-UI field. */
const EXTRAS = ['_timestamp', '_offset_ms', '_index'] as const;

/** Times of a file's events, ms since the epoch, never falling. Plain data. */
export interface FileClock {
  /** Where offsets begin. */
  readonly base: number;
  last: number | null;
}

export function createClock(base: number): FileClock {
  return { base, last: null };
}

/** The event without a recorder's extras; the very value where it has none. */
export function withoutExtras(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  if (!EXTRAS.some((key) => Object.hasOwn(value, key))) return value;
  // fromEntries defines keys, so that an event's own "__proto__" stays a key
  return Object.fromEntries(Object.entries(value).filter(([key]) => !(EXTRAS as readonly string[]).includes(key)));
}

/** JSON text of a value; null for one nested beyond the stack. */
export function toJson(value: unknown): string | null {
  try {
    return JSON.stringify(value) ?? null;
  } catch {
    return null;
  }
}

/** When an event happened, by `_offset_ms`, else `_timestamp`, else its own `timestamp`; else a millisecond after the one before, so that order stays visible. */
export function timeOf(clock: FileClock, value: unknown): number {
  const said = toldTime(clock, value);
  const next = clock.last === null ? (said ?? clock.base) : Math.max(said ?? clock.last + 1, clock.last);
  clock.last = next;
  return next;
}

function toldTime(clock: FileClock, value: unknown): number | null {
  if (typeof value !== 'object' || value === null) return null;
  const { _offset_ms: offset, _timestamp: recorded, timestamp } = value as Record<string, unknown>;
  if (isTime(offset)) return clock.base + offset;
  if (isTime(recorded)) return toMs(recorded);
  return isTime(timestamp) && timestamp >= 1e9 ? toMs(timestamp) : null;
}

function isTime(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 && value < 1e14;
}

/** 1e11 is the year 5138 in seconds and 1973 in ms: what is below is seconds. */
function toMs(value: number): number {
  return value < 1e11 ? value * 1000 : value;
}
