/** What the panel remembers between openings. Stored text is never trusted: each field is read on its own, and a bad one is its default again. */
import { type Signal, signal } from '@preact/signals';
import type { Severity } from '../../checker/types.ts';
import { SEVERITIES } from './severity.ts';

export const TABS = ['Events', 'Runs', 'Findings', 'Messages', 'State', 'Request', 'Raw'] as const;
export type Tab = (typeof TABS)[number];

export interface Settings {
  readonly tab: Tab;
  readonly time: 'relative' | 'absolute';
  /** Kinds switched off in the toolbar. */
  readonly hidden: readonly string[];
  readonly filter: string;
  /** Share of the height that timeline and overview take, and the detail pane's size in px (width; height in a narrow dock as a share). */
  readonly timelineShare: number;
  readonly detailWidth: number;
  readonly detailShare: number;
  readonly showReasoning: boolean;
  readonly showTools: boolean;
  readonly othersOpen: boolean;
  /** Columns of the runs table that were asked for or put away; the others come as room is. */
  readonly runColumns: Readonly<Record<string, boolean>>;
  /** Rule id → on or off, over the catalogue's default. */
  readonly rules: Readonly<Record<string, boolean>>;
  /** The mildest findings that are shown. */
  readonly least: Severity;
}

export const DEFAULTS: Settings = {
  tab: 'Events',
  time: 'relative',
  hidden: [],
  filter: '',
  timelineShare: 0.5,
  detailWidth: 436,
  detailShare: 0.5,
  showReasoning: true,
  showTools: true,
  othersOpen: true,
  runColumns: {},
  rules: {},
  least: 'advice',
};

const share = (value: unknown, least: number, most: number, otherwise: number): number =>
  typeof value === 'number' && Number.isFinite(value) ? Math.min(most, Math.max(least, value)) : otherwise;
const flag = (value: unknown, otherwise: boolean): boolean => (typeof value === 'boolean' ? value : otherwise);

function flagsOf(value: unknown): Record<string, boolean> {
  if (typeof value !== 'object' || value === null) return {};
  return Object.fromEntries(Object.entries(value).filter((entry): entry is [string, boolean] => typeof entry[1] === 'boolean'));
}

/** Settings out of whatever was stored. */
export function parseSettings(stored: unknown): Settings {
  if (typeof stored !== 'object' || stored === null) return DEFAULTS;
  const s = stored as Record<string, unknown>;
  return {
    tab: TABS.find((tab) => tab === s['tab']) ?? DEFAULTS.tab,
    time: s['time'] === 'absolute' ? 'absolute' : 'relative',
    hidden: Array.isArray(s['hidden']) ? s['hidden'].filter((kind): kind is string => typeof kind === 'string') : [],
    filter: typeof s['filter'] === 'string' ? s['filter'].slice(0, 500) : '',
    timelineShare: share(s['timelineShare'], 0.15, 0.85, DEFAULTS.timelineShare),
    detailWidth: share(s['detailWidth'], 260, 900, DEFAULTS.detailWidth),
    detailShare: share(s['detailShare'], 0.2, 0.8, DEFAULTS.detailShare),
    showReasoning: flag(s['showReasoning'], true),
    showTools: flag(s['showTools'], true),
    othersOpen: flag(s['othersOpen'], true),
    runColumns: flagsOf(s['runColumns']),
    rules: flagsOf(s['rules']),
    least: SEVERITIES.find((severity) => severity === s['least']) ?? DEFAULTS.least,
  };
}

export interface SettingsStore {
  readonly value: Signal<Settings>;
  readonly set: (change: Partial<Settings>) => void;
}

const PAUSE = 200;

/** Settings in a signal. A change is handed to `save` at once, for the panel may be closed the next moment; those within a fifth of a second of it together. */
export function createSettings(stored: unknown, save: (settings: Settings) => void): SettingsStore {
  const value = signal(parseSettings(stored));
  let paused = false;
  let saved = value.peek();
  const put = () => {
    if (saved === value.peek()) return;
    saved = value.peek();
    paused = true;
    setTimeout(() => {
      paused = false;
      put();
    }, PAUSE);
    save(saved);
  };
  return {
    value,
    set: (change) => {
      value.value = { ...value.peek(), ...change };
      if (!paused) put();
    },
  };
}
