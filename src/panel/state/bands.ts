/** Where the bands of the events table stand: stop lines, lost data, failed exchanges, navigations. */
import type { ConnectionView } from '../../session/types.ts';
import type { Band } from './list.ts';
import type { Store } from './store.ts';

function rowAt(store: Store, time: number): number {
  const { columns } = store;
  let low = 0;
  let high = columns.count;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (columns.time[middle]! < time) low = middle + 1;
    else high = middle;
  }
  return low;
}

function stops(store: Store, connection: ConnectionView): Band[] {
  const { stopsAtRow: conforming, referenceStopsAtRow: reference, id } = connection;
  const stop = (row: number, whose: 'conforming' | 'reference' | 'both'): Band => ({
    kind: 'stop',
    before: row + 1,
    conn: id,
    row,
    after: Math.max(0, connection.events - (store.columns.at[row] ?? 0) - 1),
    whose,
  });
  if (conforming !== null && conforming === reference) return [stop(conforming, 'both')];
  return [...(conforming === null ? [] : [stop(conforming, 'conforming')]), ...(reference === null ? [] : [stop(reference, 'reference')])];
}

/** All bands, in the order of the rows they stand before. */
export function bandsOf(store: Store): Band[] {
  const bands: Band[] = [];
  for (const connection of store.connections) {
    if (!connection) continue;
    bands.push(...stops(store, connection));
    for (const gap of connection.gaps)
      bands.push({ kind: 'gap', before: rowAt(store, gap.time), conn: connection.id, bytes: gap.bytes, chunks: gap.chunks, why: gap.why });
    // a stream that broke off did so at its end, a request that gave nothing failed where it was made
    const time = (connection.events > 0 && connection.end ? connection.end.time + 0.05 : undefined) ?? connection.request?.time ?? connection.response?.time;
    if (connection.failure !== null && time !== undefined)
      bands.push({ kind: 'failure', before: rowAt(store, time), conn: connection.id, text: connection.failure });
  }
  for (const { time, url, row } of store.facts.value?.navigations ?? []) bands.push({ kind: 'navigation', before: row, time, url });
  return bands.sort((a, b) => a.before - b.before);
}

/** Equal keys mean equal bands: the list need not be made anew. The count after a stop line grows and is not part of it. */
export function keyOfBands(bands: readonly Band[]): string {
  return bands.map((band) => `${band.kind}:${band.before}:${'conn' in band ? band.conn : band.url}`).join(' ');
}
