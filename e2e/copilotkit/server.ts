/**
 * CopilotKit's runtime, v2 with its in-memory runner, on the loopback address: `/api/rest/…` and `/api/single`, and the built page.
 * Keeps the bytes of every event stream it sends.
 */
import { existsSync, readFileSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join, normalize } from 'node:path';
import { CopilotRuntime, createCopilotRuntimeHandler, InMemoryAgentRunner } from '@copilotkit/runtime/v2';
import { createCopilotNodeHandler } from '@copilotkit/runtime/v2/node';
import { ROOT } from '../root.ts';
import { ScriptedAgent, type Stage } from './agent.ts';

const PAGES = join(ROOT, '.cache/copilotkit');
const TYPES: Readonly<Record<string, string>> = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css' };

/** One event stream as the runtime sent it. */
export interface Sent {
  readonly path: string;
  readonly chunks: Buffer[];
  /** Whether the page gave up reading. */
  aborted: boolean;
}

export interface Server {
  /** With a slash at its end. */
  readonly url: string;
  /** Event streams in the order in which their headers were sent. */
  readonly sent: Sent[];
  /** Lets the run of that thread go on that waits. Gives false where none waits. */
  readonly release: (thread: string) => boolean;
  readonly close: () => Promise<void>;
}

/** The runtime's handler for Node, and a note of each event stream that it sends. */
function noting(handler: (request: Request) => Promise<Response>, sent: Sent[]): ReturnType<typeof createCopilotNodeHandler> {
  return createCopilotNodeHandler(async (request) => {
    const response = await handler(request);
    if (!response.body || !response.headers.get('content-type')?.startsWith('text/event-stream')) return response;
    const stream: Sent = { path: new URL(request.url).pathname, chunks: [], aborted: false };
    sent.push(stream);
    request.signal.addEventListener('abort', () => {
      stream.aborted = true;
    });
    const noted = new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, out) {
        stream.chunks.push(Buffer.from(chunk));
        out.enqueue(chunk);
      },
    });
    return new Response(response.body.pipeThrough(noted), response);
  });
}

function serveFile(path: string, response: ServerResponse): void {
  const file = join(PAGES, normalize(path === '/' ? '/index.html' : path));
  if (!file.startsWith(PAGES) || !existsSync(file)) response.writeHead(404).end('Not here.');
  else response.writeHead(200, { 'content-type': TYPES[extname(file)] ?? 'application/octet-stream' }).end(readFileSync(file));
}

export async function startServer(): Promise<Server> {
  const stage: Stage = { held: new Map() };
  const sent: Sent[] = [];
  const runtime = new CopilotRuntime({ agents: { default: new ScriptedAgent(stage) }, runner: new InMemoryAgentRunner() });
  const rest = noting(createCopilotRuntimeHandler({ runtime, basePath: '/api/rest' }), sent);
  const single = noting(createCopilotRuntimeHandler({ runtime, basePath: '/api/single', mode: 'single-route' }), sent);
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://server');
    const answer = pathname.startsWith('/api/rest') ? rest : pathname.startsWith('/api/single') ? single : null;
    if (!answer) {
      serveFile(pathname, response);
      return;
    }
    response.socket?.setNoDelay(true);
    void answer(request, response);
  });
  await new Promise<void>((ready, fail) => server.once('error', fail).listen(0, '127.0.0.1', ready));
  const release = (thread: string) => {
    const go = stage.held.get(thread);
    go?.();
    return go !== undefined;
  };
  const close = async () => {
    server.closeAllConnections();
    await new Promise((done) => server.close(done));
  };
  return { url: `http://localhost:${(server.address() as AddressInfo).port}/`, sent, release, close };
}
