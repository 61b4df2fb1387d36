/** The three canvases: what each shows is computed and painted here, and only what has changed. */
import {
  brush,
  type Draw,
  display,
  type Folds,
  gutter,
  type Layout,
  type Look,
  type Measure,
  overview,
  RULER,
  ruler,
  type Strip,
  type TimelineModel,
  type Window,
} from '../../timeline/index.ts';
import type { Elements } from './core.ts';
import { createMeasure, createPalette, type Palette, paint, type Surface, surfaceOf } from './paint.ts';

export interface Scene {
  readonly layout: Layout;
  readonly model: TimelineModel;
  readonly version: number;
  readonly window: Window;
  readonly strip: Strip;
  readonly look: Look;
}

export interface Screen {
  readonly draw: (scene: Scene) => void;
  /** Forgets the colours: another theme. */
  readonly repaint: () => void;
}

interface Inks {
  readonly palette: Palette;
  readonly measure: Measure;
}

/** Screen over some canvases. Colours are read when first needed and after each `repaint`. */
export function createScreen(elements: Elements): Screen {
  let inks: Inks | null = null;
  let [plot, axis, strip]: (Surface | null)[] = [null, null, null];
  let base: { key: string; folds: Folds | undefined; list: Draw[] } = { key: '', folds: undefined, list: [] };
  let painted = '';

  const drawOverview = (scene: Scene, { palette, measure }: Inks) => {
    const { width, height, gutter: left } = scene.strip;
    strip = surfaceOf(elements.overview, width, height, strip);
    if (!strip) return;
    const { folds } = scene.strip;
    const key = `${scene.version} ${width} ${height} ${left}`;
    if (base.key !== key || base.folds !== folds) {
      painted = '';
      base = { key, folds, list: overview(scene.model, scene.strip, measure) };
    }
    const whole = `${key} ${scene.window.from} ${scene.window.to} ${strip.dpr}`;
    if (whole === painted) return;
    painted = whole;
    paint(strip, [...base.list, ...brush(scene.model, scene.strip, scene.window)], palette);
  };

  return {
    repaint: () => {
      inks = null;
      painted = '';
    },
    draw: (scene) => {
      if (!inks) {
        const palette = createPalette(elements.root);
        inks = { palette, measure: createMeasure(palette) };
      }
      const { palette, measure } = inks;
      const { layout, model, window, look } = scene;
      plot = surfaceOf(elements.plot, window.width, window.height, plot);
      if (plot) paint(plot, [...display(layout, model, window, look, measure), ...gutter(layout, window, look, measure)], palette);
      axis = surfaceOf(elements.ruler, window.width, RULER, axis);
      if (axis) paint(axis, ruler(layout, window, look, measure), palette);
      drawOverview(scene, inks);
    },
  };
}
