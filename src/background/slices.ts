/** Changes in messages of a bearable size: a panel that opens on a long session gets it in parts. */
import type { SessionChanges } from '../session/types.ts';
import { packRows } from '../wire/packed-rows.ts';
import type { PackedChanges } from '../wire/worker-to-panel.ts';

/** Some 256 KiB of packed rows; records are some hundred bytes each. */
const ROWS = 20_000;
const RECORDS = 2_000;

export interface Part {
  readonly changes: PackedChanges;
  /** Another one follows. */
  readonly more: boolean;
}

/** The changes in parts, in order: connections and runs come no later than the rows that name them. At least one part. Rows are packed here, and nowhere else. */
export function* sliceChanges(changes: SessionChanges): Generator<Part> {
  const { connections, runs, spans, ticks, findings, rows, marked } = changes;
  const records = Math.max(connections.length, runs.length, spans.length, ticks.length, findings.length, marked.length);
  const parts = Math.max(1, Math.ceil(records / RECORDS), Math.ceil((rows?.count ?? 0) / ROWS));
  for (let part = 0; part < parts; part++) {
    const of = <T>(list: readonly T[]): readonly T[] => list.slice(part * RECORDS, (part + 1) * RECORDS);
    const from = part * ROWS;
    const to = Math.min(rows?.count ?? 0, from + ROWS);
    const some = rows && from < to ? packRows(rows, from, to, rows.from + from) : null;
    yield {
      changes: { connections: of(connections), runs: of(runs), spans: of(spans), ticks: of(ticks), findings: of(findings), rows: some, marked: of(marked) },
      more: part < parts - 1,
    };
  }
}
