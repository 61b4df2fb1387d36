/** A finding's sentence counts events per connection; the panel numbers rows per session. Here the one becomes the other. */
import type { FindingView } from '../../runs/types.ts';
import { numberOf } from './status.ts';

/** Quoted names pass as they are: a step may be called "event 3". */
const MENTION = /"(?:[^"\\]|\\.)*"|\b(event|events) (\d+)\b/g;

/** The finding with `event 4` written as `event #71` wherever row 70 is among its rows and has position 4 on its connection. */
export function numbered(finding: FindingView, positionOf: (row: number) => number | undefined): FindingView {
  const rows = finding.row === null ? finding.relatedRows : [...finding.relatedRows, finding.row];
  if (rows.length === 0 || !finding.message.includes('event ')) return finding;
  const byPosition = new Map(rows.map((row) => [positionOf(row), row]));
  const message = finding.message.replace(MENTION, (whole, word: string | undefined, position: string) => {
    const row = word === undefined ? undefined : byPosition.get(Number(position));
    return row === undefined ? whole : `${word} #${numberOf(row)}`;
  });
  return { ...finding, message };
}
