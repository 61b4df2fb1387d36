/**
 * The demo agent: a plain Node server that tells the scenarios over SSE with real pacing.
 *
 *   POST /agent/<scenario>?pace=<ms>&n=<events>    answers a RunAgentInput
 *   GET  /events/<scenario>?named=1                the same for an EventSource; `named` puts the type into the `event` field
 *   GET  /<file>                                   the demo pages
 */
import { existsSync, readFileSync, statSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join, normalize } from 'node:path';
import { scenarioOf } from './scenarios.ts';
import type { Move, RunInput, Scenario } from './story.ts';

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
};
const CORS = { 'access-control-allow-origin': '*', 'access-control-allow-headers': '*', 'access-control-allow-methods': '*' };

export interface AgentServer {
  /** With a slash at its end. */
  readonly url: string;
  /** Method and path of every request to an agent, in order. */
  readonly asked: readonly string[];
  /** While it is down each of them is refused by cutting the connection; the pages are served all the same. */
  readonly setDown: (down: boolean) => void;
  readonly close: () => Promise<void>;
}

export interface AgentOptions {
  /** Where the built demo pages lie. */
  readonly pages?: string;
  /** 0 takes any free port. */
  readonly port?: number;
  /** Served at `/blank`, for specs that bring their own page script. */
  readonly blank?: string;
}

/** Waits until `due` (performance.now() ms), with a resolution far under that of a timer where it is near. */
async function until(due: number): Promise<void> {
  const left = due - performance.now();
  if (left > 4) await new Promise((go) => setTimeout(go, left - 2));
  while (performance.now() < due) await new Promise((go) => setImmediate(go));
}

function framed(move: Move & { event: Readonly<Record<string, unknown>> }, named: boolean): string {
  return `${named ? `event: ${String(move.event['type'])}\n` : ''}data: ${JSON.stringify(move.event)}\n\n`;
}

/** Sends a story; ends early when the client has gone. */
async function tell(response: ServerResponse, moves: Iterable<Move>, pace: number | null, named: boolean): Promise<void> {
  let due = performance.now();
  for (const move of moves) {
    // a reset throws away what the reader has not taken yet: the wait before it stays
    const wait = 'cut' in move ? move.wait : (pace ?? move.wait);
    // what is late stays late: catching up would send several events at once
    due = Math.max(due, performance.now()) + wait;
    if (wait > 0) await until(due);
    if (response.destroyed) return;
    if ('cut' in move) {
      response.socket?.resetAndDestroy();
      return;
    }
    if ('hold' in move) return;
    if (!response.write('text' in move ? move.text : framed(move, named))) await drained(response);
  }
  response.end();
}

function drained(response: ServerResponse): Promise<void> {
  return new Promise((go) => {
    const done = () => {
      response.off('drain', done);
      response.off('close', done);
      go();
    };
    response.on('drain', done).on('close', done);
  });
}

async function bodyOf(request: IncomingMessage): Promise<Partial<RunInput>> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  try {
    return JSON.parse(Buffer.concat(parts).toString()) as Partial<RunInput>;
  } catch {
    return {};
  }
}

async function answer(scenario: Scenario, request: IncomingMessage, response: ServerResponse, query: URLSearchParams): Promise<void> {
  const body = await bodyOf(request);
  const n = Number(query.get('n')) || undefined;
  const input = { threadId: body.threadId ?? query.get('thread') ?? 'thread-1', runId: body.runId ?? query.get('run') ?? 'run-1', ...(n ? { n } : {}) };
  response.socket?.setNoDelay(true);
  response.writeHead(scenario.status ?? 200, { ...CORS, 'content-type': scenario.contentType ?? 'text/event-stream', 'cache-control': 'no-store' });
  response.flushHeaders();
  await tell(response, scenario.build(input).moves, query.has('pace') ? Number(query.get('pace')) : null, query.has('named'));
}

function serveFile(pages: string | undefined, path: string, response: ServerResponse): void {
  const file = pages && join(pages, normalize(path === '/' ? '/index.html' : path));
  if (!file?.startsWith(pages ?? '') || !existsSync(file) || !statSync(file).isFile()) {
    response.writeHead(404, { 'content-type': 'text/plain' }).end('Not here.');
    return;
  }
  // the assets' names carry a hash of what is in them
  const cacheControl = path.startsWith('/assets/') ? 'max-age=31536000, immutable' : 'no-store';
  response.writeHead(200, { 'content-type': TYPES[extname(file)] ?? 'application/octet-stream', 'cache-control': cacheControl }).end(readFileSync(file));
}

/** Starts the agent on the loopback address. */
export async function startAgent(options: AgentOptions = {}): Promise<AgentServer> {
  const asked: string[] = [];
  let down = false;
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://agent');
    const [, kind, id] = /^\/(agent|events)\/([\w-]+)$/.exec(url.pathname) ?? [];
    const scenario = kind ? scenarioOf(id ?? '') : undefined;
    if (kind) asked.push(`${request.method} ${url.pathname}`);
    if (kind && down) response.destroy();
    else if (request.method === 'OPTIONS') response.writeHead(204, CORS).end();
    else if (scenario) void answer(scenario, request, response, url.searchParams).catch(() => response.destroy());
    else if (url.pathname === '/blank') response.writeHead(200, { 'content-type': 'text/html' }).end(options.blank ?? '<!doctype html><title>blank</title>');
    else serveFile(options.pages, url.pathname, response);
  });
  await new Promise<void>((ready, fail) => server.once('error', fail).listen(options.port ?? 0, '127.0.0.1', ready));
  const close = async () => {
    server.closeAllConnections();
    await new Promise((done) => server.close(done));
  };
  const setDown = (on: boolean) => {
    down = on;
  };
  return { asked, setDown, url: `http://localhost:${(server.address() as AddressInfo).port}/`, close };
}
