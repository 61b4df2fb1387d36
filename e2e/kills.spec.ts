/**
 * Four streams at once, the worker killed twenty times, the panel closed and opened five times, the page reloaded twice with preserve
 * log: what the journal holds is what the page read, and what is made of it is what an undisturbed check makes of those bytes.
 */
import { readFileSync } from 'node:fs';
import type { Page } from '@playwright/test';
import type { CaptureRecord } from '../src/capture/types.ts';
import { createReader, endReader, readText } from '../src/export/index.ts';
import { addRecord, createSession, everything } from '../src/session/index.ts';
import { countLives, type DevTools, killWorkers, openPanel, setPing } from './browser.ts';
import { expect, test } from './fixtures.ts';
import { startLifeServer } from './life/server.ts';
import { exportTo, type Summary, wholeSummaryOf } from './panel.ts';

/** Of a stream that is cut, more than there is time for. */
const ENDLESS = 60_000;
/** Of one that is read to its end: more than the kills of the last document need, for a worker without a stream is not woken. */
const EVENTS = 2000;
const STREAMS = 4;
/** Kills in the life of each document: 20 in all. The last document is left to read to its end. */
const KILLS = [6, 6, 8] as const;
/** The kills before which the panel is closed, and opened again after the next. */
const CLOSED = [2, 5, 9, 13, 17];

type Logged = Readonly<Record<string, string>>;

/** Reads all streams as an app would and logs what each read gave; the log outlives its document. */
function readStreams([runs, n]: readonly [readonly string[], number]): void {
  const log: Record<string, string> = Object.fromEntries(runs.map((run) => [run, '']));
  const one = async (run: string) => {
    const body = JSON.stringify({ threadId: `thread-of-${run}`, runId: run, messages: [] });
    const response = await fetch(`/sse/restless?pace=25&n=${n}`, { method: 'POST', body, headers: { accept: 'text/event-stream' } });
    const reader = response.body!.getReader();
    const decoder = new TextDecoder();
    for (let got = await reader.read(); !got.done; got = await reader.read()) log[run] += decoder.decode(got.value, { stream: true });
  };
  Object.assign(window, { log, all: Promise.all(runs.map(one)) });
  addEventListener('pagehide', () => sessionStorage.setItem('log', JSON.stringify({ ...JSON.parse(sessionStorage.getItem('log') ?? '{}'), ...log })));
}

/** Resolves when each stream has come that far. */
const reached = (page: Page, frames: number) =>
  page.waitForFunction((least) => Object.values((window as unknown as { log: Logged }).log).every((text) => text.split('\n\n').length > least), frames, {
    timeout: 120_000,
    polling: 20,
  });

const before = (page: Page) => page.evaluate(() => JSON.parse(sessionStorage.getItem('log') ?? '{}') as Logged);

async function capturedIn(tools: DevTools, path: string): Promise<CaptureRecord[]> {
  await exportTo(tools, path);
  const reader = createReader();
  return [...readText(reader, readFileSync(path, 'utf8')), ...endReader(reader)];
}

/** The bytes captured of each run's stream, by the run that its request asked for. */
function textsOf(records: readonly CaptureRecord[]): Logged {
  const texts = new Map<number, { run: string; parts: Uint8Array[] }>();
  for (const record of records) {
    if (record.kind === 'request') texts.set(record.conn, { run: '', parts: [] });
    const one = texts.get(record.conn)!;
    const body = record.kind === 'request' ? record.request.body : record.kind === 'body' ? record.body : undefined;
    if (body?.text) one.run = (JSON.parse(body.text) as { runId: string }).runId;
    if (record.kind === 'chunk') one.parts.push(record.bytes);
  }
  return Object.fromEntries([...texts.values()].map(({ run, parts }) => [run, Buffer.concat(parts).toString()]));
}

/** What a check of those bytes alone makes of each stream. */
function checked(log: Logged, isCut: (run: string) => boolean): Summary {
  const session = createSession();
  Object.entries(log).forEach(([run, text], conn) => {
    const body = { kind: 'text', text: JSON.stringify({ threadId: `thread-of-${run}`, runId: run, messages: [] }) } as const;
    const records: CaptureRecord[] = [
      { kind: 'request', conn, carrier: 'fetch', document: null, request: { url: 'http://a/', method: 'POST', time: 1, body } },
      { kind: 'response', conn, response: { time: 2, status: 200, contentType: 'text/event-stream' } },
      { kind: 'chunk', conn, asked: 2, came: 3, bytes: Buffer.from(text) },
      { kind: 'end', conn, end: { time: 4, how: isCut(run) ? 'navigated' : 'complete' } },
    ];
    for (const record of records) addRecord(session, record);
  });
  const { runs, findings } = everything(session);
  return sorted({ runs: runs.map(({ runId, status }) => ({ runId, status })), findings: findings.map(({ rule, at }) => ({ rule, at })) });
}

const byText = <T>(list: readonly T[]): T[] => list.toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
const sorted = ({ runs, findings }: Summary): Summary => ({ runs: byText(runs), findings: byText(findings) });

test('20 kills over 4 streams, the panel closed five times, the page reloaded twice: nothing is lost', async ({ lens }, info) => {
  test.setTimeout(300_000);
  const server = await startLifeServer();
  await setPing(lens, false);
  const page = await lens.context.newPage();
  await page.goto(`${server.url}/page.html`);
  let tools: DevTools | null = await openPanel(page);
  await tools.frame.getByRole('checkbox', { name: 'Preserve log' }).check();
  const lives = await countLives(page);
  let kills = 0;
  let openings = 0;
  let document = 0;
  /** So that each kill hits a living worker. */
  const running = () => expect.poll(() => lives.started(), { intervals: [20, 50] }).toBe(kills);
  for (const many of KILLS) {
    if (document > 0) {
      // a worker that dies while its page goes takes with it what it has not confirmed: nobody is left to send it again
      await running();
      await page.reload();
    }
    document++;
    await page.evaluate(readStreams, [
      Array.from({ length: STREAMS }, (_, no) => `run-${document}-${no}`),
      document < KILLS.length ? ENDLESS : EVENTS,
    ] as const);
    for (let kill = 1; kill <= many; kill++) {
      await reached(page, kill * 20);
      if (CLOSED.includes(kills)) {
        await tools?.close();
        tools = null;
      }
      await running();
      await killWorkers(page);
      kills++;
      if (tools !== null) continue;
      await reached(page, kill * 20 + 10);
      tools = await openPanel(page);
      openings++;
    }
  }
  server.hurry();
  await page.evaluate('all');
  expect([kills, openings]).toEqual([20, 5]);
  const shown = tools!;
  const log = { ...(await before(page)), ...(await page.evaluate(() => (window as unknown as { log: Logged }).log)) };
  expect(Object.keys(log)).toHaveLength(STREAMS * KILLS.length);
  await expect
    .poll(async () => textsOf(await capturedIn(shown, info.outputPath('capture.jsonl'))), 'the journal holds the bytes that the page read')
    .toEqual(log);
  const isCut = (run: string) => !run.startsWith(`run-${document}-`);
  expect(
    Object.entries(log).every(([run, text]) => text.includes('"RUN_FINISHED"') !== isCut(run)),
    'the first two documents were left in mid-stream',
  ).toBe(true);
  await expect.poll(async () => sorted(await wholeSummaryOf(shown.frame))).toEqual(checked(log, isCut));
  expect(lives.started(), 'the worker was really gone each time').toBe(20);
  await lives.stop();
  await setPing(lens, true);
  await page.close();
  await server.close();
});
