/** A line on the terminal that tells how far a long file is read. */

const EVERY = 100;

/** Passes the pieces on; rewrites the line at most ten times a second and takes it away at the end. */
export async function* withProgress(pieces: AsyncIterable<Uint8Array>, name: string, size: number, write: (text: string) => void): AsyncGenerator<Uint8Array> {
  let read = 0;
  let last = -EVERY;
  try {
    for await (const piece of pieces) {
      read += piece.length;
      const now = performance.now();
      if (now - last >= EVERY) {
        last = now;
        write(`\r${name}  ${Math.floor((read / size) * 100)} %  ${Math.round(read / 1e6)} of ${Math.round(size / 1e6)} MB\u001b[K`);
      }
      yield piece;
    }
  } finally {
    write('\r\u001b[K');
  }
}
