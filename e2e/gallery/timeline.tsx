/**
 * The timeline alone, over made-up captures: `timeline.html?scene=travel&theme=dark`. A design check: look at it beside the picture.
 * Also measures itself: `window.gallery` gives the cost of frames.
 */
import { signal } from '@preact/signals';
import { render } from 'preact';
import '../../src/panel/tokens.css';
import type { Selection } from '../../src/panel/state/selection.ts';
import { TimelineView, timelineCommands } from '../../src/panel/timeline/timeline-view.tsx';
import { FULL, SHORT, type Target } from '../../src/timeline/index.ts';
import { EPOCH } from '../../src/timeline/scenes/build.ts';
import { SCENES } from '../../src/timeline/scenes/index.ts';

const query = new URLSearchParams(location.search);
const scene = SCENES[query.get('scene') ?? 'travel'] ?? SCENES['travel']!;
const theme = signal<'light' | 'dark'>(query.get('theme') === 'dark' ? 'dark' : 'light');
document.documentElement.dataset['theme'] = theme.value;

const model = signal(scene.model());
const version = signal(1);
const selection = signal<Selection>(scene.selection ?? { kind: 'none' });
const moment = signal<number | null>(scene.moment === undefined ? null : EPOCH + scene.moment * 1000);
const follow = signal(false);
const filterKinds = signal<ReadonlySet<string>>(new Set(query.get('off')?.split(',') ?? []));

const onSelect = (target: Target) => {
  if (target.kind === 'tick') selection.value = { kind: 'row', row: target.row };
  else if (target.kind !== 'thread') selection.value = target;
};

render(
  <TimelineView
    model={model}
    version={version}
    selection={selection}
    onSelect={onSelect}
    theme={theme}
    density={query.get('density') === 'short' ? SHORT : FULL}
    filterKinds={filterKinds}
    follow={follow}
    moment={moment}
  />,
  document.querySelector('#stage')!,
);

// the view places its window by itself when it first draws; the scene's own follows
const timer = setInterval(() => {
  if (!document.querySelector<HTMLElement>('.tl-plot')?.style.height) return;
  clearInterval(timer);
  timelineCommands.show(EPOCH + scene.view[0] * 1000, EPOCH + scene.view[1] * 1000);
}, 30);

Object.assign(window, { gallery: { model, version, selection, moment, follow, theme, filterKinds, commands: timelineCommands, epoch: EPOCH } });
