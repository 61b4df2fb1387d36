/** What the detail panes share: their head, lists of events, the row of a definition list. */
import type { ComponentChildren } from 'preact';
import { useSession } from '../state/panel.ts';
import { NOTHING } from '../state/selection.ts';
import { typeOfRow } from '../state/store.ts';
import { numberOf } from '../words/status.ts';
import { summarise } from '../words/summary.ts';
import { Clock, CopyButton, Tool } from './parts.tsx';
import { useBody } from './use-bodies.ts';

interface HeadProps {
  readonly icon: ComponentChildren;
  readonly word: string;
  readonly tone?: string;
  readonly code: string;
  readonly copy?: { readonly label: string; readonly text: () => string | Promise<string> };
  readonly children?: ComponentChildren;
}

export const PaneHead = ({ icon, word, tone = '', code, copy, children }: HeadProps) => {
  const session = useSession();
  return (
    <header class="pane-head">
      {icon}
      <b class={tone}>{word}</b>
      <code title={code}>{code}</code>
      <span class="spacer" />
      {children}
      {copy ? <CopyButton label={copy.label} text={copy.text} /> : null}
      <Tool icon="close" label="Close" title="Close (Esc)" small onClick={() => session.select(NOTHING)} />
    </header>
  );
};

/** One term and what it says; nothing when there is nothing to say. */
export const Fact = ({ term, children, cls }: { term: string; children: ComponentChildren; cls?: string }) =>
  children === null || children === undefined || children === '' || children === false ? null : (
    <>
      <dt>{term}</dt>
      <dd class={cls}>{children}</dd>
    </>
  );

/** An event as a line that selects it: sign, number, time, type, what it says. */
export const EventLine = ({ row, icon, what }: { row: number; icon: ComponentChildren; what?: string }) => {
  const session = useSession();
  const body = useBody(row);
  const said = what ?? (body && body.value !== undefined ? summarise(body.value) : '');
  return (
    <button type="button" class="event-line" onClick={() => session.select({ kind: 'row', row })}>
      <span class="mark">{icon}</span>
      <span class="num">#{numberOf(row)}</span>
      <span class="time">
        <Clock time={session.store.columns.time[row] ?? 0} />
      </span>
      <span class="type">{typeOfRow(session.store, row)}</span>
      <span class="what" dir="auto">
        {said}
      </span>
    </button>
  );
};
