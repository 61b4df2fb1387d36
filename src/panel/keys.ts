/** Keys that work anywhere in the panel. */
import { tinykeys } from 'tinykeys';
import type { Panel } from './state/panel.ts';
import { NOTHING } from './state/selection.ts';
import { timelineCommands } from './timeline/commands.ts';
import { stepFinding } from './views/navigate.tsx';

const typing = (event: KeyboardEvent): boolean =>
  event.target instanceof HTMLElement && (event.target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(event.target.tagName)) && !isToggle(event.target);
const isToggle = (target: HTMLElement): boolean => target instanceof HTMLInputElement && /^(checkbox|radio|range)$/.test(target.type);

/**
 * Escape lets go of the selection. It is heard below the document: there DevTools listens too, marks the key as taken and opens
 * its drawer. With nothing selected the key is left to DevTools.
 */
function bindEscape(panel: Panel, body: HTMLElement): () => void {
  const listener = (event: KeyboardEvent) => {
    const session = panel.shown.peek();
    if (event.key !== 'Escape' || event.defaultPrevented || typing(event) || panel.dialog.peek() !== null) return;
    if (session.selection.peek().kind === 'none') return;
    event.preventDefault();
    event.stopPropagation();
    session.select(NOTHING);
  };
  body.addEventListener('keydown', listener);
  return () => body.removeEventListener('keydown', listener);
}

/** Binds the keys; answers how to unbind them. */
export function bindKeys(panel: Panel, target: Window = window): () => void {
  const unlessTyping = (act: () => void) => (event: KeyboardEvent) => {
    if (typing(event) || event.defaultPrevented || panel.dialog.peek() !== null) return;
    event.preventDefault();
    act();
  };
  const unbindEscape = bindEscape(panel, document.body);
  const unbind = tinykeys(target, {
    n: unlessTyping(() => stepFinding(panel.shown.peek(), 1)),
    p: unlessTyping(() => stepFinding(panel.shown.peek(), -1)),
    '/': unlessTyping(() => {
      const box = document.getElementById('filter');
      if (box instanceof HTMLInputElement) {
        box.focus();
        box.select();
      }
    }),
    'Shift+?': unlessTyping(() => (panel.dialog.value = 'help')),
    '?': unlessTyping(() => (panel.dialog.value = 'help')),
    z: unlessTyping(timelineCommands.zoomToSelection),
  });
  return () => {
    unbind();
    unbindEscape();
  };
}
