/** Base64 (RFC 4648 §4) for bytes that are no UTF-8 text; pure code has neither Buffer nor btoa. */

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
const VALUES: ReadonlyMap<string, number> = new Map([...ALPHABET].map((char, value) => [char, value]));

export function toBase64(bytes: Uint8Array): string {
  const parts: string[] = [];
  for (let i = 0; i < bytes.length; i += 3) {
    const [a = 0, b, c] = bytes.subarray(i, i + 3);
    const group = (a << 16) | ((b ?? 0) << 8) | (c ?? 0);
    parts.push(
      ALPHABET[group >> 18]!,
      ALPHABET[(group >> 12) & 63]!,
      b === undefined ? '=' : ALPHABET[(group >> 6) & 63]!,
      c === undefined ? '=' : ALPHABET[group & 63]!,
    );
  }
  return parts.join('');
}

/** The bytes, or null for text that is no base64. */
export function fromBase64(text: string): Uint8Array | null {
  const digits = text.replace(/={0,2}$/, '');
  if (text.length % 4 !== 0 || digits.length % 4 === 1) return null;
  const bytes = new Uint8Array(Math.floor((digits.length * 3) / 4));
  let group = 0;
  let at = 0;
  for (let i = 0; i < digits.length; i++) {
    const value = VALUES.get(digits[i]!);
    if (value === undefined) return null;
    group = ((group << 6) | value) & 0xffffff;
    if (i % 4 === 1) bytes[at++] = group >> 4;
    else if (i % 4 === 2) bytes[at++] = group >> 2;
    else if (i % 4 === 3) bytes[at++] = group;
  }
  return bytes;
}
