/** What ties runs to one another: an interrupt to the run whose request answered it, a run to the one it names as its parent. */
import type { Group, PlacedRun } from './placed.ts';
import type { TimelineModel } from './types.ts';

export interface Link {
  readonly kind: 'wait' | 'parent';
  /** The interrupted run, or the parent. */
  readonly from: PlacedRun;
  readonly fromGroup: number;
  /** The run that answered, null while nobody has; the child. */
  readonly to: PlacedRun | null;
  readonly toGroup: number;
  /** Of a wait: whether the answer was to give it up. */
  readonly cancelled: boolean;
}

interface Placed {
  readonly run: PlacedRun;
  readonly group: number;
}

interface Answer {
  readonly conn: number;
  readonly status: string | null;
}

/** What was answered to each interrupt, by its id. */
function answersOf({ connections }: TimelineModel): ReadonlyMap<string, Answer[]> {
  const answers = new Map<string, Answer[]>();
  for (const connection of connections) {
    for (const { interruptId, status } of connection?.resumes ?? []) {
      const answer = { conn: connection.id, status };
      const known = answers.get(interruptId);
      if (known) known.push(answer);
      else answers.set(interruptId, [answer]);
    }
  }
  return answers;
}

function waitOf(own: Placed, answers: ReadonlyMap<string, Answer[]>, byConn: ReadonlyMap<number, Placed[]>): Link {
  const { run } = own;
  const given = run.view.interrupts.flatMap(({ id }) => answers.get(id) ?? []);
  let found: { placed: Placed; cancelled: boolean } | null = null;
  for (const conn of [...new Set(given.map((answer) => answer.conn))].sort((a, b) => a - b)) {
    // what its request asked for: not a run that was replayed, and not one of before
    const placed = byConn.get(conn)?.find((one) => one.run.start >= run.end && one.run.view.answersRequest !== false);
    if (!placed || placed.run.view.threadId !== run.view.threadId || (found && found.placed.run.start <= placed.run.start)) continue;
    found = { placed, cancelled: given.every((answer) => answer.conn !== conn || answer.status === 'cancelled') };
  }
  const to = found?.placed ?? null;
  return { kind: 'wait', from: run, fromGroup: own.group, to: to?.run ?? null, toGroup: to?.group ?? own.group, cancelled: found?.cancelled ?? false };
}

/** Links of all runs. A parent that is not in the capture has none: its id is told in words. */
export function linksOf(groups: readonly Group[], model: TimelineModel): readonly Link[] {
  const byConn = new Map<number, Placed[]>();
  const byId = new Map<string, Placed>();
  const all: Placed[] = groups.flatMap(({ thread }, group) => [...thread.runs.values()].map((run) => ({ run, group })));
  const related = all.filter(({ run }) => run.view.parentRunId !== null || waits(run));
  if (related.length === 0) return [];
  for (const placed of all) {
    const { conn, runId } = placed.run.view;
    const known = byConn.get(conn);
    if (known) known.push(placed);
    else byConn.set(conn, [placed]);
    if (runId !== null && !byId.has(runId)) byId.set(runId, placed);
  }
  const answers = answersOf(model);
  for (const list of byConn.values()) list.sort((a, b) => a.run.start - b.run.start);
  return related.flatMap((own): Link[] => {
    const links = waits(own.run) ? [waitOf(own, answers, byConn)] : [];
    const parent = own.run.view.parentRunId === null ? undefined : byId.get(own.run.view.parentRunId);
    if (!parent || parent.run === own.run) return links;
    return [...links, { kind: 'parent', from: parent.run, fromGroup: parent.group, to: own.run, toGroup: own.group, cancelled: false }];
  });
}

const waits = (run: PlacedRun): boolean => run.view.status === 'interrupted' && run.view.interrupts.length > 0;
