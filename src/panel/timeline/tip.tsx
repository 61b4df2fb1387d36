/** The tooltip: beside the thing under the pointer, 300 ms after the pointer came to rest on it, never over it. */
import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { describeTarget, groupOf, heightsOf, type Target, timeScale, timesOf } from '../../timeline/index.ts';
import type { Engine } from './engine.ts';
import { Icon } from './icon.tsx';

const DELAY = 300;
const WIDTH = 286;

interface Place {
  readonly left: number;
  readonly top: number;
  /** Above the thing when there is no room below. */
  readonly above: boolean;
}

function placeOf(engine: Engine, target: Target, scroller: HTMLElement): Place | null {
  const layout = engine.layout.peek();
  const window = engine.window();
  const times = timesOf(layout, target);
  const heights = heightsOf(layout, target);
  if (!times || !heights) return null;
  const box = scroller.getBoundingClientRect();
  const scale = timeScale(window, layout.origin);
  const cursor = engine.cursor.peek();
  const x = target.kind === 'thread' ? 8 : scale.px((cursor ?? times.from) - layout.origin);
  const folded = target.kind === 'run' && layout.groups[layout.groupOfRun.get(target.id) ?? -1]?.thread.folded;
  const bottom = heights.bottom + (folded ? 24 : 0) - window.scroll;
  const below = box.top + bottom + 9 + 74 < document.documentElement.clientHeight;
  const left = Math.min(Math.max(box.left + x - 16, 4), document.documentElement.clientWidth - WIDTH - 6);
  return { left, top: below ? box.top + bottom + 9 : box.top + heights.top - window.scroll - 9, above: !below };
}

/** The target once the pointer has rested on it. */
function useRested(engine: Engine): Target | null {
  const hover = engine.hover.value;
  const [rested, setRested] = useState<Target | null>(null);
  useEffect(() => {
    setRested(null);
    if (!hover) return;
    const timer = setTimeout(() => setRested(hover), DELAY);
    return () => clearTimeout(timer);
  }, [hover]);
  return hover && rested === hover ? rested : null;
}

export function Tip({ engine, scroller }: { readonly engine: Engine; readonly scroller: () => HTMLElement | null }): JSX.Element | null {
  const target = useRested(engine);
  const element = scroller();
  const place = useRef<{ target: Target; place: Place | null } | null>(null);
  if (!target || !element) return null;
  // placed once: a tooltip that follows the pointer cannot be read
  if (place.current?.target !== target) place.current = { target, place: placeOf(engine, target, element) };
  const at = place.current.place;
  const about = describeTarget(engine.layout.value, target);
  if (!at || !about) return null;
  return (
    <div class={`tl-tip${at.above ? ' tl-above' : ''}`} role="tooltip" style={{ left: `${at.left}px`, top: `${at.top}px` }}>
      <div class="tl-tip-head">
        <Icon name={about.icon} size={12} tone={about.tone} />
        <b style={{ color: `var(--${about.tone})` }}>{about.word}</b>
        <span>{about.title}</span>
      </div>
      {about.why && <div class="tl-tip-why">{about.why}</div>}
      <div class="tl-tip-facts">
        {target.kind === 'thread'
          ? `${about.facts}. ${groupOf(engine.layout.value, target)?.away ? 'Click goes to the nearest.' : 'Click folds, Alt-click folds all.'}`
          : about.facts}
      </div>
    </div>
  );
}
