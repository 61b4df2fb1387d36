/** What the journaling worker holds, for the specs. */
import type { Page, Worker } from '@playwright/test';
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

/** Every record in the order of documents and batches. */
export const journal = (worker: Worker): Promise<Journaled[]> => worker.evaluate('journal()');

/** A connection's records together, in order of their batches. */
export function connections(records: readonly Journaled[]): Journaled[][] {
  const byKey = new Map<string, Journaled[]>();
  for (const record of records.toSorted((a, b) => a.no - b.no)) {
    const key = `${record.doc} ${record.conn}`;
    byKey.set(key, [...(byKey.get(key) ?? []), record]);
  }
  return [...byKey.values()];
}

/** The bytes received of each exchange, by its address, as Latin-1. */
export function bytesByUrl(records: readonly Journaled[]): Record<string, string> {
  const entries = connections(records).map((list) => {
    const chunks = list.filter(({ kind }) => kind === 'chunk').map(({ text }) => text);
    return [list.find(({ kind }) => kind === 'request')?.payload.url ?? '', chunks.join('')] as const;
  });
  return Object.fromEntries(entries);
}

/** Waits until the page has had time to send what it noted: two idle moments after its timers. */
export async function quiet(page: Page): Promise<void> {
  await page.evaluate(() => new Promise((resolve) => setTimeout(() => requestIdleCallback(() => resolve(null)), 20)));
}
