/** Changes in messages of a bearable size: a panel that opens on a long session gets it in parts. */
import type { SessionChanges } from '../session/types.ts';
import { packParts } from '../wire/pack-rows.ts';
import type { PackedChanges } from '../wire/worker-to-panel.ts';

/** Of some hundred bytes each; a run has three events at least, so that those of a part of rows are in that part. */
const RECORDS = 7_000;

export interface Part {
  readonly changes: PackedChanges;
  /** Another one follows. */
  readonly more: boolean;
}

/** The changes in parts, in order: connections and runs come no later than the rows that name them. At least one part. Rows are packed here, and nowhere else. */
export function* sliceChanges(changes: SessionChanges): Generator<Part> {
  const { connections, runs, spans, ticks, findings, rows, marked } = changes;
  const records = Math.max(connections.length, runs.length, spans.length, ticks.length, findings.length, marked.length);
  const packed = rows ? packParts(rows, rows.count, rows.from) : [].values();
  let next = packed.next();
  for (let part = 0, more = true; more; part++) {
    const of = <T>(list: readonly T[]): readonly T[] => list.slice(part * RECORDS, (part + 1) * RECORDS);
    const some = next.done ? null : next.value;
    next = packed.next();
    more = !next.done || (part + 1) * RECORDS < records;
    yield {
      changes: { connections: of(connections), runs: of(runs), spans: of(spans), ticks: of(ticks), findings: of(findings), rows: some, marked: of(marked) },
      more,
    };
  }
}
