/** What one frame's payload text holds: the JSON values in it and what is wrong with them (rules.md §4.12). */
import { NO_FAULTS } from './state.ts';
import type { FrameFault } from './types.ts';

export interface Payload {
  readonly values: readonly unknown[];
  readonly faults: readonly FrameFault[];
  /** Set when the payload is not exactly one event. */
  readonly text?: string;
}

/** `JSON.parse` that answers undefined where that throws. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const ONE_EVENT: readonly FrameFault[] = Object.freeze(['frame-not-one-event'] as const);
const NOT_JSON: readonly FrameFault[] = Object.freeze(['frame-not-json'] as const);

/**
 * An object is a good frame; so is a bare number, boolean or null as far as framing goes (`schema-not-an-event` judges it). An
 * array, a string (an event encoded twice gives its event) and objects in a row are `frame-not-one-event`; all else `frame-not-json`.
 */
export function readPayload(text: string): Payload {
  const value = parseJson(text);
  if (isObject(value)) return { values: [value], faults: NO_FAULTS };
  if (value === undefined) {
    const several = splitObjects(text);
    return several ? { values: several, faults: ONE_EVENT, text } : { values: [], faults: NOT_JSON, text };
  }
  if (Array.isArray(value)) return { values: value.filter(isObject), faults: ONE_EVENT, text };
  if (typeof value === 'string') {
    const inner = parseJson(value);
    return { values: isObject(inner) ? [inner] : [], faults: ONE_EVENT, text };
  }
  return { values: [value], faults: NO_FAULTS };
}

const QUOTE = 34;
const BACKSLASH = 92;

/** The objects of a text that is nothing but JSON objects in a row, or null. */
function splitObjects(text: string): unknown[] | null {
  const values: unknown[] = [];
  let from = 0;
  let depth = 0;
  let inString = false;
  for (let i = 0; i < text.length; i++) {
    const char = text.charCodeAt(i);
    if (inString) {
      if (char === BACKSLASH) i++;
      else if (char === QUOTE) inString = false;
      continue;
    }
    if (char === QUOTE) inString = true;
    else if (char === 123 || char === 91) depth++;
    else if ((char === 125 || char === 93) && --depth <= 0) {
      const value = parseJson(text.slice(from, i + 1));
      if (!isObject(value)) return null;
      values.push(value);
      from = i + 1;
      depth = 0;
    }
  }
  return values.length > 1 && text.slice(from).trim() === '' ? values : null;
}
