/** What the journaling worker holds, for the specs. They read it in an extension page, because a killed worker cannot be asked. */
import type { Page } from '@playwright/test';
import type { PageRecordKind } from '../../src/wire/page-to-relay.ts';

export interface Journaled {
  readonly doc: string;
  readonly no: number;
  /** Of the document. */
  readonly url: string;
  readonly conn: number;
  readonly kind: PageRecordKind;
  readonly time: number;
  readonly asked: number;
  // biome-ignore lint/suspicious/noExplicitAny: the payload is of the kind, and specs compare it whole
  readonly payload: any;
  /** A chunk's bytes as Latin-1. */
  readonly text?: string;
}

export interface Journal {
  /** Every record in the order of documents and batches. */
  records(): Promise<Journaled[]>;
  /** How the exchanges that ended did, in order. */
  ends(): Promise<string[]>;
  /** The bytes received of each exchange, by its address, as Latin-1. */
  bytes(): Promise<Record<string, string>>;
  /** Bytes journaled or told as lost. */
  total(): Promise<number>;
  /** Messages that came, and the workers that took them. */
  messages(): Promise<number>;
  lives(): Promise<number>;
  /** Forgets all. With `hold` the worker then acknowledges nothing. */
  clear(hold?: boolean): Promise<void>;
  /** Reloads the whole extension; the journal cannot be read after. */
  reloadExtension(): Promise<void>;
}

/** The journal as an extension page reads it. */
export function createJournal(page: Page): Journal {
  const records = (): Promise<Journaled[]> => page.evaluate('journal()');
  const fact = <T>(name: string, none: T): Promise<T> => page.evaluate(`fact('${name}')`).then((value) => (value as T) ?? none);
  return {
    records,
    ends: async () => (await records()).filter(({ kind }) => kind === 'end').map(({ payload }) => payload.how),
    bytes: async () => bytesByUrl(await records()),
    total: () => page.evaluate('total()'),
    messages: () => fact('messages', 0),
    lives: async () => (await fact<string[]>('lives', [])).length,
    clear: (hold = false) => page.evaluate(`clearJournal(${hold})`),
    async reloadExtension() {
      await Promise.all([page.waitForEvent('close'), page.evaluate('void chrome.runtime.sendMessage("reload").catch(() => undefined)').catch(() => undefined)]);
    },
  };
}

/** A connection's records together, in order of their batches. */
export function connections(records: readonly Journaled[]): Journaled[][] {
  const byKey = new Map<string, Journaled[]>();
  for (const record of records.toSorted((a, b) => a.no - b.no)) {
    const key = `${record.doc} ${record.conn}`;
    byKey.set(key, [...(byKey.get(key) ?? []), record]);
  }
  return [...byKey.values()];
}

function bytesByUrl(records: readonly Journaled[]): Record<string, string> {
  const entries = connections(records).map((list) => {
    const chunks = list.filter(({ kind }) => kind === 'chunk').map(({ text }) => text);
    return [list.find(({ kind }) => kind === 'request')?.payload.url ?? '', chunks.join('')] as const;
  });
  return Object.fromEntries(entries);
}
