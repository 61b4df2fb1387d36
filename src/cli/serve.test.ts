/** Over 300 lines: every test asks one real server that is built here. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { request as httpRequest } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { HttpAgent, type RunAgentInput } from '@ag-ui/client';
import { encode } from '@ag-ui/proto';
import { Command } from 'commander';
import { lastValueFrom, toArray } from 'rxjs';
import { afterEach, describe, expect, it } from 'vitest';
import type { CaptureRecord, EndHow } from '../capture/types.ts';
import { readAny, writeHeader, writeRecord } from '../export/index.ts';
import { exchangesOf, matchExchange } from '../replay/exchanges.ts';
import { addServe, type Serving, startServer } from './serve.ts';
import { serveTable } from './serve-table.ts';

const encoder = new TextEncoder();
let open: Serving[] = [];
afterEach(async () => {
  await Promise.all(open.map((serving) => serving.close()));
  open = [];
});

const EVENTS = [
  { type: 'RUN_STARTED', threadId: 't', runId: 'r' },
  { type: 'STEP_STARTED', stepName: 'plan' },
  { type: 'TEXT_MESSAGE_START', messageId: 'm', role: 'assistant' },
  ...['He', 'llo', ' wörld 😀'].map((delta) => ({ type: 'TEXT_MESSAGE_CONTENT', messageId: 'm', delta })),
  { type: 'TEXT_MESSAGE_END', messageId: 'm' },
  { type: 'STEP_FINISHED', stepName: 'plan' },
  { type: 'RUN_FINISHED', threadId: 't', runId: 'r' },
];

interface Told {
  readonly conn?: number;
  readonly url?: string;
  readonly method?: string;
  readonly thread?: string;
  readonly run?: string;
  readonly status?: number;
  readonly contentType?: string;
  readonly chunks?: readonly Uint8Array[];
  readonly how?: EndHow | null;
  readonly answered?: boolean;
}

function exchange({
  conn = 0,
  url = 'http://a.example/agent?x=1',
  method = 'POST',
  thread,
  run,
  status = 200,
  how = 'complete',
  ...told
}: Told): CaptureRecord[] {
  const text = JSON.stringify({ threadId: thread, runId: run, messages: [] });
  const chunks = told.chunks ?? [encoder.encode(`data: ${JSON.stringify({ type: 'RUN_STARTED', threadId: thread ?? 't', runId: run ?? 'r' })}\n\n`)];
  const { contentType = 'text/event-stream', answered = true } = told;
  return [
    { kind: 'request', conn, carrier: 'fetch', document: null, request: { url, method, time: 1000 } },
    ...(thread === undefined ? [] : [{ kind: 'body', conn, body: { kind: 'text', text } } as const]),
    ...(answered ? [{ kind: 'response', conn, response: { time: 1005, status, contentType } } as const] : []),
    ...(answered ? chunks : []).map((bytes, no): CaptureRecord => ({ kind: 'chunk', conn, asked: 1005, came: 1010 + 5 * no, bytes })),
    ...(how === null ? [] : [{ kind: 'end', conn, end: { time: 1030, how } } as const]),
  ];
}

async function serve(records: readonly CaptureRecord[], speed = Number.POSITIVE_INFINITY): Promise<Serving> {
  const serving = await startServer(records, { port: 0, speed });
  open.push(serving);
  return serving;
}

const sse = (events: readonly unknown[]) => events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('');
const input = (threadId = 't', runId = 'r'): RunAgentInput => ({ threadId, runId, messages: [], tools: [], context: [], state: {}, forwardedProps: {} });
const post = (serving: Serving, path = '/agent', body: unknown = input(), headers: Record<string, string> = {}) =>
  fetch(serving.url + path, { method: 'POST', body: JSON.stringify(body), headers });

/** Bytes cut in the middle of frames and characters. */
function cutUp(text: string): Uint8Array[] {
  const bytes = encoder.encode(text);
  const chunks: Uint8Array[] = [];
  for (let at = 0; at < bytes.length; at += 37) chunks.push(bytes.slice(at, at + 37));
  return chunks;
}

describe('the real client', () => {
  const eventsOf = (url: string) => lastValueFrom(new HttpAgent({ url }).run(input()).pipe(toArray()));

  it.each([1, 4, Number.POSITIVE_INFINITY])('gets the captured events in their order from SSE at speed %d', async (speed) => {
    const serving = await serve(exchange({ chunks: cutUp(sse(EVENTS)) }), speed);
    expect(await eventsOf(`${serving.url}/agent`)).toEqual(EVENTS);
  });

  it('and from protobuf', async () => {
    const chunks = EVENTS.map((event) => encode(event as Parameters<typeof encode>[0])).map((message) =>
      Uint8Array.from([0, 0, 0, message.length, ...message]),
    );
    const serving = await serve(exchange({ chunks, contentType: 'application/vnd.ag-ui.event+proto' }));
    expect(await eventsOf(`${serving.url}/agent`)).toEqual(EVENTS);
  });

  it('and from a file of events', async () => {
    const { records } = readAny(encoder.encode(EVENTS.map((event) => JSON.stringify(event)).join('\n')), 'events.jsonl', { time: 0 });
    const serving = await serve(records);
    expect(await eventsOf(`${serving.url}/whatever`)).toEqual(EVENTS);
  });
});

describe('an answer', () => {
  it('has the bytes, the status and the content type', async () => {
    const chunks = [encoder.encode('{"error":'), Uint8Array.of(0xff, 0, 0x22), encoder.encode('}')];
    const serving = await serve(exchange({ status: 429, contentType: 'application/json; charset=utf-8', chunks }));
    const response = await post(serving);
    expect([response.status, response.headers.get('content-type')]).toEqual([429, 'application/json; charset=utf-8']);
    expect(new Uint8Array(await response.arrayBuffer())).toEqual(Uint8Array.from(chunks.flatMap((chunk) => [...chunk])));
  });

  it('that broke off breaks off behind its last byte', async () => {
    const serving = await serve(exchange({ chunks: [encoder.encode('one'), encoder.encode('two')], how: 'network-error' }));
    const reader = (await post(serving)).body!.getReader();
    let text = '';
    const all = async () => {
      for (let next = await reader.read(); !next.done; next = await reader.read()) text += new TextDecoder().decode(next.value);
    };
    await expect(all()).rejects.toThrow();
    expect(text).toBe('onetwo');
  });

  it('that never came does not come', async () => {
    const serving = await serve(exchange({ answered: false, how: 'network-error' }));
    await expect(post(serving)).rejects.toThrow();
  });

  it.each(['aborted', 'cancelled', 'closed', 'navigated', null] as const)('that the page ended (%s) stays open until the client leaves', async (how) => {
    const serving = await serve([...exchange({ how }), ...exchange({ conn: 1 })]);
    const leaving = new AbortController();
    const response = await fetch(`${serving.url}/agent`, { method: 'POST', signal: leaving.signal });
    const reader = response.body!.getReader();
    expect((await reader.read()).done).toBe(false);
    const next = reader.read();
    // another exchange comes to its end meanwhile, this one does not
    expect(await (await post(serving)).text()).toContain('RUN_STARTED');
    expect(await Promise.race([next.then(() => 'ended'), Promise.resolve('open')])).toBe('open');
    leaving.abort();
    await expect(next).rejects.toThrow();
  });

  it('comes chunk by chunk: what came an hour later is not waited for', async () => {
    const chunks = [encoder.encode('one'), encoder.encode('two')];
    const records = exchange({ chunks }).map((record) => (record.kind === 'chunk' && record.came > 1010 ? { ...record, came: 3_600_000 } : record));
    const serving = await serve(records, 1);
    const reader = (await post(serving)).body!.getReader();
    expect(new TextDecoder().decode((await reader.read()).value)).toBe('one');
    await reader.cancel();
  });
});

describe('matching', () => {
  const records = [
    ...exchange({ conn: 0, thread: 'a', run: '1' }),
    ...exchange({ conn: 1, thread: 'b', run: '2' }),
    ...exchange({ conn: 2, thread: 'a', run: '3' }),
    ...exchange({ conn: 3, url: 'http://a.example/info', method: 'GET', run: 'info' }),
  ];
  const runOf = async (response: Response) => /"runId":"(\w+)"/.exec(await response.text())?.[1];

  it('goes by thread, and within it in order, from the start again at the end', async () => {
    const serving = await serve(records);
    const runs: unknown[] = [];
    for (const thread of ['b', 'a', 'a', 'a', 'b']) runs.push(await runOf(await post(serving, '/agent', input(thread, 'new'))));
    expect(runs).toEqual(['2', '1', '3', '1', '2']);
  });

  it('goes in order where the thread is a new one, by run where it is known', async () => {
    const serving = await serve(records);
    const runs: unknown[] = [];
    for (const run of ['x', '3', 'y', 'z']) runs.push(await runOf(await post(serving, '/agent/?other=query', input('new', run))));
    expect(runs).toEqual(['1', '3', '2', '1']);
  });

  it('takes method and path first, answers a POST to another path all the same, and nothing else', async () => {
    const serving = await serve(records);
    expect(await runOf(await fetch(`${serving.url}/info`))).toBe('info');
    expect(await runOf(await post(serving, '/elsewhere'))).toBe('1');
    const missed = await fetch(`${serving.url}/elsewhere`);
    expect([missed.status, await missed.json()]).toEqual([404, { error: 'The capture has no answer to GET /elsewhere.' }]);
  });

  it('reads snake_case and enveloped bodies, and survives any other', () => {
    const exchanges = exchangesOf(records);
    const asked = (body: string) => matchExchange(exchanges, new Map(), { method: 'POST', path: '/agent', body })?.runId;
    expect(asked(JSON.stringify({ thread_id: 'b', run_id: 'n', messages: [] }))).toBe('2');
    expect(asked(JSON.stringify({ method: 'agent/run', body: { threadId: 'b', runId: 'n', messages: [] } }))).toBe('2');
    expect([asked(''), asked('nonsense'), asked('[1]')]).toEqual(['1', '1', '1']);
  });
});

describe('who may ask', () => {
  /** fetch would not let a test set these headers. */
  const ask = (serving: Serving, method: string, headers: Record<string, string>) =>
    new Promise<{ status: number; headers: NodeJS.Dict<string | string[]> }>((resolve, reject) => {
      const sent = httpRequest(`${serving.url}/agent`, { method, headers }, (response) => {
        response.resume();
        response.once('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers }));
      });
      sent.once('error', reject);
      sent.end();
    });

  it.each(['http://localhost:3000', 'http://127.0.0.1', 'https://app.localhost:8443', 'http://[::1]:5173'])(
    'a page at %s, with its preflight',
    async (origin) => {
      const serving = await serve(exchange({}));
      const preflight = await ask(serving, 'OPTIONS', {
        origin,
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'content-type,x-own',
        'access-control-request-private-network': 'true',
      });
      expect(preflight.status).toBe(204);
      expect(preflight.headers).toMatchObject({
        'access-control-allow-origin': origin,
        'access-control-allow-headers': 'content-type,x-own',
        'access-control-allow-methods': 'POST',
        'access-control-allow-private-network': 'true',
      });
      const asked = await ask(serving, 'POST', { origin });
      expect([asked.status, asked.headers['access-control-allow-origin']]).toEqual([200, origin]);
    },
  );

  it.each<Record<string, string>>([
    { origin: 'https://example.com' },
    { origin: 'null' },
    { origin: 'http://localhost.example.com' },
    { host: 'rebound.example.com' },
  ])('not %j', async (headers) => {
    const serving = await serve(exchange({}));
    const asked = await ask(serving, 'POST', headers);
    expect([asked.status, asked.headers['access-control-allow-origin']]).toEqual([403, undefined]);
  });
});

describe('the command', () => {
  async function runCommand(args: readonly string[], act: (url: string) => Promise<void> = async () => {}) {
    const stopping = new AbortController();
    const told = { out: '', err: '', code: -1 };
    const program = new Command().exitOverride().configureOutput({ writeErr: (text) => (told.err += text) });
    const out = (text: string) => {
      told.out += text;
      const url = /http:\/\/\S+/.exec(text)?.[0];
      if (url) act(url).finally(() => stopping.abort());
    };
    addServe(program, { out, err: (text) => (told.err += text) }, (code) => (told.code = code), stopping.signal);
    await program.parseAsync(['serve', ...args], { from: 'user' }).catch(() => {});
    return told;
  }

  async function withFile(text: string, use: (file: string) => Promise<void>) {
    const folder = await mkdtemp(join(tmpdir(), 'runlens-serve-'));
    try {
      const file = join(folder, 'x.runlens.jsonl');
      await writeFile(file, text);
      await use(file);
    } finally {
      await rm(folder, { recursive: true });
    }
  }

  const capture = (records: readonly CaptureRecord[]) => writeHeader({ created: '', app: '' }) + records.map(writeRecord).join('');

  it('prints what it serves, logs requests and ends when told', async () => {
    await withFile(capture(exchange({ thread: 'th', run: 'ru' })), async (file) => {
      const told = await runCommand([file, '--port', '0', '--instant'], async (url) => {
        await (await fetch(`${url}/agent`, { method: 'POST' })).text();
      });
      expect(told).toMatchObject({ code: 0, err: '' });
      expect(told.out).toMatch(/1 {3}POST \/agent\?x=1 {2}th +ru +200 +text\/event-stream +\d+ B +0\.0 s +ends/);
      expect(told.out).toContain('POST /agent  answered by 1 of 1');
    });
  });

  it('answers 2 and says why where it cannot serve', async () => {
    expect(await runCommand(['no-such-file'])).toMatchObject({ code: 2, err: expect.stringContaining('no such file') });
    await withFile('hello', async (file) => {
      expect(await runCommand([file])).toMatchObject({ code: 2, err: expect.stringContaining('The file is neither a Runlens capture nor') });
    });
    await withFile(capture(exchange({})), async (file) => {
      const taken = await serve(exchange({}));
      expect(await runCommand([file, '--port', String(taken.port)])).toMatchObject({ code: 2, err: expect.stringContaining('is taken') });
      expect((await runCommand([file, '--port', '70000'])).err).toContain('A port is a number from 0 to 65535.');
      expect((await runCommand([file, '--speed', '0'])).err).toContain('A speed is a number above 0');
    });
  });

  it('prints nothing a terminal would act upon', () => {
    const exchanges = exchangesOf(exchange({ thread: '\u001b[2J\u202e', run: 'r\nx' }));
    expect(serveTable({ url: 'u', exchanges }, 'p')).not.toMatch(/\p{Cf}|\[2J(?<!\ufffd\[2J)|r\nx/u);
  });
});
