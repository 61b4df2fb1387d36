/** A page that reads an agent's stream with a bare reader, and remembers what it got beyond its own end. */
import { scenarioOf } from '../agent/scenarios.ts';

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
let ends = 0;

function note(chunk: Uint8Array): void {
  progress.chunks.push(chunk.byteLength);
  for (let at = 0; at < chunk.length; at++) {
    ends = chunk[at] === 10 ? ends + 1 : 0;
    if (ends === 2) progress.frames++;
  }
}

async function open(url: string, runId: string): Promise<ReadableStreamDefaultReader<Uint8Array>> {
  Object.assign(progress, { frames: 0, done: false, error: null });
  progress.chunks.length = 0;
  ends = 0;
  const input = { threadId: `thread-of-${runId}`, runId, messages: [], tools: [], context: [], state: {}, forwardedProps: {} };
  const headers = { 'content-type': 'application/json', accept: 'text/event-stream' };
  const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(input) });
  return response.body!.getReader();
}

/** Reads a stream to its end. */
async function read(url: string, runId: string): Promise<BareProgress> {
  try {
    const reader = await open(url, runId);
    for (let got = await reader.read(); !got.done; got = await reader.read()) note(got.value);
  } catch (error) {
    progress.error = String(error);
  }
  progress.done = true;
  return progress;
}

/** Has the page's own service worker tell a story, one event a read: the next is sent when the one before was read. */
async function readSingly(scenario: string, runId: string, n: number): Promise<BareProgress> {
  const registration = await navigator.serviceWorker.register('/echo-worker.js');
  if (!navigator.serviceWorker.controller) await new Promise((taken) => navigator.serviceWorker.addEventListener('controllerchange', taken, { once: true }));
  const { port1: worker, port2 } = new MessageChannel();
  navigator.serviceWorker.controller!.postMessage(null, [port2]);
  const reader = await open('/echo', runId);
  for (const move of scenarioOf(scenario)!.build({ threadId: `thread-of-${runId}`, runId, n }).moves) {
    if (!('event' in move)) continue;
    worker.postMessage(`data: ${JSON.stringify(move.event)}\n\n`);
    note((await reader.read()).value!);
  }
  worker.postMessage(null);
  await reader.read();
  await registration.unregister();
  progress.done = true;
  return progress;
}

/** What the document before this one had got when it went away. */
const before = (): BareProgress | null => JSON.parse(sessionStorage.getItem(KEPT) ?? 'null') as BareProgress | null;

addEventListener('pagehide', () => sessionStorage.setItem(KEPT, JSON.stringify(progress)));
const bare = { read, readSingly, progress, before };
declare global {
  interface Window {
    bare: typeof bare;
  }
}
window.bare = bare;
