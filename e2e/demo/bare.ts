/** A page that reads an agent's stream with a bare reader, and remembers what it got beyond its own end. */

export interface BareProgress {
  /** Bytes of each chunk, in order. */
  readonly chunks: number[];
  /** Frames whose last byte has come. */
  frames: number;
  done: boolean;
  error: string | null;
}

const KEPT = 'bare-progress';
const progress: BareProgress = { chunks: [], frames: 0, done: false, error: null };

async function read(url: string, runId: string): Promise<BareProgress> {
  Object.assign(progress, { frames: 0, done: false, error: null });
  progress.chunks.length = 0;
  const input = { threadId: `thread-of-${runId}`, runId, messages: [], tools: [], context: [], state: {}, forwardedProps: {} };
  const headers = { 'content-type': 'application/json', accept: 'text/event-stream' };
  try {
    const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(input) });
    const reader = response.body!.getReader();
    let ends = 0;
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      progress.chunks.push(value.byteLength);
      for (let at = 0; at < value.length; at++) {
        ends = value[at] === 10 ? ends + 1 : 0;
        if (ends === 2) progress.frames++;
      }
    }
  } catch (error) {
    progress.error = String(error);
  }
  progress.done = true;
  return progress;
}

/** What the document before this one had got when it went away. */
const before = (): BareProgress | null => JSON.parse(sessionStorage.getItem(KEPT) ?? 'null') as BareProgress | null;

addEventListener('pagehide', () => sessionStorage.setItem(KEPT, JSON.stringify(progress)));
const bare = { read, progress, before };
declare global {
  interface Window {
    bare: typeof bare;
  }
}
window.bare = bare;
