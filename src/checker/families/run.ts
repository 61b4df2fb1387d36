/** Run boundaries: RUN_STARTED, RUN_FINISHED, RUN_ERROR, the preamble (M8) and cut-off runs (M6). */
import { abandon } from '../abandoned.ts';
import { endAll } from '../items.ts';
import { closeAllLanes, laneKey } from '../lanes.ts';
import { noteEcho, requestedTools, threadBegins, threadEnds } from '../request.ts';
import { createTracking } from '../tracking.ts';
import type { Ending, RunVerdict } from '../types.ts';
import { judgeUsage } from '../usage.ts';
import { fact, isRecord, quote, report, reportOncePerStream, text, type Work } from '../work.ts';
import { interruptsAtFinish } from './interrupt.ts';
import { judgeOpen, keyOf } from './open-items.ts';
import { badOpening } from './stream.ts';
import { suspendedAtFinish } from './subagent.ts';
import { callsAtFinish } from './tool.ts';

function addRun(work: Work, startedAt: number): RunVerdict {
  const { state, at } = work;
  const verdict: RunVerdict = {
    ordinal: state.runs.length,
    runId: null,
    threadId: null,
    parentRunId: null,
    ending: 'open',
    endingBefore: null,
    lostWhy: null,
    rejectedAt: null,
    afterRejection: state.stopsAt !== null,
    outcomeStripped: false,
    replacedBy: null,
    firstEvent: at,
    lastEvent: at,
    endedAt: null,
  };
  state.runs.push(verdict);
  const tracking = createTracking(verdict.ordinal, startedAt, state.document.changes);
  state.run = tracking;
  work.run = tracking;
  work.ordinal = verdict.ordinal;
  return verdict;
}

function verdictOf(work: Work): RunVerdict {
  // A tracking exists only beside its verdict.
  return work.state.runs[work.run.ordinal]!;
}

/** The stream begins without a boundary: its events live in an unnamed run until one names it. */
export function openPreamble(work: Work): void {
  addRun(work, -1);
  fact(work, { kind: 'run-opened', run: work.ordinal });
  if (work.state.fromStart) work.run.preambleBy = badOpening(work);
}

/** Chunks that go on with what the run before left behind are absorbed here until their lane is opened again. */
function inherit(work: Work): void {
  const { state, run } = work;
  for (const { key, by } of state.abandonedLanes) run.laneMemory.set(key, { openedAt: -1, closedAt: -1, by, track: null });
  state.abandonedLanes = [];
}

/** RUN_STARTED of another run inside an open one: that one is cut off, and what it left open is handed on. */
function cutOff(work: Work, runId: string | null): void {
  const { state, run } = work;
  const verdict = verdictOf(work);
  const open = [...run.open];
  const by = report(work, {
    rule: 'run-nested-start',
    subject: runId ?? '',
    related: [run.startedAt, ...open.map((track) => track.openedAt)],
    message: `RUN_STARTED${runId === null ? '' : ` of run ${quote(runId)}`} came while run ${quote(verdict.runId ?? '')} was active; close it first, or report delegated work with SUBAGENT_STARTED.`,
  });
  for (const track of open) abandon(work, track.kind, keyOf(track), by);
  for (const [lane, track] of run.lanes) state.abandonedLanes.push({ key: laneKey(track.kind, lane), by });
  endAll(work, 'cut-off');
  verdict.ending = 'cut-off';
  verdict.endedAt = work.at;
  verdict.replacedBy = state.runs.length;
  if (verdict.runId !== null) state.cut.set(verdict.runId, { ordinal: verdict.ordinal, by });
  fact(work, { kind: 'run-changed', run: verdict.ordinal });
}

function repeated(work: Work, runId: string): void {
  report(work, {
    rule: 'run-nested-start',
    subject: runId,
    related: [work.run.startedAt],
    message: `RUN_STARTED of run ${quote(runId)} was sent again while it is active; announce a run once.`,
  });
}

/** RUN_STARTED. */
export function runStarted(work: Work): void {
  const { state, event, at } = work;
  const runId = text(event['runId']) ?? null;
  const threadId = text(event['threadId']) ?? null;
  const current = state.run !== null && !state.run.closed ? state.runs[state.run.ordinal] : undefined;
  let verdict: RunVerdict;
  if (current === undefined) {
    verdict = addRun(work, at);
    inherit(work);
  } else if (work.run.named) {
    if (runId !== null && current.runId === runId && current.threadId === threadId) {
      repeated(work, current.runId);
      return;
    }
    cutOff(work, runId);
    verdict = addRun(work, at);
    inherit(work);
  } else {
    verdict = current;
    work.run.named = true;
    work.run.startedAt = at;
  }
  verdict.runId = runId;
  verdict.threadId = threadId;
  verdict.parentRunId = text(event['parentRunId']) ?? null;
  fact(work, { kind: verdict !== current ? 'run-opened' : 'run-changed', run: verdict.ordinal });
  judgeIds(work, runId, threadId);
  work.run.tools = requestedTools(state, runId);
  noteEcho(work, event['input'], threadId, runId);
  threadBegins(work, threadId, runId);
  noteVersion(work);
}

function nameOf(threadId: string | null, runId: string): string {
  return threadId === null ? `-${runId}` : `${threadId.length}:${threadId}${runId}`;
}

function judgeIds(work: Work, runId: string | null, threadId: string | null): void {
  const { state, at } = work;
  if (threadId !== null) {
    const base = state.request?.threadId ?? state.thread?.id ?? threadId;
    const first = state.thread?.at ?? -1;
    if (base !== threadId) {
      reportOncePerStream(work, {
        rule: 'run-thread-mismatch',
        key: threadId,
        subject: threadId,
        related: [first],
        message: `The run belongs to thread ${quote(threadId)} and the stream to thread ${quote(base)}; use the threadId of the request on every run.`,
      });
    }
    state.thread ??= { id: threadId, at };
  }
  if (runId === null) return;
  const earlier = state.runIds.get(nameOf(threadId, runId));
  if (earlier === undefined) return;
  report(work, {
    rule: 'run-id-reused',
    subject: runId,
    related: [earlier],
    message: `Run id ${quote(runId)} was used by an earlier run of this thread on the stream; give each run its own id.`,
  });
}

function noteVersion(work: Work): void {
  const { state, event, at } = work;
  const value = text(event['protocolVersion']);
  if (value === undefined) return;
  if (state.version !== null && state.version.value !== value) {
    reportOncePerStream(work, {
      rule: 'version-changed-mid-stream',
      key: '',
      subject: value,
      related: [state.version.at],
      message: `This run declares protocol version ${quote(value)} and an earlier one ${quote(state.version.value)}; declare one version unless stored runs are replayed.`,
    });
  }
  state.version ??= { value, at };
}

/** Closes the tracking: its ids are free again, and its name is known as used. */
function close(work: Work, verdict: RunVerdict, ending: Ending): void {
  const { state, run, at } = work;
  run.closed = true;
  verdict.ending = ending;
  verdict.endedAt = at;
  if (verdict.runId !== null) state.runIds.set(nameOf(verdict.threadId, verdict.runId), run.startedAt >= 0 ? run.startedAt : verdict.firstEvent);
  state.wire.terminalAt = at;
  state.wire.terminalTime = work.time;
  state.wire.leftOpenTold = false;
  fact(work, { kind: 'run-changed', run: verdict.ordinal });
}

function takeIds(work: Work, verdict: RunVerdict): void {
  const { event, run } = work;
  const runId = text(event['runId']);
  const threadId = text(event['threadId']);
  if (!run.named) {
    verdict.runId = runId ?? null;
    verdict.threadId = threadId ?? null;
    return;
  }
  const parts: string[] = [];
  if (runId !== undefined && verdict.runId !== null && runId !== verdict.runId) parts.push(`run ${quote(runId)} instead of ${quote(verdict.runId)}`);
  if (threadId !== undefined && verdict.threadId !== null && threadId !== verdict.threadId) {
    parts.push(`thread ${quote(threadId)} instead of ${quote(verdict.threadId)}`);
  }
  if (parts.length === 0) return;
  report(work, {
    rule: 'run-finished-id-mismatch',
    related: [run.startedAt],
    message: `RUN_FINISHED names ${parts.join(' and ')}; repeat the ids of RUN_STARTED.`,
  });
}

const OUTCOMES: ReadonlySet<unknown> = new Set(['success', 'interrupt', 'cancelled']);

/** RUN_FINISHED. */
export function runFinished(work: Work): void {
  const { event, raw } = work;
  const verdict = verdictOf(work);
  closeAllLanes(work);
  takeIds(work, verdict);
  judgeOpen(work);
  const outcome = isRecord(event['outcome']) && OUTCOMES.has(event['outcome']['type']) ? event['outcome'] : null;
  const kind = outcome === null ? 'success' : (outcome['type'] as 'success' | 'interrupt' | 'cancelled');
  verdict.outcomeStripped = outcome === null && isRecord(raw['outcome']);
  const interrupts = kind === 'interrupt' ? interruptsAtFinish(work, outcome?.['interrupts']) : null;
  if (kind === 'cancelled' && event['result'] !== undefined) {
    report(work, { rule: 'run-cancelled-with-result', message: 'The run was cancelled and carries a result; leave result out of a cancelled run.' });
  }
  const pendingIds = outcome?.['pendingToolCallIds'];
  const listed = Array.isArray(pendingIds) ? pendingIds.filter((id) => typeof id === 'string') : null;
  const pending = callsAtFinish(work, kind === 'success', listed);
  suspendedAtFinish(work, interrupts === null ? null : new Set(interrupts.map(({ id }) => id)));
  reportUsage(work);
  threadEnds(work, verdict.threadId, { runId: verdict.runId, interrupts, pending: pending.map(({ id, firstAt }) => ({ id, at: firstAt })) });
  endAll(work, 'run-finished');
  close(work, verdict, `finished/${kind}`);
}

function reportUsage(work: Work): void {
  for (const { rule, subject, message } of judgeUsage(work.event['usage'])) report(work, { rule, subject, message });
}

/** RUN_ERROR: the producer's own report, never a finding in itself. */
export function runError(work: Work): void {
  if (work.state.run === null) {
    addRun(work, work.at);
    fact(work, { kind: 'run-opened', run: work.ordinal });
  }
  const verdict = verdictOf(work);
  const late = work.run.closed;
  if (!late) {
    closeAllLanes(work);
    endAll(work, 'run-error');
  }
  reportUsage(work);
  threadEnds(work, verdict.threadId, { runId: verdict.runId, interrupts: null, pending: [] });
  if (late) verdict.endingBefore = verdict.ending;
  close(work, verdict, late ? 'late-error' : 'error');
}
