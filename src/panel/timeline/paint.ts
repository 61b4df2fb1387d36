/** Executes a display list on a 2D canvas. Colours are tokens, looked up in a palette that is read once per theme. */
import type { Draw, IconName, Measure } from '../../timeline/index.ts';
import { ICONS, SILHOUETTE } from './icons.ts';

/** Colours and fonts of one theme, and what was made from them. */
export interface Palette {
  readonly color: (token: string) => string;
  readonly ui: string;
  readonly mono: string;
  readonly hatches: Map<CanvasRenderingContext2D, CanvasPattern>;
}

/** Reads tokens where they are defined, once each. Make a new palette when the theme changes. */
export function createPalette(root: Element): Palette {
  const style = getComputedStyle(root);
  const known = new Map<string, string>();
  const read = (name: string) => style.getPropertyValue(`--${name}`).trim();
  const color = (token: string) => {
    let value = known.get(token);
    if (value === undefined) {
      value = read(token) || 'transparent';
      known.set(token, value);
    }
    return value;
  };
  return { color, ui: read('font-ui') || 'sans-serif', mono: read('font-mono') || 'monospace', hatches: new Map() };
}

/** Measures text with the fonts of a palette; every width is asked for once. */
export function createMeasure(palette: Palette): Measure {
  const ctx = document.createElement('canvas').getContext('2d');
  const widths = new Map<string, number>();
  return (text, size, bold) => {
    const key = `${bold ? 'b' : ''}${size}/${text}`;
    let width = widths.get(key);
    if (width === undefined) {
      if (widths.size > 20_000) widths.clear();
      if (ctx) ctx.font = fontOf(palette, size, bold, false);
      width = ctx?.measureText(text).width ?? text.length * size * 0.55;
      widths.set(key, width);
    }
    return width;
  };
}

const fontOf = (palette: Palette, size: number, bold: boolean, mono: boolean): string => `${bold ? 600 : 400} ${size}px ${mono ? palette.mono : palette.ui}`;

type Of<K extends Draw['op']> = Extract<Draw, { op: K }>;
type Ctx = CanvasRenderingContext2D;

function paintRect(ctx: Ctx, draw: Of<'rect'>, palette: Palette): void {
  const { x, y, w, h, r, corners } = draw;
  if (w <= 0 || h <= 0) return;
  if (draw.fill && !r && !corners) {
    ctx.fillStyle = palette.color(draw.fill);
    ctx.fillRect(x, y, w, h);
    if (!draw.stroke) return;
  }
  ctx.beginPath();
  if (corners || r) ctx.roundRect(x, y, w, h, corners ? [...corners] : r);
  else ctx.rect(x, y, w, h);
  if (draw.fill && (r || corners)) {
    ctx.fillStyle = palette.color(draw.fill);
    ctx.fill();
  }
  if (!draw.stroke) return;
  ctx.strokeStyle = palette.color(draw.stroke);
  ctx.lineWidth = draw.width ?? 1;
  if (draw.dash) ctx.setLineDash([...draw.dash]);
  ctx.stroke();
  if (draw.dash) ctx.setLineDash([]);
}

function trace(ctx: Ctx, points: readonly number[]): void {
  ctx.beginPath();
  for (let i = 0; i + 1 < points.length; i += 2) {
    if (i === 0) ctx.moveTo(points[0]!, points[1]!);
    else ctx.lineTo(points[i]!, points[i + 1]!);
  }
}

function paintLine(ctx: Ctx, draw: Of<'line'>, palette: Palette): void {
  trace(ctx, draw.points);
  ctx.strokeStyle = palette.color(draw.stroke);
  ctx.lineWidth = draw.width ?? 1;
  ctx.lineJoin = 'round';
  if (draw.dash) ctx.setLineDash([...draw.dash]);
  ctx.stroke();
  if (draw.dash) ctx.setLineDash([]);
}

function paintPoly(ctx: Ctx, draw: Of<'poly'>, palette: Palette): void {
  trace(ctx, draw.points);
  ctx.closePath();
  if (draw.fill) {
    ctx.fillStyle = palette.color(draw.fill);
    ctx.fill();
  }
  if (!draw.stroke) return;
  ctx.strokeStyle = palette.color(draw.stroke);
  ctx.lineWidth = draw.width ?? 1;
  ctx.lineJoin = 'round';
  ctx.stroke();
}

function paintText(ctx: Ctx, draw: Of<'text'>, palette: Palette): void {
  ctx.font = fontOf(palette, draw.size, draw.bold ?? false, draw.mono ?? false);
  ctx.textAlign = draw.align ?? 'left';
  ctx.textBaseline = 'alphabetic';
  if (draw.halo) {
    ctx.strokeStyle = palette.color(draw.halo);
    ctx.lineWidth = 4;
    ctx.lineJoin = 'round';
    ctx.strokeText(draw.text, draw.x, draw.y);
  }
  ctx.fillStyle = palette.color(draw.fill);
  ctx.fillText(draw.text, draw.x, draw.y);
}

/** 45 degree lines, 6 px apart. The tile is as large as device pixels need, so that lines stay sharp. */
function hatchOf(ctx: Ctx, palette: Palette, dpr: number): CanvasPattern | null {
  const known = palette.hatches.get(ctx);
  if (known) return known;
  const side = Math.round(8.5 * dpr);
  const tile = document.createElement('canvas');
  tile.width = side;
  tile.height = side;
  const pen = tile.getContext('2d');
  if (!pen) return null;
  pen.strokeStyle = palette.color('hatch');
  pen.lineWidth = dpr;
  pen.beginPath();
  for (const shift of [-side, 0, side]) {
    pen.moveTo(shift - 2, side + 2);
    pen.lineTo(shift + side + 2, -2);
  }
  pen.stroke();
  const pattern = ctx.createPattern(tile, 'repeat');
  pattern?.setTransform(new DOMMatrix().scale(1 / dpr));
  if (pattern) palette.hatches.set(ctx, pattern);
  return pattern;
}

function paintHatch(ctx: Ctx, draw: Of<'hatch'>, palette: Palette, dpr: number): void {
  const pattern = hatchOf(ctx, palette, dpr);
  if (!pattern) return;
  ctx.fillStyle = pattern;
  ctx.fillRect(draw.x, draw.y, draw.w, draw.h);
}

const paths = (): ((d: string) => Path2D) => {
  const known = new Map<string, Path2D>();
  return (d) => {
    let path = known.get(d);
    if (!path) {
      path = new Path2D(d);
      known.set(d, path);
    }
    return path;
  };
};

const kindOf = (name: IconName): string => name.replace('kind-', '').replace('reasoning-span', 'reasoning');

/** Token of an icon that was given no colour. */
const inkOf = (icon: IconName): string => (icon.startsWith('kind-') ? `k-${kindOf(icon)}` : 'text-3');

function paintIcon(ctx: Ctx, draw: Of<'icon'>, palette: Palette, path: (d: string) => Path2D): void {
  const ownInk = inkOf(draw.name);
  const ink = palette.color(draw.fill ?? ownInk);
  const scale = draw.size / 12;
  ctx.translate(draw.x - draw.size / 2, draw.y - draw.size / 2);
  ctx.scale(scale, scale);
  ctx.lineCap = 'round';
  ctx.lineJoin = 'round';
  const silhouette = draw.halo ? SILHOUETTE[draw.name] : undefined;
  if (silhouette) {
    ctx.strokeStyle = palette.color(draw.halo!);
    ctx.lineWidth = 3 / scale;
    ctx.stroke(path(silhouette));
  }
  for (const part of ICONS[draw.name] ?? []) {
    const shape = path(part.d);
    if (part.fill) {
      ctx.fillStyle = part.fill === 'ink' ? ink : palette.color(part.fill === 'fill' ? `${ownInk}-fill` : 'surface');
      ctx.fill(shape);
    }
    if (part.stroke) {
      ctx.strokeStyle = part.stroke === 'ink' ? ink : palette.color('surface');
      ctx.lineWidth = part.width ?? 1;
      ctx.stroke(shape);
    }
  }
  ctx.lineCap = 'butt';
  ctx.scale(1 / scale, 1 / scale);
  ctx.translate(-(draw.x - draw.size / 2), -(draw.y - draw.size / 2));
}

export interface Surface {
  readonly ctx: Ctx;
  readonly dpr: number;
  readonly path: (d: string) => Path2D;
}

/** Fits a canvas to its size in CSS px and the screen's pixels. Null where there is no 2D canvas. */
export function surfaceOf(canvas: HTMLCanvasElement, width: number, height: number, known?: Surface | null): Surface | null {
  const dpr = window.devicePixelRatio || 1;
  const [w, h] = [Math.max(1, Math.round(width * dpr)), Math.max(1, Math.round(height * dpr))];
  if (canvas.width !== w || canvas.height !== h) {
    canvas.width = w;
    canvas.height = h;
  }
  if (known && known.dpr === dpr && known.ctx.canvas === canvas) return known;
  const ctx = canvas.getContext('2d');
  return ctx && { ctx, dpr, path: paths() };
}

/** Draws a list over what is there; the lists of the timeline begin with their own ground. */
export function paint(surface: Surface, list: readonly Draw[], palette: Palette): void {
  const { ctx, dpr } = surface;
  ctx.setTransform(dpr, 0, 0, dpr, 0, 0);
  ctx.lineCap = 'butt';
  let depth = 0;
  for (const draw of list) {
    if (draw.op === 'clip') {
      ctx.save();
      ctx.beginPath();
      ctx.rect(draw.x, draw.y, draw.w, draw.h);
      ctx.clip();
      depth++;
      continue;
    }
    if (draw.op === 'unclip') {
      if (depth === 0) continue;
      depth--;
      ctx.restore();
      continue;
    }
    const alpha = draw.op === 'hatch' ? undefined : draw.alpha;
    if (alpha !== undefined) ctx.globalAlpha = alpha;
    if (draw.op === 'rect') paintRect(ctx, draw, palette);
    else if (draw.op === 'line') paintLine(ctx, draw, palette);
    else if (draw.op === 'poly') paintPoly(ctx, draw, palette);
    else if (draw.op === 'text') paintText(ctx, draw, palette);
    else if (draw.op === 'icon') paintIcon(ctx, draw, palette, surface.path);
    else paintHatch(ctx, draw, palette, dpr);
    if (alpha !== undefined) ctx.globalAlpha = 1;
  }
  for (; depth > 0; depth--) ctx.restore();
}
