/** Pure timeline: model → layout (in time and lanes) → display list (in px). No canvas, no DOM, no clock. */
import type { RunStatus, Severity } from '../checker/types.ts';
import type { FindingView, RunView, SpanKind, SpanView, TickView } from '../runs/types.ts';
import type { Folds } from './folds.ts';

export interface TimelineModel {
  readonly runs: readonly RunView[];
  readonly spans: readonly SpanView[];
  readonly ticks: readonly TickView[];
  readonly findings: readonly FindingView[];
  readonly connections: readonly {
    readonly id: number;
    readonly url: string;
    readonly stopsAtRow: number | null;
    readonly referenceStopsAtRow: number | null;
    /** Set where Runlens answered, or changed the answer. */
    readonly replay?: object | null;
    /** Interrupts that its requests answer. */
    readonly resumes?: readonly { readonly interruptId: string; readonly status: string | null }[] | undefined;
  }[];
  /** Time of a row, ms since the epoch. */
  readonly timeOfRow: (row: number) => number;
  /** Times of the content deltas of a span, for the ticks along its foot; may answer an empty array. */
  readonly deltasOf: (span: number) => ArrayLike<number>;
  /** The present, ms since the epoch; open bars run to it. */
  readonly now: number;
}

export interface Density {
  readonly lane: number;
  readonly bar: number;
  readonly runRow: number;
  readonly runBar: number;
  readonly note: number;
  readonly state: number;
  readonly micro: number;
  readonly font: number;
  readonly small: number;
}

export type LaneKind = 'step' | 'text' | 'reasoning' | 'tool' | 'subagent' | 'state';

export interface Window {
  /** Visible time, ms since the epoch. */
  readonly from: number;
  readonly to: number;
  /** Canvas width and visible height in CSS px, and the first visible y of the layout. */
  readonly width: number;
  readonly height: number;
  readonly scroll: number;
  readonly gutter: number;
  /** Idle stretches that are folded away. */
  readonly folds?: Folds | undefined;
}

export type Target =
  | { readonly kind: 'run'; readonly id: number }
  | { readonly kind: 'span'; readonly id: number }
  | { readonly kind: 'finding'; readonly id: number }
  | { readonly kind: 'tick'; readonly row: number }
  | { readonly kind: 'thread'; readonly key: string };

/**
 * A display list is drawn in order. Colours are token names of theme.css without `--` (`k-step`, `k-step-fill`, `st-failed`, `line`…),
 * so that the same list serves both themes and can be kept as text in tests. Coordinates are CSS px in the timeline's own box.
 */
export type Draw =
  | {
      readonly op: 'rect';
      readonly x: number;
      readonly y: number;
      readonly w: number;
      readonly h: number;
      readonly r?: number;
      /** Radii by corner (top left, top right, bottom right, bottom left), in place of `r`. */
      readonly corners?: readonly [number, number, number, number];
      readonly fill?: string;
      readonly stroke?: string;
      readonly dash?: readonly number[];
      readonly alpha?: number;
      readonly width?: number;
    }
  | {
      readonly op: 'line';
      readonly points: readonly number[];
      readonly stroke: string;
      readonly width?: number;
      readonly dash?: readonly number[];
      readonly alpha?: number;
    }
  | {
      readonly op: 'poly';
      readonly points: readonly number[];
      readonly fill?: string;
      readonly stroke?: string;
      readonly alpha?: number;
      readonly width?: number;
    }
  | { readonly op: 'hatch'; readonly x: number; readonly y: number; readonly w: number; readonly h: number }
  | {
      readonly op: 'text';
      readonly x: number;
      readonly y: number;
      readonly text: string;
      readonly size: number;
      readonly fill: string;
      readonly bold?: boolean;
      readonly mono?: boolean;
      readonly align?: 'left' | 'right' | 'center';
      readonly alpha?: number;
      /** Colour of a 2 px border around the letters, so that lines behind do not touch them. */
      readonly halo?: string;
    }
  | {
      readonly op: 'icon';
      readonly name: IconName;
      readonly x: number;
      readonly y: number;
      readonly size: number;
      readonly fill?: string;
      readonly alpha?: number;
      /** Colour of a 1.5 px border around the silhouette. */
      readonly halo?: string;
    }
  | { readonly op: 'clip'; readonly x: number; readonly y: number; readonly w: number; readonly h: number }
  | { readonly op: 'unclip' };

export type IconName =
  | `status-${RunStatus}`
  | `finding-${Severity}`
  | 'related'
  | `kind-${SpanKind | 'state' | 'run'}`
  | 'chevron-open'
  | 'chevron-folded'
  | 'diamond';

/** Measures text in px; the canvas's in the panel, a fixed-width one in tests. */
export type Measure = (text: string, size: number, bold: boolean) => number;
