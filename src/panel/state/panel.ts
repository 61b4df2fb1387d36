/** All that the views share: the live session, the one on show (live or an imported file), settings, theme and words. */
import { type ReadonlySignal, type Signal, signal } from '@preact/signals';
import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { SessionId } from '../../wire/worker-to-panel.ts';
import type { Replay } from '../replay/replay.ts';
import { createFormats, type Formats } from '../words/format.ts';
import type { Platform } from './link.ts';
import { createPanelSession, type PanelSession } from './session.ts';
import { createSettings, type SettingsStore } from './settings.ts';
import type { Theme } from './theme.ts';
import type { Work } from './working.ts';

/** A sentence for the reader, shown until it is closed. */
export interface Notice {
  readonly tone: 'error' | 'plain';
  readonly text: string;
  readonly lines?: readonly string[];
}

/** The sheets over the panel. */
export type Dialog = 'help' | 'settings' | 'export' | 'closed' | 'replay';

export interface Panel {
  readonly platform: Platform;
  readonly settings: SettingsStore;
  readonly theme: ReadonlySignal<Theme>;
  readonly formats: Formats;
  readonly live: PanelSession;
  readonly shown: Signal<PanelSession>;
  readonly notice: Signal<Notice | null>;
  readonly dialog: Signal<Dialog | null>;
  /** What is or was armed in the inspected page; null until the reader first asks for a replay. */
  readonly replay: Signal<Replay | null>;
  /** The stream that the replay sheet is about. */
  readonly toReplay: Signal<{ readonly session: PanelSession; readonly conn: number } | null>;
  /** Work that takes a while. */
  readonly work: Signal<Work | null>;
  /** Sessions of imported files, in the order they came, beside the live one. */
  readonly files: ReadonlySignal<readonly PanelSession[]>;
  /** Opens a fresh session for an imported file, and shows it if asked to. */
  readonly openFile: (name: string, shows: boolean) => PanelSession;
  /** Shows the session of a closed tab under that name. */
  readonly openClosed: (session: SessionId, name: string) => void;
  readonly show: (session: PanelSession) => void;
  /** Forgets an imported file; the one before it, or the live session, is shown in its stead. */
  readonly closeFile: (session: PanelSession) => void;
}

const CALM = 150;

/** Bumps of a session that is being filled from a file: the first at once, then a few a second, so that drawing does not hold up reading. */
function calmly(): (bump: () => void) => void {
  let last = 0;
  return (bump) => {
    setTimeout(
      () => {
        last = performance.now();
        bump();
      },
      Math.max(0, last + CALM - performance.now()),
    );
  };
}

export function createPanel(platform: Platform, stored: unknown, theme: ReadonlySignal<Theme>, schedule?: (bump: () => void) => void): Panel {
  const settings = createSettings(stored, platform.save);
  const isFile = platform.session.startsWith('file:');
  const live = createPanelSession(platform, settings, platform.session, isFile ? 'imported file' : null, schedule);
  const shown = signal(live);
  const files = signal<readonly PanelSession[]>([]);
  const open = (id: SessionId, name: string, shows: boolean): PanelSession => {
    const session = createPanelSession(platform, settings, id, name, schedule ?? calmly());
    files.value = [...files.peek(), session];
    if (shows) shown.value = session;
    return session;
  };
  return {
    platform,
    settings,
    theme,
    formats: createFormats(platform.locale),
    live,
    shown,
    notice: signal<Notice | null>(null),
    dialog: signal<Dialog | null>(null),
    replay: signal<Replay | null>(null),
    toReplay: signal<{ readonly session: PanelSession; readonly conn: number } | null>(null),
    work: signal<Work | null>(null),
    files,
    openFile: (name, shows) => open(`file:${crypto.randomUUID()}`, name, shows),
    openClosed: (id, name) => {
      const there = files.peek().find((session) => session.id === id);
      if (there) shown.value = there;
      else open(id, name, true);
    },
    show: (session) => {
      shown.value = session;
    },
    closeFile: (session) => {
      const at = files.peek().indexOf(session);
      if (at < 0) return;
      files.value = files.peek().filter((other) => other !== session);
      if (shown.peek() === session) shown.value = files.peek()[Math.max(0, at - 1)] ?? live;
      session.dispose();
    },
  };
}

export const PanelContext = createContext<Panel | null>(null);

/** The panel of the tree this component stands in. */
export function usePanel(): Panel {
  const panel = useContext(PanelContext);
  if (!panel) throw new Error('A view was drawn outside the panel.');
  return panel;
}

/** The session on show, for what reads only its signals: not drawn again with every event that comes. */
export function useShown(): PanelSession {
  return usePanel().shown.value;
}

/** The session on show. Its store is plain data: whoever uses it is drawn again when it grew. */
export function useSession(): PanelSession {
  const session = usePanel().shown.value;
  session.store.version.value;
  return session;
}
