/** Whether the inspected origin is captured, and the click that changes it. */
import { usePanel, useShown } from '../state/panel.ts';
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
    const done = await (captured ? panel.platform.forbid(origin) : panel.platform.allow(origin)).catch(() => false);
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
