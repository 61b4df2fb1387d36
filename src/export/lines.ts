/** Text cut anywhere into its lines. */

/** Plain data. `no` counts the lines that are complete. */
export interface Lines {
  no: number;
  pieces: string[];
  length: number;
}

/** A line beyond this is no line of ours; strings end at 512 Mi characters. */
const LONGEST_LINE = 256 * 1024 * 1024;

export function createLines(): Lines {
  return { no: 0, pieces: [], length: 0 };
}

/** The lines that the next piece completed, without their ends; null for one that is too long to be held. */
export function takeLines(lines: Lines, piece: string): (string | null)[] {
  const found: (string | null)[] = [];
  let from = 0;
  for (let end = piece.indexOf('\n'); end >= 0; end = piece.indexOf('\n', from)) {
    keep(lines, piece.slice(from, end));
    found.push(close(lines));
    from = end + 1;
  }
  keep(lines, piece.slice(from));
  return found;
}

/** The text is over; answers its last line if that has no end. */
export function endLines(lines: Lines): (string | null)[] {
  return lines.length > 0 ? [close(lines)] : [];
}

function keep(lines: Lines, piece: string): void {
  if (piece === '') return;
  lines.length += piece.length;
  if (lines.length <= LONGEST_LINE) lines.pieces.push(piece);
  else lines.pieces = [];
}

function close(lines: Lines): string | null {
  const text = lines.length > LONGEST_LINE ? null : lines.pieces.join('').replace(/\r$/, '');
  lines.pieces = [];
  lines.length = 0;
  lines.no++;
  return text;
}
