/**
 * The server of the page specs: answers as the query says and keeps a log an `id`, so that a spec can ask what reached the server.
 * Plain HTTP on the loopback, because only real sockets show back-pressure, resets and cancels.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { randomText } from './random-text.ts';

/** What the server saw of one exchange. Times are ms since the epoch. */
export interface Seen {
  method: string;
  body: string;
  contentLength: string | null;
  contentType: string | null;
  accept: string | null;
  written: number;
  closed: boolean;
  closedAt: number;
}

export interface PageServer {
  readonly url: string;
  /** What was seen of an exchange so far. */
  seen(id: string): Seen | undefined;
  /** Pages by path, with the headers they are to have. */
  readonly pages: Map<string, { html: string; headers?: Record<string, string> }>;
  close(): Promise<void>;
}

interface Log {
  readonly seen: Seen;
  readonly whenClosed: Promise<void>;
  readonly release: Promise<void>;
  readonly letGo: () => void;
}

const CORS = { 'access-control-allow-origin': '*', 'access-control-expose-headers': 'x-shown', 'access-control-allow-headers': '*' };
const SSE = 'text/event-stream';

async function bodyOf(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return Buffer.concat(parts).toString();
}

function createLog(request: IncomingMessage, response: ServerResponse): Log {
  const header = (name: string) => (request.headers[name] as string | undefined) ?? null;
  const seen: Seen = {
    method: request.method ?? '',
    body: '',
    contentLength: header('content-length'),
    contentType: header('content-type'),
    accept: header('accept'),
    written: 0,
    closed: false,
    closedAt: 0,
  };
  let letGo: () => void = () => undefined;
  const release = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  const whenClosed = new Promise<void>((resolve) => {
    response.on('close', () => {
      seen.closed = true;
      seen.closedAt = Date.now();
      resolve();
    });
  });
  return { seen, whenClosed, release, letGo };
}

/** Writes, and waits while the other side takes no more. */
function write(response: ServerResponse, bytes: Buffer): Promise<void> {
  return new Promise((resolve) => {
    if (response.write(bytes) || response.destroyed) return resolve();
    const go = () => {
      response.off('drain', go).off('close', go);
      resolve();
    };
    response.on('drain', go).on('close', go);
  });
}

/** Writes 64 KiB blocks until the limit, as fast as the other side takes them. */
async function flood(response: ServerResponse, seen: Seen, limit: number): Promise<void> {
  const block = Buffer.alloc(65_536, 'x');
  while (seen.written < limit && !response.destroyed) {
    seen.written += block.length;
    await write(response, block);
  }
}

/** Numbered events for as long as the page listens, or until they are released. */
async function tick(response: ServerResponse, { seen, release }: Log): Promise<void> {
  let released = false;
  void release.then(() => {
    released = true;
  });
  for (let i = 0; !released && !response.destroyed; i += 1) {
    const event = Buffer.from(`data: ${i}\n\n`);
    seen.written += event.length;
    await write(response, event);
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
}

/** How a body ends: properly, never, by a reset, short of its length, or in a broken chunk. */
async function finish(how: string, response: ServerResponse, log: Log): Promise<void> {
  if (how === 'hang') return;
  if (how === 'released') {
    await log.release;
    response.end();
  } else if (how === 'reset') response.socket?.resetAndDestroy();
  else if (how === 'reset-released') {
    await log.release;
    response.socket?.resetAndDestroy();
  } else if (how === 'bad-chunk') {
    response.socket?.write('no chunk\r\n');
    response.socket?.end();
  } else if (how === 'truncated') response.socket?.end();
  else response.end();
}

/** `parts` are written one at a time, `|` between them; the next goes when the page has asked for it by `/next`, or at once. */
async function answer(query: URLSearchParams, response: ServerResponse, log: Log): Promise<void> {
  const type = query.get('type') ?? SSE;
  const headers: Record<string, string> = { ...CORS, 'cache-control': 'no-store', 'x-shown': 'yes', 'x-hidden': 'yes' };
  if (type) headers['content-type'] = type;
  // Node writes a body's end after 205, where Chromium expects none: the connection cannot be used again
  if ([204, 205, 304].includes(Number(query.get('status')))) headers['connection'] = 'close';
  if (query.has('length')) headers['content-length'] = query.get('length') ?? '';
  if (query.has('encoding')) headers['content-encoding'] = query.get('encoding') ?? '';
  if (query.has('location')) headers['location'] = query.get('location') ?? '';
  response.writeHead(Number(query.get('status') ?? 200), query.get('text') ?? undefined, headers);
  response.flushHeaders();
  const random = query.get('random');
  const parts = random
    ? randomText(Number(random), 7)
    : (query.get('parts') ?? '')
        .split('|')
        .filter(Boolean)
        .map((part) => Buffer.from(part));
  for (const part of parts) {
    log.seen.written += part.length;
    await write(response, part);
    // a turn each, so that the parts arrive apart
    await new Promise((resolve) => setImmediate(resolve));
  }
  if (query.has('ticks')) await tick(response, log);
  if (query.has('flood')) await flood(response, log.seen, Number(query.get('flood')));
  await finish(query.get('end') ?? '', response, log);
}

function json(response: ServerResponse, value: unknown): void {
  response.writeHead(200, { ...CORS, 'content-type': 'application/json', 'cache-control': 'no-store' });
  response.end(JSON.stringify(value ?? null));
}

async function handle(server: Omit<PageServer, 'close' | 'url'>, logs: Map<string, Log>, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { pathname, searchParams: query } = new URL(request.url ?? '/', 'http://any');
  const page = server.pages.get(pathname);
  if (page) {
    response.writeHead(200, { 'content-type': pathname.endsWith('.js') ? 'text/javascript' : 'text/html; charset=utf-8', ...page.headers });
    response.end(page.html);
    return;
  }
  const id = query.get('id') ?? '';
  if (pathname === '/seen') return json(response, logs.get(id)?.seen);
  if (pathname === '/release') {
    logs.get(id)?.letGo();
    return json(response, true);
  }
  if (pathname === '/closed') {
    await logs.get(id)?.whenClosed;
    return json(response, logs.get(id)?.seen);
  }
  if (pathname !== '/r') {
    response.writeHead(pathname === '/favicon.ico' ? 204 : 404).end();
    return;
  }
  const again = logs.has(id) && query.get('again');
  if (again) query.set('status', again);
  const log = createLog(request, response);
  logs.set(id, log);
  if (request.method === 'OPTIONS') {
    response.writeHead(204, { ...CORS, 'access-control-allow-methods': '*' }).end();
    return;
  }
  log.seen.body = await bodyOf(request);
  await answer(query, response, log);
}

function listen(server: Server): Promise<number> {
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port));
  });
}

/** Starts the server on a free port of the loopback. */
export async function startPageServer(): Promise<PageServer> {
  const logs = new Map<string, Log>();
  const pages: PageServer['pages'] = new Map();
  const seen = (id: string) => logs.get(id)?.seen;
  const server = createServer((request, response) => {
    handle({ seen, pages }, logs, request, response).catch(() => response.destroy());
  });
  const port = await listen(server);
  return {
    url: `http://localhost:${port}`,
    seen,
    pages,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
