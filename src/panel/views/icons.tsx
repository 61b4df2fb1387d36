/** Every glyph of the panel's HTML, on a 12 or 16 px grid. Silhouettes differ, so that a status reads without its colour and at 10 px. */
import type { ComponentChildren, VNode } from 'preact';
import type { RunStatus, Severity } from '../../checker/types.ts';
import { STATUS_KEY } from '../words/status.ts';

const fill = (d: string): VNode => <path d={d} fill="currentColor" />;
const line = (d: string, w = 1.6): VNode => <path d={d} fill="none" stroke="currentColor" stroke-width={w} stroke-linecap="round" stroke-linejoin="round" />;
const cut = (d: string, w = 1.6): VNode => <path d={d} fill="none" stroke="var(--surface)" stroke-width={w} stroke-linecap="round" stroke-linejoin="round" />;
const bar = (inner: ComponentChildren): VNode => (
  <>
    <rect x=".75" y="2.75" width="10.5" height="6.5" rx="1.6" fill="var(--fill)" stroke="currentColor" stroke-width="1.2" />
    {inner}
  </>
);

const REJECTED = (
  <>
    {fill('M3.75.6h4.5L11.4 3.75v4.5L8.25 11.4h-4.5L.6 8.25v-4.5z')}
    {cut('M6 3.1v3.3M6 8.7v.1', 1.7)}
  </>
);

const STATUS: Readonly<Record<RunStatus, VNode>> = {
  active: (
    <>
      <circle cx="6" cy="6" r="4.7" fill="none" stroke="currentColor" stroke-width="1.5" />
      {fill('M6 3.4a2.6 2.6 0 0 1 0 5.2z')}
    </>
  ),
  succeeded: line('M2 6.4 4.9 9.2 10.2 3.2', 1.9),
  interrupted: fill('M2.5 1.8h2.6v8.4H2.5zM6.9 1.8h2.6v8.4H6.9z'),
  cancelled: <rect x="1.8" y="1.8" width="8.4" height="8.4" rx="1.4" fill="currentColor" />,
  'failed-by-report': (
    <>
      <circle cx="6" cy="6" r="5.4" fill="currentColor" />
      {cut('M4 4l4 4M8 4l-4 4')}
    </>
  ),
  'failed-late': (
    <>
      {line('M.9 5.2 2.7 7 6 3', 1.6)}
      <circle cx="8.3" cy="7.7" r="3.6" fill="currentColor" />
      {cut('M7 6.4l2.6 2.6M9.6 6.4 7 9', 1.2)}
    </>
  ),
  'rejected-by-violation': REJECTED,
  truncated: fill('M1 2h6.2L5.6 4l3 1.7-2.4 1.9L9.4 10H1z'),
};

export type Mark = Severity | 'related';

const FINDING: Readonly<Record<Mark, VNode>> = {
  violation: REJECTED,
  deviation: (
    <>
      {fill('M6 .9 11.5 10.8H.5z')}
      {cut('M6 4.3v3M6 9.1v.1', 1.5)}
    </>
  ),
  advice: (
    <>
      <circle cx="6" cy="6" r="4.9" fill="none" stroke="currentColor" stroke-width="1.3" />
      {line('M6 5.6v2.7M6 3.6v.1', 1.4)}
    </>
  ),
  related: <circle cx="6" cy="6" r="3.6" fill="var(--surface)" stroke="currentColor" stroke-width="1.6" />,
};

const KIND: Readonly<Record<string, VNode>> = {
  run: bar(fill('M.75 2.75h3v6.5h-3z')),
  step: bar(null),
  text: bar(line('M3.5 7.3v1M6 7.3v1M8.5 7.3v1', 1.1)),
  reasoning: bar(
    <>
      <circle cx="3.6" cy="6" r=".8" fill="currentColor" />
      <circle cx="6" cy="6" r=".8" fill="currentColor" />
      <circle cx="8.4" cy="6" r=".8" fill="currentColor" />
    </>,
  ),
  tool: (
    <>
      <rect x=".75" y="2.75" width="10.5" height="6.5" rx="1.6" fill="var(--surface)" stroke="currentColor" stroke-width="1.2" />
      {fill('M1 3h4.4v6H1zM9.6 3h1.6v6H9.6z')}
    </>
  ),
  subagent: line('M9.6 1.6H4a1.6 1.6 0 0 0-1.6 1.6v5.6A1.6 1.6 0 0 0 4 10.4h5.6M5 4.6h5.4M5 7.4h5.4', 1.3),
  state: fill('M6 1.4 10.6 6 6 10.6 1.4 6z'),
  other: <circle cx="6" cy="6" r="3.4" fill="var(--fill)" stroke="currentColor" stroke-width="1.2" />,
};

const UI = {
  record: (
    <>
      <circle cx="8" cy="8" r="6" fill="none" stroke="currentColor" stroke-width="1.4" />
      <circle cx="8" cy="8" r="3.4" fill="currentColor" />
    </>
  ),
  clear: line('M13.6 8A5.6 5.6 0 1 1 2.4 8a5.6 5.6 0 0 1 11.2 0zM4.1 4.1l7.8 7.8', 1.4),
  search: line('M11 7a4 4 0 1 1-8 0 4 4 0 0 1 8 0zM10 10l3.6 3.6', 1.4),
  import: line('M8 2.2v7.2M5 6.6l3 3 3-3M2.6 11v2.4h10.8V11', 1.4),
  export: line('M8 9.6V2.4M5 5.2l3-3 3 3M2.6 11v2.4h10.8V11', 1.4),
  history: line('M2.6 8a5.4 5.4 0 1 0 1.7-3.9M2.4 2.6v2.6H5M8 5v3.2l2.2 1.4', 1.4),
  help: line('M13.9 8A5.9 5.9 0 1 1 2.1 8a5.9 5.9 0 0 1 11.8 0zM6.2 6.4c0-1 .8-1.7 1.8-1.7s1.8.7 1.8 1.6c0 1.4-1.8 1.3-1.8 2.7M8 11.2v.1', 1.3),
  gear: (
    <>
      <circle cx="8" cy="8" r="2" fill="none" stroke="currentColor" stroke-width="1.3" />
      {line('M8 1.8v2M8 12.2v2M1.8 8h2M12.2 8h2M3.6 3.6 5 5M11 11l1.4 1.4M12.4 3.6 11 5M5 11l-1.4 1.4', 1.5)}
    </>
  ),
  more: fill('M8 2.2a1.3 1.3 0 1 1 0 2.6 1.3 1.3 0 0 1 0-2.6zM8 6.7a1.3 1.3 0 1 1 0 2.6 1.3 1.3 0 0 1 0-2.6zM8 11.2a1.3 1.3 0 1 1 0 2.6 1.3 1.3 0 0 1 0-2.6z'),
  prev: line('M10 3.5 5.5 8l4.5 4.5', 1.5),
  next: line('M6 3.5 10.5 8 6 12.5', 1.5),
  down: line('M4 6.2 8 10.2l4-4', 1.5),
  close: line('M4 4l8 8M12 4l-8 8', 1.5),
  copy: line('M5.8 5.8h7.4v7.4H5.8zM10 5.6V2.8H2.8V10h2.8', 1.3),
  replay: line('M3 8a5 5 0 1 0 1.6-3.7M4.4 1.9v2.6H7', 1.4),
  link: line('M6.5 3.5h-3v9h9v-3M9 2.8h4.2V7M13 3 7.4 8.6', 1.3),
  site: line(
    'M2.6 8a5.4 5.4 0 1 0 10.8 0A5.4 5.4 0 1 0 2.6 8zM2.6 8h10.8M8 2.6c1.7 1.6 2.5 3.4 2.5 5.4S9.7 11.8 8 13.4C6.3 11.8 5.5 10 5.5 8S6.3 4.2 8 2.6z',
    1.2,
  ),
  file: line('M4 2.2h5l3 3v8.6H4zM8.8 2.4v3h3', 1.3),
  tail: line('M8 2.4v8M4.6 7.2 8 10.6l3.4-3.4M3.2 13.4h9.6', 1.4),
  torn: line('M2.6 8h3.2M10.2 8h3.2M6.6 4.4l2 2.4-1.6 2 2 2.8', 1.4),
} as const;

export type UiIcon = keyof typeof UI;

const Glyph = ({ box, size, cls = '', children }: { box: number; size: number; cls?: string; children: ComponentChildren }) => (
  <svg class={`ico ${cls}`} viewBox={`0 0 ${box} ${box}`} width={size} height={size} aria-hidden="true">
    {children}
  </svg>
);

export const StatusIcon = ({ status, size = 12 }: { status: RunStatus; size?: number }) => (
  <Glyph box={12} size={size} cls={`st-${STATUS_KEY[status]}`}>
    {STATUS[status]}
  </Glyph>
);

/** `tone` colours a related ring by the finding it belongs to. */
export const FindingIcon = ({ mark, size = 12, tone }: { mark: Mark; size?: number; tone?: Severity }) => (
  <Glyph box={12} size={size} cls={`f-${tone ?? mark}`}>
    {FINDING[mark]}
  </Glyph>
);

/** `kind` is a Kind, a SpanKind or a chip; what has no glyph of its own is "other". */
export const KindIcon = ({ kind, size = 12 }: { kind: string; size?: number }) => {
  const name = kind === 'reasoning-span' ? 'reasoning' : kind === 'messages' ? 'text' : Object.hasOwn(KIND, kind) ? kind : 'other';
  return (
    <Glyph box={12} size={size} cls={`k-${name}`}>
      {KIND[name]}
    </Glyph>
  );
};

export const Icon = ({ name, size = 16 }: { name: UiIcon; size?: number }) => (
  <Glyph box={16} size={size}>
    {UI[name]}
  </Glyph>
);
