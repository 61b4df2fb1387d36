/** Path of a Chromium that can load Runlens, or null. */
export function findChromium(): string | null;
/** The same, installed if there is none. Throws one plain sentence where that fails. */
export function ensureChromium(): string;
