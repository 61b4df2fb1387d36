/** Where one SSE frame ends and the next begins: a blank line, with LF, CR or CRLF as line ends, found on bytes (WHATWG HTML, "Interpreting an event stream"). */

export const LF = 10;
export const CR = 13;

export interface BorderScan {
  /** Nothing on the current line yet. */
  empty: boolean;
  /** The byte before was a CR: an LF now still belongs to it. */
  cr: boolean;
  /** That CR ended a blank line: the frame ends with it or with its LF. */
  ends: boolean;
  /** A CR was seen in this frame. */
  sawCr: boolean;
}

export function newBorderScan(): BorderScan {
  return { empty: true, cr: false, ends: false, sawCr: false };
}

/** Makes the scan ready for the first byte of a frame. */
export function resetBorderScan(scan: BorderScan): void {
  scan.empty = true;
  scan.cr = false;
  scan.ends = false;
  scan.sawCr = false;
}

/**
 * The position after the frame that ends at or after `from`, or -1 when the bytes end first; the scan then goes on with the next
 * bytes. A frame whose last byte is a CR ends only when the byte after it is known, so that a CRLF cut in two is one line end.
 */
export function nextBorder(scan: BorderScan, bytes: Uint8Array, from: number): number {
  let { empty, cr } = scan;
  for (let i = from; i < bytes.length; i++) {
    const byte = bytes[i]!;
    if (byte > CR && !cr) {
      empty = false;
      continue;
    }
    if (cr) {
      cr = false;
      if (scan.ends) return byte === LF ? i + 1 : i;
      if (byte === LF) continue;
    }
    if (byte === LF) {
      if (empty) return i + 1;
      empty = true;
    } else if (byte === CR) {
      scan.sawCr = true;
      scan.ends = empty;
      cr = true;
      empty = true;
    } else empty = false;
  }
  scan.empty = empty;
  scan.cr = cr;
  return -1;
}

/** `nextBorder` for bytes without CR that begin with a non-empty line: the position after the next two LFs in a row. */
export function nextLfBorder(bytes: Uint8Array, from: number): number {
  for (let i = bytes.indexOf(LF, from); i >= 0; i = bytes.indexOf(LF, i + 1)) {
    if (bytes[i + 1] === LF) return i + 2;
  }
  return -1;
}
