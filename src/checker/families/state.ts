/** Families state and activity: snapshots, and patches on the one private document of each (M10). */
import { useMessageId } from '../history.ts';
import { closeAllLanes, closeLane } from '../lanes.ts';
import { type ListedMessage, listMessages, noteMessages, noteOwners } from '../messages.ts';
import { checkOwner } from '../owners.ts';
import { applyPatch } from '../patch.ts';
import { createDocument, type PatchedDocument } from '../state.ts';
import { absorb, isRecord, NO_FINDING, ownerName, quote, report, reportOnce, reportOncePerStream, text, type Work } from '../work.ts';

interface PatchRules {
  readonly malformed: string;
  readonly unknownOp: string;
  readonly failed: string;
  readonly noun: string;
  /** Sets patches of several documents apart in M2. */
  readonly key: string;
  readonly objectOnly: boolean;
}

function touchesRoot(patch: unknown): boolean {
  return Array.isArray(patch) && patch.some((operation) => isRecord(operation) && operation['path'] === '');
}

function failed(work: Work, document: PatchedDocument, rule: string, subject: string | undefined, message: string, violation: boolean): void {
  if (document.hold !== NO_FINDING && (document.heldMalformed || !violation)) {
    absorb(work, document.hold);
    return;
  }
  const related = violation ? [] : [document.at];
  const by = report(work, { rule, related, message, ...(subject === undefined ? {} : { subject }) });
  document.hold = by;
  document.heldMalformed = violation;
}

/** Makes the value ours to change. One that cannot be copied (nested beyond the stack) is given up: it is unknown from then on. */
function own(document: PatchedDocument): void {
  try {
    document.value = structuredClone(document.value);
  } catch {
    document.known = false;
    document.value = undefined;
  }
  document.shared = false;
}

/** Judges and applies a patch. An unknown document takes no patch: its form alone is judged. */
function patch(work: Work, document: PatchedDocument, operations: unknown, rules: PatchRules, subject?: string): void {
  if (document.known && (document.shared || (rules.objectOnly && touchesRoot(operations)))) {
    own(document);
  }
  const before = document.value;
  const result = applyPatch(document.known ? before : {}, operations);
  if (!result.ok && 'malformed' in result) {
    failed(work, document, rules.malformed, subject, result.malformed, true);
    return;
  }
  if (!result.ok) {
    if (!document.known) return;
    failed(work, document, rules.failed, subject, `The ${rules.noun} patch is skipped: ${lowerFirst(result.failed)}`, false);
    return;
  }
  for (const op of new Set(result.unknownOps)) {
    reportOnce(work, {
      rule: rules.unknownOp,
      key: `${rules.key}${op}`,
      subject: op,
      message: `${quote(op)} is no JSON Patch operation and is dropped; use add, remove, replace, move, copy or test.`,
    });
  }
  if (Array.isArray(operations) && operations.length > result.unknownOps.length) document.changes += 1;
  if (!document.known) return;
  if (rules.objectOnly && !isRecord(result.doc)) {
    report(work, {
      rule: 'activity-content-not-object',
      related: [document.at],
      message: `After this patch the content of activity ${quote(subject ?? '')} would be no object, so the content before it is kept; patch its members.`,
      ...(subject === undefined ? {} : { subject }),
    });
    return;
  }
  document.value = result.doc;
}

function lowerFirst(sentence: string): string {
  return sentence.slice(0, 1).toLowerCase() + sentence.slice(1);
}

const STATE_RULES: PatchRules = {
  malformed: 'state-patch-malformed',
  unknownOp: 'state-patch-unknown-op',
  failed: 'state-patch-failed',
  noun: 'state',
  key: '',
  objectOnly: false,
};

/** STATE_SNAPSHOT. */
export function stateSnapshot(work: Work): void {
  closeLane(work, work.tag ?? null);
  if (!('snapshot' in work.event)) return;
  const { document } = work.state;
  const value = work.event['snapshot'];
  if (!sameJson(document.known ? document.value : {}, value)) document.changes += 1;
  adopt(document, value, work.at);
}

/** Whether a snapshot says nothing new. Only small ones are compared; a large one counts as a change. */
function sameJson(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (!isRecord(a) || !isRecord(b)) return false;
  return Object.keys(a).length === 0 && Object.keys(b).length === 0;
}

function adopt(document: PatchedDocument, value: unknown, at: number): void {
  document.value = value;
  document.shared = true;
  document.known = true;
  document.at = at;
  document.hold = -1;
  document.heldMalformed = false;
}

/** STATE_DELTA. */
export function stateDelta(work: Work): void {
  closeLane(work, work.tag ?? null);
  if (work.event['delta'] === undefined) return;
  patch(work, work.state.document, work.event['delta'], STATE_RULES);
}

/** The baseline of the state document, when a request or an echo tells it and the stream has not yet. */
export function knownState(work: Work, state: unknown, at: number): void {
  const { document } = work.state;
  if (document.known) return;
  adopt(document, state ?? {}, at);
}

/** Open items a snapshot is compared with: a stream with more of them must not cost more and more. */
const LOOKED_AT = 50;

/** MESSAGES_SNAPSHOT: restates the whole conversation and reconciles by id. */
export function messagesSnapshot(work: Work): void {
  const { run, state } = work;
  closeAllLanes(work);
  const sent = work.event['messages'];
  if (!Array.isArray(sent)) return;
  const messages = listMessages(sent);
  if (messages.length > 0) run.delivered = true;
  const ids = new Set<string>();
  for (const { id } of messages) {
    if (ids.has(id)) duplicate(work, id);
    ids.add(id);
  }
  let looked = 0;
  for (const track of run.open) {
    looked += 1;
    if (looked > LOOKED_AT) break;
    if (track.kind === 'text' && !ids.has(track.id) && !track.excused) dropsOpen(work, track.id, track.openedAt);
  }
  state.historyKnown = true;
  state.generation += 1;
  noteMessages(work, messages, 'snapshot');
  noteOwners(work, messages, 'snapshot');
  noteActivities(work, messages);
}

function duplicate(work: Work, id: string): void {
  reportOnce(work, {
    rule: 'state-messages-duplicate-id',
    key: id,
    subject: id,
    message: `Two messages of the snapshot have the id ${quote(id)}, so the last one wins; give each its own id.`,
  });
}

function dropsOpen(work: Work, id: string, openedAt: number): void {
  reportOnce(work, {
    rule: 'state-snapshot-drops-open-message',
    key: id,
    subject: id,
    related: [openedAt],
    message: `The snapshot leaves out message ${quote(id)}, which is still being streamed; send it before the message starts or after it ends.`,
  });
}

/** Activity messages of a snapshot or of known history are targets of deltas. */
export function noteActivities(work: Work, messages: readonly ListedMessage[]): void {
  for (const { id, role, content } of messages) {
    if (role === 'activity' && isRecord(content)) makeActivity(work, id, content);
  }
}

function makeActivity(work: Work, id: string, content: unknown): void {
  const { activities, reported } = work.state;
  const made = activities.get(id);
  reported.delete(`activity-delta-no-target ${id}`);
  if (made === undefined) activities.set(id, createDocument(content, true, work.at));
  else adopt(made, content, work.at);
}

/** ACTIVITY_SNAPSHOT. With `replace: false` an activity that exists stays as it is. */
export function activitySnapshot(work: Work): void {
  const { run, state, event, tag } = work;
  run.delivered = true;
  const id = text(event['messageId']);
  if (id === undefined) return;
  useMessageId(work, id, 'activity', 'activity');
  const keeps = event['replace'] === false;
  const owner = run.owners.activity.get(id);
  if (owner === undefined || !keeps) {
    if (!work.tagBroken) run.owners.activity.set(id, { owner: tag ?? null, at: work.at });
  } else if (tag !== undefined && owner.owner !== tag) {
    reportOnce(work, {
      rule: 'activity-owner-disagreement',
      key: id,
      subject: id,
      related: [owner.at],
      message: `Activity ${quote(id)} belongs to ${ownerName(owner.owner)} and this snapshot keeps it, but is tagged with subagent ${quote(tag)}; use one tag.`,
    });
  }
  if (keeps && state.activities.has(id)) return;
  if (isRecord(event['content'])) makeActivity(work, id, event['content']);
}

/** ACTIVITY_DELTA. */
export function activityDelta(work: Work): void {
  const { run, state, event } = work;
  run.delivered = true;
  const id = text(event['messageId']);
  if (id === undefined) return;
  checkOwner(work, run.owners.activity, id, 'activity');
  const document = state.activities.get(id);
  if (document === undefined) {
    noTarget(work, id);
    return;
  }
  if (event['patch'] === undefined) return;
  patch(work, document, event['patch'], activityRules(id), id);
}

function activityRules(id: string): PatchRules {
  return {
    malformed: 'activity-patch-malformed',
    unknownOp: 'activity-patch-unknown-op',
    failed: 'activity-patch-failed',
    noun: 'activity',
    key: `${id} `,
    objectOnly: true,
  };
}

/** The patch is skipped, but a malformed one is still a violation. */
function noTarget(work: Work, id: string): void {
  const { event, run, state } = work;
  const operations = event['patch'];
  if (operations !== undefined) {
    const result = applyPatch({}, operations);
    if (!result.ok && 'malformed' in result) {
      reportOnce(work, { rule: 'activity-patch-malformed', key: id, subject: id, message: result.malformed });
      return;
    }
  }
  if (!run.named) {
    absorb(work, run.preambleBy);
    return;
  }
  const known = state.messages.get(id);
  reportOncePerStream(work, {
    rule: 'activity-delta-no-target',
    key: id,
    subject: id,
    message: `ACTIVITY_DELTA for ${quote(id)}, which is ${known === undefined || known.kind === 'activity' ? 'no activity that was seen' : 'another kind of message'}; send ACTIVITY_SNAPSHOT with this id first.`,
  });
}
