/** What the reader laid out in one session beside the selection: rows picked, two runs held side by side, a state to compare with. */
import { batch, type Signal, signal } from '@preact/signals';

/** A state document the reader put aside, and where it is from. */
export interface Pinned {
  readonly document: unknown;
  readonly conn: number;
  /** Row that left it so; -1 for the state a request brought. */
  readonly row: number;
}

export interface Desk {
  /** Rows picked beside the selected one, for copying. */
  readonly picked: Signal<ReadonlySet<number>>;
  /** Session ids of the runs side by side. */
  readonly compare: Signal<readonly [a: number, b: number] | null>;
  readonly pinned: Signal<Pinned | null>;
  /** Forgets everything that names rows or runs. */
  readonly clear: () => void;
}

export const NO_ROWS: ReadonlySet<number> = new Set();

export function createDesk(): Desk {
  const desk = {
    picked: signal<ReadonlySet<number>>(NO_ROWS),
    compare: signal<readonly [number, number] | null>(null),
    pinned: signal<Pinned | null>(null),
  };
  return {
    ...desk,
    clear: () =>
      batch(() => {
        desk.picked.value = NO_ROWS;
        desk.compare.value = null;
        desk.pinned.value = null;
      }),
  };
}
