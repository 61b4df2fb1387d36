/** Whether the inspected origin is captured, and the click that changes it. */
import { type Panel, usePanel, useShown } from '../state/panel.ts';
import { Icon } from './icons.tsx';

/** Host and port of an origin, as people say it. */
export function originName(origin: string): string {
  try {
    return new URL(origin).host || origin;
  } catch {
    return origin;
  }
}

const LOCAL = /^https?:\/\/(localhost|[^/]+\.localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/;

/** Origins that are captured without asking, and cannot be given back. */
export const isLocal = (origin: string): boolean => LOCAL.test(origin);

/**
 * Asks the browser to let an origin be captured. Its question opens in the page's window, which DevTools in a window of their own
 * cover: so the panel says where it is. Must be called in a click.
 */
export async function askToCapture(panel: Panel, origin: string): Promise<void> {
  const name = originName(origin);
  panel.notice.value = { tone: 'plain', text: `The browser asks in the page’s window whether Runlens may read ${name}.` };
  const done = await panel.platform.allow(origin).catch(() => false);
  panel.notice.value = done ? null : { tone: 'plain', text: `${name} is still not captured: the browser was not allowed to.` };
}

export function OriginButton() {
  const panel = usePanel();
  const session = useShown();
  const facts = session.store.facts.value;
  const { origin, captured } = facts ?? { origin: null, captured: false };
  if (origin === null) return null;
  const change = async () => {
    if (captured && isLocal(origin)) {
      panel.notice.value = { tone: 'plain', text: `${originName(origin)} belongs to localhost: Runlens always reads it. Stop recording to capture nothing.` };
      return;
    }
    if (!captured) return askToCapture(panel, origin);
    const done = await panel.platform.forbid(origin).catch(() => false);
    if (!done) panel.notice.value = { tone: 'plain', text: `Nothing was changed for ${originName(origin)}.` };
  };
  return (
    <button
      type="button"
      class={`origin ${captured ? 'on' : 'off'}`}
      title={captured ? 'Captured; click to stop capturing this origin' : 'Click to capture this origin'}
      onClick={() => void change()}
    >
      <Icon name="site" size={14} />
      <span>{originName(origin)}</span>
      <em>{captured ? 'captured' : 'not captured'}</em>
    </button>
  );
}
