/** The timeline without a browser: model → layout → display list, hit test and walking. */
export { describeTarget, nameOf } from './describe.ts';
export { display } from './display.ts';
export { gutter, ruler } from './gutter.ts';
export { type Folds, foldsOf, UNFOLDED } from './folds.ts';
export { findingsAt, hitTest } from './hit.ts';
export { findRun, findSpan, layout } from './layout.ts';
export type { Direction } from './neighbour.ts';
export { findingsInOrder, firstTarget, neighbour } from './neighbour.ts';
export type { Strip } from './overview.ts';
export { brush, brushAt, overview, stripScale } from './overview.ts';
export type { Look } from './pen.ts';
export type { Layout, PlacedRun } from './placed.ts';
export { clock, timeScale } from './scale.ts';
export { FULL, GUTTER, GUTTER_NARROW, RULER, SHORT } from './sizes.ts';
export { bounds } from './times.ts';
export * from './types.ts';
export { around, fitted, heightsOf, held, moved, panned, tail, timesOf, widthOf, zoomed } from './window.ts';
