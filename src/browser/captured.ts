/** Where content scripts run. */
import browser from './browser.ts';

const LOCAL = /^https?:\/\/(localhost|[^/]+\.localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/;

/** The browser's answers by origin, until a permission changes: this is asked once for each message of a page. */
const answers = new Map<string, Promise<boolean>>();
const forget = (): void => answers.clear();
browser.permissions.onAdded.addListener(forget);
browser.permissions.onRemoved.addListener(forget);

/** Whether pages of an http(s) origin are captured: the localhost family, and what the user allowed. A port is no part of a permission. */
export async function isCaptured(origin: string): Promise<boolean> {
  if (LOCAL.test(origin)) return true;
  const known = answers.get(origin);
  if (known) return known;
  const { protocol, hostname } = new URL(origin);
  const asked = browser.permissions.contains({ origins: [`${protocol}//${hostname}/*`] }).catch(() => {
    answers.delete(origin);
    return false;
  });
  answers.set(origin, asked);
  return asked;
}
