import { readFileSync } from 'node:fs';
import { gunzipSync, gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { readAny, writeHeader, writeRecord } from '../export/index.ts';
import { exchange, goodRun, interleave, sseOf } from '../session/testkit.ts';
import { run } from './program.ts';
import { useFolder } from './testkit.ts';

const SECRET = 'PlumOrchard';
const bad = [
  { type: 'RUN_STARTED', threadId: 'other', runId: 'r2' },
  { type: 'STEP_FINISHED', stepName: 's' },
  { type: 'TEXT_MESSAGE_START', messageId: 'm', role: 'assistant' },
  { type: 'TEXT_MESSAGE_CONTENT', messageId: 'm', delta: SECRET },
  { type: 'TEXT_MESSAGE_END', messageId: 'm' },
  { type: 'RUN_FINISHED', threadId: 'other', runId: 'r2' },
];
const records = interleave(exchange(sseOf(goodRun('r1'))), exchange(sseOf(bad), { conn: 1, start: 1_005, runId: 'r2' }));
const capture = writeHeader({ created: '2026-12-01T10:00:00.000Z', app: '1' }) + records.map(writeRecord).join('');

const { path, file } = useFolder();

async function runlens(args: readonly string[], stdin = '') {
  const out: Buffer[] = [];
  let err = '';
  async function* input() {
    yield Buffer.from(stdin);
  }
  const code = await run(args, {
    out: (piece) => void out.push(Buffer.from(piece as string)),
    err: (text) => {
      err += text;
    },
    stdin: input(),
    look: { colour: false, width: 100 },
    live: false,
    version: '1.2.3',
  });
  const bytes = new Uint8Array(Buffer.concat(out));
  return { code, bytes, text: new TextDecoder().decode(bytes), err };
}

it('writes the very records again, also out of and into gzip, from a file or standard input', async () => {
  const packed = file('c.jsonl.gz', gzipSync(capture));
  const plain = await runlens(['export', packed]);
  expect([plain.code, plain.err]).toEqual([0, '']);
  expect(readAny(plain.bytes, 'x').records).toEqual(records);
  const target = path('out.gz');
  expect(await runlens(['export', '-', '--gzip', '-o', target], capture)).toMatchObject({ code: 0, text: '' });
  expect(readAny(new Uint8Array(gunzipSync(readFileSync(target))), 'x').records).toEqual(records);
  expect((await runlens(['check', packed])).code).toBe(1);
});

it('writes one run or thread, as events, body, fixture or report', async () => {
  const path = file('c.jsonl', capture);
  const events = (await runlens(['export', path, '--form', 'events', '--run', 'r2'])).text.trim().split('\n');
  expect(events.map((line) => JSON.parse(line))).toEqual(bad);
  expect((await runlens(['export', path, '--form', 'raw', '--thread', 'other'])).text).toBe(sseOf(bad));
  expect((await runlens(['export', path, '--form', 'fixture', '--run', 'r2', '--name', 'bad run'])).text).toContain('export const badRun: BaseEvent[]');
  expect((await runlens(['export', path, '--form', 'report'])).text).toMatch(/2 connections · 2 runs · .*`step-not-open`/s);
});

it('redacts, says so in the file and to its user, and check shows the findings as recorded', async () => {
  const path = file('c.jsonl', capture);
  const { code, text, err } = await runlens(['export', path, '--redact']);
  expect([code, err]).toEqual([0, 'Everything but the structure is redacted.\n']);
  expect(text).not.toContain(SECRET);
  const some = await runlens(['export', path, '--redact', 'state,tool']);
  expect(readAny(some.bytes, 'x').redacted?.groups).toEqual(['tool', 'state']);
  expect(some.text).toContain(SECRET);
  const rulesOf = async (bytes: string | Uint8Array) => {
    const said = await runlens(['check', '--format', 'json', file('again.jsonl', bytes)]);
    return JSON.parse(said.text).connections.map((one: { findings: { rule: string; at: number }[] }) => one.findings.map(({ rule, at }) => [rule, at]));
  };
  expect(await rulesOf(text)).toEqual(await rulesOf(capture));
  expect((await runlens(['check', file('redacted.jsonl', text)])).text).toMatch(/redacted/i);
});

it('names what there is where the choice does not fit', async () => {
  const path = file('c.jsonl', capture);
  const said = async (...args: string[]) => (await runlens(['export', path, ...args])).err;
  expect(await said('--run', 'nope')).toMatch(/There is no run nope; there are r1, r2\./);
  expect(await said('--thread', 'nope')).toMatch(/There is no thread nope; there are thread, other\./);
  expect(await said('--connection', '7')).toMatch(/There is no connection 7; there are 0, 1\./);
  expect(await said('--form', 'raw')).toMatch(/There are 2 bodies in it; choose one by --connection \(0, 1\), --run or --thread\./);
  expect(await said('--redact', 'everything')).toMatch(/There is no group everything; there are text, /);
});

it('of a damaged file writes what could be read, and says what could not', async () => {
  const { code, err, bytes } = await runlens(['export', file('bad.jsonl', `${capture}{"kind":"chunk`)]);
  expect(code).toBe(2);
  expect(err).toMatch(/bad\.jsonl: Line \d+, the last one, is cut off or damaged/);
  expect(readAny(bytes, 'x').records).toEqual(records);
  const cut = await runlens(['export', file('cut.gz', gzipSync(capture).subarray(0, -20))]);
  expect([cut.code, cut.err]).toEqual([2, expect.stringMatching(/Reading stopped: the compressed data is cut off\./)]);
  expect((await runlens(['export', path('none.jsonl')])).code).toBe(2);
  expect((await runlens(['export', file('notes.txt', 'hello')])).err).toMatch(/neither a Runlens capture nor/);
});
