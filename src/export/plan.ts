/** Which part of a capture leaves: connections, the events among their bytes, and the findings that go with them. */
import type { RecordedFinding } from '../capture/types.ts';
import type { FindingView, RunView } from '../runs/types.ts';
import type { Columns } from '../session/columns.ts';

/** What is known of a session, as the panel or a fold of its records holds it. */
export interface Seen {
  readonly runs: readonly RunView[];
  readonly findings: readonly FindingView[];
  /** The name of the other protocol that a connection was recognised as, or null. */
  readonly protocolOf: (conn: number) => string | null;
  readonly rows: Pick<Columns, 'count' | 'conn' | 'at' | 'part' | 'run' | 'offset'>;
}

/** Runs, connections and rows by their numbers in the session. */
export type Scope =
  | { readonly kind: 'all' }
  | { readonly kind: 'runs'; readonly runs: readonly number[] }
  | { readonly kind: 'connections'; readonly conns: readonly number[] }
  | { readonly kind: 'rows'; readonly rows: readonly number[] };

export interface Plan {
  /** Null: all of them. */
  readonly conns: ReadonlySet<number> | null;
  /** Events by connection and `eventKey`; null: all events of the connections. */
  readonly events: ReadonlyMap<number, ReadonlySet<number>> | null;
  /** Runs as connection and ordinal (`runKey`); null: all. */
  readonly runs: ReadonlySet<string> | null;
  readonly findings: (conn: number) => readonly RecordedFinding[];
  readonly protocolOf: (conn: number) => string | null;
}

/** Names an event among the bytes of its connection. A frame with over 256 values is told apart no further, as in the rows. */
export function eventKey(offset: number, part: number): number {
  return offset * 256 + Math.min(part, 255);
}

export function runKey(conn: number, ordinal: number): string {
  return `${conn} ${ordinal}`;
}

/** The runs of a thread; null is the thread of runs that name none. */
export function runsOfThread(seen: Seen, thread: string | null): number[] {
  return seen.runs.filter((run) => run.threadId === thread).map(({ id }) => id);
}

export function planOf(seen: Seen, scope: Scope): Plan {
  const findings = (conn: number) => seen.findings.filter((finding) => finding?.conn === conn).map((finding) => recorded(seen, finding));
  const told = { findings, protocolOf: seen.protocolOf };
  if (scope.kind === 'all') return { conns: null, events: null, runs: null, ...told };
  if (scope.kind === 'connections') return { conns: new Set(scope.conns), events: null, runs: null, ...told };
  const rows = scope.kind === 'rows' ? scope.rows.filter((row) => row < seen.rows.count) : rowsOfRuns(seen, new Set(scope.runs));
  const runs = new Set(scope.kind === 'runs' ? scope.runs : rows.map((row) => seen.rows.run[row]!));
  const events = new Map<number, Set<number>>();
  for (const row of rows) {
    const conn = seen.rows.conn[row]!;
    const key = eventKey(seen.rows.offset[row]!, seen.rows.part[row]!);
    const known = events.get(conn);
    if (known) known.add(key);
    else events.set(conn, new Set([key]));
  }
  const chosen = seen.runs.filter((run) => runs.has(run.id));
  const conns = new Set([...events.keys(), ...(scope.kind === 'runs' ? chosen.map(({ conn }) => conn) : [])]);
  return { conns, events, runs: new Set(chosen.map(({ conn, ordinal }) => runKey(conn, ordinal))), ...told };
}

function rowsOfRuns({ rows }: Seen, runs: ReadonlySet<number>): number[] {
  const found: number[] = [];
  for (let row = 0; row < rows.count; row++) if (runs.has(rows.run[row]!)) found.push(row);
  return found;
}

/** A finding in the positions of its connection. */
function recorded({ rows, runs }: Seen, { rule, at, frame, relatedRows, run, message, repeats }: FindingView): RecordedFinding {
  const ordinal = runs[run ?? -1]?.ordinal ?? null;
  return { rule, at, ...(frame === undefined ? {} : { frame }), related: relatedRows.map((row) => rows.at[row]!), run: ordinal, message, repeats };
}
