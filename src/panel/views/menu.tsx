/** A menu: at a button or at the pointer. Arrow keys move, Enter and Space choose, Escape and Tab leave and give the focus back. */
import { type Signal, signal } from '@preact/signals';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';

export interface MenuItem {
  readonly text: string;
  /** A menu item with a check mark, on or off. */
  readonly checked?: boolean;
  /** Said to the right: the key that does the same. */
  readonly key?: string;
  /** A line above it. */
  readonly apart?: true;
  /** The menu stays open after it was chosen. */
  readonly stays?: true;
  readonly act: () => void;
}

interface Open {
  readonly label: string;
  readonly x: number;
  readonly y: number;
  readonly items: () => readonly MenuItem[];
  readonly back: Element | null;
}

const opened: Signal<Open | null> = signal(null);

/** Opens a menu at a place of the window, px. `items` is asked again when something was chosen. */
export function openMenu(label: string, place: { readonly x: number; readonly y: number }, items: () => readonly MenuItem[]): void {
  opened.value = { label, x: place.x, y: place.y, items, back: document.activeElement };
}

/** Where a menu belongs under an element. */
export const under = (element: Element): { readonly x: number; readonly y: number } => {
  const { left, bottom } = element.getBoundingClientRect();
  return { x: left, y: bottom + 2 };
};

function close(): void {
  const { back } = opened.peek() ?? { back: null };
  opened.value = null;
  if (back instanceof HTMLElement) back.focus();
}

/** The menu that is open, if any: stands once, at the end of the panel. */
export function Menu() {
  const menu = opened.value;
  if (!menu) return null;
  // a landmark, since it stands outside of the main part
  return (
    <section aria-label={`${menu.label} menu`}>
      <Shown key={`${menu.label} ${menu.x} ${menu.y}`} menu={menu} />
    </section>
  );
}

function Shown({ menu }: { menu: Open }) {
  const box = useRef<HTMLDivElement>(null);
  const items = menu.items();
  const buttons = () => [...(box.current?.querySelectorAll<HTMLElement>('[role^=menuitem]') ?? [])];
  useLayoutEffect(() => {
    const own = box.current;
    if (!own) return;
    const { width, height } = own.getBoundingClientRect();
    own.style.left = `${Math.max(2, Math.min(menu.x, innerWidth - width - 2))}px`;
    own.style.top = `${Math.max(2, menu.y + height > innerHeight - 2 ? innerHeight - height - 2 : menu.y)}px`;
    buttons()[0]?.focus();
  }, []);
  useEffect(() => {
    const away = (event: Event) => {
      if (event.target instanceof Node && box.current?.contains(event.target)) return;
      opened.value = null;
    };
    addEventListener('pointerdown', away, true);
    addEventListener('blur', away);
    addEventListener('resize', away);
    return () => {
      removeEventListener('pointerdown', away, true);
      removeEventListener('blur', away);
      removeEventListener('resize', away);
    };
  }, []);
  const onKeyDown = (event: KeyboardEvent) => {
    event.stopPropagation();
    const list = buttons();
    const at = list.indexOf(document.activeElement as HTMLElement);
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: list.length - 1 }[event.key];
    if (to !== undefined) list[(to + list.length) % list.length]?.focus();
    else if (event.key === 'Escape' || event.key === 'Tab') close();
    else return;
    event.preventDefault();
  };
  return (
    <div ref={box} class="menu" role="menu" aria-label={menu.label} tabIndex={-1} onKeyDown={onKeyDown} onContextMenu={(event) => event.preventDefault()}>
      {items.map((item) => (
        // biome-ignore lint/a11y/useAriaPropsSupportedByRole: where it has a check mark its role has one too
        <button
          type="button"
          key={item.text}
          role={item.checked === undefined ? 'menuitem' : 'menuitemcheckbox'}
          aria-checked={item.checked}
          tabIndex={-1}
          class={item.apart ? 'apart' : ''}
          onPointerMove={(event) => event.currentTarget.focus()}
          onClick={() => {
            if (!item.stays) close();
            item.act();
            if (item.stays) opened.value = { ...menu };
          }}
        >
          <span class="tick" aria-hidden="true">
            {item.checked ? '✓' : ''}
          </span>
          <span class="text">{item.text}</span>
          {item.key ? <kbd>{item.key}</kbd> : null}
        </button>
      ))}
    </div>
  );
}
