/** Which rows pass the toolbar's filter: kinds, one run or thread, and text over types, ids, names, rules, URLs and (when scanned) payloads. */
import { EVENT_TYPES, type Kind, kindOf, TYPE_BAD_FRAME, TYPE_UNKNOWN } from '../../protocol/events.ts';
import type { Store } from './store.ts';

/** The toolbar's kinds. Runs are never filtered by kind. */
export type Chip = 'step' | 'text' | 'reasoning' | 'tool' | 'subagent' | 'state' | 'other';
export const CHIPS: readonly (readonly [Chip, string])[] = [
  ['step', 'Steps'],
  ['text', 'Messages'],
  ['reasoning', 'Reasoning'],
  ['tool', 'Tools'],
  ['subagent', 'Subagents'],
  ['state', 'State'],
  ['other', 'Other'],
];

/** The chip a kind of event belongs to; null for runs. */
export function chipOf(kind: Kind): Chip | null {
  if (kind === 'run') return null;
  if (kind === 'messages') return 'text';
  if (kind === 'activity' || kind === 'custom' || kind === 'raw' || kind === 'unknown') return 'other';
  return kind;
}

export interface FilterQuery {
  readonly text: string;
  readonly hidden: ReadonlySet<string>;
  readonly run: number | null;
  readonly thread: string | null;
  readonly findingsOnly: boolean;
  /** Whether a row's payload was found to hold the text; false while not scanned. */
  readonly inPayload: (row: number) => boolean;
}

/** Kind of a row's type code, as the icons and chips know it. */
export function kindOfCode(code: number): Kind {
  if (code === TYPE_BAD_FRAME || code === TYPE_UNKNOWN) return 'unknown';
  return kindOf(EVENT_TYPES[code] ?? '');
}

const HAS_FINDING = 2;

function kindTable(hidden: ReadonlySet<string>): Uint8Array {
  const table = new Uint8Array(256).fill(1);
  for (let code = 0; code < 256; code++) {
    const chip = chipOf(kindOfCode(code));
    if (chip && hidden.has(chip)) table[code] = 0;
  }
  table[TYPE_BAD_FRAME] = 1;
  return table;
}

/** A lazily filled answer per id: -1 not asked yet. */
function remembered(ask: (id: number) => boolean): (id: number) => boolean {
  const known = new Map<number, boolean>();
  return (id) => {
    if (id < 0) return false;
    let answer = known.get(id);
    if (answer === undefined) {
      answer = ask(id);
      known.set(id, answer);
    }
    return answer;
  };
}

function textMatcher(store: Store, text: string, inPayload: (row: number) => boolean): (row: number) => boolean {
  const needle = text.toLowerCase();
  const has = (value: string | null | undefined): boolean => value?.toLowerCase().includes(needle) === true;
  const types = new Uint8Array(256);
  EVENT_TYPES.forEach((type, code) => {
    if (has(type)) types[code] = 1;
  });
  if (has('BAD FRAME')) types[TYPE_BAD_FRAME] = 1;
  const span = remembered((id) => {
    const view = store.spans[id];
    return view !== undefined && (has(view.itemId) || has(view.label) || has(view.owner));
  });
  const run = remembered((id) => has(store.runs[id]?.runId) || has(store.runs[id]?.threadId));
  const connection = remembered((id) => has(store.connections[id]?.request?.url));
  const finding = (row: number) => store.findingsOfRow.get(row)?.some((id) => has(store.findings[id]?.rule) || has(store.findings[id]?.message)) === true;
  const { columns } = store;
  return (row) =>
    types[columns.type[row]!] === 1 ||
    span(columns.span[row]!) ||
    run(columns.run[row]!) ||
    connection(columns.conn[row]!) ||
    ((columns.flags[row]! & HAS_FINDING) !== 0 && finding(row)) ||
    inPayload(row);
}

/** The test a row must pass, or null when nothing is filtered. */
export function acceptsOf(store: Store, query: FilterQuery): ((row: number) => boolean) | null {
  const text = query.text.trim();
  if (text === '' && query.hidden.size === 0 && query.run === null && query.thread === null && !query.findingsOnly) return null;
  const kinds = kindTable(query.hidden);
  const matches = text === '' ? null : textMatcher(store, text, query.inPayload);
  return (row) => {
    const { columns, runs } = store;
    if (kinds[columns.type[row]!] === 0) return false;
    const run = columns.run[row]!;
    if (query.run !== null && run !== query.run) return false;
    if (query.thread !== null && runs[run]?.threadId !== query.thread) return false;
    if (query.findingsOnly && (columns.flags[row]! & HAS_FINDING) === 0) return false;
    return matches === null || matches(row);
  };
}
