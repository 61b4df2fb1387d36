/** Files that are compressed with gzip are read as what is in them. */
import { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';

/** The pieces, unpacked if they begin as gzip does. Throws a sentence where the compressed data is damaged, after what came before it. */
export async function* unzipped(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const source = pieces[Symbol.asyncIterator]();
  const first: Uint8Array[] = [];
  let length = 0;
  while (length < 2) {
    const next = await source.next();
    if (next.done) break;
    first.push(next.value);
    length += next.value.length;
  }
  const [a, b] = Buffer.concat(first.map((piece) => piece.subarray(0, 2)));
  const all = rest(first, source);
  if (a === 0x1f && b === 0x8b) yield* gunzipped(all);
  else yield* all;
}

async function* rest(first: readonly Uint8Array[], source: AsyncIterator<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* first;
    for (let next = await source.next(); !next.done; next = await source.next()) yield next.value;
  } finally {
    await source.return?.();
  }
}

async function* gunzipped(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const input = Readable.from(pieces, { objectMode: true });
  const unpacked = createGunzip();
  input.on('error', (error) => unpacked.destroy(error));
  try {
    yield* input.pipe(unpacked) as AsyncIterable<Uint8Array>;
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? '';
    if (code === 'Z_BUF_ERROR') throw new Error('the compressed data is cut off');
    throw code.startsWith('Z_') ? new Error('the compressed data is damaged') : error;
  }
}
