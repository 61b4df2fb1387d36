/** The one selection that timeline, tables and pane share. */
export type Selection =
  | { kind: 'none' }
  | { kind: 'row'; row: number }
  | { kind: 'span'; id: number }
  | { kind: 'run'; id: number }
  | { kind: 'finding'; id: number }
  | { kind: 'connection'; id: number };

export const NOTHING: Selection = { kind: 'none' };

/** Whether two selections name the same thing. */
export function sameSelection(a: Selection, b: Selection): boolean {
  if (a.kind !== b.kind) return false;
  if (a.kind === 'row') return a.row === (b as { row: number }).row;
  return a.kind === 'none' || a.id === (b as { id: number }).id;
}
