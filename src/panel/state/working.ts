/** Work that takes a while: told once it lasts, with how far it is, and stopped on request. */
import { type Signal, signal } from '@preact/signals';
import type { Panel } from './panel.ts';

/** Work that lasts longer than this is told, ms. */
const PATIENCE = 300;
/** The panel is not held longer than this, ms. */
const SLICE = 12;

/** A sentence without its end, how far it is (0 to 1, null where that is unknown), and how to stop it. */
export interface Work {
  readonly text: string;
  readonly done: Signal<number | null>;
  readonly cancel: () => void;
}

export interface Working {
  readonly stopped: () => boolean;
  readonly progress: (share: number) => void;
  /** Lets the panel draw and answer, if it is time. */
  readonly rest: () => Promise<void> | null;
  readonly end: () => void;
}

export function beginWork(panel: Panel, text: string): Working {
  const done = signal<number | null>(null);
  let stopped = false;
  let since = performance.now();
  const work: Work = {
    text,
    done,
    cancel: () => {
      stopped = true;
    },
  };
  const timer = setTimeout(() => {
    panel.work.value = work;
  }, PATIENCE);
  return {
    stopped: () => stopped,
    progress: (share) => {
      done.value = Math.min(1, share);
    },
    rest: () => {
      if (performance.now() - since < SLICE) return null;
      return pause().then(() => {
        since = performance.now();
      });
    },
    end: () => {
      clearTimeout(timer);
      if (panel.work.peek() === work) panel.work.value = null;
    },
  };
}

/** Gives way to input and drawing. */
function pause(): Promise<void> {
  const scheduler = (globalThis as { scheduler?: { yield?: () => Promise<void> } }).scheduler;
  return scheduler?.yield?.() ?? new Promise((resolve) => setTimeout(resolve));
}

export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
