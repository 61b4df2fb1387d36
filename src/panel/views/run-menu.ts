/** What can be done with a run: hold it against another, narrow to it, copy it. */

import type { RunView } from '../../runs/types.ts';
import { counterpart, rowsOfRun } from '../state/compare.ts';
import { withWord } from '../state/filter-words.ts';
import type { Panel } from '../state/panel.ts';
import type { PanelSession } from '../state/session.ts';
import { copyCurl, copyRows } from './copy-rows.ts';
import type { MenuItem } from './menu.tsx';

/** The word that names a run in the filter: its id, or its place where the id is missing or shared. */
export function runWord(session: PanelSession, run: RunView): string {
  const alone = run.runId !== null && session.store.runs.filter((one) => one?.runId === run.runId).length === 1;
  return alone ? run.runId : `#${run.id + 1}`;
}

/** Narrows the filter line by one word. */
export function narrow({ settings }: Panel, ...word: [word: 'run' | 'thread' | 'owner', value: string]): void {
  settings.set({ filter: withWord(settings.value.peek().filter, ...word) });
}

/** Holds a run against another: the other stands left. */
export function compareWith(panel: Panel, session: PanelSession, other: number, run: number): void {
  session.desk.compare.value = [other, run];
  panel.settings.set({ tab: 'Runs' });
}

export const nameOf = (run: RunView): string => run.runId ?? `run ${run.id + 1}`;

/** Answers the page's next request with a stream; only where there is a page. */
export function replayItems(panel: Panel, session: PanelSession, conn: number): MenuItem[] {
  return panel.platform.hold ? [{ text: 'Answer the next request with this…', apart: true, act: () => askReplay(panel, session, conn) }] : [];
}

export function askReplay(panel: Panel, session: PanelSession, conn: number): void {
  panel.toReplay.value = { session, conn };
  panel.dialog.value = 'replay';
}

export function runMenu(panel: Panel, session: PanelSession, run: RunView): MenuItem[] {
  const other = counterpart(session.store, run);
  return [
    ...(other ? [{ text: `Compare with ${nameOf(other)}`, key: 'C', act: () => compareWith(panel, session, other.id, run.id) }] : []),
    { text: 'Show only this run', act: () => narrow(panel, 'run', runWord(session, run)) },
    ...(run.threadId === null ? [] : [{ text: 'Show only this thread', act: () => narrow(panel, 'thread', run.threadId!) }]),
    ...replayItems(panel, session, run.conn),
    { text: 'Copy run as JSON', apart: true, act: () => void copyRows(panel, session, rowsOfRun(session.store, run), 'run', run) },
    { text: 'Copy events as JSONL', act: () => void copyRows(panel, session, rowsOfRun(session.store, run), 'jsonl') },
    { text: 'Copy request as cURL', act: () => void copyCurl(panel, session, run.conn) },
  ];
}
