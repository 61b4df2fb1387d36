/** The one selection that timeline, tables and pane share. */
export type Selection =
  | { kind: 'none' }
  | { kind: 'row'; row: number }
  | { kind: 'span'; id: number }
  | { kind: 'run'; id: number }
  | { kind: 'finding'; id: number }
  | { kind: 'connection'; id: number };

export const NOTHING: Selection = { kind: 'none' };
