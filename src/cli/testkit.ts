/** Files for the command line's tests. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll } from 'vitest';

/** A folder that lasts as long as the test file: where it is, and how a file comes into it. */
export function useFolder(): { readonly path: (name: string) => string; readonly file: (name: string, content: string | Uint8Array) => string } {
  let folder = '';
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'runlens-'));
  });
  afterAll(() => rmSync(folder, { recursive: true }));
  const path = (name: string) => join(folder, name);
  return {
    path,
    file: (name, content) => {
      writeFileSync(path(name), content);
      return path(name);
    },
  };
}
