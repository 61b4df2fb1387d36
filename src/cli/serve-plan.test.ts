import { request } from 'node:http';
import { HttpAgent, type RunAgentInput } from '@ag-ui/client';
import { Command } from 'commander';
import { lastValueFrom, toArray } from 'rxjs';
import { afterEach, describe, expect, it } from 'vitest';
import type { CaptureRecord } from '../capture/types.ts';
import { writeHeader, writeRecord } from '../export/index.ts';
import { applyPlan } from '../replay/apply.ts';
import { exchangesOf } from '../replay/exchanges.ts';
import { type Change, writePlan } from '../replay/plan.ts';
import { READY_PLANS } from '../replay/ready.ts';
import { bodyOf, GOOD_RUN, goodAnswer, planOf } from '../replay/testkit.ts';
import { addServe, type Serving, startServer } from './serve.ts';
import { useFolder } from './testkit.ts';

let serving: Serving | null = null;
afterEach(async () => {
  await serving?.close();
  serving = null;
});

function recordsOf(codec: 'sse' | 'proto'): CaptureRecord[] {
  const { contentType, chunks } = goodAnswer(codec);
  const conn = 0;
  return [
    { kind: 'request', conn, carrier: 'fetch', document: null, request: { url: 'http://localhost/agent', method: 'POST', time: 1000 } },
    { kind: 'response', conn, response: { time: 1001, status: 200, contentType } },
    ...chunks.map(({ after, bytes }): CaptureRecord => ({ kind: 'chunk', conn, asked: 1001, came: 1001 + after, bytes })),
    { kind: 'end', conn, end: { time: 2000, how: 'complete' } },
  ];
}

interface Got {
  readonly status: number;
  readonly type: string | undefined;
  readonly bytes: string;
  readonly end: 'complete' | 'network-error' | 'open';
}

/** What comes over real HTTP; an answer that is to stay open is left when it has so many bytes. */
function ask(url: string, path: string, length: number, open: boolean): Promise<Got> {
  return new Promise((resolve, reject) => {
    const sent = request(`${url}${path}`, { method: 'POST' }, (response) => {
      const pieces: Buffer[] = [];
      const done = (end: Got['end']): void => {
        const { statusCode = 0, headers } = response;
        resolve({ status: statusCode, type: headers['content-type'], bytes: Buffer.concat(pieces).toString('latin1'), end });
      };
      const isThere = (): boolean => open && pieces.reduce((sum, piece) => sum + piece.length, 0) >= length;
      response.on('data', (piece: Buffer) => {
        pieces.push(piece);
        if (!isThere()) return;
        done('open');
        sent.destroy();
      });
      response.once('end', () => done('complete'));
      response.once('error', () => done('network-error'));
    });
    sent.once('error', reject);
    sent.end('{}');
  });
}

const more: readonly [string, readonly Change[]][] = [
  ['cut inside a frame', [{ do: 'cut', after: { byte: 100 } }]],
  [
    'several changes at once',
    [
      { do: 'swap', event: 2 },
      { do: 'duplicate', event: 5, times: 3 },
      { do: 'split', every: 11 },
      { do: 'cut', after: 12, end: 'complete' },
    ],
  ],
  ['slow', [{ do: 'slow', bytesPerSecond: 5000 }]],
  ['from the end', [{ do: 'drop', event: { type: 'TEXT_MESSAGE_CONTENT', nth: -1 } }]],
];
const plans = [...READY_PLANS.map(({ plan }) => [plan.name, plan] as const), ...more.map(([name, changes]) => [name, planOf(...changes)] as const)];

it.each(plans)('%s: the bytes of serve are those of the plan', async (_, plan) => {
  for (const codec of ['sse', 'proto'] as const) {
    const records = recordsOf(codec);
    const altered = applyPlan(exchangesOf(records)[0]!, plan);
    serving = await startServer(records, { port: 0, speed: Number.POSITIVE_INFINITY, plan });
    const bytes = bodyOf(altered);
    const got = await ask(serving.url, '/agent', bytes.length, altered.end === 'open');
    expect(got).toEqual({ status: altered.status, type: altered.contentType, bytes: Buffer.from(bytes).toString('latin1'), end: altered.end });
    await serving.close();
  }
});

it('leaves alone what is no agent’s answer', async () => {
  const records = recordsOf('sse').map((record) =>
    record.kind === 'response' ? { ...record, response: { ...record.response, contentType: 'application/json' } } : record,
  );
  serving = await startServer(records, { port: 0, speed: Number.POSITIVE_INFINITY, plan: planOf({ do: 'answer', status: 500 }) });
  expect((await ask(serving.url, '/agent', 0, false)).status).toBe(200);
});

describe('the real client', () => {
  const input: RunAgentInput = { threadId: 't', runId: 'r', messages: [], tools: [], context: [], state: {}, forwardedProps: {} };
  const eventsUnder = async (name: string): Promise<unknown[]> => {
    const { plan } = READY_PLANS.find((ready) => ready.plan.name === name)!;
    await serving?.close();
    serving = await startServer(recordsOf('sse'), { port: 0, speed: Number.POSITIVE_INFINITY, plan });
    return lastValueFrom(new HttpAgent({ url: `${serving.url}/agent` }).run(input).pipe(toArray()));
  };

  it('reads a stream in small pieces as it was', async () => {
    expect(await eventsUnder('Everything arrives in pieces of seven bytes')).toEqual(GOOD_RUN);
  });

  it('gets the error that the plan sends, and fails where the server is overloaded', async () => {
    expect((await eventsUnder('The agent reports an error in the middle of its answer')).at(-1)).toMatchObject({ type: 'RUN_ERROR', code: 'overloaded' });
    await expect(eventsUnder('The server is overloaded (503)')).rejects.toThrow(/503/);
  });
});

describe('the command', () => {
  const { path, file } = useFolder();
  const capture = () => file('c.jsonl', writeHeader({ created: '', app: '' }) + recordsOf('sse').map(writeRecord).join(''));

  async function runServe(plan: string) {
    const stopping = new AbortController();
    const told = { out: '', err: '', code: -1 };
    const program = new Command().exitOverride();
    const out = (text: string): void => {
      told.out += text;
      const url = /http:\/\/\S+/.exec(text)?.[0];
      if (url) ask(url, '/agent', 0, false).finally(() => stopping.abort());
    };
    addServe(program, { out, err: (text) => (told.err += text) }, (code) => (told.code = code), stopping.signal);
    await program.parseAsync(['serve', capture(), '--port', '0', '--instant', '--plan', plan], { from: 'user' });
    return told;
  }

  it('tells the plan, and with each request what was not done of it', async () => {
    const told = await runServe(file('plan.json', writePlan({ ...planOf({ do: 'drop', event: 99 }), name: 'no \u001bend' })));
    expect(told).toMatchObject({ code: 0, err: '' });
    expect(told.out).toContain('With the plan “no \ufffdend”');
    expect(told.out).toContain('  Change 1 (drop) was not made: there was no event 99, only 22 of them (counted from 0).\n');
  });

  it('answers 2 and says why where the plan is wrong or not there', async () => {
    const wrong = file('wrong.json', JSON.stringify({ ...planOf(), changes: [{ do: 'drop' }] }));
    expect(await runServe(wrong)).toMatchObject({ code: 2, out: '', err: expect.stringContaining(`${wrong}: Change 1 (drop): "event" is missing`) });
    expect(await runServe(path('none.json'))).toMatchObject({ code: 2, err: expect.stringMatching(/^The plan could not be read: .*no such file/) });
  });
});
