/** Every sign of the timeline on a 12 px grid, centred on 6, 6. `cut` is drawn in the colour of the ground. */

export interface Stroke {
  readonly d: string;
  /** `ink` is the icon's own colour, `fill` the quiet fill of its kind, `surface` the ground. */
  readonly fill?: 'ink' | 'fill' | 'surface';
  readonly stroke?: 'ink' | 'surface';
  readonly width?: number;
}

const ink = (d: string): Stroke => ({ d, fill: 'ink' });
const line = (d: string, width = 1.6): Stroke => ({ d, stroke: 'ink', width });
const cut = (d: string, width = 1.6): Stroke => ({ d, stroke: 'surface', width });
const circle = (cx: number, cy: number, r: number): string => `M${cx - r} ${cy}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0z`;
const BAR = 'M2.35 2.75h7.3a1.6 1.6 0 0 1 1.6 1.6v3.3a1.6 1.6 0 0 1-1.6 1.6h-7.3a1.6 1.6 0 0 1-1.6-1.6v-3.3a1.6 1.6 0 0 1 1.6-1.6z';
const bar = (...inner: readonly Stroke[]): readonly Stroke[] => [{ d: BAR, fill: 'fill', stroke: 'ink', width: 1.2 }, ...inner];
const OCTAGON = 'M3.75.6h4.5L11.4 3.75v4.5L8.25 11.4h-4.5L.6 8.25v-4.5z';
const REJECTED: readonly Stroke[] = [ink(OCTAGON), cut('M6 3.1v3.3M6 8.7v.1', 1.7)];
const DOTS = bar(ink(circle(3.6, 6, 0.8)), ink(circle(6, 6, 0.8)), ink(circle(8.4, 6, 0.8)));
const DIAMOND: readonly Stroke[] = [ink('M6 1.4 10.6 6 6 10.6 1.4 6z')];

export const ICONS: Readonly<Record<string, readonly Stroke[]>> = {
  'status-active': [line(circle(6, 6, 4.7), 1.5), ink('M6 3.4a2.6 2.6 0 0 1 0 5.2z')],
  'status-succeeded': [line('M2 6.4 4.9 9.2 10.2 3.2', 1.9)],
  'status-interrupted': [ink('M2.5 1.8h2.6v8.4H2.5zM6.9 1.8h2.6v8.4H6.9z')],
  'status-cancelled': [ink('M3.2 1.8h5.6a1.4 1.4 0 0 1 1.4 1.4v5.6a1.4 1.4 0 0 1-1.4 1.4H3.2a1.4 1.4 0 0 1-1.4-1.4V3.2a1.4 1.4 0 0 1 1.4-1.4z')],
  'status-failed-by-report': [ink(circle(6, 6, 5.4)), cut('M4 4l4 4M8 4l-4 4')],
  'status-failed-late': [line('M.9 5.2 2.7 7 6 3'), ink(circle(8.3, 7.7, 3.6)), cut('M7 6.4l2.6 2.6M9.6 6.4 7 9', 1.2)],
  'status-rejected-by-violation': REJECTED,
  'status-truncated': [ink('M1 2h6.2L5.6 4l3 1.7-2.4 1.9L9.4 10H1z')],
  'finding-violation': REJECTED,
  'finding-deviation': [ink('M6 .9 11.5 10.8H.5z'), cut('M6 4.3v3M6 9.1v.1', 1.5)],
  'finding-advice': [{ d: circle(6, 6, 4.9), fill: 'surface', stroke: 'ink', width: 1.3 }, line('M6 5.6v2.7M6 3.6v.1', 1.4)],
  related: [{ d: circle(6, 6, 3.6), fill: 'surface', stroke: 'ink', width: 1.6 }],
  'kind-run': bar(ink('M.75 2.75h3v6.5h-3z')),
  'kind-step': bar(),
  'kind-text': bar(line('M3.5 7.3v1M6 7.3v1M8.5 7.3v1', 1.1)),
  'kind-reasoning': DOTS,
  'kind-reasoning-span': DOTS,
  'kind-tool': [{ d: BAR, fill: 'surface', stroke: 'ink', width: 1.2 }, ink('M1 3h4.4v6H1zM9.6 3h1.6v6H9.6z')],
  'kind-subagent': [line('M9.6 1.6H4a1.6 1.6 0 0 0-1.6 1.6v5.6A1.6 1.6 0 0 0 4 10.4h5.6M5 4.6h5.4M5 7.4h5.4', 1.3)],
  'kind-state': DIAMOND,
  diamond: DIAMOND,
  'chevron-open': [line('M2.5 4.5 6 8.2l3.5-3.7', 1.4)],
  'chevron-folded': [line('M4.5 2.5 8.2 6 4.5 9.5', 1.4)],
};

/** Outer silhouettes, for the border around a mark. */
export const SILHOUETTE: Readonly<Record<string, string>> = {
  'finding-violation': OCTAGON,
  'finding-deviation': 'M6 .9 11.5 10.8H.5z',
  'finding-advice': circle(6, 6, 4.9),
};
