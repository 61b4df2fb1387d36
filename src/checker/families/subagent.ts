/** Family subagent. Attribution itself is judged with the items (owners.ts). */
import { abandonedBy } from '../abandoned.ts';
import { SUBAGENT } from '../item-rules.ts';
import { closeItem, mayOpen, openItem, touch } from '../items.ts';
import { closeLane } from '../lanes.ts';
import { notOpen, remember } from '../orphans.ts';
import type { Track } from '../tracking.ts';
import { absorb, isRecord, quote, report, reportOnce, text, type Work } from '../work.ts';

/** SUBAGENT_STARTED. */
export function subagentStarted(work: Work): void {
  const { run, event } = work;
  const id = text(event['subagentRunId']);
  const parent = text(event['parentSubagentRunId']);
  if (id === undefined) {
    run.wild.subagent.opened += 1;
    return;
  }
  const before = run.tracks.subagent.get(id);
  if (!mayOpen(work, SUBAGENT, id)) return;
  if (before !== undefined && before.closedAt >= 0 && before.firstAt >= 0 && !before.excused) reused(work, id, before);
  const tagged = run.firstTagged.get(id);
  if (tagged !== undefined && before === undefined) {
    report(work, {
      rule: 'subagent-announced-late',
      subject: id,
      related: [tagged],
      message: `SUBAGENT_STARTED for ${quote(id)} comes after event ${tagged}, which is tagged with it already; announce the subagent first.`,
    });
  }
  if (parent !== undefined) checkParent(work, id, parent);
  openItem(work, SUBAGENT, id, { id, owner: parent ?? null, form: 'explicit', name: text(event['name']) ?? null, parent: parent ?? null });
}

function reused(work: Work, id: string, before: Track): void {
  report(work, {
    rule: 'subagent-id-reused',
    subject: id,
    related: [before.closedAt],
    message: `Subagent ${quote(id)} has already ended in this run; make a new subagentRunId for every invocation.`,
  });
}

function checkParent(work: Work, id: string, parent: string): void {
  const { run } = work;
  const track = run.tracks.subagent.get(parent);
  if (track !== undefined && (parent !== id || track.firstAt >= 0)) {
    if (track.orphan > 0) absorb(work, track.orphanBy);
    return;
  }
  if (parent !== id) {
    const abandoned = abandonedBy(work, 'subagent', parent);
    if (abandoned !== undefined) {
      absorb(work, abandoned);
      return;
    }
    if (run.wild.subagent.opened > 0) {
      run.wild.subagent.opened -= 1;
      openItem(work, SUBAGENT, parent, { id: parent, owner: null, form: 'explicit', excused: true });
      return;
    }
    if (!run.named) {
      absorb(work, run.preambleBy);
      return;
    }
  }
  const by = reportOnce(work, {
    rule: 'subagent-parent-unknown',
    key: parent,
    subject: parent,
    message: `Subagent ${quote(id)} names ${parent === id ? 'itself' : quote(parent)} as its parent, which was not announced in this run; announce the parent first or leave the field out.`,
  });
  if (parent !== id) remember(work, SUBAGENT, parent, parent, by);
}

/** SUBAGENT_FINISHED and SUBAGENT_ERROR. */
export function subagentEnded(work: Work): void {
  const { run, event } = work;
  const id = text(event['subagentRunId']);
  if (id === undefined) {
    run.wild.subagent.closed += 1;
    return;
  }
  closeLane(work, id, 'owner-ended');
  if (work.type === 'SUBAGENT_FINISHED') noteSuspended(work, id);
  const track = run.tracks.subagent.get(id);
  const found = track?.open ? track : notOpen(work, SUBAGENT, id, id, true, undefined);
  if (found === null) return;
  touch(work, found);
  closeItem(work, found, 'closed');
}

/** A subagent that waits: judged when its run ends. Other outcomes are the schema stage's. */
function noteSuspended(work: Work, id: string): void {
  const { outcome } = work.event;
  if (!isRecord(outcome) || outcome['type'] !== 'suspended') return;
  const sent = outcome['interruptIds'];
  const ids = Array.isArray(sent) ? sent.filter((entry) => typeof entry === 'string') : null;
  work.run.suspended.push({ id, at: work.at, interruptIds: ids });
}

/** Events of an invocation that has ended, by tag or by the item they go on with (advice, once an invocation). */
export function afterFinish(work: Work): void {
  const { run } = work;
  const owner = work.tag ?? work.touched?.owner;
  if (owner === undefined || owner === null) return;
  const subagent = run.tracks.subagent.get(owner);
  if (subagent === undefined || subagent.open || subagent.closedAt < 0) return;
  reportOnce(work, {
    rule: 'subagent-event-after-finish',
    key: owner,
    subject: owner,
    related: [subagent.closedAt],
    message: `${work.type} belongs to subagent ${quote(owner)}, which ended at event ${subagent.closedAt}; send what is left before ending it.`,
  });
}

/** Suspended subagents need an interrupt of their run (judged at RUN_FINISHED). */
export function suspendedAtFinish(work: Work, interruptIds: ReadonlySet<string> | null): void {
  for (const { id, at, interruptIds: ids } of work.run.suspended) {
    const resumable = interruptIds !== null && (ids === null || ids.length === 0 || ids.some((entry) => interruptIds.has(entry)));
    if (resumable) continue;
    report(work, {
      rule: 'subagent-suspended-without-interrupt',
      subject: id,
      related: [at],
      message: `Subagent ${quote(id)} ended suspended, but ${interruptIds === null ? 'the run does not end interrupted' : 'none of its interrupts is among those of the run'}; end the run with the interrupts it waits for.`,
    });
  }
}
