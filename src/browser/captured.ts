/** Where content scripts run. */
import browser from './browser.ts';

const LOCAL = /^https?:\/\/(localhost|[^/]+\.localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/;

/** Whether pages of an http(s) origin are captured: the localhost family, and what the user allowed. A port is no part of a permission. */
export async function isCaptured(origin: string): Promise<boolean> {
  if (LOCAL.test(origin)) return true;
  const { protocol, hostname } = new URL(origin);
  return browser.permissions.contains({ origins: [`${protocol}//${hostname}/*`] }).catch(() => false);
}
