/** What `runlens check --format json` prints for one file, as an object: the other machine formats are made from it. */
import type { RunStatus, Severity, StreamEnd } from '../../checker/types.ts';

export interface JsonFinding {
  readonly rule: string;
  readonly severity: Severity;
  readonly at: number;
  readonly frame: number | null;
  readonly related: readonly number[];
  /** Ordinal of the run on its connection. */
  readonly run: number | null;
  readonly message: string;
}

export interface JsonRun {
  readonly runId: string | null;
  readonly threadId: string | null;
  readonly status: RunStatus;
  readonly ending: string;
  readonly verdict: string;
  readonly firstEvent: number;
  readonly lastEvent: number;
}

export interface JsonConnection {
  readonly end: StreamEnd;
  readonly events: number;
  readonly findings: readonly JsonFinding[];
  readonly runs: readonly JsonRun[];
  readonly stopsAt: number | null;
  readonly referenceStopsAt: number | null;
  readonly foreign?: string;
}

export interface JsonReport {
  readonly file: string;
  readonly kind: string | null;
  readonly connections: readonly JsonConnection[];
  /** What could not be read; not part of the printed line. */
  readonly problems?: readonly string[];
}

/** `event 4`, `the response`, with the connection where a file has several. */
export function placeIn(report: JsonReport, connection: number, at: number): string {
  const place = at < 0 ? 'the response' : `event ${at}`;
  return report.connections.length > 1 ? `connection ${connection}, ${place}` : place;
}
