/** `runlens serve CAPTURE`: an agent on this machine that answers as the captured one did. */
import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { basename } from 'node:path';
import { type Command, InvalidArgumentError } from 'commander';
import type { CaptureRecord } from '../capture/types.ts';
import { openFile } from '../export/index.ts';
import { applyPlan } from '../replay/apply.ts';
import { carriesEvents, type Exchange, exchangesOf, matchExchange } from '../replay/exchanges.ts';
import { type Plan, parsePlan } from '../replay/plan.ts';
import { unzipped } from './gunzip.ts';
import { play } from './serve-play.ts';
import { clean, serveTable } from './serve-table.ts';

export interface ServeOptions {
  /** 0: any free one. */
  readonly port: number;
  /** 2 is twice as fast as captured; Infinity waits for nothing. */
  readonly speed: number;
  /** What is changed about every answer that carries events. */
  readonly plan?: Plan | undefined;
  /** Told of each request, in one line. */
  readonly log?: (line: string) => void;
}

export interface Serving {
  readonly url: string;
  readonly port: number;
  readonly exchanges: readonly Exchange[];
  /** Ends all connections. */
  readonly close: () => Promise<void>;
}

const HOST = '127.0.0.1';
const DEFAULT_PORT = 8024;
const LONGEST_BODY = 32 * 1024 * 1024;
const LOOPBACK = /^(localhost|[\w.-]+\.localhost|127(\.\d{1,3}){3}|\[::1\])$/i;

/** Listens on loopback. Rejects where the port is taken. */
export async function startServer(records: Iterable<CaptureRecord>, { port, speed, plan, log = () => {} }: ServeOptions): Promise<Serving> {
  const exchanges = exchangesOf(records);
  const served = new Map<number, number>();
  const server = createServer((request, response) => {
    answer(request, response, { exchanges, served, speed, plan, log }).catch(() => request.socket.destroy());
  });
  server.keepAliveTimeout = 5_000;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, HOST, resolve);
  });
  const taken = (server.address() as AddressInfo).port;
  return { url: `http://${HOST}:${taken}`, port: taken, exchanges, close: () => stop(server) };
}

function stop(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}

interface Desk {
  readonly exchanges: readonly Exchange[];
  readonly served: Map<number, number>;
  readonly speed: number;
  readonly plan: Plan | undefined;
  readonly log: (line: string) => void;
}

async function answer(request: IncomingMessage, response: ServerResponse, desk: Desk): Promise<void> {
  const { method = 'GET', url = '/' } = request;
  request.socket.setNoDelay(true);
  const refusal = refusalOf(request);
  if (refusal !== null) {
    refuse(response, 403, refusal);
    desk.log(`${method} ${clean(url)}  refused: ${refusal}`);
    return;
  }
  allowOrigin(request, response);
  if (method === 'OPTIONS') {
    allowPreflight(request, response);
    return;
  }
  const body = await bodyOf(request);
  if (body === null) {
    refuse(response, 413, 'The body is larger than 32 MiB.');
    return;
  }
  const exchange = matchExchange(desk.exchanges, desk.served, { method, path: url, body });
  if (exchange === null) {
    refuse(response, 404, `The capture has no answer to ${method} ${url}.`);
    desk.log(`${method} ${clean(url)}  404: not in the capture`);
    return;
  }
  desk.served.set(exchange.no, (desk.served.get(exchange.no) ?? 0) + 1);
  desk.log(`${method} ${clean(url)}  answered by ${exchange.no} of ${desk.exchanges.length}`);
  if (!desk.plan || !carriesEvents(exchange)) {
    await play(exchange, response, desk.speed);
    return;
  }
  const altered = applyPlan(exchange, desk.plan);
  for (const note of altered.notes) desk.log(`  ${clean(note)}`);
  await play(altered, response, desk.speed);
}

/** Only pages of this machine may read a capture: a foreign page, or a name that was made to point here, is turned away. */
function refusalOf({ headers }: IncomingMessage): string | null {
  if (!LOOPBACK.test((headers.host ?? '').replace(/:\d+$/, ''))) return 'The address is not one of this machine.';
  return headers.origin === undefined || isLocal(headers.origin) ? null : 'The page is not one of this machine.';
}

function isLocal(origin: string): boolean {
  const [, host] = /^https?:\/\/(.+?)(?::\d+)?$/.exec(origin) ?? [];
  return host !== undefined && LOOPBACK.test(host);
}

function refuse(response: ServerResponse, status: number, error: string): void {
  response.writeHead(status, { 'content-type': 'application/json', connection: 'close' }).end(`${JSON.stringify({ error })}\n`);
}

function allowOrigin({ headers }: IncomingMessage, response: ServerResponse): void {
  if (headers.origin === undefined) return;
  response.setHeader('access-control-allow-origin', headers.origin);
  response.setHeader('access-control-allow-credentials', 'true');
  response.setHeader('access-control-expose-headers', '*');
  response.setHeader('vary', 'origin');
}

function allowPreflight({ headers }: IncomingMessage, response: ServerResponse): void {
  response.setHeader('access-control-allow-methods', headers['access-control-request-method'] ?? 'GET, POST');
  response.setHeader('access-control-allow-headers', headers['access-control-request-headers'] ?? 'content-type');
  response.setHeader('access-control-max-age', '600');
  if (headers['access-control-request-private-network'] !== undefined) response.setHeader('access-control-allow-private-network', 'true');
  response.writeHead(204).end();
}

async function bodyOf(request: IncomingMessage): Promise<string | null> {
  const pieces: Buffer[] = [];
  let length = 0;
  for await (const piece of request as AsyncIterable<Buffer>) {
    length += piece.length;
    if (length > LONGEST_BODY) return null;
    pieces.push(piece);
  }
  return Buffer.concat(pieces).toString('utf8');
}

/** What the command touches of its process. */
export interface ServeTerminal {
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
}

interface Flags {
  readonly port: number;
  readonly speed: number;
  readonly instant?: true;
  readonly plan?: string;
}

/**
 * Adds the command. It serves until `stopped` aborts (SIGINT and SIGTERM unless told) and then answers 0, or 2 where the capture could
 * not be read or the port is taken.
 */
export function addServe(program: Command, terminal: ServeTerminal, exit: (code: number) => void, stopped?: AbortSignal): void {
  program
    .command('serve')
    .description('answer on this machine as the captured agent did, to bring a bug back without it')
    .argument('<capture>', 'a capture, events as JSON lines or a JSON array, an SSE or protobuf body')
    .option('--port <number>', 'port on 127.0.0.1; 0 takes any free one', portOf, DEFAULT_PORT)
    .option('--speed <factor>', 'faster (2) or slower (0.5) than captured', speedOf, 1)
    .option('--instant', 'send everything at once')
    .option('--plan <file>', 'make trouble on purpose: a JSON plan of what to change about the answers')
    .addHelpText('after', '\nPoint the app’s agent URL at the address that is printed. Ends with Ctrl+C.')
    .action(async (file: string, flags: Flags) => exit(await serveFile(file, flags, terminal, stopped ?? signals())));
}

function portOf(text: string): number {
  const port = Number(text);
  if (/^\d+$/.test(text) && port <= 65_535) return port;
  throw new InvalidArgumentError('A port is a number from 0 to 65535.');
}

function speedOf(text: string): number {
  const speed = Number(text);
  if (speed > 0 && Number.isFinite(speed)) return speed;
  throw new InvalidArgumentError('A speed is a number above 0; --instant waits for nothing.');
}

function signals(): AbortSignal {
  const stopping = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stopping.abort());
  return stopping.signal;
}

async function serveFile(file: string, flags: Flags, terminal: ServeTerminal, stopped: AbortSignal): Promise<number> {
  const records = await readRecords(file, terminal);
  const plan = flags.plan === undefined ? undefined : await readPlanFile(flags.plan, terminal);
  if (records === null || plan === null) return 2;
  let serving: Serving;
  try {
    serving = await startServer(records, {
      port: flags.port,
      speed: flags.instant ? Number.POSITIVE_INFINITY : flags.speed,
      plan,
      log: (line) => terminal.out(`${line}\n`),
    });
  } catch (error) {
    const taken = (error as NodeJS.ErrnoException).code === 'EADDRINUSE';
    terminal.err(`${taken ? `Port ${flags.port} is taken; choose another with --port, or 0 for any free one.` : `Could not listen: ${messageOf(error)}.`}\n`);
    return 2;
  }
  terminal.out(serveTable(serving, paceOf(flags), plan?.name));
  if (!stopped.aborted) await new Promise<void>((resolve) => stopped.addEventListener('abort', () => resolve(), { once: true }));
  await serving.close();
  return 0;
}

function paceOf({ instant, speed }: Flags): string {
  return instant ? 'all at once' : speed === 1 ? 'at the original pace' : `at ${speed} times the original pace`;
}

async function readPlanFile(file: string, terminal: ServeTerminal): Promise<Plan | null> {
  try {
    const read = parsePlan(await readFile(file, 'utf8'));
    if ('plan' in read) return read.plan;
    terminal.err(`${file}: ${read.error}\n`);
  } catch (error) {
    terminal.err(`The plan could not be read: ${messageOf(error)}.\n`);
  }
  return null;
}

async function readRecords(file: string, terminal: ServeTerminal): Promise<readonly CaptureRecord[] | null> {
  try {
    const reading = openFile(basename(file));
    const records: CaptureRecord[] = [];
    for await (const bytes of unzipped(createReadStream(file))) for (const record of reading.take(bytes)) records.push(record);
    for (const record of reading.end()) records.push(record);
    for (const { message } of reading.facts().problems) terminal.err(`${file}: ${message}\n`);
    if (exchangesOf(records).length > 0) return records;
    terminal.err(`${file} holds no exchange that could be answered.\n`);
  } catch (error) {
    terminal.err(`${messageOf(error)}.\n`);
  }
  return null;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
