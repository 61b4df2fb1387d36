/** Row and cell of a grid, and a pane that scrolls. The roles are those of the ARIA grid pattern: the grid has the focus, rows and cells do not. */
import type { ComponentChildren } from 'preact';

interface RowProps {
  readonly id: string;
  readonly index: number;
  readonly selected: boolean;
  readonly cls?: string;
  readonly onPick?: (event: MouseEvent) => void;
  /** Before the context menu opens: the row takes the selection. */
  readonly onMenu?: () => void;
  readonly children: ComponentChildren;
  readonly [data: `data-${string}`]: string | number | undefined;
}

export const Row = ({ id, index, selected, cls = '', onPick, onMenu, children, ...data }: RowProps) => (
  // biome-ignore lint/a11y: a row of a grid is reached by the grid's own keys; a table element could not be virtual
  <div
    {...data}
    id={id}
    class={`row ${cls} ${selected ? 'selected' : ''}`}
    role="row"
    aria-rowindex={index + 2}
    aria-selected={selected}
    onClick={onPick}
    onContextMenu={onMenu}
  >
    {children}
  </div>
);

interface CellProps {
  readonly as?: 'span' | 'b' | 'code';
  readonly cls?: string;
  readonly dir?: 'auto';
  readonly title?: string;
  readonly children?: ComponentChildren;
}

export const Cell = ({ as: Tag = 'span', cls, dir, title, children }: CellProps) => (
  <Tag class={cls} role="gridcell" dir={dir} title={title}>
    {children}
  </Tag>
);

/** A pane that scrolls, and can be scrolled by keys. */
export const Scroll = ({ cls, label, children }: { cls: string; label: string; children: ComponentChildren }) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must take the focus, or the keyboard cannot read it
  <section class={`${cls} scroll`} aria-label={label} tabIndex={0}>
    {children}
  </section>
);
