/** A sheet over the panel: title, a body that scrolls, and a foot that stays in sight. */
import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { usePanel } from '../state/panel.ts';
import { Tool } from './parts.tsx';
import { Scroll } from './row.tsx';

interface SheetProps {
  readonly title: string;
  readonly wide?: boolean;
  readonly foot?: ComponentChildren;
  readonly children: ComponentChildren;
}

export const Sheet = ({ title, wide, foot, children }: SheetProps) => {
  const panel = usePanel();
  const box = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const before = document.activeElement;
    const dialog = box.current;
    if (dialog?.showModal && !dialog.open) dialog.showModal();
    return () => {
      const now = document.activeElement;
      // the browser itself gives the focus back at Escape, and a quick Tab may have moved it on by now
      const isLost = now === null || now === document.body || dialog?.contains(now);
      if (isLost && before instanceof HTMLElement) before.focus();
    };
  }, []);
  const close = () => (panel.dialog.value = null);
  return (
    <dialog
      ref={box}
      class={`sheet ${wide ? 'wide' : ''}`}
      aria-label={title}
      onClose={close}
      onClick={(event) => {
        if (event.target === box.current) close();
      }}
      onKeyDown={(event) => event.stopPropagation()}
    >
      <header class="pane-head">
        <b>{title}</b>
        <span class="spacer" />
        <Tool icon="close" label="Close" small onClick={close} />
      </header>
      <Scroll cls="sheet-body" label={title}>
        {children}
      </Scroll>
      {foot ? <footer class="sheet-foot">{foot}</footer> : null}
    </dialog>
  );
};
