/**
 * What the benches' pages read: streams made once, sent at once or at a pace. One line of query a stream:
 *
 *   POST /agent?events=200000                 all at once
 *   POST /agent?events=3000&pace=1            one write an event, `pace` ms apart
 *   POST /agent?events=3000&pace=1&full       writes of 64 KiB, `pace` ms apart
 *   GET  /                                    the page
 */

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { build, type Rollup } from 'vite';
import { drained } from '../../e2e/drained.ts';
import { ROOT } from '../../e2e/root.ts';
import { asSseChunks, cleanEvents } from '../streams.ts';

export interface BenchServer {
  /** With a slash at its end. */
  readonly url: string;
  /** Wall-clock ms at which each event of the last paced stream was written. */
  readonly written: readonly number[];
  readonly close: () => Promise<void>;
}

async function pageScript(): Promise<string> {
  const built = (await build({
    root: ROOT,
    configFile: false,
    logLevel: 'error',
    build: { write: false, target: 'es2023', lib: { entry: join(ROOT, 'bench/pages/app.ts'), formats: ['iife'], name: 'bench', fileName: 'app' } },
    define: { 'process.env.NODE_ENV': '"production"' },
  })) as Rollup.RollupOutput[];
  return built[0]!.output[0].code;
}

/** Waits until `due` (performance.now() ms), with a resolution far under that of a timer where it is near. */
async function until(due: number): Promise<void> {
  const left = due - performance.now();
  if (left > 4) await new Promise((go) => setTimeout(go, left - 2));
  while (performance.now() < due) await new Promise((go) => setImmediate(go));
}

const streams = new Map<string, readonly Uint8Array[]>();

function chunksOf(events: number, singly: boolean): readonly Uint8Array[] {
  const key = `${events} ${singly}`;
  const known = streams.get(key);
  if (known) return known;
  // the client copies all its messages with every one that grows: a thread that is never emptied would measure nothing else
  const list = cleanEvents(Math.ceil(events / 1000) * 1000).map((event, i) =>
    event.type === 'STATE_SNAPSHOT' && i > 1000 ? { type: 'MESSAGES_SNAPSHOT', messages: [] } : event,
  );
  const encoder = new TextEncoder();
  const made = singly ? list.map((event) => encoder.encode(`data: ${JSON.stringify(event)}\n\n`)) : asSseChunks(list, 64 * 1024);
  streams.set(key, made);
  return made;
}

async function tell(response: ServerResponse, chunks: readonly Uint8Array[], pace: number, written: number[]): Promise<void> {
  let due = performance.now();
  written.length = 0;
  for (const chunk of chunks) {
    if (pace > 0) {
      // what is late stays late: catching up would send several events at once
      due = Math.max(due, performance.now()) + pace;
      await until(due);
      written.push(performance.timeOrigin + performance.now());
    }
    if (response.destroyed) return;
    if (!response.write(chunk)) await drained(response);
  }
  response.end();
}

/** Starts the server on the loopback address. */
export async function startBenchServer(): Promise<BenchServer> {
  const script = await pageScript();
  const written: number[] = [];
  const answer = async (request: IncomingMessage, response: ServerResponse, query: URLSearchParams) => {
    for await (const _ of request) void _;
    const pace = Number(query.get('pace') ?? 0);
    response.socket?.setNoDelay(true);
    response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' });
    response.flushHeaders();
    await tell(response, chunksOf(Number(query.get('events')), pace > 0 && !query.has('full')), pace, written);
  };
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://bench');
    if (url.pathname === '/agent') void answer(request, response, url.searchParams).catch(() => response.destroy());
    else if (url.pathname === '/app.js') response.writeHead(200, { 'content-type': 'text/javascript' }).end(script);
    else if (url.pathname === '/')
      response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><title>bench</title><script src="/app.js"></script>');
    else response.writeHead(404).end();
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  const close = async () => {
    server.closeAllConnections();
    await new Promise((done) => server.close(done));
  };
  return { url: `http://localhost:${(server.address() as AddressInfo).port}/`, written, close };
}
