/** What a session tells its watchers: what changed since the last time, or all of it. Records are copies, safe to keep; rows are views, to be copied at once. */
import { viewRows } from './columns.ts';
import type { ConnState, Session } from './state.ts';
import type { ConnectionView, SessionChanges } from './types.ts';

/** Whether `takeChanges` would hand out anything. */
export function hasChanges(session: Session): boolean {
  const { changed, model, taken } = session;
  return (
    changed.conns.size + changed.findings.size + changed.marked.size + model.changedRuns.size + model.changedSpans.size > 0 ||
    taken.rows < session.rows.count ||
    taken.ticks < model.ticks.length
  );
}

/** What is new or different since the last call, and forgets it. Costs what changed, not what there is. */
export function takeChanges(session: Session): SessionChanges {
  const { changed, model, taken, rows } = session;
  const changes: SessionChanges = {
    connections: pick(changed.conns, (id) => session.conns.get(id)).map(viewOf),
    runs: pick(model.changedRuns, (id) => model.runs[id]).map(copyRun),
    spans: pick(model.changedSpans, (id) => model.spans[id]).map(copy),
    ticks: model.ticks.slice(taken.ticks),
    findings: pick(changed.findings, (id) => session.findings[id]).map(copy),
    rows: taken.rows < rows.count ? viewRows(rows, taken.rows) : null,
    marked: [...changed.marked],
  };
  for (const set of [changed.conns, changed.findings, changed.marked, model.changedRuns, model.changedSpans]) set.clear();
  taken.rows = rows.count;
  taken.ticks = model.ticks.length;
  return changes;
}

/** All there is, for a watcher that just came. Changes nothing. */
export function everything(session: Session): SessionChanges {
  const { model, rows } = session;
  return {
    connections: [...session.conns.values()].map(viewOf),
    runs: model.runs.map(copyRun),
    spans: model.spans.map(copy),
    ticks: model.ticks.slice(),
    findings: session.findings.map(copy),
    rows: rows.count > 0 ? viewRows(rows, 0) : null,
    marked: [],
  };
}

/** The records behind a set of ids, in order of id: the order of the set is that of the changes, which replays need not repeat. */
function pick<T>(ids: ReadonlySet<number>, find: (id: number) => T | undefined): T[] {
  return [...ids].sort((a, b) => a - b).map((id) => find(id)!);
}

function copy<T extends object>(record: T): T {
  return { ...record };
}

function copyRun<T extends { findings: object }>(run: T): T {
  return { ...run, findings: { ...run.findings } };
}

function viewOf(conn: ConnState): ConnectionView {
  const { id, carrier, document, request, response, end, bytes, chunks, gaps, replay } = conn;
  const { recognised, codec, events, stopsAtRow, referenceStopsAtRow, resumes, failure } = conn;
  return {
    id,
    carrier,
    document,
    request,
    response,
    end,
    bytes,
    chunks,
    gaps: gaps.slice(),
    replay,
    recognised,
    codec,
    events,
    stopsAtRow,
    referenceStopsAtRow,
    resumes,
    failure,
  };
}
