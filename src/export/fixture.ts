/** Events as a TypeScript module for a test. */
import { isEventType } from '../protocol/events.ts';

const IDENTIFIER = /^[A-Za-z_$][\w$]*$/;
/** Words that cannot name a constant in a module. */
const WORDS = new Set(
  (
    'arguments await break case catch class const continue debugger default delete do else enum eval export extends false finally for function if ' +
    'implements import in instanceof interface let new null package private protected public return static super switch this throw true try typeof ' +
    'undefined var void while with yield EventType BaseEvent'
  ).split(' '),
);

/**
 * A module that exports the events, as sent and in order, under `name` turned into an identifier. Those that @ag-ui/core has no type for
 * are cast, so that the module compiles whatever the stream held. An event nested beyond the stack is left out with a remark. `notes` are
 * sentences on where the events came from.
 */
export function toFixture(events: readonly unknown[], name: string, notes: readonly string[] = []): string {
  const lines = events.map((event, index) => `  ${entry(event, index)}`);
  const typed = lines.some((line) => line.includes('EventType.'));
  return [
    `/** ${events.length} AG-UI ${events.length === 1 ? 'event' : 'events'} as ${events.length === 1 ? 'it was' : 'they were'} sent, captured with Runlens. */`,
    ...notes.map((note) => `// ${note.replaceAll(/\s+/g, ' ')}`),
    typed ? "import { type BaseEvent, EventType } from '@ag-ui/core';" : "import type { BaseEvent } from '@ag-ui/core';",
    '',
    `export const ${identifierOf(name)}: BaseEvent[] = [`,
    ...lines,
    '];',
    '',
  ].join('\n');
}

function entry(event: unknown, index: number): string {
  try {
    return isTyped(event) ? `${literal(event, true)},` : `${literal(event, false)} as unknown as BaseEvent,`;
  } catch {
    return `// event ${index} is nested too deeply to be written out`;
  }
}

/** Whether an event has the fields of BaseEvent in their types; its other fields may be anything. */
function isTyped(event: unknown): event is Record<string, unknown> {
  if (!isObject(event)) return false;
  const { type, timestamp, metadata } = event;
  if (typeof type !== 'string' || !isEventType(type)) return false;
  return (timestamp === undefined || typeof timestamp === 'number') && (metadata === undefined || isObject(metadata));
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function literal(value: unknown, isEvent: boolean): string {
  if (Array.isArray(value)) return `[${value.map((item) => literal(item, false)).join(', ')}]`;
  if (!isObject(value)) return value === undefined ? 'undefined' : text(value);
  const members = Object.entries(value).map(([key, item]) => `${keyOf(key)}: ${isEvent && key === 'type' ? `EventType.${item}` : literal(item, false)}`);
  return members.length === 0 ? '{}' : `{ ${members.join(', ')} }`;
}

/** A string in single quotes; anything else is JSON. */
function text(value: unknown): string {
  if (typeof value !== 'string') return JSON.stringify(value);
  const inner = JSON.stringify(value).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'");
  return `'${inner.replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029')}'`;
}

/** In a literal `__proto__: x` would set the prototype. */
function keyOf(key: string): string {
  if (key === '__proto__') return "['__proto__']";
  return IDENTIFIER.test(key) ? key : text(key);
}

/** `checkout run #2` as `checkoutRun2`. */
export function identifierOf(name: string): string {
  const [first = '', ...rest] = name.split(/[^A-Za-z0-9]+/).filter((word) => word !== '');
  const joined = first.slice(0, 1).toLowerCase() + first.slice(1) + rest.map((word) => word.slice(0, 1).toUpperCase() + word.slice(1)).join('');
  const short = joined.slice(0, 60);
  if (short === '') return 'events';
  return /^\d/.test(short) || WORDS.has(short) ? `events${short.slice(0, 1).toUpperCase()}${short.slice(1)}` : short;
}
