/** What becomes of single values: kept, redacted, or kept as far as they have the form that says nothing. */
import { respell } from '../checker/shape/dialect.ts';
import { RETIRED_TYPES, replacementOf } from '../checker/shape/retired.ts';
import { isEventType } from '../protocol/events.ts';
import { IDS } from './redact-groups.ts';
import type { Policy } from './redact-json.ts';
import { keyStandIn, type Mode, numberStandIn, pointerStandIn, type StandIns, standIn } from './redact-stand-ins.ts';
import { KEY_WORDS } from './redact-words.ts';

/** The policy of a value, which may depend on the value itself (a union's tag). */
export type Pick = (value: unknown) => Policy;

export interface Making {
  readonly standIns: StandIns;
  readonly on: number;
  readonly free: Policy;
}

export const same = (text: string): string => text;
export const KEEP: Policy = { keep: true, string: same, number: same, literal: same, key: same, member: () => KEEP, element: () => KEEP };

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function freePolicy(standIns: StandIns, mode: Mode): Policy {
  const free: Policy = {
    keep: false,
    string: (text) => standIn(standIns, text, mode),
    number: (raw) => numberStandIn(standIns, raw),
    literal: (raw) => {
      if (raw === 'null') return raw;
      standIns.counts.literals++;
      // one for both: which of the two it was is content, and the shorter fits where either stood
      return 'true';
    },
    key: (key) => keyStandIn(standIns, key),
    member: () => free,
    element: () => free,
  };
  return free;
}

/** The type of the schema that a type is or is a spelling of, or null. */
export function knownType(type: string): string | null {
  if (isEventType(type)) return type;
  if (RETIRED_TYPES.has(type)) return replacementOf(type);
  const meant = /^[A-Za-z_ .-]{1,60}$/.test(type) ? respell(type) : null;
  return meant === null ? null : replacementOf(meant);
}

/** A text that stays where `stays` says so; else, and for any other kind of value, free. */
export function leaf({ free }: Making, write: (text: string) => string | null, numbers = false, booleans = false): Policy {
  return {
    ...free,
    string: (text) => write(text) ?? free.string(text),
    ...(numbers ? { number: same } : {}),
    ...(booleans ? { literal: same } : {}),
  };
}

export function typeLeaf(making: Making): Policy {
  return leaf(making, (text) => (knownType(text) === null ? null : text));
}

/** Content of these groups. */
export function content(making: Making, groups: number, mode: Mode = 'text'): Policy {
  if ((making.on & groups) === 0) return KEEP;
  return mode === 'text' ? making.free : leaf(making, (text) => standIn(making.standIns, text, mode));
}

export function idLeaf(making: Making): Policy {
  return leaf(making, (text) => (making.on & IDS ? standIn(making.standIns, text, 'id') : text));
}

export function objectOf({ free }: Making, members: ReadonlyMap<string, Pick>): Policy {
  return {
    ...free,
    key: (key) => (members.has(key) || KEY_WORDS.has(key) ? key : free.key(key)),
    member: (key, value) => members.get(key)?.(value) ?? free,
  };
}

/** A date stays a date, in a form that can hold nothing else. */
export function dateOf(text: string): string | null {
  if (/^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:?\d\d)?)?$/.test(text)) return text;
  const time = Date.parse(text);
  return Number.isNaN(time) ? null : new Date(time).toISOString();
}

/** RAW is told from an event that should have been sent itself by the type inside. */
export function rawPolicy(making: Making): Policy {
  const { free } = making;
  const isType = (value: unknown): boolean => typeof value === 'string' && isEventType(value);
  return {
    ...free,
    key: (key) => (key === 'type' ? key : free.key(key)),
    member: (key, value) => (key === 'type' && isType(value) ? typeLeaf(making) : free),
  };
}

const OPS: ReadonlySet<string> = new Set(['add', 'remove', 'replace', 'move', 'copy', 'test']);
const OP_KEYS: ReadonlySet<string> = new Set(['op', 'path', 'from', 'value']);

/** A patch still applies: the keys in its pointers become what the keys of the document become. */
export function patchPolicy(making: Making, group: number): Policy {
  if ((making.on & group) === 0) return KEEP;
  const { free, standIns } = making;
  const op = leaf(making, (text) => (OPS.has(text) ? text : null));
  const pointer = leaf(making, (text) => pointerStandIn(standIns, text));
  const operation: Policy = {
    ...free,
    key: (key) => (OP_KEYS.has(key) ? key : free.key(key)),
    member: (key) => (key === 'op' ? op : key === 'path' || key === 'from' ? pointer : free),
  };
  return { ...free, element: (value) => (isObject(value) ? operation : free) };
}
