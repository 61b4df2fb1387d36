/** Family tool: calls and their results. */
import { type ChunkRules, chunk } from '../chunks.ts';
import { useMessageId } from '../history.ts';
import { TOOL } from '../item-rules.ts';
import { closeItem, growItem, mayOpen, openItem, touch } from '../items.ts';
import { closeLane, mixForms } from '../lanes.ts';
import { notOpen } from '../orphans.ts';
import { checkOwner, claimOwner, setOwner } from '../owners.ts';
import type { Track } from '../tracking.ts';
import type { ItemForm } from '../types.ts';
import { fact, ownerName, quote, report, reportOnce, text, type Work } from '../work.ts';

function reopens(work: Work, track: Track): void {
  for (const field of ['toolCallName', 'parentMessageId'] as const) {
    const value = text(work.event[field]);
    const first = field === 'toolCallName' ? track.name : track.parent;
    if (value === undefined || value === first) continue;
    reportOnce(work, {
      rule: 'tool-reopen-mismatch',
      key: `${track.id} ${field}`,
      subject: track.id,
      related: [track.firstAt],
      message: `Tool call ${quote(track.id)} is opened again with ${field} ${quote(value)} instead of ${first === null ? 'none' : quote(first)}; use a new toolCallId for a new call.`,
    });
  }
}

/** The owner of a call: its own tag, else its parent message's; the two must not disagree. */
function claim(work: Work, id: string, parent: string | undefined): string | null {
  const { owners } = work.run;
  const inherited = parent === undefined ? undefined : owners.message.get(parent);
  if (parent !== undefined && inherited !== undefined) {
    const own = owners.tool.get(id);
    const wanted = work.tag ?? own?.owner;
    if (work.tag === undefined && own === undefined) {
      owners.tool.set(id, { owner: inherited.owner, at: work.at });
    } else if (wanted !== undefined && wanted !== inherited.owner) {
      reportOnce(work, {
        rule: 'tool-parent-owner-mismatch',
        key: id,
        subject: id,
        related: [inherited.at],
        message: `Tool call ${quote(id)} belongs to ${ownerName(wanted)}, but its parent message ${quote(parent)} to ${ownerName(inherited.owner)}; use a message of the same owner.`,
      });
      // One mistake: the tag is not held against the call itself as well.
      if (own === undefined) owners.tool.set(id, { owner: work.tag ?? null, at: work.at });
      return work.tag ?? own?.owner ?? null;
    }
  }
  return claimOwner(work, owners.tool, id, TOOL.noun);
}

function checkParent(work: Work, id: string, parent: string): void {
  const { run, state } = work;
  const track = run.tracks.text.get(parent);
  const known = state.messages.get(parent);
  const role = track !== undefined && track.firstAt >= 0 ? track.role : known?.role;
  if (known === undefined && track === undefined) {
    reportOnce(work, {
      rule: 'tool-parent-unknown',
      key: parent,
      subject: parent,
      message: `Tool call ${quote(id)} names parent message ${quote(parent)}, which was not seen; clients create it.`,
    });
  } else if (role !== undefined && role !== null && role !== 'assistant') {
    reportOnce(work, {
      rule: 'tool-parent-not-assistant',
      key: parent,
      subject: parent,
      related: [track !== undefined && track.firstAt >= 0 ? track.firstAt : (known?.at ?? -1)],
      message: `Tool call ${quote(id)} names ${quote(parent)} as its parent message, which has the role ${role}; name an assistant message or none.`,
    });
  }
}

function open(work: Work, id: string, form: ItemForm, lane: string | null): Track {
  const { run, event } = work;
  const parent = text(event['parentMessageId']);
  const before = run.tracks.tool.get(id);
  if (before !== undefined && before.firstAt >= 0) reopens(work, before);
  const owner = claim(work, id, parent);
  if (parent !== undefined) checkParent(work, id, parent);
  run.delivered = true;
  return openItem(work, TOOL, id, { id, owner, form, lane, name: text(event['toolCallName']) ?? null, parent: parent ?? null });
}

/** TOOL_CALL_START. */
export function toolStart(work: Work): void {
  closeLane(work, work.tag ?? null);
  const id = text(work.event['toolCallId']);
  if (id === undefined) {
    work.run.wild.tool.opened += 1;
    return;
  }
  if (mayOpen(work, TOOL, id)) open(work, id, 'explicit', null);
}

/** TOOL_CALL_ARGS. */
export function toolArgs(work: Work): void {
  const { run, event, tag } = work;
  const id = text(event['toolCallId']);
  const track = id === undefined ? undefined : run.tracks.tool.get(id);
  if (track?.open && track.form === 'chunk') mixForms(work, TOOL, track);
  if (run.lanes.size > 0) closeLane(work, tag ?? null);
  if (id === undefined) return;
  const delta = text(event['delta']);
  if (track?.open) {
    if (tag !== undefined) checkOwner(work, run.owners.tool, id, TOOL.noun);
    growItem(work, track, delta);
    return;
  }
  const phantom = notOpen(work, TOOL, id, id, false, delta);
  if (phantom !== null) growItem(work, phantom, delta);
}

/** TOOL_CALL_END. */
export function toolEnd(work: Work): void {
  const { run, event, tag } = work;
  const id = text(event['toolCallId']);
  const track = id === undefined ? undefined : run.tracks.tool.get(id);
  if (track?.open && track.form === 'chunk') mixForms(work, TOOL, track);
  if (run.lanes.size > 0) closeLane(work, tag ?? null);
  if (id === undefined) {
    run.wild.tool.closed += 1;
    return;
  }
  const found = track?.open ? track : notOpen(work, TOOL, id, id, true, undefined);
  if (found === null) return;
  if (found === track && tag !== undefined) checkOwner(work, run.owners.tool, id, TOOL.noun);
  touch(work, found);
  closeItem(work, found, 'closed');
}

const CHUNKS: ChunkRules = {
  rules: TOOL,
  idField: 'toolCallId',
  missing: 'tool-chunk-missing-opener',
  ambiguous: 'tool-chunk-ambiguous',
  conflict: 'tool-chunk-conflict',
  fixed: [
    { field: 'toolCallName', of: (track) => track.nowName },
    { field: 'parentMessageId', of: (track) => track.nowParent },
  ],
  owners: (work) => work.run.owners.tool,
  needs: ['toolCallName'],
  open: (work, id, lane) => open(work, id, 'chunk', lane),
};

/** TOOL_CALL_CHUNK. */
export function toolChunk(work: Work): void {
  chunk(work, CHUNKS);
}

/** TOOL_CALL_RESULT: mints a tool message, and answers a call that may belong to another owner. */
export function toolResult(work: Work): void {
  const { run, state, event } = work;
  closeLane(work, work.tag ?? null);
  run.delivered = true;
  const message = text(event['messageId']);
  if (message !== undefined) {
    setOwner(work, run.owners.message, message, work.tag ?? null);
    useMessageId(work, message, 'result', 'tool');
  }
  const id = text(event['toolCallId']);
  if (id === undefined) return;
  const track = run.tracks.tool.get(id);
  if (track !== undefined && track.item >= 0) {
    work.item = track.item;
    fact(work, { kind: 'item-answered', item: track.item });
  } else if (!state.calls.has(id) && run.named && track === undefined) {
    report(work, {
      rule: 'tool-result-unknown-call',
      subject: id,
      message: `The result answers tool call ${quote(id)}, which was seen neither on the stream nor in the known history; check its toolCallId.`,
    });
  }
  judgeResult(work, id, track);
  run.answered.add(id);
}

function judgeResult(work: Work, id: string, track: Track | undefined): void {
  const { run, state } = work;
  const opener = track?.firstAt ?? state.calls.get(id)?.at ?? -1;
  if (track?.open && !track.excused) {
    report(work, {
      rule: 'tool-result-before-end',
      subject: id,
      related: [track.openedAt],
      message: `The result of tool call ${quote(id)} came before the call was ended; send TOOL_CALL_END when its arguments are complete.`,
    });
  }
  if (run.answered.has(id)) {
    reportOnce(work, {
      rule: 'tool-result-repeated',
      key: id,
      subject: id,
      related: [opener],
      message: `Tool call ${quote(id)} was already answered in this run; send one result.`,
    });
  }
  const name = track?.name;
  if (typeof name !== 'string' || run.tools === null || !run.tools.includes(name)) return;
  reportOnce(work, {
    rule: 'tool-frontend-answered',
    key: id,
    subject: id,
    related: [opener],
    message: `Tool call ${quote(id)} is for ${quote(name)}, which the request offered for the client to run; leave the answer to the client.`,
  });
}

/** Calls started and not answered in this run, in order of opening. */
function unanswered(work: Work): Track[] {
  const { run } = work;
  return [...run.tracks.tool.values()].filter((track) => track.firstAt >= 0 && !run.answered.has(track.id));
}

/** What RUN_FINISHED asks of the calls of its run. Answers those left for the client. */
export function callsAtFinish(work: Work, success: boolean, pending: readonly string[] | null): Track[] {
  const { run } = work;
  const open = unanswered(work);
  if (pending !== null && pending.length > 0) judgePending(work, open, new Set(pending));
  if (!success) return [];
  if (!work.state.off.has('tool-unadvertised') && run.tools !== null) {
    for (const track of open) {
      if (track.name === null || run.tools.includes(track.name)) continue;
      report(work, {
        rule: 'tool-unadvertised',
        subject: track.id,
        related: [track.firstAt],
        message: `Tool call ${quote(track.id)} is left unanswered, and the request offered no tool ${quote(track.name)}.`,
      });
    }
  }
  return run.tools === null ? [] : open.filter((track) => track.name !== null && run.tools?.includes(track.name));
}

function judgePending(work: Work, open: readonly Track[], listed: ReadonlySet<string>): void {
  const { tracks } = work.run;
  const unlisted = open.filter((track) => !listed.has(track.id));
  const waiting = new Set(open.map((track) => track.id));
  const wrong = [...listed].filter((id) => !waiting.has(id));
  if (unlisted.length === 0 && wrong.length === 0) return;
  const parts = [
    ...(unlisted.length === 0 ? [] : [`leaves out ${unlisted.map((track) => quote(track.id)).join(', ')}`]),
    ...(wrong.length === 0 ? [] : [`lists ${wrong.map(quote).join(', ')}, which ${wrong.length === 1 ? 'is' : 'are'} answered or unknown`]),
  ];
  report(work, {
    rule: 'tool-pending-list-mismatch',
    related: [...unlisted.map((track) => track.firstAt), ...wrong.map((id) => tracks.tool.get(id)?.firstAt ?? -1)],
    message: `pendingToolCallIds ${parts.join(' and ')}; list exactly the calls without a result, or leave it out.`,
  });
}
