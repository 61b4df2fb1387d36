/** Trouble on purpose: a plan says in JSON what is changed about an answer, recorded or live. docs/plans.md describes the format. */
import { isObject } from '../stream/payload.ts';
import { FIELDS, type Field } from './plan-fields.ts';
import { jsonOf } from './text.ts';

/**
 * One event of the stream as it was before any change: its number, counted from 0 as findings count, or the how-manieth of its type,
 * counted from 1; -1 is the last, which only a recorded stream can tell.
 */
export type EventChoice = number | { readonly type: string; readonly nth?: number };

/** An event, or so many bytes of the body as it is sent. */
export type Place = EventChoice | { readonly byte: number };

export type Change =
  /** Ends the answer behind a place. */
  | { readonly do: 'cut'; readonly after: Place; readonly end?: 'network-error' | 'complete' }
  /** Nothing more comes behind a place; the connection stays open. */
  | { readonly do: 'stall'; readonly after: Place }
  | { readonly do: 'drop'; readonly event: EventChoice }
  /** The event comes `times` (1) times more. */
  | { readonly do: 'duplicate'; readonly event: EventChoice; readonly times?: number }
  /** The event comes behind the one that follows it. */
  | { readonly do: 'swap'; readonly event: EventChoice }
  /** What is at the place, and all behind it, comes `ms` later. */
  | { readonly do: 'delay'; readonly from: Place; readonly ms: number }
  /** From the place on (from the start), no more bytes a second than this. */
  | { readonly do: 'slow'; readonly bytesPerSecond: number; readonly from?: Place }
  /** All bytes in pieces of `every`, `pause` (0) ms apart. */
  | { readonly do: 'split'; readonly every: number; readonly pause?: number }
  /** The frame of one event in two pieces, the first of `offset` bytes. */
  | { readonly do: 'split'; readonly event: EventChoice; readonly offset: number; readonly pause?: number }
  | { readonly do: 'insert'; readonly before: EventChoice; readonly value: Readonly<Record<string, unknown>> }
  | { readonly do: 'insert'; readonly after: EventChoice; readonly value: Readonly<Record<string, unknown>> }
  /** `field` is a JSON pointer; '' is the whole event. */
  | { readonly do: 'set'; readonly event: EventChoice; readonly field: string; readonly value: unknown }
  | { readonly do: 'remove'; readonly event: EventChoice; readonly field: string }
  /** Instead of the stream. A body that is no text is sent as JSON. */
  | { readonly do: 'answer'; readonly status: number; readonly contentType?: string; readonly body?: unknown };

/** A change that waits for an event, or is made on one. */
export type EventChange = Exclude<Change, { do: 'answer' } | { do: 'split'; every: number }>;

export interface Plan {
  readonly runlens: 'plan';
  readonly version: 1;
  /** What it tries, in words. */
  readonly name: string;
  readonly changes: readonly Change[];
}

/** Changes nothing. */
export const NO_PLAN: Plan = { runlens: 'plan', version: 1, name: '', changes: [] };

export type PlanResult = { readonly plan: Plan } | { readonly error: string };

/** The fields of each change, and which of them must be there: `a|b` is one of the two. */
const SHAPES: Readonly<Record<Change['do'], readonly Shape[]>> = {
  cut: [{ needs: { after: 'place' }, may: { end: 'end' } }],
  stall: [{ needs: { after: 'place' } }],
  drop: [{ needs: { event: 'event' } }],
  duplicate: [{ needs: { event: 'event' }, may: { times: 'times' } }],
  swap: [{ needs: { event: 'event' } }],
  delay: [{ needs: { from: 'place', ms: 'ms' } }],
  slow: [{ needs: { bytesPerSecond: 'bytes' }, may: { from: 'place' } }],
  split: [
    { needs: { every: 'bytes' }, may: { pause: 'ms' } },
    { needs: { event: 'event', offset: 'bytes' }, may: { pause: 'ms' } },
  ],
  insert: [{ needs: { before: 'event', value: 'object' } }, { needs: { after: 'event', value: 'object' } }],
  set: [{ needs: { event: 'event', field: 'pointer', value: 'any' } }],
  remove: [{ needs: { event: 'event', field: 'part' } }],
  answer: [{ needs: { status: 'status' }, may: { contentType: 'media', body: 'any' } }],
};

interface Shape {
  readonly needs: Readonly<Record<string, Field>>;
  readonly may?: Readonly<Record<string, Field>>;
}

const KINDS = Object.keys(SHAPES) as Change['do'][];
const MOST_CHANGES = 1000;
const PLAN_FIELDS = ['runlens', 'version', 'name', 'changes'];

/** Reads the text of a plan. Never throws: what is wrong is one sentence that names the change, the field, and what would be right. */
export function parsePlan(text: string): PlanResult {
  let value: unknown;
  try {
    value = JSON.parse(text.replace(/^\ufeff/, ''));
  } catch (error) {
    return { error: `The plan is not JSON: ${(error as Error).message}.` };
  }
  return readPlan(value);
}

/** A plan out of any value. Unknown fields are refused, so that a slip of the pen is no change that quietly does nothing. */
export function readPlan(value: unknown): PlanResult {
  if (!isObject(value)) return { error: 'A plan is a JSON object: { "runlens": "plan", "version": 1, "name": "…", "changes": [ … ] }.' };
  const unknown = Object.keys(value).find((key) => !PLAN_FIELDS.includes(key));
  if (unknown !== undefined) return { error: `The plan has a field ${quoted(unknown)}; it may have ${listed(PLAN_FIELDS)}.` };
  if (value['runlens'] !== 'plan') return { error: 'This is no plan: it must begin with "runlens": "plan".' };
  if (value['version'] !== 1) return { error: 'The plan’s "version" must be 1; this Runlens knows no other.' };
  if (typeof value['name'] !== 'string') return { error: 'The plan’s "name" must be a text that says what it tries.' };
  const { changes } = value;
  if (!Array.isArray(changes)) return { error: 'The plan’s "changes" must be a list, [ ] where nothing is changed.' };
  if (changes.length > MOST_CHANGES) return { error: `The plan has ${changes.length} changes; it may have ${MOST_CHANGES}.` };
  for (const [index, change] of changes.entries()) {
    const wrong = faultOf(change);
    if (wrong !== null) return { error: `Change ${index + 1}${nameOf(change)}: ${wrong}` };
  }
  return { plan: { runlens: 'plan', version: 1, name: value['name'], changes: changes as Change[] } };
}

/** The plan as a text to edit: a line a change. */
export function writePlan({ name, changes }: Plan): string {
  // line ends in JSON are never inside a text
  const lines = changes.map((change) => `\n    ${JSON.stringify(change, null, 1).replaceAll(/\n */g, ' ')}`).join(',');
  return `{\n  "runlens": "plan",\n  "version": 1,\n  "name": ${JSON.stringify(name)},\n  "changes": [${lines}${lines ? '\n  ' : ''}]\n}\n`;
}

function nameOf(change: unknown): string {
  const kind = isObject(change) ? change['do'] : undefined;
  return isKind(kind) ? ` (${kind})` : '';
}

function isKind(kind: unknown): kind is Change['do'] {
  return typeof kind === 'string' && Object.hasOwn(SHAPES, kind);
}

/** What is wrong with one change, as a sentence; null for nothing. */
function faultOf(change: unknown): string | null {
  if (!isObject(change)) return 'it must be an object such as { "do": "drop", "event": 3 }.';
  const { do: kind } = change;
  if (!isKind(kind)) return `"do" ${kind === undefined ? 'is missing' : `is ${shown(kind)}`}; it must be one of ${listed(KINDS)}.`;
  const shapes = SHAPES[kind];
  const shape = shapes.find(({ needs }) => Object.hasOwn(change, Object.keys(needs)[0]!)) ?? shapes[0]!;
  const fields = { ...shape.needs, ...shape.may };
  for (const key of Object.keys(change)) {
    if (key !== 'do' && !Object.hasOwn(fields, key)) return `it has a field ${quoted(key)}; it may have ${shapes.map(fieldsOf).join(', or ')}.`;
  }
  for (const key of Object.keys(shape.needs)) {
    if (!Object.hasOwn(change, key)) return `${alternatives(shapes, key)} is missing; it must be ${FIELDS[shape.needs[key]!].must}.`;
  }
  for (const [key, field] of Object.entries(fields)) {
    if (Object.hasOwn(change, key) && !FIELDS[field].fits(change[key])) return `"${key}" is ${shown(change[key])}; it must be ${FIELDS[field].must}.`;
  }
  return null;
}

/** The missing field, with what could stand in its place: `"before" or "after"`. */
function alternatives(shapes: readonly Shape[], key: string): string {
  const firsts = shapes.map(({ needs }) => Object.keys(needs)[0]!);
  return (firsts.includes(key) ? [...new Set(firsts)] : [key]).map(quoted).join(' or ');
}

function fieldsOf({ needs, may }: Shape): string {
  return listed(Object.keys({ ...needs, ...may }));
}

function listed(names: readonly string[]): string {
  const all = names.map(quoted);
  return all.length < 2 ? all.join('') : `${all.slice(0, -1).join(', ')} and ${all.at(-1)}`;
}

function quoted(text: string): string {
  return `"${text.length > 40 ? `${text.slice(0, 39)}…` : text}"`;
}

function shown(value: unknown): string {
  const text = jsonOf(value) ?? 'nothing that JSON could hold';
  return text.length > 60 ? `${text.slice(0, 59)}…` : text;
}
