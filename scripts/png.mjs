/** What is asked of an icon's file: its size, and which drawing it was made from. */
import { createHash } from 'node:crypto';

/** Pixels: toolbar and favicon, DevTools tab, extension lists, stores. */
export const ICON_SIZES = [16, 32, 48, 96, 128];
export const SOURCE_KEY = 'Source-SHA256';

/** SHA-256 of a file's bytes, hexadecimal. */
export function digestOf(bytes) {
  return createHash('sha256').update(bytes).digest('hex');
}

/** Width, height and text chunks of a PNG; null for bytes that are none. */
export function readPng(bytes) {
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (view.length < 33 || view.toString('latin1', 1, 4) !== 'PNG') return null;
  const texts = {};
  for (let at = 8; at + 12 <= view.length; at += 12 + view.readUInt32BE(at)) {
    if (view.toString('latin1', at + 4, at + 8) !== 'tEXt') continue;
    const [key, value] = view.toString('latin1', at + 8, at + 8 + view.readUInt32BE(at)).split('\0');
    texts[key] = value;
  }
  return { width: view.readUInt32BE(16), height: view.readUInt32BE(20), texts };
}
