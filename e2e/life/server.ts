/**
 * The server of the specs about a capture's life: its own pages, the demo agent's stories, and other protocols' streams.
 *
 *   /page.html?auto=<run>&ahead=<run>&then=<run>
 *                             a page with `window.ask(path, runId)`; with `auto` it reads a whole run as soon as it is there. With
 *                             `ahead` it has a page prerendered that reads that run and, once it is shown, the one of `then`; it goes
 *                             there when it is let
 *   /let                      answers when the spec says so
 *   /sse/<story>?hold&pace=<ms>&n=<events>
 *                             the story as SSE, answering the run in the body; with `hold` the stream stays open before its last event
 *   /foreign/<name>           a stream of another protocol
 *   /big?frames=<n>&bytes=<n> a run of n large frames of so many bytes each
 */

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { scenarioOf } from '../agent/scenarios.ts';
import { drained } from '../drained.ts';

const PAGE = `<!doctype html><meta charset="utf-8"><title>life</title><body><script>
  async function ask(path, runId) {
    const body = JSON.stringify({ threadId: 'thread-' + runId, runId, messages: [] });
    const response = await fetch(path, { method: 'POST', body, headers: { accept: 'text/event-stream' } });
    const reader = response.body.getReader();
    let bytes = 0;
    for (let got = await reader.read(); !got.done; got = await reader.read()) window.got = bytes += got.value.length;
    return bytes;
  }
  window.shown = 0;
  addEventListener('pageshow', () => { window.shown += 1; });
  const { searchParams } = new URL(location.href);
  if (searchParams.has('auto')) window.auto = ask('/sse/good', searchParams.get('auto'));
  if (document.prerendering) document.addEventListener('prerenderingchange', () => ask('/sse/short', searchParams.get('then')));
  if (searchParams.has('ahead')) window.auto.then(async () => {
    const url = '/page.html?' + new URLSearchParams({ auto: searchParams.get('ahead'), then: searchParams.get('then') });
    const rules = document.createElement('script');
    rules.type = 'speculationrules';
    rules.textContent = JSON.stringify({ prerender: [{ urls: [url], eagerness: 'immediate' }] });
    document.head.append(rules);
    await fetch('/let');
    location.assign(url);
  });
</script>`;

declare global {
  interface Window {
    /** Reads a stream to its end and gives how many bytes it had. */
    ask: (path: string, runId: string) => Promise<number>;
    /** What `?auto` reads. */
    auto?: Promise<number>;
    /** Bytes read so far, and how often the page came on show. */
    got?: number;
    shown: number;
  }
}

const json = (...values: object[]): string => values.map((value) => `data: ${JSON.stringify(value)}\n\n`).join('');

/** A beginning of each protocol that Runlens knows by name. */
export const FOREIGN: Readonly<Record<string, string>> = {
  'OpenAI Chat Completions': json({ id: 'c', object: 'chat.completion.chunk', choices: [{ index: 0, delta: { content: 'Hi' } }] }),
  'OpenAI Responses': json({ type: 'response.created', response: { id: 'r' } }, { type: 'response.output_text.delta', delta: 'Hi' }),
  'Anthropic Messages': json({ type: 'message_start', message: { id: 'm' } }, { type: 'content_block_delta', index: 0, delta: { text: 'Hi' } }),
  'Vercel AI SDK UI message stream': json({ type: 'start' }, { type: 'text-start', id: 't' }, { type: 'text-delta', id: 't', delta: 'Hi' }),
  MCP: json({ jsonrpc: '2.0', id: 1, result: { tools: [] } }),
  A2A: json({ jsonrpc: '2.0', id: 1, result: { kind: 'status-update', taskId: 't' } }),
  'LangGraph Platform': `event: metadata\n${json({ run_id: 'r', attempt: 1 })}`,
  'CopilotKit debug feed': json({ agentId: 'a', threadId: 't', event: { type: 'RUN_STARTED' } }),
  'CopilotKit v1 GraphQL': json({ data: { generateCopilotResponse: { threadId: 't' } } }),
};

async function runOf(request: IncomingMessage): Promise<string> {
  let body = '';
  for await (const part of request) body += String(part);
  return body ? (JSON.parse(body) as { runId: string }).runId : 'run-1';
}

const turn = () => new Promise((go) => setImmediate(go));

async function tell(response: ServerResponse, frames: Iterable<string>, paceNow: () => number = () => 0): Promise<void> {
  for (const frame of frames) {
    if (!response.write(frame)) await drained(response);
    if (response.destroyed) return;
    const pace = paceNow();
    await (pace > 0 ? new Promise((go) => setTimeout(go, pace)) : turn());
  }
}

/** `short` is a run and no more. */
function framesOf(story: string, runId: string, n: number | undefined): string[] {
  if (story === 'short')
    return [json({ type: 'RUN_STARTED', threadId: `thread-${runId}`, runId }), json({ type: 'RUN_FINISHED', threadId: `thread-${runId}`, runId })];
  const { moves } = scenarioOf(story)!.build({ threadId: `thread-${runId}`, runId, ...(n ? { n } : {}) });
  return [...moves].flatMap((move) => ('event' in move ? json(move.event) : []));
}

function bigFrames(runId: string, frames: number, bytes: number): string[] {
  const ids = { threadId: `thread-${runId}`, runId };
  const content = json({ type: 'TEXT_MESSAGE_CONTENT', messageId: 'm', delta: 'x'.repeat(bytes) });
  return [
    json({ type: 'RUN_STARTED', ...ids }),
    json({ type: 'TEXT_MESSAGE_START', messageId: 'm', role: 'assistant' }),
    ...Array.from({ length: frames }, () => content),
    json({ type: 'TEXT_MESSAGE_END', messageId: 'm' }),
    json({ type: 'RUN_FINISHED', ...ids }),
  ];
}

/** Ms between two frames of a stream that is hurried. */
const HURRY = 1;

/** What the spec has said so far, and what was answered. */
interface State {
  readonly told: Set<string>;
  readonly allowed: Promise<void>;
  hurried: boolean;
}

async function answer(request: IncomingMessage, response: ServerResponse, state: State): Promise<void> {
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://any');
  if (pathname === '/let') return void state.allowed.then(() => response.writeHead(204).end());
  if (pathname === '/page.html') return void response.writeHead(200, { 'content-type': 'text/html' }).end(PAGE);
  const [, kind = '', id = ''] = /^\/(sse|foreign|big)\/?(.*)$/.exec(pathname) ?? [];
  const foreign = FOREIGN[decodeURIComponent(id)];
  if (!kind || (kind === 'sse' && id !== 'short' && !scenarioOf(id)) || (kind === 'foreign' && !foreign)) return void response.writeHead(404).end();
  const runId = await runOf(request);
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' });
  response.flushHeaders();
  if (kind === 'foreign') return void response.end(foreign);
  const frames =
    kind === 'sse'
      ? framesOf(id, runId, Number(searchParams.get('n')))
      : bigFrames(runId, Number(searchParams.get('frames')), Number(searchParams.get('bytes')));
  if (searchParams.has('hold')) return tell(response, frames.slice(0, -1));
  const pace = Number(searchParams.get('pace'));
  await tell(response, frames, () => (state.hurried ? Math.min(pace, HURRY) : pace));
  response.end();
  state.told.add(runId);
}

export interface LifeServer {
  /** Without a slash at its end: as localhost, and as an origin that nobody enabled. */
  readonly url: string;
  readonly stranger: string;
  /** Whether that run was told to its end. */
  readonly told: (runId: string) => boolean;
  /** Answers `/let`. */
  readonly let: () => void;
  /** Tells the rest of every stream, and all that come after, as quickly as does not look like a proxy that buffers. */
  readonly hurry: () => void;
  readonly close: () => Promise<void>;
}

/** Starts the server on every loopback address. */
export async function startLifeServer(): Promise<LifeServer> {
  let letGo = () => {};
  const allowed = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  const state: State = { told: new Set(), allowed, hurried: false };
  const hurry = () => {
    state.hurried = true;
  };
  const server = createServer((request, response) => {
    answer(request, response, state).catch(() => response.destroy());
  });
  await new Promise<void>((ready, fail) => server.once('error', fail).listen(0, '0.0.0.0', ready));
  const { port } = server.address() as AddressInfo;
  const close = async () => {
    server.closeAllConnections();
    await new Promise((done) => server.close(done));
  };
  const url = `http://localhost:${port}`;
  return { url, stranger: `http://127.0.0.2:${port}`, told: (runId) => state.told.has(runId), let: letGo, hurry, close };
}
