/** Keys that work anywhere in the panel. */
import { tinykeys } from 'tinykeys';
import type { Panel } from './state/panel.ts';
import { NOTHING } from './state/selection.ts';
import { timelineCommands } from './timeline/commands.ts';
import { stepFinding } from './views/navigate.tsx';

const typing = (event: KeyboardEvent): boolean =>
  event.target instanceof HTMLElement && (event.target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(event.target.tagName)) && !isToggle(event.target);
const isToggle = (target: HTMLElement): boolean => target instanceof HTMLInputElement && (target.type === 'checkbox' || target.type === 'radio');

/** Binds the keys; answers how to unbind them. */
export function bindKeys(panel: Panel, target: Window = window): () => void {
  const unlessTyping = (act: () => void) => (event: KeyboardEvent) => {
    if (typing(event) || event.defaultPrevented || panel.dialog.peek() !== null) return;
    event.preventDefault();
    act();
  };
  return tinykeys(target, {
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
    Escape: unlessTyping(() => panel.shown.peek().select(NOTHING)),
  });
}
