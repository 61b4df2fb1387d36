/** What the captured request and the echo of it in RUN_STARTED add: history, tools, state, and the answers a thread waits for. */
import { type RunInput, readRunInput } from '../protocol/run-input.ts';
import { knownState, noteActivities } from './families/state.ts';
import { listMessages, noteMessages, noteOwners } from './messages.ts';
import type { CheckerState, PendingInterrupt, ThreadRecord } from './state.ts';
import { isRecord, listOf, quote, report, type Work } from './work.ts';

const EMPTY: ThreadRecord = { runId: null, ended: false, interrupts: null, pending: [], at: -1 };

/** Threads are filed under a prefixed name: `__proto__` is a thread id like any other. */
function fileName(thread: string): string {
  return `t:${thread}`;
}

/** The caller's memory may come from a file: anything in it that is not a record of ours is no record. */
function recall(state: CheckerState, thread: string): ThreadRecord | null {
  const here = state.here.get(thread);
  if (here !== undefined) return here;
  // what a reconnect replays came before what the memory holds
  if (state.request?.connect) return null;
  const name = fileName(thread);
  const kept = state.threads !== null && Object.hasOwn(state.threads, name) ? state.threads[name] : undefined;
  if (!isRecord(kept) || typeof kept['ended'] !== 'boolean') return null;
  const { interrupts, pending } = kept;
  return {
    runId: typeof kept['runId'] === 'string' ? kept['runId'] : null,
    ended: kept['ended'],
    interrupts: Array.isArray(interrupts) ? interrupts.filter(isInterrupt) : null,
    pending: Array.isArray(pending) ? pending.filter(isCall) : [],
    at: -1,
  };
}

function isInterrupt(value: unknown): value is PendingInterrupt {
  return isRecord(value) && typeof value['id'] === 'string' && (value['expires'] === null || typeof value['expires'] === 'number');
}

function isCall(value: unknown): value is ThreadRecord['pending'][number] {
  return isRecord(value) && typeof value['id'] === 'string';
}

function keep(state: CheckerState, thread: string, record: ThreadRecord): void {
  state.here.set(thread, record);
  if (state.threads === null) return;
  const pending = record.pending.map(({ id }) => ({ id, at: -1 }));
  state.threads[fileName(thread)] = { ...record, pending, at: -1 };
}

/** A run of this thread has begun: what waited before it is no longer asked for. */
export function threadBegins(work: Work, thread: string | null, runId: string | null): void {
  if (thread !== null) keep(work.state, thread, { ...EMPTY, runId });
}

/** A run of this thread has ended. `interrupts` null: not interrupted. */
export function threadEnds(work: Work, thread: string | null, record: Omit<ThreadRecord, 'ended' | 'at'>): void {
  if (thread !== null) keep(work.state, thread, { ...record, ended: true, at: work.at });
}

function readSafely(body: unknown): RunInput | null {
  try {
    return readRunInput(body);
  } catch {
    return null;
  }
}

/** CopilotKit's REST transport: `/agent/<id>/connect` beside `/agent/<id>/run`. */
const CONNECT_URL = /^[^?#]*\/agent\/[^/?#]+\/connect\/?(?:[?#]|$)/;

/**
 * Whether the request asks for what the thread holds (a reconnect) instead of a run of its own: by the envelope's method, or by its
 * address. The input it carries is then no input of any run on the stream.
 */
function asksToConnect(body: unknown, url: string): boolean {
  const method = isRecord(body) && typeof body['method'] === 'string' ? body['method'] : '';
  return /connect|subscribe/i.test(method) || CONNECT_URL.test(url);
}

/** The captured request (input kind `request`). Its findings have no position of their own. */
export function noteRequest(work: Work, body: unknown, url: string): void {
  const { state } = work;
  const input = readSafely(body);
  if (input === null) return;
  const connect = asksToConnect(body, url);
  state.request = { threadId: input.threadId, runId: input.runId, toolNames: input.toolNames ?? [], connect };
  const messages = listMessages(input.raw['messages']);
  if (!connect) {
    state.historyKnown = true;
    knownState(work, input.hasState ? input.state : {}, -1);
  }
  noteMessages(work, messages, 'history');
  noteActivities(work, messages);
  for (const { id, role } of messages) {
    if (role !== 'activity') continue;
    report(work, {
      rule: 'activity-in-input',
      at: -1,
      run: null,
      subject: id,
      message: `The request sends activity message ${quote(id)} back to the agent; filter activity messages before sending.`,
    });
    break;
  }
  if (!connect && input.threadId !== null) judgeNext(work, input.threadId, input, null);
}

/** The input echoed in RUN_STARTED. Answers whether there was one. */
export function noteEcho(work: Work, sent: unknown, thread: string | null, runId: string | null): boolean {
  const { state, run } = work;
  if (!isRecord(sent)) return false;
  const input = readSafely(sent);
  if (input === null) return false;
  judgeEcho(work, input, thread, runId);
  const requested = state.request !== null && !state.request.connect && state.request.runId !== null && state.request.runId === runId;
  if (!requested && thread !== null) judgeNext(work, thread, input, work.ordinal);
  const messages = listMessages(input.raw['messages']);
  noteMessages(work, messages, 'history');
  noteOwners(work, messages, 'history');
  noteActivities(
    work,
    messages.filter(({ id }) => !state.activities.has(id)),
  );
  knownState(work, input.hasState ? input.state : {}, work.at);
  state.historyKnown = true;
  run.tools = input.toolNames ?? [];
  return true;
}

function judgeEcho(work: Work, input: RunInput, thread: string | null, runId: string | null): void {
  const parts: string[] = [];
  if (input.runId !== null && runId !== null && input.runId !== runId) parts.push(`run ${quote(input.runId)}`);
  if (input.threadId !== null && thread !== null && input.threadId !== thread) parts.push(`thread ${quote(input.threadId)}`);
  if (parts.length === 0) return;
  report(work, {
    rule: 'run-input-echo-mismatch',
    message: `The echoed input names ${parts.join(' and ')}, unlike its RUN_STARTED; echo the input of this run or none.`,
  });
}

/** Tools the request advertised, for the run that answers it. */
export function requestedTools(state: CheckerState, runId: string | null): readonly string[] | null {
  const { request } = state;
  return request !== null && !request.connect && request.runId !== null && request.runId === runId ? request.toolNames : null;
}

interface Place {
  readonly at: number;
  readonly run: number | null;
}

/** A request, or its echo, follows the latest run of its thread: the answers that run waits for have to be there. */
function judgeNext(work: Work, thread: string, input: RunInput, ordinal: number | null): void {
  const record = recall(work.state, thread);
  if (record === null || !record.ended) return;
  const place: Place = { at: ordinal === null ? -1 : work.at, run: ordinal };
  judgeResume(work, record, input, place);
  const answered = new Set(input.messages.map(({ toolCallId }) => toolCallId));
  for (const { id, at } of record.pending) {
    if (answered.has(id)) continue;
    report(work, {
      rule: 'tool-pending-unanswered',
      ...place,
      subject: id,
      related: [at],
      message: `The next request has no tool message for call ${quote(id)}, which the run before left to the client; answer it, also when it failed.`,
    });
  }
}

function judgeResume(work: Work, record: ThreadRecord, input: RunInput, place: Place): void {
  const resume = input.resume ?? [];
  const waiting = new Map((record.interrupts ?? []).map((interrupt) => [interrupt.id, interrupt]));
  const seen = new Set<string>();
  const related = record.interrupts === null ? [] : [record.at];
  for (const { interruptId: id, status } of resume) {
    const interrupt = waiting.get(id);
    if (seen.has(id)) {
      report(work, {
        rule: 'interrupt-resume-repeated',
        ...place,
        subject: id,
        related,
        message: `Two resume entries answer interrupt ${quote(id)}; send one.`,
      });
    } else if (interrupt === undefined) {
      report(work, {
        rule: 'interrupt-resume-unknown',
        ...place,
        subject: id,
        related,
        message: `A resume entry answers ${quote(id)}, which is no interrupt of the latest run on the thread; leave it out.`,
      });
    } else if (status === 'resolved' && interrupt.expires !== null && work.time > 0 && interrupt.expires < work.time) {
      report(work, {
        rule: 'interrupt-resume-expired',
        ...place,
        subject: id,
        related,
        message: `Interrupt ${quote(id)} had expired when it was answered; abandon it with status "cancelled".`,
      });
    }
    seen.add(id);
  }
  const missing = [...waiting.keys()].filter((id) => !seen.has(id));
  if (missing.length === 0) return;
  report(work, {
    rule: 'interrupt-resume-uncovered',
    ...place,
    subject: missing.join(' ').slice(0, 200),
    related,
    message: `The next request has no resume entry for ${listOf(missing.map(quote))}, which the run before waits for; answer each or cancel it.`,
  });
}
