/** How complaints are worded and ordered. */
import type { Complaint } from './types.ts';

/** The rules this stage can name, in the catalogue's order. */
export const SHAPE_RULES = [
  'run-unknown-outcome',
  'reasoning-encrypted-unknown-subtype',
  'reasoning-encrypted-type-orphan',
  'subagent-unknown-outcome',
  'subagent-success-with-interrupts',
  'interrupt-on-other-outcome',
  'schema-not-an-event',
  'schema-missing-field',
  'schema-malformed-value',
  'schema-null-field',
  'schema-unknown-event-type',
  'schema-unknown-property',
  'schema-unknown-union-member',
  'schema-unknown-enum-value',
  'schema-reserved-metadata-key',
  'version-retired-event',
  'version-retired-shape',
  'version-dialect-type',
  'version-dialect-fields',
  'version-uninterpretable',
  'version-newer',
  'version-undeclared',
] as const;

export type ShapeRule = (typeof SHAPE_RULES)[number];

const RANK: ReadonlyMap<string, number> = new Map(SHAPE_RULES.map((rule, rank) => [rule, rank]));

/** Complaints in the catalogue's order; those of one rule stay in the order of the event's fields. */
export function inOrder(complaints: readonly Complaint[]): readonly Complaint[] {
  if (complaints.length < 2) return complaints;
  return [...complaints].sort((a, b) => RANK.get(a.rule)! - RANK.get(b.rule)!);
}

/** A text in quotes, cut so that a sentence stays a sentence. */
export function quote(text: string): string {
  return JSON.stringify(text.length > 60 ? `${text.slice(0, 59)}…` : text);
}

/** What was met, for a sentence: `the number 42`, `null`, `an empty array`. */
export function inWords(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return value.length === 0 ? 'an empty array' : 'an array';
  switch (typeof value) {
    case 'string':
      return `the string ${quote(value)}`;
    case 'number':
      return `the number ${value}`;
    case 'boolean':
      return String(value);
    case 'undefined':
      return 'nothing';
    default:
      return 'an object';
  }
}

/** One more reading of a name, free of case and separators: what the spellings of one name have in common. */
export function squash(name: string): string {
  return name.replaceAll(/[^A-Za-z0-9]/g, '').toUpperCase();
}
