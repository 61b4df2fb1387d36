/** Commands for key bindings. They travel as events of the document, so that no caller needs a hold on the view. */

export type Command =
  | { readonly name: 'fit' }
  | { readonly name: 'zoom'; readonly factor: number }
  | { readonly name: 'pan'; readonly share: number }
  | { readonly name: 'zoomToSelection' }
  | { readonly name: 'show'; readonly from: number; readonly to: number };

const EVENT = 'runlens-timeline-command';
const send = (command: Command): void => {
  document.dispatchEvent(new CustomEvent<Command>(EVENT, { detail: command }));
};

/** What a key can do to the timeline on screen. Nothing happens when there is none. */
export const timelineCommands = {
  /** Shows the whole capture. */
  fit: (): void => send({ name: 'fit' }),
  zoomIn: (): void => send({ name: 'zoom', factor: 1 / 1.5 }),
  zoomOut: (): void => send({ name: 'zoom', factor: 1.5 }),
  /** Moves the window by a share of its width: -0.25 is a quarter to the left. */
  pan: (share: number): void => send({ name: 'pan', share }),
  zoomToSelection: (): void => send({ name: 'zoomToSelection' }),
  /** Shows a stretch of time, ms since the epoch. */
  show: (from: number, to: number): void => send({ name: 'show', from, to }),
};

/** Hears the commands until the returned function is called. */
export function listenForCommands(run: (command: Command) => void): () => void {
  const listener = (event: Event) => run((event as CustomEvent<Command>).detail);
  document.addEventListener(EVENT, listener);
  return () => document.removeEventListener(EVENT, listener);
}
