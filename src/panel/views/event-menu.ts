/** What can be done with events: copy them in some form, go where they stand elsewhere, narrow to what they belong to. */
import { ownerOfRow } from '../state/filter.ts';
import type { Panel } from '../state/panel.ts';
import type { PanelSession } from '../state/session.ts';
import type { Tab } from '../state/settings.ts';
import { summarise } from '../words/summary.ts';
import { copyText } from './copy.ts';
import { copyCurl, copyRows } from './copy-rows.ts';
import type { MenuItem } from './menu.tsx';
import { narrow, runMenu } from './run-menu.ts';

/** Menu over rows, ascending and at least one. */
export function eventMenu(panel: Panel, session: PanelSession, rows: readonly number[]): MenuItem[] {
  const { store, bodies } = session;
  const row = rows[0]!;
  const many = rows.length > 1;
  const run = store.runs[store.columns.run[row]!];
  const owner = ownerOfRow(store, row);
  const conn = store.columns.conn[row]!;
  const goTo = (tab: Tab) => () => {
    session.select({ kind: 'row', row });
    panel.settings.set({ tab });
  };
  return [
    {
      text: many ? `Copy ${panel.formats.count(rows.length)} events as JSONL` : 'Copy as JSON',
      key: 'Ctrl C',
      act: () => void copyRows(panel, session, rows, many ? 'jsonl' : 'json'),
    },
    many
      ? { text: 'Copy as one JSON list', act: () => void copyRows(panel, session, rows, 'json') }
      : { text: 'Copy as JSONL', act: () => void copyRows(panel, session, rows, 'jsonl') },
    ...(many ? [] : [{ text: 'Copy summary', act: () => void bodies.load(row).then(({ value }) => copyText(summarise(value))) }]),
    ...(run ? runMenu(panel, session, run).filter(({ text }) => text.startsWith('Copy run')) : []),
    { text: 'Copy request as cURL', act: () => void copyCurl(panel, session, conn) },
    { text: 'Show in Raw', apart: true, act: goTo('Raw') },
    { text: 'Show messages at this moment', act: goTo('Messages') },
    { text: 'Show state at this moment', act: goTo('State') },
    ...(run ? runMenu(panel, session, run).filter(({ text }) => text.startsWith('Show only')) : []),
    ...(owner === null ? [] : [{ text: 'Show only this subagent', act: () => narrow(panel, 'owner', owner) }]),
  ];
}
