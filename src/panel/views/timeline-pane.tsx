/** Hands the session to the timeline and takes its selections. */
import { computed, type Signal } from '@preact/signals';
import { useMemo } from 'preact/hooks';
import { FULL, SHORT, type Target, type TimelineModel } from '../../timeline/index.ts';
import { usePanel, useSession } from '../state/panel.ts';
import type { Theme } from '../state/theme.ts';
import { TimelineView } from '../timeline/timeline-view.tsx';

export function TimelinePane({ short }: { short: boolean }) {
  const panel = usePanel();
  const session = useSession();
  const hidden = useMemo(() => {
    const names = computed(() => panel.settings.value.value.hidden.join(' '));
    return computed<ReadonlySet<string>>(() => new Set(names.value.split(' ').filter(Boolean)));
  }, [panel]);
  const onSelect = (target: Target) => {
    if (target.kind === 'tick') session.select({ kind: 'row', row: target.row });
    else if (target.kind !== 'thread') session.select(target);
  };
  return (
    <TimelineView
      model={session.model as Signal<TimelineModel>}
      version={session.store.version}
      selection={session.selection}
      onSelect={onSelect}
      theme={panel.theme as Signal<Theme>}
      density={short ? SHORT : FULL}
      filterKinds={hidden as Signal<ReadonlySet<string>>}
      follow={session.follow}
      moment={session.moment}
    />
  );
}
