import { findChromium } from '../scripts/chromium.mjs';

/** Path of the Chromium the specs run in. Throws one plain sentence where there is none. */
export function chromiumPath(): string {
  const path = findChromium();
  if (!path) throw new Error('No Chromium that can load Runlens was found: run `npm test`, which installs one, or set CHROME_PATH.');
  return path;
}
