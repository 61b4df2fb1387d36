/** The exchanges of a capture as they are answered again, and which of them answers a request. */
import type { CaptureRecord, Carrier, EndHow, ResponseRecord } from '../capture/types.ts';
import { readRunInput } from '../protocol/run-input.ts';
import { parseJson } from '../stream/index.ts';
import type { Answer } from './types.ts';

export interface Exchange extends Answer {
  readonly no: number;
  readonly conn: number;
  readonly carrier: Carrier;
  /** Empty for a file that is no capture: it answers any request. */
  readonly method: string;
  readonly path: string;
  readonly threadId: string | null;
  readonly runId: string | null;
  readonly bytes: number;
  readonly missingBytes: number;
}

interface Building {
  readonly conn: number;
  carrier: Carrier;
  url: string;
  method: string;
  body: string | undefined;
  asked: number | null;
  head: number | null;
  status: number;
  statusText: string | undefined;
  contentType: string;
  chunks: { came: number; bytes: Uint8Array }[];
  end: { how: EndHow | 'open'; time: number } | null;
  missingBytes: number;
}

/** In the order the requests were made. Exchanges without a request and without an answer are none. */
export function exchangesOf(records: Iterable<CaptureRecord>): Exchange[] {
  const building = new Map<number, Building>();
  for (const record of records) takeRecord(building, record);
  return [...building.values()].filter(({ head, end, chunks }) => head !== null || chunks.length > 0 || end?.how === 'network-error').map(exchangeOf);
}

function takeRecord(building: Map<number, Building>, record: CaptureRecord): void {
  let made = building.get(record.conn);
  if (!made) {
    made = { conn: record.conn, carrier: 'fetch', url: '', method: '', body: undefined, asked: null, head: null, ...UNANSWERED, chunks: [] };
    building.set(record.conn, made);
  }
  if (record.kind === 'request') {
    const { url, method, time, body } = record.request;
    Object.assign(made, { carrier: record.carrier, url, method: method.toUpperCase(), asked: time });
    made.body = body?.text ?? made.body;
  } else if (record.kind === 'body') made.body = record.body.text;
  else if (record.kind === 'response') takeResponse(made, record.response);
  else if (record.kind === 'chunk') made.chunks.push({ came: record.came, bytes: record.bytes });
  else if (record.kind === 'gap') made.missingBytes += record.gap.bytes;
  else if (record.kind === 'end') made.end = record.end;
}

function takeResponse(made: Building, { time, status, statusText, contentType }: ResponseRecord): void {
  Object.assign(made, { head: time, status, statusText, contentType });
}

const UNANSWERED = { status: 200, statusText: undefined, contentType: 'text/event-stream', end: null, missingBytes: 0 };

function exchangeOf(made: Building, no: number): Exchange {
  const { conn, carrier, method, url, chunks, missingBytes, end } = made;
  const head = made.head ?? chunks[0]?.came ?? made.asked ?? 0;
  const input = made.body === undefined ? null : readRunInput(parseJson(made.body));
  const last = chunks.at(-1)?.came ?? head;
  return {
    no: no + 1,
    conn,
    carrier,
    method: carrier === 'file' ? '' : method,
    path: carrier === 'file' ? '' : pathOf(url),
    threadId: input?.threadId ?? null,
    runId: input?.runId ?? null,
    status: made.status >= 200 && made.status <= 599 ? made.status : 200,
    ...(made.statusText === undefined ? {} : { statusText: made.statusText }),
    contentType: made.contentType,
    wait: made.asked === null ? 0 : Math.max(0, head - made.asked),
    answered: made.head !== null || chunks.length > 0,
    chunks: chunks.map(({ came, bytes }) => ({ after: Math.max(0, came - head), bytes })),
    bytes: chunks.reduce((sum, { bytes }) => sum + bytes.length, 0),
    end: end?.how ?? 'open',
    endAfter: Math.max(0, (end?.time ?? last) - head),
    missingBytes,
  };
}

/** Path and query of an address, without what it is the address of. */
function pathOf(url: string): string {
  try {
    const { pathname, search } = new URL(url, 'file:///');
    return pathname + search;
  } catch {
    return '/';
  }
}

/** Whether an agent's events are to be expected in it, by its content type and by what was asked: the rest of an app's requests are no agent's. */
export function carriesEvents({ carrier, contentType, threadId, runId }: Exchange): boolean {
  return (
    carrier === 'file' || carrier === 'eventsource' || threadId !== null || runId !== null || /event-stream|ndjson|jsonl|json-seq|vnd\.ag-ui/i.test(contentType)
  );
}

export interface Asked {
  readonly method: string;
  /** With its query. */
  readonly path: string;
  readonly body: string;
}

/**
 * The exchange that answers: of those with this method and path (the query may differ), of the same run or thread where the body names
 * one, the least served and then the earliest. A POST to an address that was not captured is answered as if it were: the app is
 * pointed here, its paths may have changed. Null where nothing fits.
 */
export function matchExchange(exchanges: readonly Exchange[], served: ReadonlyMap<number, number>, { method, path, body }: Asked): Exchange | null {
  const bare = barePath(path);
  const any = exchanges.filter((exchange) => exchange.carrier === 'file');
  const exact = exchanges.filter((exchange) => exchange.method === method && barePath(exchange.path) === bare);
  const posts = method === 'POST' ? exchanges.filter((exchange) => exchange.method === 'POST') : [];
  const fitting = [exact, any, posts].find((list) => list.length > 0) ?? [];
  const input = readRunInput(parseJson(body));
  const sameRun = input?.runId ? fitting.filter(({ runId }) => runId === input.runId) : [];
  const sameThread = input?.threadId ? fitting.filter(({ threadId }) => threadId === input.threadId) : [];
  const pool = [sameRun, sameThread].find((list) => list.length > 0) ?? fitting;
  const times = (exchange: Exchange): number => served.get(exchange.no) ?? 0;
  return pool.reduce<Exchange | null>((best, exchange) => (best === null || times(exchange) < times(best) ? exchange : best), null);
}

function barePath(path: string): string {
  return path.replace(/[?#].*$/s, '').replace(/(?<=.)\/+$/, '');
}
