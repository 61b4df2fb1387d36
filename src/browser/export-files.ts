/**
 * Files that are being written for a download, in the extension's private file system: a large export lies on disk and not in memory.
 * A file must stay until the browser has copied it, which nothing tells; so it goes some minutes later, or with the next export or
 * the next start of the worker after that.
 */

const FOLDER = 'exports';
/** How long a finished file stays for the browser to copy it, ms. */
const STAYS = 10 * 60_000;

export interface ExportFile {
  readonly write: (bytes: Uint8Array) => Promise<void>;
  /** The file as it is on disk. */
  readonly close: () => Promise<Blob>;
  readonly abandon: () => Promise<void>;
}

/** Begins a file; null where the browser has no private file system here. */
export async function openExportFile(): Promise<ExportFile | null> {
  try {
    const folder = await (await navigator.storage.getDirectory()).getDirectoryHandle(FOLDER, { create: true });
    const name = `${Date.now()}-${crypto.randomUUID()}`;
    const handle = await folder.getFileHandle(name, { create: true });
    const stream = await handle.createWritable();
    const remove = () => folder.removeEntry(name).catch(() => undefined);
    return {
      write: (bytes) => stream.write(bytes as Uint8Array<ArrayBuffer>),
      close: async () => {
        await stream.close();
        setTimeout(() => void remove(), STAYS);
        return handle.getFile();
      },
      abandon: async () => {
        await stream.abort().catch(() => undefined);
        await remove();
      },
    };
  } catch {
    return null;
  }
}

/** Deletes the files that no download can still need. Never rejects. */
export async function sweepExportFiles(): Promise<void> {
  try {
    const folder = await (await navigator.storage.getDirectory()).getDirectoryHandle(FOLDER);
    for await (const name of (folder as unknown as { keys: () => AsyncIterable<string> }).keys()) {
      if (Date.now() - Number.parseInt(name, 10) > STAYS) await folder.removeEntry(name).catch(() => undefined);
    }
  } catch {
    // there is no such folder, so there are no files
  }
}
