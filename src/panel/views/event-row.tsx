/** One row of the events table that is an event or a fold of deltas. Most rows stay as they are while others come. */
import { usePanel } from '../state/panel.ts';
import type { PanelSession } from '../state/session.ts';
import { FindingIcon, KindIcon } from './icons.tsx';
import { Marked } from './marked.tsx';
import { Clock } from './parts.tsx';
import { Cell, Row } from './row.tsx';
import type { RowFacts } from './row-facts.ts';
import { still } from './still.tsx';

/** What is done with a row; the same object for all draws, so that a row need not be drawn for it. */
export interface RowActs {
  pick: (index: number, event: MouseEvent) => void;
  /** Before the context menu opens. */
  menu: (index: number) => void;
}

interface RowProps extends RowFacts {
  readonly id: string;
  readonly needle: string;
  readonly count: number;
  /** `count` in the reader's numerals. */
  readonly times: string;
  readonly acts: RowActs;
}

export const EventRow = still((props: RowProps) => {
  const { id, index, row, needle, acts, finding, folded, open, count } = props;
  return (
    <Row
      id={id}
      index={index}
      selected={props.selected}
      cls={props.cls}
      onPick={(event) => acts.pick(index, event)}
      onMenu={() => acts.menu(index)}
      data-testid="event-row"
      data-row={row}
      data-type={props.type}
      data-tone={props.tone}
    >
      <Cell cls="mark">
        {finding ? <FindingIcon mark={finding} size={13} /> : props.related ? <FindingIcon mark="related" tone={props.tone} /> : null}
        {finding ? <span class="offscreen">{finding}</span> : null}
      </Cell>
      <Cell cls="r num">{props.number}</Cell>
      <Cell cls="r time">
        <Clock time={props.time} />
      </Cell>
      <Cell cls={`r gap ${props.gapIsLong ? 'long' : ''}`}>{props.gap}</Cell>
      <Cell cls="run" title={props.runTitle}>
        <bdi>{props.run}</bdi>
      </Cell>
      <Cell cls="owner" title={props.ownerTitle}>
        <bdi>{props.owner}</bdi>
      </Cell>
      <Cell cls="kind">
        {folded ? <Twist open={open} count={count} row={row} /> : <span class="fold" />}
        <KindIcon kind={props.kind} size={11} />
        <span class="type">
          <Marked text={props.name} needle={needle} />
        </span>
        {folded ? <span class="times">×{props.times}</span> : null}
      </Cell>
      <Cell cls="sum" dir="auto">
        <Marked text={props.summary} needle={needle} />
      </Cell>
      <Cell cls="r size">{props.size}</Cell>
    </Row>
  );
});

/** Folds or unfolds the deltas that begin at a row. */
export function toggleFold(session: PanelSession, row: number): void {
  const next = new Set(session.unfolded.peek());
  if (!next.delete(row)) next.add(row);
  session.unfolded.value = next;
}

const Twist = ({ open, count, row }: { open: boolean; count: number; row: number }) => {
  const { shown } = usePanel();
  const flip = (event: MouseEvent) => {
    event.stopPropagation();
    toggleFold(shown.peek(), row);
  };
  return (
    <button type="button" class="fold" tabIndex={-1} aria-expanded={open} aria-label={`${open ? 'Fold' : 'Unfold'} ${count} events`} onClick={flip}>
      {open ? '▾' : '▸'}
    </button>
  );
};
