/**
 * The server of the carrier specs: the demo agent's stories over every way into a page.
 *
 *   /sse/<story>?run=<id>&type=<t>    SSE, a turn of the event loop an event; a RunAgentInput in the body names the run; `open` ends never
 *   /flood?bytes=<n>                  a run whose SSE body has at least that many bytes
 *   /socket/<story>                   WebSocket: answers each run input with the story, a bare event a frame; `short` is a run and no more
 *   /phoenix/<story>                  the same in Phoenix frames, in the form (array or object) in which it was asked
 *   /chatter                          WebSocket: echoes whatever it gets
 *   /via/...                          what the service worker answers by asking for the rest of the path
 *   /page.html, /frame.html, ...      the pages below
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { scenarioOf } from '../agent/scenarios.ts';
import type { Move, RunInput, Story } from '../agent/story.ts';
import { PAGES } from './pages.ts';
import { acceptSocket, type ServerSocket } from './socket.ts';

const CORS = { 'access-control-allow-origin': '*', 'access-control-allow-headers': '*', 'access-control-allow-methods': '*' };

export interface CarrierServer {
  /** Without a slash at its end. */
  readonly url: string;
  /** The same server as another site that is captured too, and as one that is not. */
  readonly other: string;
  readonly stranger: string;
  readonly close: () => Promise<void>;
}

export const storyOf = (id: string, runId: string): Story => scenarioOf(id)!.build({ threadId: `thread-${runId}`, runId });

const eventsOf = (moves: Iterable<Move>): Readonly<Record<string, unknown>>[] => [...moves].flatMap((move) => ('event' in move ? [move.event] : []));

/** The SSE body of a story, or as much of it as comes before it breaks off. */
export const sseOf = (id: string, runId: string): string =>
  [...storyOf(id, runId).moves].map((move) => ('event' in move ? `data: ${JSON.stringify(move.event)}\n\n` : 'text' in move ? move.text : '')).join('');

/** What the hook makes of a story told over a socket: a line an event. */
export const linesOf = (id: string, runId: string): string =>
  eventsOf(storyOf(id, runId).moves)
    .map((event) => `${JSON.stringify(event)}\n`)
    .join('');

/** A whole run of at least so many bytes. */
function* floodOf(bytes: number): Generator<string> {
  const frame = (event: object) => `data: ${JSON.stringify(event)}\n\n`;
  yield frame({ type: 'RUN_STARTED', threadId: 't', runId: 'flood' });
  yield frame({ type: 'TEXT_MESSAGE_START', messageId: 'm', role: 'assistant' });
  const content = frame({ type: 'TEXT_MESSAGE_CONTENT', messageId: 'm', delta: 'x'.repeat(100_000) });
  for (let sent = 0; sent < bytes; sent += content.length) yield content;
  yield frame({ type: 'TEXT_MESSAGE_END', messageId: 'm' });
  yield frame({ type: 'RUN_FINISHED', threadId: 't', runId: 'flood' });
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

async function bodyOf(request: IncomingMessage): Promise<Partial<RunInput>> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  try {
    return JSON.parse(Buffer.concat(parts).toString()) as Partial<RunInput>;
  } catch {
    return {};
  }
}

async function tell(response: ServerResponse, parts: Iterable<string>): Promise<void> {
  for (const part of parts) {
    if (response.destroyed) return;
    if (!response.write(part)) await new Promise((go) => response.once('drain', go).once('close', go));
    await turn();
  }
}

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const url = new URL(request.url ?? '/', 'http://any');
  const page = PAGES[url.pathname];
  if (request.method === 'OPTIONS') return void response.writeHead(204, CORS).end();
  if (page) {
    const type = url.pathname.endsWith('.js') ? 'text/javascript' : 'text/html; charset=utf-8';
    return void response.writeHead(200, { 'content-type': type, 'cache-control': 'no-store' }).end(page);
  }
  const id = /^\/sse\/([\w-]+)$/.exec(url.pathname)?.[1];
  if (!id && url.pathname !== '/flood') return void response.writeHead(404, CORS).end();
  const body = await bodyOf(request);
  const runId = body.runId ?? url.searchParams.get('run') ?? 'run-1';
  const type = url.searchParams.get('type') ?? 'text/event-stream';
  response.writeHead(id ? (scenarioOf(id)?.status ?? 200) : 200, { ...CORS, 'content-type': type, 'cache-control': 'no-store' });
  response.flushHeaders();
  if (!id) await tell(response, floodOf(Number(url.searchParams.get('bytes'))));
  else if (url.searchParams.has('open')) return tell(response, [sseOf(id, runId)]);
  else await tell(response, sseOf(id, runId).split(/(?<=\n\n)/));
  if (id && [...storyOf(id, runId).moves].some((move) => 'cut' in move)) response.socket?.resetAndDestroy();
  else response.end();
}

function runIdIn(input: unknown): string | null {
  const { runId } = (input ?? {}) as { runId?: unknown };
  return typeof runId === 'string' ? runId : null;
}

/** Tells a story when a run input comes. */
function hearBare(id: string, data: string, socket: ServerSocket): void {
  const input = JSON.parse(data) as unknown;
  const runId = runIdIn(input);
  if (runId === null) return;
  const short = [
    { type: 'RUN_STARTED', threadId: 'one', runId },
    { type: 'RUN_FINISHED', threadId: 'one', runId },
  ];
  for (const event of id === 'short' ? short : eventsOf(storyOf(id, runId).moves)) socket.send(JSON.stringify(event));
  if ((input as { last?: boolean }).last) socket.close(1000);
}

function hearPhoenix(id: string, data: string, socket: ServerSocket): void {
  const frame = JSON.parse(data) as unknown[] | { topic: string; event: string; payload: unknown; ref: string };
  const [join, ref, topic, event, payload] = Array.isArray(frame) ? frame : [null, frame.ref, frame.topic, frame.event, frame.payload];
  const send = (name: string, told: unknown, no: unknown = null) =>
    socket.send(JSON.stringify(Array.isArray(frame) ? [join, no, topic, name, told] : { topic, event: name, payload: told, ref: no }));
  send('phx_reply', { status: 'ok', response: {} }, ref);
  const runId = runIdIn(payload);
  if (runId !== null) for (const one of eventsOf(storyOf(id, runId).moves)) send('ag_ui_event', one);
  if (event === 'phx_leave') send('phx_close', {}, ref);
}

function upgrade(request: IncomingMessage, stream: Socket): void {
  const [, kind, id = ''] = /^\/(socket|phoenix|chatter)(?:\/([\w-]+))?/.exec(request.url ?? '') ?? [];
  stream.setNoDelay(true);
  acceptSocket(request, stream, (data, socket) => {
    if (kind === 'chatter') socket.send(data);
    else if (data === 'reset') socket.reset();
    else if (typeof data === 'string') (kind === 'socket' ? hearBare : hearPhoenix)(id, data, socket);
  });
}

/** Starts the server on every loopback address. */
export async function startCarrierServer(): Promise<CarrierServer> {
  const streams = new Set<Socket>();
  const server = createServer((request, response) => {
    answer(request, response).catch(() => response.destroy());
  });
  server.on('upgrade', (request, stream) => upgrade(request, stream as Socket));
  server.on('connection', (stream: Socket) => {
    streams.add(stream);
    stream.on('close', () => streams.delete(stream));
  });
  await new Promise<void>((ready, fail) => server.once('error', fail).listen(0, '0.0.0.0', ready));
  const { port } = server.address() as AddressInfo;
  const close = async () => {
    for (const stream of streams) stream.destroy();
    await new Promise((done) => server.close(done));
  };
  return { url: `http://localhost:${port}`, other: `http://127.0.0.1:${port}`, stranger: `http://127.0.0.2:${port}`, close };
}
