/** Hands the session to the timeline and takes its selections. */
import { computed, type Signal } from '@preact/signals';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import { FULL, SHORT, type Target, TINY, type TimelineModel } from '../../timeline/index.ts';
import { usePanel, useShown } from '../state/panel.ts';
import type { Theme } from '../state/theme.ts';
import { TimelineView } from '../timeline/timeline-view.tsx';
import { still } from './still.tsx';

/** Room under the last lane. */
const FOOT = 6;

/** Calls back with the height that all of the timeline's content takes, also what is out of sight now: a box higher than that would stay empty. */
function useContentHeight(box: { current: HTMLDivElement | null }, onHeight: (px: number) => void): void {
  useEffect(() => {
    const scroller = box.current?.querySelector<HTMLElement>('.tl-scroller');
    const stage = box.current?.querySelector<HTMLElement>('.tl-stage');
    if (!scroller || !stage) return;
    const tell = () => {
      const height = Number.parseFloat(stage.dataset['full'] ?? '');
      if (height > 0) onHeight(scroller.offsetTop + height + FOOT);
    };
    tell();
    const watch = new MutationObserver(tell);
    watch.observe(stage, { attributeFilter: ['data-full'] });
    // the overview above it has another height in a narrow dock
    const resized = new ResizeObserver(tell);
    resized.observe(scroller);
    return () => {
      watch.disconnect();
      resized.disconnect();
    };
  }, [box, onHeight]);
}

export const TimelinePane = still(({ short, tiny, onHeight }: { short: boolean; tiny: boolean; onHeight: (px: number) => void }) => {
  const panel = usePanel();
  const session = useShown();
  const hidden = useMemo(() => {
    const names = computed(() => panel.settings.value.value.hidden.join(' '));
    return computed<ReadonlySet<string>>(() => new Set(names.value.split(' ').filter(Boolean)));
  }, [panel]);
  const onSelect = (target: Target) => {
    if (target.kind === 'tick') session.select({ kind: 'row', row: target.row });
    else if (target.kind !== 'thread') session.select(target);
  };
  const box = useRef<HTMLDivElement>(null);
  useContentHeight(box, onHeight);
  return (
    <div ref={box} class="timeline-fill">
      <TimelineView
        model={session.model as Signal<TimelineModel>}
        version={session.store.version}
        selection={session.selection}
        onSelect={onSelect}
        theme={panel.theme as Signal<Theme>}
        density={tiny ? TINY : short ? SHORT : FULL}
        filterKinds={hidden as Signal<ReadonlySet<string>>}
        follow={session.follow}
        moment={session.moment}
      />
    </div>
  );
});
