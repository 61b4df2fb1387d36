/** Two runs held side by side: their steps and calls by name, their events by type, and where their sequences part. */
import type { RunView, SpanView } from '../../runs/types.ts';
import { spansOfRun, subagentOf } from './of-run.ts';
import { isContent, type Store, typeOfRow } from './store.ts';

/** Something that both runs, or one of them, did. */
export interface Match {
  readonly name: string;
  readonly kind: 'step' | 'tool' | 'subagent';
  readonly a: SpanView | null;
  readonly b: SpanView | null;
}

export interface Count {
  readonly type: string;
  readonly a: number;
  readonly b: number;
}

/** One event of a sequence: what it is apart from ids, times and contents. */
export interface Beat {
  readonly row: number;
  readonly word: string;
}

export interface Parting {
  /** Events that are the same in both from the start on. */
  readonly same: number;
  /** The last of those, at most `CONTEXT`. */
  readonly before: readonly (readonly [Beat, Beat])[];
  /** What each run did next, at most `CONTEXT`; empty where it had ended. */
  readonly a: readonly Beat[];
  readonly b: readonly Beat[];
}

export const CONTEXT = 4;

const KINDS: ReadonlySet<string> = new Set(['step', 'tool', 'subagent']);

/** Rows of a run, in order. */
export function rowsOfRun(store: Store, run: RunView): number[] {
  const rows: number[] = [];
  const last = Math.min(run.lastRow, store.columns.count - 1);
  for (let row = run.firstRow; row <= last; row++) if (store.columns.run[row] === run.id) rows.push(row);
  return rows;
}

function ownerName(store: Store, span: SpanView): string {
  if (span.owner === null) return '';
  return subagentOf(store, span.owner, span.run)?.label || 'a subagent';
}

/** Name of a step, call or subagent, with the subagent it belongs to; repeated ones are counted. */
function named(store: Store, run: RunView): Map<string, SpanView> {
  const found = new Map<string, SpanView>();
  const times = new Map<string, number>();
  const spans = spansOfRun(store, run.id)
    .filter(({ kind }) => KINDS.has(kind))
    .sort((x, y) => x.firstRow - y.firstRow);
  for (const span of spans) {
    const owner = ownerName(store, span);
    const name = `${span.label || span.itemId}${owner ? ` (${owner})` : ''}`;
    const key = `${span.kind} ${name}`;
    const nth = (times.get(key) ?? 0) + 1;
    times.set(key, nth);
    found.set(`${key}\n${nth}`, span);
  }
  return found;
}

/** Steps, calls and subagents of both runs by kind and name, in the order of the first; what only the second did comes where it did it. */
export function matchesOf(store: Store, a: RunView, b: RunView): Match[] {
  const [left, right] = [named(store, a), named(store, b)];
  const keys = [...left.keys()];
  let at = 0;
  for (const key of right.keys()) {
    const there = keys.indexOf(key);
    if (there >= 0) at = there + 1;
    else keys.splice(at++, 0, key);
  }
  return keys.map((key) => {
    const [what, nth] = key.split('\n') as [string, string];
    const kind = what.slice(0, what.indexOf(' ')) as Match['kind'];
    const name = what.slice(what.indexOf(' ') + 1);
    return { kind, name: nth === '1' ? name : `${name} ×${nth}`, a: left.get(key) ?? null, b: right.get(key) ?? null };
  });
}

/** Events of each type, those first that differ most. */
export function countsOf(store: Store, a: RunView, b: RunView): Count[] {
  const tally = (run: RunView) => {
    const counts = new Map<string, number>();
    for (const row of rowsOfRun(store, run)) counts.set(typeOfRow(store, row), (counts.get(typeOfRow(store, row)) ?? 0) + 1);
    return counts;
  };
  const [left, right] = [tally(a), tally(b)];
  return [...new Set([...left.keys(), ...right.keys()])]
    .map((type) => ({ type, a: left.get(type) ?? 0, b: right.get(type) ?? 0 }))
    .sort((x, y) => Math.abs(y.a - y.b) - Math.abs(x.a - x.b) || x.type.localeCompare(y.type));
}

/** The events of a run as words. Of an item's content only the first piece counts: how a text was cut is chance. */
export function beatsOf(store: Store, run: RunView): Beat[] {
  const { columns } = store;
  const begun = new Set<number>();
  const beats: Beat[] = [];
  for (const row of rowsOfRun(store, run)) {
    const id = columns.span[row]!;
    if (isContent(columns.type[row]!) && id >= 0) {
      if (begun.has(id)) continue;
      begun.add(id);
    }
    const span = store.spans[id];
    const name = span && KINDS.has(span.kind) ? span.label || span.itemId : '';
    const owner = span && span.kind !== 'subagent' ? ownerName(store, span) : '';
    const ending = row === run.endedRow && run.ending.startsWith('finished/') ? run.ending.slice('finished/'.length) : '';
    beats.push({ row, word: [typeOfRow(store, row), name, ending, owner && `for ${owner}`].filter(Boolean).join(' ') });
  }
  return beats;
}

/** Where two sequences part; null when they are the same to the end. */
export function partingOf(a: readonly Beat[], b: readonly Beat[]): Parting | null {
  let same = 0;
  while (same < a.length && same < b.length && a[same]!.word === b[same]!.word) same++;
  if (same === a.length && same === b.length) return null;
  const from = Math.max(0, same - CONTEXT);
  return {
    same,
    before: a.slice(from, same).map((beat, i) => [beat, b[from + i]!] as const),
    a: a.slice(same, same + CONTEXT),
    b: b.slice(same, same + CONTEXT),
  };
}

/** The run to hold another against: the nearest good one of the same thread, else of the same address, else any good one, else any other. */
export function counterpart(store: Store, run: RunView): RunView | null {
  const others = store.runs.filter((one) => one && one.id !== run.id);
  const url = (one: RunView) => store.connections[one.conn]?.request?.url;
  const score = (one: RunView) => (one.status === 'succeeded' ? 4 : 0) + (one.threadId === run.threadId ? 2 : 0) + (url(one) === url(run) ? 1 : 0);
  let best: RunView | null = null;
  for (const one of others) {
    if (!best || score(one) > score(best) || (score(one) === score(best) && Math.abs(one.id - run.id) < Math.abs(best.id - run.id))) best = one;
  }
  return best;
}
