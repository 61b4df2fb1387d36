/** A worker in the page: folds capture records with the real session code and answers the panel as the extension's worker would. */

import { signal } from '@preact/signals';
import { sliceChanges } from '../../src/background/slices.ts';
import { DEFAULT_LIMITS } from '../../src/capture/limits.ts';
import type { CaptureRecord, RequestBody } from '../../src/capture/types.ts';
import type { PanelLink, Platform } from '../../src/panel/state/link.ts';
import { addRecord, createSession, everything, type Session, takeChanges } from '../../src/session/index.ts';
import type { Command, SessionFacts, ToPanel } from '../../src/wire/worker-to-panel.ts';

interface Tab {
  session: Session;
  records: CaptureRecord[];
  facts: SessionFacts;
  readonly listeners: Set<(message: ToPanel) => void>;
}

export interface FakeWorker {
  readonly platform: Platform;
  /** Records that arrive at the live session. */
  readonly arrive: (records: readonly CaptureRecord[], now?: number) => void;
  readonly facts: (change: Partial<SessionFacts>) => void;
}

const timeOf = (record: CaptureRecord): number =>
  record.kind === 'chunk' ? record.came : record.kind === 'end' ? record.end.time : record.kind === 'request' ? record.request.time : 0;

function bytesOf(tab: Tab, conn: number, offset: number, length: number): Uint8Array | null {
  const bytes = new Uint8Array(length);
  let [at, have] = [0, 0];
  for (const record of tab.records) {
    if (record.kind !== 'chunk' || record.conn !== conn) continue;
    const from = Math.max(offset, at);
    const to = Math.min(offset + length, at + record.bytes.length);
    if (from < to) {
      bytes.set(record.bytes.subarray(from - at, to - at), from - offset);
      have += to - from;
    }
    at += record.bytes.length;
    if (at >= offset + length) break;
  }
  return have === length ? bytes : null;
}

function bodyOf(tab: Tab, conn: number): RequestBody | null {
  for (const record of tab.records) if (record.kind === 'body' && record.conn === conn) return record.body;
  return null;
}

export interface FakeOptions {
  readonly facts?: Partial<SessionFacts>;
  readonly theme?: 'light' | 'dark';
  readonly now?: number;
  readonly locale?: string;
}

/** A platform whose live session is `tab:1`. */
export function fakeWorker(options: FakeOptions = {}): FakeWorker {
  const tabs = new Map<string, Tab>();
  const tabOf = (id: string): Tab => {
    const there = tabs.get(id);
    if (there) return there;
    const facts: SessionFacts = {
      session: id,
      recording: true,
      preserve: false,
      origin: 'http://localhost:5173',
      captured: true,
      unheard: false,
      limits: DEFAULT_LIMITS,
      closedTabs: [],
      dropped: [],
      trouble: null,
      navigations: [],
      ...(id === 'tab:1' ? options.facts : {}),
    };
    const tab: Tab = { session: createSession({}), records: [], facts, listeners: new Set() };
    tabs.set(id, tab);
    return tab;
  };
  let now = options.now ?? 0;
  const tell = (tab: Tab, message: ToPanel) => {
    for (const listener of tab.listeners) listener(message);
  };
  const add = (tab: Tab, records: readonly CaptureRecord[]) => {
    for (const record of records) {
      tab.records.push(record);
      addRecord(tab.session, record);
      now = Math.max(now, timeOf(record));
    }
    for (const { changes, more } of sliceChanges(takeChanges(tab.session))) tell(tab, { kind: 'update', changes, now, more });
  };
  const run = (tab: Tab, command: Command): unknown => {
    switch (command.name) {
      case 'clear':
        tab.session = createSession({});
        tab.records = [];
        tell(tab, { kind: 'reset', epoch: crypto.randomUUID(), facts: tab.facts });
        return undefined;
      case 'record':
      case 'preserve':
        tab.facts = { ...tab.facts, ...(command.name === 'record' ? { recording: command.on } : { preserve: command.on }) };
        tell(tab, { kind: 'facts', facts: tab.facts });
        return undefined;
      case 'bytes': {
        const bytes = bytesOf(tab, command.conn, command.offset, command.length);
        if (!bytes) throw new Error('These bytes are not in the journal.');
        return bytes;
      }
      case 'request-body':
        return bodyOf(tab, command.conn);
      case 'import':
        add(tab, command.records);
        return undefined;
      case 'rules': {
        const { records } = tab;
        tab.session = createSession({ rules: command.rules });
        tab.records = [];
        tell(tab, { kind: 'reset', epoch: crypto.randomUUID(), facts: tab.facts });
        add(tab, records);
        return undefined;
      }
    }
  };
  const connect = (id: string): PanelLink => {
    const tab = tabOf(id);
    const connected = signal(false);
    const mine = new Set<(message: ToPanel) => void>();
    const begin = () => {
      connected.value = true;
      for (const listener of mine) listener({ kind: 'reset', epoch: crypto.randomUUID(), facts: tab.facts });
      for (const { changes, more } of sliceChanges(everything(tab.session))) for (const listener of mine) listener({ kind: 'update', changes, now, more });
    };
    queueMicrotask(begin);
    return {
      session: id,
      connected,
      send: async (command) => run(tab, command),
      onMessage: (listener) => {
        mine.add(listener);
        tab.listeners.add(listener);
      },
      renew: begin,
      close: () => {
        for (const listener of mine) tab.listeners.delete(listener);
        connected.value = false;
      },
    };
  };
  const live = tabOf('tab:1');
  const platform: Platform = {
    session: 'tab:1',
    version: '0.0.0',
    panels: options.theme ? { themeName: options.theme === 'dark' ? 'dark' : 'default' } : null,
    connect,
    readBytes: async (id, conn, offset, length) => bytesOf(tabOf(id), conn, offset, length),
    async *readRecords(id) {
      yield* tabOf(id).records;
    },
    save: () => undefined,
    allow: async () => {
      live.facts = { ...live.facts, captured: true };
      tell(live, { kind: 'facts', facts: live.facts });
      return true;
    },
    forbid: async () => {
      live.facts = { ...live.facts, captured: false };
      tell(live, { kind: 'facts', facts: live.facts });
      return true;
    },
    reload: null,
    locale: options.locale,
  };
  return {
    platform,
    arrive: (records, at) => {
      now = at ?? now;
      add(live, records);
    },
    facts: (change) => {
      live.facts = { ...live.facts, ...change };
      tell(live, { kind: 'facts', facts: live.facts });
    },
  };
}
