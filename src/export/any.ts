/** Reads a whole file that lies in memory. */
import type { CaptureRecord } from '../capture/types.ts';
import { type FileFacts, type OpenFileOptions, openFile } from './open-file.ts';

export interface ReadFile extends FileFacts {
  readonly records: readonly CaptureRecord[];
}

const PIECE = 1 << 20;

/** Never throws; `name` becomes the connection's URL. Of a broken file the records before and between the breaks are answered. */
export function readAny(bytes: Uint8Array, name: string, options: OpenFileOptions = {}): ReadFile {
  const file = openFile(name, options);
  const records: CaptureRecord[] = [];
  for (let at = 0; at < bytes.length; at += PIECE) {
    for (const record of file.take(bytes.subarray(at, at + PIECE))) records.push(record);
  }
  for (const record of file.end()) records.push(record);
  return { ...file.facts(), records };
}
