/** Random UTF-8 of every length of character, the same for the same seed, cut anywhere: also inside a character. */

function createRandom(seed: number): () => number {
  let state = seed >>> 0 || 1;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    state >>>= 0;
    return state / 2 ** 32;
  };
}

const RANGES = [
  [0x20, 0x7e],
  [0xa1, 0x7ff],
  [0x4e00, 0x9fff],
  [0x1f300, 0x1f5ff],
] as const;

/** About `size` bytes in pieces of 1 byte to 60 KiB. */
export function randomText(size: number, seed: number): Buffer[] {
  const random = createRandom(seed);
  const lines: string[] = [];
  let text = '';
  for (let i = 0; i < 4096; i += 1) {
    const [from, to] = RANGES[Math.floor(random() * RANGES.length)] as (typeof RANGES)[number];
    text += String.fromCodePoint(from + Math.floor(random() * (to - from)));
  }
  for (let made = 0; made < size; made += 3) {
    const at = Math.floor(random() * 2000) * 2;
    const line = text.slice(at, at + 40);
    lines.push(line);
    made += line.length * 2;
  }
  const bytes = Buffer.from(lines.join('\n'));
  const pieces: Buffer[] = [];
  for (let at = 0; at < bytes.length; ) {
    const length = 1 + Math.floor(random() ** 4 * 60_000);
    pieces.push(bytes.subarray(at, at + length));
    at += length;
  }
  return pieces;
}
