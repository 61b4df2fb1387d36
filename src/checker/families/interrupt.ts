/** Family interrupt: what RUN_FINISHED says of interrupts. Resuming is judged with the request (request.ts). */
import type { PendingInterrupt } from '../state.ts';
import { isRecord, quote, report, reportOnce, text, type Work } from '../work.ts';

function judgeEntry(work: Work, id: string, entry: Readonly<Record<string, unknown>>): number | null {
  const { state, run } = work;
  const call = text(entry['toolCallId']);
  if (call !== undefined && state.historyKnown && !state.calls.has(call)) {
    report(work, {
      rule: 'interrupt-unknown-tool-call',
      subject: id,
      message: `Interrupt ${quote(id)} is about tool call ${quote(call)}, which was not seen; use the toolCallId of its TOOL_CALL_START.`,
    });
  }
  const name = call === undefined ? undefined : (run.tracks.tool.get(call)?.name ?? state.calls.get(call)?.role);
  if (call !== undefined && typeof name === 'string' && run.tools?.includes(name)) {
    report(work, {
      rule: 'tool-frontend-as-interrupt',
      subject: id,
      related: [run.tracks.tool.get(call)?.firstAt ?? -1],
      message: `Interrupt ${quote(id)} is about a call to ${quote(name)}, which the client would run anyway; leave the call unanswered unless an approval is meant.`,
    });
  }
  const expires = text(entry['expiresAt']);
  if (expires === undefined) return null;
  const time = Date.parse(expires);
  if (!Number.isNaN(time)) return time;
  report(work, {
    rule: 'interrupt-expiry-unreadable',
    subject: id,
    message: `expiresAt of interrupt ${quote(id)} is ${quote(expires)}, which is no date; send an ISO 8601 date and time.`,
  });
  return null;
}

/** Judges the interrupts of an interrupt outcome; answers them by id, duplicates once. */
export function interruptsAtFinish(work: Work, sent: unknown): PendingInterrupt[] {
  if (!Array.isArray(sent)) return [];
  if (sent.length === 0) {
    report(work, {
      rule: 'interrupt-list-empty',
      message: 'The run ends interrupted with an empty list of interrupts, so nothing can be answered; list one or finish with success.',
    });
  }
  const found = new Map<string, PendingInterrupt>();
  for (const entry of sent) {
    if (!isRecord(entry) || typeof entry['id'] !== 'string') continue;
    const id = entry['id'];
    if (found.has(id)) {
      reportOnce(work, {
        rule: 'interrupt-duplicate-id',
        key: id,
        subject: id,
        message: `Two interrupts have the id ${quote(id)}, so they cannot be answered separately; give each its own id.`,
      });
      continue;
    }
    found.set(id, { id, expires: judgeEntry(work, id, entry) });
  }
  return [...found.values()];
}
