/** Fitting words into room: a shorter wording, then fewer letters and an ellipsis, then nothing. */
import type { Measure } from './types.ts';

/** The first of the wordings that fits, else ''. */
export function firstFit(texts: readonly string[], room: number, size: number, measure: Measure, bold = false): string {
  return texts.find((text) => measure(text, size, bold) <= room) ?? '';
}

/** Longest beginning of a text that fits with an ellipsis; '' when fewer than `least` letters would be left. */
export function fitText(text: string, room: number, size: number, measure: Measure, least = 4): string {
  if (room <= 0) return '';
  const line = text.length > 200 ? text.slice(0, 200) : text;
  if (line === text && measure(text, size, false) <= room) return text;
  let [low, high] = [0, line.length];
  while (low < high) {
    const mid = (low + high + 1) >> 1;
    if (measure(`${line.slice(0, mid)}…`, size, false) <= room) low = mid;
    else high = mid - 1;
  }
  // never half of a surrogate pair
  const cut = low > 0 && /[\uD800-\uDBFF]/.test(line[low - 1]!) ? low - 1 : low;
  return cut < least ? '' : `${line.slice(0, cut).trimEnd()}…`;
}
