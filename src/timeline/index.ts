/** The timeline without a browser: model → layout → display list, hit test and walking. */
export { describeTarget, nameOf } from './describe.ts';
export { display } from './display.ts';
export { foldableOf, isFoldedAway, standsFor } from './foldable.ts';
export { type Folds, foldsOf, UNFOLDED } from './folds.ts';
export { gutter, ruler } from './gutter.ts';
export { findingsAt, foldAt, hitTest } from './hit.ts';
export { awayFrom, findRun, findSpan, findTick, layout, restack } from './layout.ts';
export type { Direction } from './neighbour.ts';
export { findingsInOrder, firstTarget, neighbour, runBeside } from './neighbour.ts';
export type { Strip } from './overview.ts';
export { brush, brushAt, overview, stripScale } from './overview.ts';
export type { Look } from './pen.ts';
export type { Layout, PlacedRun } from './placed.ts';
export { clock, duration, timeScale } from './scale.ts';
export { FULL, GUTTER, GUTTER_NARROW, RULER, SHORT, TINY } from './sizes.ts';
export { bounds } from './times.ts';
export * from './types.ts';
export { around, fitted, groupOf, heightsOf, held, moved, panned, tail, timesOf, widthOf, zoomed } from './window.ts';
