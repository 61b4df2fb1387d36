/** The caps a user may set. Sizes are bytes; of text frames, characters. What a cap leaves out is counted and shown as a gap. */

const MIB = 2 ** 20;

export interface Limits {
  /** What a tab's capture may hold; chunks past it are counted instead of kept. */
  readonly tab: number;
  /** The largest frame that is decoded; the bytes of a larger one are kept. */
  readonly frame: number;
}

/** What can be chosen. No frame is decoded over 10 Mi characters, where the reference client gives up. */
export const TAB_LIMITS: readonly number[] = [16, 64, 256, 1024].map((n) => n * MIB);
export const FRAME_LIMITS: readonly number[] = [1, 4, 10].map((n) => n * MIB);

export const DEFAULT_LIMITS: Limits = { tab: 1024 * MIB, frame: 10 * MIB };

/** Limits out of whatever was stored or sent: what is none of the choices is its default. */
export function parseLimits(value: unknown): Limits {
  const { tab, frame } = (typeof value === 'object' && value !== null ? value : {}) as Partial<Record<keyof Limits, unknown>>;
  return {
    tab: TAB_LIMITS.find((one) => one === tab) ?? DEFAULT_LIMITS.tab,
    frame: FRAME_LIMITS.find((one) => one === frame) ?? DEFAULT_LIMITS.frame,
  };
}

/** A limit as people say it: whole MiB or GiB. */
export const sizeWords = (bytes: number): string => (bytes >= 1024 * MIB ? `${bytes / (1024 * MIB)} GiB` : `${bytes / MIB} MiB`);
