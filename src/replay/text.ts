/** Values as text, text as bytes. */

const encoder = new TextEncoder();

/** `JSON.stringify` that answers undefined where that throws or has nothing to say. */
export function jsonOf(value: unknown): string | undefined {
  try {
    return JSON.stringify(value);
  } catch {
    return undefined;
  }
}

export function utf8(text: string): Uint8Array {
  return encoder.encode(text);
}
