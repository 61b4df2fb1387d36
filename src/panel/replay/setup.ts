/** What is to be armed: the answers a capture holds, and how they are given. */
import type { CaptureRecord } from '../../capture/types.ts';
import { type Exchange, exchangesOf } from '../../replay/exchanges.ts';
import type { Plan } from '../../replay/plan.ts';
import type { PanelSession } from '../state/session.ts';

/** Times of the recorded speed; `step` waits for the reader. */
export type Pace = 1 | 4 | 'at once' | 'step';

/** A recorded exchange, with the request that it answered. */
export interface Recorded {
  readonly exchange: Exchange;
  /** What it is, in words: what the capture says of a connection that was answered with it. */
  readonly name: string;
  readonly url: string;
  /** The request's text, where it was captured. */
  readonly body: string | undefined;
}

export interface Setup {
  /** In order; none: the live answer, with trouble. */
  readonly answers: readonly Recorded[];
  /** Empty for any. */
  readonly method: string;
  /** Of the address, with `*`. */
  readonly pattern: string;
  /** Each answer once, or for as long as it is armed. */
  readonly once: boolean;
  readonly pace: Pace;
  readonly keep: boolean;
  readonly plan: Plan | null;
}

/** What may be armed in all, bytes: it is held in memory. */
const MOST_BYTES = 2 ** 26;

/** The exchanges of these connections. Rejects with one sentence where none can be replayed. */
export async function recordedOf(records: AsyncIterable<CaptureRecord>, session: PanelSession, conns: ReadonlySet<number>): Promise<Recorded[]> {
  const own: CaptureRecord[] = [];
  let size = 0;
  for await (const record of records) {
    if (!conns.has(record.conn)) continue;
    if (record.kind === 'chunk') size += record.bytes.length;
    if (size > MOST_BYTES) throw new Error('These answers are larger than 64 MiB together, which is more than can be armed. Take one stream alone.');
    own.push(record);
  }
  const sockets = [...conns].some((conn) => session.store.connections[conn]?.carrier === 'websocket');
  const found = exchangesOf(own).filter(({ carrier }) => carrier !== 'websocket');
  if (found.length === 0)
    throw new Error(sockets ? 'A WebSocket cannot be replayed: only fetch is answered.' : 'No answer was captured that could be replayed.');
  const bodies = bodiesOf(own);
  return found.map((exchange) => recorded(exchange, session, bodies.get(exchange.conn)));
}

function bodiesOf(records: readonly CaptureRecord[]): ReadonlyMap<number, string> {
  const bodies = new Map<number, string>();
  for (const record of records) {
    const body = record.kind === 'body' ? record.body : record.kind === 'request' ? record.request.body : undefined;
    if (body?.text !== undefined) bodies.set(record.conn, body.text);
  }
  return bodies;
}

function recorded(exchange: Exchange, { store, file }: PanelSession, body: string | undefined): Recorded {
  const { conn, runId, method, path } = exchange;
  const run = runId ?? store.runs.find((one) => one?.conn === conn)?.runId ?? null;
  const name = [`stream ${conn + 1}${file === null ? '' : ` of ${file}`}`, `${method} ${path}`.trim(), ...(run === null ? [] : [`run ${run}`])]
    .filter(Boolean)
    .join(', ');
  return { exchange, name, url: store.connections[conn]?.request?.url ?? '', body };
}
