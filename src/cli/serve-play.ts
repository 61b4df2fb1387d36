/** One answer written out, at its times. */
import type { ServerResponse } from 'node:http';
import type { Answer } from '../replay/types.ts';

/** Sends what was captured when it came then, on one clock from the start, so that late timers do not add up. */
export async function play(answer: Answer, response: ServerResponse, speed: number): Promise<void> {
  const gone = new AbortController();
  response.once('close', () => gone.abort());
  const start = performance.now();
  const until = (ms: number): Promise<void> => waitUntil(start + ms / speed, gone.signal);
  await until(answer.wait);
  if (gone.signal.aborted) return;
  if (!answer.answered) {
    response.socket?.destroy();
    return;
  }
  const { status, contentType } = answer;
  response.writeHead(status, { ...(contentType === '' ? {} : { 'content-type': headerValue(contentType) }), 'cache-control': 'no-store' });
  response.flushHeaders();
  for (const { after, bytes } of answer.chunks) {
    await until(answer.wait + after);
    if (gone.signal.aborted) return;
    await write(response, bytes, gone.signal);
  }
  await until(answer.wait + answer.endAfter);
  if (gone.signal.aborted) return;
  if (answer.end === 'complete') response.end();
  else if (answer.end === 'network-error') response.socket?.destroy();
  // else the page ended it then, and is to end it now
}

function headerValue(text: string): string {
  return text.replaceAll(/[^\x20-\x7e]/g, '?');
}

/** Resolves when the bytes were handed to the system, or the client left. */
function write(response: ServerResponse, bytes: Uint8Array, gone: AbortSignal): Promise<void> {
  if (bytes.length === 0) return Promise.resolve();
  return unlessGone(gone, (done) => {
    response.write(bytes, done);
  });
}

/** Resolves at `time`, or when the client left. */
function waitUntil(time: number, gone: AbortSignal): Promise<void> {
  const ms = time - performance.now();
  if (ms <= 0 || gone.aborted) return Promise.resolve();
  let timer: NodeJS.Timeout;
  // a longer timer would fire at once
  return unlessGone(gone, (done) => {
    timer = setTimeout(done, Math.min(ms, 0x7fffffff));
  }).finally(() => clearTimeout(timer));
}

function unlessGone(gone: AbortSignal, begin: (done: () => void) => void): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      gone.removeEventListener('abort', done);
      resolve();
    };
    gone.addEventListener('abort', done, { once: true });
    begin(done);
  });
}
