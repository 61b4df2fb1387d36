/** Which threads are folded. A reader's choice is remembered by thread; a capture with many threads opens folded. */
import { type Signal, signal } from '@preact/signals';

const KEY = 'runlens.timeline.folds';
const MOST = 200;
/** More threads than this open folded. */
export const MANY = 6;

const IDLE = 'runlens.timeline.idle';

export interface Idle {
  readonly folded: Signal<boolean>;
  readonly toggle: () => void;
}

/** Whether idle stretches are folded away: off until the reader asks for it, then remembered. */
export function createIdle(storage: Storage | null): Idle {
  const read = () => {
    try {
      return storage?.getItem(IDLE) === 'folded';
    } catch {
      return false;
    }
  };
  const folded = signal(read());
  return {
    folded,
    toggle: () => {
      folded.value = !folded.value;
      try {
        storage?.setItem(IDLE, folded.value ? 'folded' : 'open');
      } catch {
        // a full or closed storage only costs the memory of it
      }
    },
  };
}

export interface Folding {
  readonly folded: Signal<ReadonlySet<string>>;
  readonly toggle: (key: string) => void;
  /** Folds or opens all of them. */
  readonly setAll: (keys: readonly string[], fold: boolean) => void;
  /** Called when a capture is seen for the first time. */
  readonly open: (keys: readonly string[]) => void;
}

function read(storage: Storage | null): Map<string, boolean> {
  try {
    const value: unknown = JSON.parse(storage?.getItem(KEY) ?? '[]');
    if (!Array.isArray(value)) return new Map();
    return new Map(value.filter((pair): pair is [string, boolean] => Array.isArray(pair) && typeof pair[0] === 'string' && typeof pair[1] === 'boolean'));
  } catch {
    return new Map();
  }
}

function write(storage: Storage | null, choices: ReadonlyMap<string, boolean>): void {
  try {
    storage?.setItem(KEY, JSON.stringify([...choices].slice(-MOST)));
  } catch {
    // a full or closed storage only costs the memory of the folds
  }
}

export function createFolding(storage: Storage | null): Folding {
  const choices = read(storage);
  const folded = signal<ReadonlySet<string>>(new Set([...choices].filter(([, fold]) => fold).map(([key]) => key)));
  const set = (keys: readonly string[], fold: boolean) => {
    const next = new Set(folded.value);
    for (const key of keys) {
      choices.delete(key);
      choices.set(key, fold);
      if (fold) next.add(key);
      else next.delete(key);
    }
    folded.value = next;
    write(storage, choices);
  };
  return {
    folded,
    toggle: (key) => set([key], !folded.value.has(key)),
    setAll: set,
    open: (keys) => {
      if (keys.length <= MANY) return;
      folded.value = new Set([...folded.value, ...keys.filter((key) => choices.get(key) !== false)]);
    },
  };
}
