/** The Messages tab: the conversation as the app's user had it at the moment. */
import { useMemo, useState } from 'preact/hooks';
import type { RunView } from '../../runs/types.ts';
import { type Asked, newMessages, type RunTurns, rowsToRead, turnsOf } from '../state/conversation.ts';
import { merge } from '../state/merge.ts';
import { usePanel, useSession } from '../state/panel.ts';
import { runOf } from '../state/session.ts';
import type { Store } from '../state/store.ts';
import { numberOf, STATUS_KEY, STATUS_WORD } from '../words/status.ts';
import { TurnRow } from './message-turns.tsx';
import { Clock } from './parts.tsx';
import { Scroll } from './row.tsx';
import { Scrub } from './scrub.tsx';
import { useJob } from './use-bodies.ts';

/** Runs drawn at first; earlier ones on demand. */
const RUNS = 30;
/** Snapshots and activities read at most; the newest count. */
const READ = 400;

/** The moments one can scrub to: rows of a thread, in order; of those that came at the same time the last. */
function threadRows(store: Store, thread: string | null): number[] {
  const { columns, runs } = store;
  const mine = runs.map((run) => run?.threadId === thread);
  const rows: number[] = [];
  for (let row = 0; row < columns.count; row++) {
    if (!mine[columns.run[row]!]) continue;
    const last = rows[rows.length - 1];
    if (last !== undefined && columns.time[last] === columns.time[row]) rows[rows.length - 1] = row;
    else rows.push(row);
  }
  return rows;
}

/** How many of the rows came by a moment. */
function countBy(store: Store, rows: readonly number[], moment: number): number {
  let [low, high] = [0, rows.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (store.columns.time[rows[middle]!]! <= moment) low = middle + 1;
    else high = middle;
  }
  return low;
}

export function Messages() {
  const session = useSession();
  const { settings } = usePanel();
  const { store } = session;
  const [most, setMost] = useState(RUNS);
  const chosen = runOf(store, session.selection.value);
  const thread = (chosen === null ? store.runs[store.runs.length - 1] : store.runs[chosen])?.threadId ?? null;
  const all = store.runs.filter((run) => run && run.threadId === thread);
  const until = session.moment.value ?? Number.POSITIVE_INFINITY;
  const seen = all.filter((run) => (run.requestTime ?? run.start) <= until);
  const runs = seen.slice(-most);
  const { showReasoning, showTools } = settings.value.value;
  const body = async (run: RunView) => ({
    run,
    text: run.answersRequest === false || run.ordinal > 0 ? undefined : (await session.requestBody(run.conn).catch(() => null))?.text,
  });
  const asked = useJob(async () => askedOf(await Promise.all(runs.map((run) => body(run)))), [runs.map((run) => run.id).join()]);
  const wanted = runs.flatMap((run) => rowsToRead(store, run)).slice(-READ);
  const read = useJob(async () => new Map((await session.bodies.loadAll(wanted)).map((body, i) => [wanted[i]!, body.value])), [wanted.join()]);
  const rows = useMemo(() => threadRows(store, thread), [store.columns.count, store.epoch.value, thread]);
  if (all.length === 0) return <p class="hollow-pane">No conversation yet.</p>;
  const valueAt = (row: number) => read?.get(row);
  const shown = { reasoning: showReasoning, tools: showTools };
  const list: RunTurns[] = merge(
    runs.map((run) => ({ run, turns: turnsOf(store, run, asked?.get(run.id) ?? [], until, shown, valueAt) })),
    valueAt,
  );
  const at = Math.max(0, countBy(store, rows, until) - 1);
  return (
    <div class="messages-view">
      <div class="sub-head">
        <b>
          <bdi>{thread ?? 'no thread'}</bdi>
          {session.moment.value === null ? '' : ' at '}
          {session.moment.value === null ? '' : <Clock time={session.moment.value} />}
        </b>
        <span class="dim said">as the app’s user had it</span>
        <span class="spacer" />
        <Scrub
          label="Moment"
          index={at}
          count={rows.length}
          text={rows[at] === undefined ? 'the start' : `event ${numberOf(rows[at])}`}
          onIndex={(index) => {
            session.follow.value = false;
            session.moment.value = store.columns.time[rows[index]!]!;
          }}
        />
        {session.moment.value === null ? null : (
          <button type="button" class="quiet" onClick={() => (session.moment.value = null)}>
            Now
          </button>
        )}
        <label class="check">
          <input type="checkbox" checked={showReasoning} onChange={(event) => settings.set({ showReasoning: event.currentTarget.checked })} />
          Reasoning
        </label>
        <label class="check">
          <input type="checkbox" checked={showTools} onChange={(event) => settings.set({ showTools: event.currentTarget.checked })} />
          Tools
        </label>
      </div>
      <Scroll cls="msgs" label="Messages">
        {seen.length > runs.length ? (
          <button type="button" class="link earlier" onClick={() => setMost(most + RUNS)}>
            {seen.length - runs.length} earlier runs
          </button>
        ) : null}
        {list.map(({ run, turns }) => (
          <section
            key={run.id}
            class={`run-msgs edge-${run.status === 'succeeded' ? 'run' : STATUS_KEY[run.status]}`}
            aria-label={`${STATUS_WORD[run.status]} ${run.runId ?? ''}`}
          >
            {(turns.length > 0 ? turns : [null]).map((turn, i) => (
              <TurnRow key={i} turn={turn} run={run} first={i === 0} until={until} />
            ))}
          </section>
        ))}
      </Scroll>
    </div>
  );
}

/** What each run's request added to the conversation. */
function askedOf(bodies: readonly { readonly run: RunView; readonly text: string | undefined }[]): Map<number, Asked[]> {
  const known = new Set<string>();
  return new Map(bodies.map(({ run, text }) => [run.id, newMessages(text, known)]));
}
