/** A scene or a story laid out in a window, and questions to its display list: what tests of the timeline start from. */
import { foldsOf } from '../folds.ts';
import { type LayoutOptions, layout } from '../layout.ts';
import { CALM, type Look } from '../pen.ts';
import type { Layout } from '../placed.ts';
import { timeScale } from '../scale.ts';
import { FULL, GUTTER, GUTTER_NARROW } from '../sizes.ts';
import type { Draw, Measure, Target, TimelineModel, Window } from '../types.ts';
import { buildModel, EPOCH, type RunStory } from './build.ts';
import { optionsOf, type Scene } from './index.ts';

/** Fixed width, so that lists do not depend on fonts. */
export const measure: Measure = (text, size, bold) => Math.round(text.length * size * (bold ? 0.56 : 0.52));

export interface Opened {
  readonly model: TimelineModel;
  readonly l: Layout;
  readonly window: Window;
  readonly look: Look;
}

export function openScene(scene: Scene, look: Partial<Look> = {}): Opened {
  const model = scene.model();
  const options = optionsOf(scene);
  const l = layout(model, options);
  const window: Window = {
    from: EPOCH + scene.view[0] * 1000,
    to: EPOCH + scene.view[1] * 1000,
    width: scene.width ?? 1000,
    height: scene.height ?? 400,
    scroll: 0,
    gutter: options.narrow ? GUTTER_NARROW : GUTTER,
    ...(scene.idle ? { folds: foldsOf(l) } : {}),
  };
  const moment = scene.moment === undefined ? null : EPOCH + scene.moment * 1000;
  return { model, l, window, look: { ...CALM, selection: scene.selection ?? CALM.selection, moment, ...look } };
}

/** A model in a window of 1000 × 600 px from one second to another. */
export function openModel(model: TimelineModel, view: readonly [number, number], options: Partial<LayoutOptions> = {}): Opened {
  const all: LayoutOptions = { folded: new Set(), density: FULL, narrow: false, ...options };
  const [from, to] = view.map((seconds) => EPOCH + seconds * 1000) as [number, number];
  const window: Window = { from, to, width: 1000, height: 600, scroll: 0, gutter: all.narrow ? GUTTER_NARROW : GUTTER };
  return { model, l: layout(model, all), window, look: CALM };
}

/** The same for stories; `now` and the window's right end are the view's, in seconds. */
export const openStories = (stories: readonly RunStory[], view: readonly [number, number], options: Partial<LayoutOptions> = {}): Opened =>
  openModel(buildModel(stories, view[1]), view, options);

/** x of a second of the story's clock. */
export function xOf({ l, window }: Pick<Opened, 'l' | 'window'>, seconds: number): number {
  return timeScale(window, l.origin).px(EPOCH + seconds * 1000 - l.origin);
}

/** The span of a label or item id, the run of an id; as targets, too. */
export const spanNamed = (l: Layout, name: string) =>
  l.groups.flatMap(({ thread }) => [...thread.spans.values()]).find(({ view }) => view.label === name || view.itemId === name)!;
export const runNamed = (l: Layout, name: string) => l.groups.flatMap(({ thread }) => [...thread.runs.values()]).find(({ view }) => view.runId === name)!;
export const onSpan = (l: Layout, name: string): Target => ({ kind: 'span', id: spanNamed(l, name).view.id });
export const onRun = (l: Layout, name: string): Target => ({ kind: 'run', id: runNamed(l, name).view.id });

type Of<O extends Draw['op']> = Extract<Draw, { op: O }>;

/** Drawings of one kind, those of a colour where one is given. */
export function drawn<O extends Draw['op']>(list: readonly Draw[], op: O, colour?: string): Of<O>[] {
  const has = (draw: Draw) => colour === undefined || ('fill' in draw && draw.fill === colour) || ('stroke' in draw && draw.stroke === colour);
  return list.filter((draw): draw is Of<O> => draw.op === op && has(draw));
}

/** All words of a list. */
export const textsOf = (list: readonly Draw[]): string[] => drawn(list, 'text').map(({ text }) => text);
