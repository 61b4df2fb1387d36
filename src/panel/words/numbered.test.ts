import { expect, test } from 'vitest';
import type { FindingView } from '../../runs/types.ts';
import { numbered } from './numbered.ts';

const finding = (message: string): FindingView => ({
  id: 0,
  conn: 0,
  rule: 'step-already-open',
  severity: 'violation',
  at: 6,
  run: 0,
  row: 75,
  relatedRows: [70],
  time: 0,
  span: null,
  message,
  repeats: 0,
});
const positionOf = (row: number) => row - 69;

test('positions on the connection become the numbers of the table', () => {
  expect(numbered(finding('Step "search" is open since event 1; close it.'), positionOf).message).toBe('Step "search" is open since event #71; close it.');
});

test('a name that looks like a position stays, and so does a position that no row stands for', () => {
  const said = 'Step "event 1" is open since event 4.';
  expect(numbered(finding(said), positionOf).message).toBe(said);
});
