/** Changes in messages of a bearable size: a panel that opens on a long session gets it in parts. */
import { copyRows, ROW_BYTES } from '../session/index.ts';
import type { SessionChanges } from '../session/types.ts';

/** Of 64 KiB, 256 KiB and 1 MiB of columns, a million rows came fastest in 256 KiB; records are some hundred bytes each. */
const ROWS = Math.floor(2 ** 18 / ROW_BYTES);
const RECORDS = 2_000;

export interface Part {
  readonly changes: SessionChanges;
  /** Another one follows. */
  readonly more: boolean;
}

/** The changes in parts, in order: connections and runs come no later than the rows that name them. At least one part. Rows are copied here, and nowhere else. */
export function* sliceChanges(changes: SessionChanges): Generator<Part> {
  const { connections, runs, spans, ticks, findings, rows, marked } = changes;
  const records = Math.max(connections.length, runs.length, spans.length, ticks.length, findings.length, marked.length);
  const parts = Math.max(1, Math.ceil(records / RECORDS), Math.ceil((rows?.count ?? 0) / ROWS));
  for (let part = 0; part < parts; part++) {
    const of = <T>(list: readonly T[]): readonly T[] => list.slice(part * RECORDS, (part + 1) * RECORDS);
    const from = part * ROWS;
    const to = Math.min(rows?.count ?? 0, from + ROWS);
    const some = rows && from < to ? { ...copyRows(rows, from, to), from: rows.from + from } : null;
    yield {
      changes: { connections: of(connections), runs: of(runs), spans: of(spans), ticks: of(ticks), findings: of(findings), rows: some, marked: of(marked) },
      more: part < parts - 1,
    };
  }
}
