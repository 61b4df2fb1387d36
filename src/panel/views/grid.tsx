/** A table with virtual rows of one height, one selected row, and the keys every table has. The scroller is the focusable grid itself. */
import { elementScroll, observeElementOffset, observeElementRect, Virtualizer } from '@tanstack/virtual-core';
import type { ComponentChildren } from 'preact';
import { useEffect, useId, useLayoutEffect, useRef, useState } from 'preact/hooks';

export interface Column {
  readonly key: string;
  readonly name: ComponentChildren;
  readonly cls?: string;
  /** Sort direction, where this column can be sorted by. */
  readonly sort?: 'ascending' | 'descending' | 'none';
  readonly onSort?: () => void;
}

export interface GridProps {
  readonly label: string;
  readonly cls: string;
  readonly columns: readonly Column[];
  readonly count: number;
  readonly rowHeight: number;
  /** Index of the selected row, -1 for none. When it or `reveal` changes, the row is scrolled into sight if it is out of it. */
  readonly selected: number;
  readonly reveal?: unknown;
  readonly onSelect: (index: number) => void;
  /** Shift with a key that moves: the selection grows to that row. Tables that have it can select several rows. */
  readonly onExtend?: (index: number) => void;
  /** Ctrl or Command with A and C, in tables that can select several rows. */
  readonly onAll?: () => void;
  readonly onCopy?: () => void;
  /** The context menu of the table: at the pointer, or under the selected row when a key asked for it. `head`: it was the head that was hit. */
  readonly onMenu?: (place: { readonly x: number; readonly y: number }, head: boolean) => void;
  /** Widths of the columns, where the style sheet does not know them; and the least width of all, px. */
  readonly tracks?: { readonly cols: string; readonly least: number };
  readonly onEnter?: (index: number) => void;
  readonly onKey?: (event: KeyboardEvent, index: number) => boolean;
  readonly row: (index: number, id: string) => ComponentChildren;
  /** Stay at the last row; `onLeave` is called when the reader scrolls away from it, `onEnd` when back to it. */
  readonly follow?: boolean;
  readonly onLeave?: () => void;
  readonly onEnd?: () => void;
  readonly empty?: ComponentChildren;
}

const HEAD = 24;

function useVirtual(scroller: { current: HTMLDivElement | null }, count: number, rowHeight: number): Virtualizer<HTMLDivElement, Element> {
  const [, redraw] = useState(0);
  const ref = useRef<Virtualizer<HTMLDivElement, Element> | null>(null);
  const options = {
    count,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    scrollToFn: elementScroll,
    observeElementRect,
    observeElementOffset,
    overscan: 12,
    scrollPaddingStart: HEAD,
    paddingStart: HEAD,
    onChange: () => redraw((n) => n + 1),
  };
  ref.current ??= new Virtualizer<HTMLDivElement, Element>(options);
  const virtual = ref.current;
  virtual.setOptions(options);
  useLayoutEffect(() => virtual._didMount(), [virtual]);
  useLayoutEffect(() => virtual._willUpdate());
  return virtual;
}

/** Index after a navigation key, or null for any other key. */
export function step(key: string, index: number, count: number, page: number): number | null {
  const at = (next: number) => Math.max(0, Math.min(count - 1, next));
  switch (key) {
    case 'ArrowDown':
      return at(index + 1);
    case 'ArrowUp':
      return index < 0 ? at(count - 1) : at(index - 1);
    case 'PageDown':
      return at(Math.max(0, index) + page);
    case 'PageUp':
      return at(index - page);
    case 'Home':
      return 0;
    case 'End':
      return at(count - 1);
    default:
      return null;
  }
}

export function Grid(props: GridProps) {
  const { label, cls, columns, count, rowHeight, selected, follow } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const id = useId();
  const virtual = useVirtual(scroller, count, rowHeight);
  const wrote = useRef(0);

  const reveal = (index: number) => {
    const box = scroller.current;
    if (!box || index < 0 || index >= count) return;
    const [top, bottom] = [HEAD + index * rowHeight, HEAD + (index + 1) * rowHeight];
    if (top - HEAD >= box.scrollTop && bottom <= box.scrollTop + box.clientHeight) return;
    const near = top < box.scrollTop + HEAD + 3 * rowHeight && top >= box.scrollTop - 2 * rowHeight;
    const nearEnd = bottom > box.scrollTop + box.clientHeight && bottom <= box.scrollTop + box.clientHeight + 2 * rowHeight;
    // a whole row under the head, unless the last row is to be whole
    const middle = Math.max(0, Math.round((index * rowHeight - box.clientHeight * 0.4) / rowHeight) * rowHeight);
    box.scrollTop = near ? top - HEAD : nearEnd ? bottom - box.clientHeight : middle;
  };
  useEffect(() => reveal(selected), [selected, props.reveal]);
  useLayoutEffect(() => {
    const box = scroller.current;
    if (!box || !follow) return;
    box.scrollTop = box.scrollHeight;
    wrote.current = box.scrollTop;
  }, [follow, count]);

  const onScroll = () => {
    const box = scroller.current;
    if (!box) return;
    const end = box.scrollTop + box.clientHeight >= box.scrollHeight - 2;
    if (follow && !end && box.scrollTop < wrote.current - 2) props.onLeave?.();
    else if (!follow && end && box.scrollHeight > box.clientHeight + 2) props.onEnd?.();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (count === 0) return;
    const own = event.target === scroller.current;
    if ((event.ctrlKey || event.metaKey) && own) {
      const act = { a: props.onAll, c: props.onCopy }[event.key.toLowerCase()];
      if (!act || event.altKey) return;
      event.preventDefault();
      return act();
    }
    if (event.ctrlKey || event.metaKey) return;
    if (event.altKey) {
      if (own && props.onKey?.(event, selected)) event.preventDefault();
      return;
    }
    if (!own && event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
    if (props.onKey?.(event, selected)) return event.preventDefault();
    if (event.key === 'Enter' && selected >= 0 && props.onEnter) {
      event.preventDefault();
      return props.onEnter(selected);
    }
    const page = Math.max(1, Math.floor(((scroller.current?.clientHeight ?? 200) - HEAD) / rowHeight) - 1);
    const next = step(event.key, selected, count, page);
    if (next === null) return;
    event.preventDefault();
    if (event.shiftKey && props.onExtend) props.onExtend(next);
    else props.onSelect(next);
    reveal(next);
  };
  const onMenu = (event: MouseEvent) => {
    const box = scroller.current;
    if (!props.onMenu || !box || !(event.target instanceof Element)) return;
    event.preventDefault();
    // a key's event has the grid itself as target and no place of its own
    const row = event.target === box ? box.querySelector('.row.selected') : null;
    const at = row?.getBoundingClientRect();
    props.onMenu(at ? { x: at.left + 40, y: at.bottom } : { x: event.clientX, y: event.clientY }, event.target.closest('.row.head') !== null);
  };

  const items = virtual.getVirtualItems();
  const active = items.some((item) => item.index === selected) ? `${id}-${selected}` : undefined;
  return (
    // biome-ignore lint/a11y/useSemanticElements: a table element could not have virtual rows
    <div
      ref={scroller}
      class={`table ${cls}`}
      role="grid"
      aria-label={label}
      aria-rowcount={count + 1}
      aria-activedescendant={active}
      aria-multiselectable={props.onExtend ? true : undefined}
      tabIndex={0}
      style={props.tracks ? { '--cols': props.tracks.cols, '--least': `${props.tracks.least}px` } : undefined}
      onScroll={onScroll}
      onKeyDown={onKeyDown}
      onContextMenu={onMenu}
    >
      {/* biome-ignore lint/a11y: header row of the grid pattern */}
      <div class="row head" role="row" aria-rowindex={1}>
        {columns.map((column) => (
          // biome-ignore lint/a11y: header cell of the grid pattern
          <span key={column.key} role="columnheader" class={column.cls} aria-sort={column.sort}>
            {column.onSort ? (
              <button type="button" class="sorter" onClick={column.onSort}>
                {column.name}
                {column.sort === 'ascending' ? ' ▴' : column.sort === 'descending' ? ' ▾' : ''}
              </button>
            ) : (
              column.name
            )}
          </span>
        ))}
      </div>
      <div class="body" role={count > 0 ? 'rowgroup' : undefined} style={{ height: `${Math.max(0, virtual.getTotalSize() - HEAD)}px` }}>
        {items.map((item) => (
          <div key={item.key} class="place" role="presentation" style={{ transform: `translateY(${item.start - HEAD}px)` }}>
            {props.row(item.index, `${id}-${item.index}`)}
          </div>
        ))}
      </div>
      {count === 0 && props.empty ? <div class="hollow-table">{props.empty}</div> : null}
    </div>
  );
}
