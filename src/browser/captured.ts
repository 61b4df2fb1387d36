/** Where content scripts run. */
import browser from './browser.ts';

const LOCAL = /^https?:\/\/(localhost|[^/]+\.localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/;

/** The browser's answers by origin, until a permission changes: this is asked once for each message of a page. */
const answers = new Map<string, Promise<boolean>>();
const forget = (): void => answers.clear();
// a devtools page of Firefox has no permissions to ask for
const permissions = browser.permissions as typeof browser.permissions | undefined;
permissions?.onAdded.addListener(forget);
permissions?.onRemoved.addListener(forget);

/** Whether pages of an http(s) origin are captured: the localhost family, and what the user allowed, where that can be asked. A port is no part of a permission. */
export async function isCaptured(origin: string): Promise<boolean> {
  if (LOCAL.test(origin)) return true;
  if (!permissions) return false;
  const known = answers.get(origin);
  if (known) return known;
  const { protocol, hostname } = new URL(origin);
  const asked = permissions.contains({ origins: [`${protocol}//${hostname}/*`] }).catch(() => {
    answers.delete(origin);
    return false;
  });
  answers.set(origin, asked);
  return asked;
}
