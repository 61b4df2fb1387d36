/** The text that the deltas of an item make. */
import type { SpanView } from '../../runs/types.ts';
import { rowsOfSpan } from '../state/columns.ts';
import type { PanelSession } from '../state/session.ts';
import { isContent } from '../state/store.ts';

/** Deltas read at most: longer texts end in a remark. */
const MOST = 20_000;

/** All content of a message or call as it came, up to an instant. */
export async function textOfSpan(session: PanelSession, span: SpanView, until = Number.POSITIVE_INFINITY): Promise<string> {
  const { columns } = session.store;
  const rows = rowsOfSpan(columns, span.id).filter((row) => isContent(columns.type[row]!) && columns.time[row]! <= until);
  const bodies = await session.bodies.loadAll(rows.slice(0, MOST));
  let text = '';
  for (const { value } of bodies) {
    const delta = typeof value === 'object' && value !== null ? (value as { delta?: unknown }).delta : undefined;
    if (typeof delta === 'string') text += delta;
  }
  return rows.length > MOST ? `${text}\n[${rows.length - MOST} more events]` : text;
}
