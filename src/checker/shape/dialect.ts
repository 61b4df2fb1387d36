/** Spellings of 0.x and of careless serialisers: types in another case, snake_case fields (rules.md §6 no. 14, M11). */
import { EVENT_TYPES } from '../../protocol/events.ts';
import { RETIRED_TYPES } from './retired.ts';
import type { EventNode, FieldNode, ObjectNode } from './table.ts';
import { squash } from './words.ts';

const BY_LETTERS: ReadonlyMap<string, string> = new Map([...EVENT_TYPES, ...RETIRED_TYPES].map((type) => [squash(type), type]));

/** The type this is another spelling of (`run_started`, `RunStarted`, `runStarted`, `RunStartedEvent`), or null. */
export function respell(type: string): string | null {
  const letters = squash(type);
  return BY_LETTERS.get(letters) ?? (letters.endsWith('EVENT') ? (BY_LETTERS.get(letters.slice(0, -'EVENT'.length)) ?? null) : null);
}

/** Whether a type opens or closes something: a boundary, an opener or a closer. */
export function isStructural(type: string): boolean {
  return /_(START|STARTED|END|FINISHED|ERROR)$/.test(type) && !RETIRED_TYPES.has(type);
}

/** The snake_case spelling of a field's name. */
export function snakeOf(field: string): string {
  return field.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

function camelOf(key: string): string {
  return key.replaceAll(/_+([a-z0-9])/gi, (_, letter: string) => letter.toUpperCase());
}

/** The known field that `key` is the snake_case twin of, when that field itself is absent. */
export function twinOf(node: ObjectNode, key: string, value: Readonly<Record<string, unknown>>): FieldNode | null {
  if (!key.includes('_')) return null;
  const field = node.fields.get(camelOf(key));
  return field !== undefined && field.key !== key && value[field.key] === undefined ? field : null;
}

/** The first of `fields` that is missing while its snake_case twin is there, or null. */
export function missingTwin(fields: Iterable<string>, value: Readonly<Record<string, unknown>>): string | null {
  for (const field of fields) {
    if (value[field] !== undefined) continue;
    const snake = snakeOf(field);
    if (snake !== field && value[snake] !== undefined) return field;
  }
  return null;
}

/** The event's own fields in their known spelling. Nested objects are respelt where they are judged. */
export function camelFields(node: EventNode, event: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const out: Record<string, unknown> = {};
  for (const key of Object.keys(event)) {
    const name = twinOf(node.object, key, event)?.key ?? key;
    if (name !== '__proto__') out[name] = event[key];
  }
  return out;
}

function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= b.length; j += 1) {
      next.push(Math.min(row[j]! + 1, next[j - 1]! + 1, row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1)));
    }
    row = next;
  }
  return row[b.length]!;
}

/** The known type that an unknown one was probably meant to be: another spelling, or two letters off at most. */
export function nearestType(type: string): string | null {
  const exact = respell(type);
  if (exact !== null) return exact;
  const letters = squash(type);
  if (letters.length < 6 || letters.length > 40) return null;
  let best: string | null = null;
  let least = 3;
  for (const known of EVENT_TYPES) {
    const apart = Math.abs(known.length - letters.length) > 8 ? 3 : distance(letters, squash(known));
    if (apart < least) {
      least = apart;
      best = known;
    }
  }
  return best;
}
