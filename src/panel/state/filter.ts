/** Which rows pass the toolbar's filter: kinds, one run, thread, owner or type, and text over types, ids, names, rules, URLs and (when scanned) payloads. */
import type { Severity } from '../../checker/types.ts';
import { EVENT_TYPES, type Kind, kindOf, TYPE_BAD_FRAME, TYPE_UNKNOWN } from '../../protocol/events.ts';
import type { RunView } from '../../runs/types.ts';
import type { FilterWords } from './filter-words.ts';
import { subagentOf } from './of-run.ts';
import { isShown } from './severity.ts';
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

export interface FilterQuery extends FilterWords {
  readonly hidden: ReadonlySet<string>;
  /** The mildest findings that count for `has:finding`. */
  readonly least: Severity;
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

/** Whether a run is the one a filter names: by its runId, or by its place (`#3`). */
export function isRun(run: RunView | undefined, wanted: string): boolean {
  return run !== undefined && (run.runId === wanted || `#${run.id + 1}` === wanted);
}

/** The subagent an event belongs to, by its span; null for the parent agent. A subagent's own events belong to it. */
export function ownerOfRow(store: Store, row: number): string | null {
  const span = store.spans[store.columns.span[row]!];
  return (span?.kind === 'subagent' ? span.itemId : span?.owner) ?? null;
}

/** The subagent an event belongs to: its span tells, else its tick. */
function ownerOf(store: Store): (row: number) => string | null {
  const ticks = new Map<number, string>();
  let seen = 0;
  return (row) => {
    for (; seen < store.ticks.length; seen++) {
      const tick = store.ticks[seen]!;
      if (tick.owner !== null) ticks.set(tick.row, tick.owner);
    }
    return ownerOfRow(store, row) ?? ticks.get(row) ?? null;
  };
}

function ownerMatcher(store: Store, wanted: string): (row: number) => boolean {
  const owner = ownerOf(store);
  if (wanted === 'none') return (row) => owner(row) === null;
  return (row) => {
    const id = owner(row);
    return id !== null && (id === wanted || subagentOf(store, id)?.label === wanted);
  };
}

function typeTable(wanted: string): Uint8Array {
  const table = new Uint8Array(256);
  const needle = wanted.toUpperCase();
  EVENT_TYPES.forEach((type, code) => {
    if (type.includes(needle)) table[code] = 1;
  });
  if ('BAD FRAME'.includes(needle)) table[TYPE_BAD_FRAME] = 1;
  if ('UNKNOWN'.includes(needle)) table[TYPE_UNKNOWN] = 1;
  return table;
}

function hasShown(store: Store, row: number, least: Severity): boolean {
  if ((store.columns.flags[row]! & HAS_FINDING) === 0) return false;
  if (least === 'advice') return true;
  return store.findingsOfRow.get(row)?.some((id) => isShown(store.findings[id]!.severity, least)) === true;
}

/** The test a row must pass, or null when nothing is filtered. */
export function acceptsOf(store: Store, query: FilterQuery): ((row: number) => boolean) | null {
  const { run: wantedRun, thread, finding } = query;
  const text = query.text.trim();
  const plain = text === '' && wantedRun === null && thread === null && query.owner === null && query.type === null;
  if (plain && query.hidden.size === 0 && !finding) return null;
  const kinds = kindTable(query.hidden);
  const types = query.type === null ? null : typeTable(query.type);
  const owner = query.owner === null ? null : ownerMatcher(store, query.owner);
  const matches = text === '' ? null : textMatcher(store, text, query.inPayload);
  return (row) => {
    const { columns, runs } = store;
    const code = columns.type[row]!;
    if (kinds[code] === 0 || (types && types[code] === 0)) return false;
    const run = runs[columns.run[row]!];
    if (wantedRun !== null && !isRun(run, wantedRun)) return false;
    if (thread !== null && run?.threadId !== thread) return false;
    if (finding && !hasShown(store, row, query.least)) return false;
    if (owner && !owner(row)) return false;
    return matches === null || matches(row);
  };
}
