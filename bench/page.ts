/**
 * `npm run bench:page`: what the whole extension costs a page, against the same page without it, in one run. Wall time is the page's
 * own, CPU is its main thread's until it has nothing left to do. `--rival DIR` measures another unpacked extension beside it;
 * `--quick` takes fewer and shorter rounds.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { type BrowserContext, type CDPSession, chromium } from 'playwright';
import { makeProfile } from '../e2e/browser.ts';
import { chromiumPath } from '../e2e/chromium.ts';
import { DIST } from '../e2e/root.ts';
import type { ReadResult } from './pages/app.ts';
import { type BenchServer, startBenchServer } from './pages/server.ts';
import { type Figure, median, report } from './table.ts';

const quick = process.argv.includes('--quick');
const ROUNDS = quick ? 3 : 5;
const BURST = quick ? 50_000 : 200_000;
const PACED = quick ? 1000 : 3000;
/** A paced round counts only if the bare reader without any extension saw this share of reads with a single event. */
const SINGLE = 0.9;
/** Rounds are repeated at most this often for that. */
const TRIES = 3;

type Reader = 'bare' | 'client';
type Case = { readonly name: string; readonly reader: Reader; readonly query: string; readonly events: number; readonly paced: boolean };

/** The client takes up to a millisecond an event by itself: its whole burst runs for the better part of an hour. */
const burstOf = (reader: Reader) => (quick && reader === 'client' ? BURST / 10 : BURST);

const CASES: readonly Case[] = (['client', 'bare'] as const).flatMap((reader) => [
  { name: `burst of ${burstOf(reader).toLocaleString('en')}`, reader, query: `events=${burstOf(reader)}`, events: burstOf(reader), paced: false },
  { name: `${PACED.toLocaleString('en')} events 1 ms apart`, reader, query: `events=${PACED}&pace=1`, events: PACED, paced: true },
]);
const BOUNDS = { client: { wall: 1.05, cpu: 1.15 }, bare: { wall: 1.3, cpu: 2 } } as const;

interface Sample {
  readonly wall: number;
  readonly cpu: number;
  /** Share of reads with exactly one event. */
  readonly single: number;
}

interface Subject {
  readonly name: 'none' | 'runlens' | 'rival';
  readonly measure: (of: Case) => Promise<Sample>;
  readonly close: () => Promise<void>;
}

async function threadTime(session: CDPSession): Promise<number> {
  const { metrics } = await session.send('Performance.getMetrics');
  return (metrics.find(({ name }) => name === 'ThreadTime')?.value ?? Number.NaN) * 1000;
}

/** Main-thread CPU, ms, once the thread has done next to nothing for three looks in a row. */
async function settled(session: CDPSession): Promise<number> {
  let before = await threadTime(session);
  for (let calm = 0; calm < 3; ) {
    await new Promise((go) => setTimeout(go, 150));
    const now = await threadTime(session);
    calm = now - before < 2.5 ? calm + 1 : 0;
    before = now;
  }
  return before;
}

async function sample(context: BrowserContext, server: BenchServer, { reader, query, events }: Case): Promise<Sample> {
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  await page.goto(server.url);
  await session.send('Performance.enable');
  await session.send('HeapProfiler.collectGarbage');
  const start = await settled(session);
  const result = (await page.evaluate(`readers.${reader}('/agent?${query}')`)) as ReadResult;
  const cpu = (await settled(session)) - start;
  if (result.events !== events) throw new Error(`The page read ${result.events} of ${events} events.`);
  await page.close();
  return { wall: result.wall, cpu, single: result.single / events };
}

async function subject(name: Subject['name'], dir: string | null, server: BenchServer): Promise<Subject> {
  const profile = dir ? makeProfile() : mkdtempSync(join(tmpdir(), 'runlens-profile-'));
  const context = await chromium.launchPersistentContext(profile, {
    executablePath: chromiumPath(),
    viewport: null,
    args: dir ? [`--disable-extensions-except=${dir}`, `--load-extension=${dir}`] : [],
  });
  if (dir && context.serviceWorkers().length === 0) await context.waitForEvent('serviceworker');
  const close = async () => {
    await context.close();
    rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
  };
  return { name, measure: (of) => sample(context, server, of), close };
}

/** Rounds with every subject in turn, so that whatever else the machine does falls on all alike. */
async function rounds(subjects: readonly Subject[], of: Case): Promise<Map<Subject['name'], Sample>[]> {
  const kept: Map<Subject['name'], Sample>[] = [];
  for (let tries = 0; kept.length < ROUNDS && tries < ROUNDS * TRIES; tries++) {
    const round = new Map<Subject['name'], Sample>();
    for (const one of subjects) round.set(one.name, await one.measure(of));
    const single = round.get('none')!.single;
    if (of.paced && of.reader === 'bare' && single < SINGLE) {
      console.error(`A round does not count: only ${(single * 100).toFixed(0)} % of the reads were of a single event.`);
      continue;
    }
    kept.push(round);
  }
  return kept;
}

function figuresOf(of: Case, kept: readonly Map<Subject['name'], Sample>[], name: 'runlens' | 'rival'): Figure[] {
  return (['wall', 'cpu'] as const).map((what) => {
    const bound = name === 'runlens' ? { bound: { atMost: BOUNDS[of.reader][what] } } : {};
    const title = `${name === 'rival' ? 'rival, ' : ''}page, ${of.reader === 'client' ? '@ag-ui/client' : 'bare reader'}, ${of.name}: ${what === 'cpu' ? 'CPU' : 'wall'}`;
    if (kept.length === 0)
      return { name: title, value: Number.NaN, unit: '×', against: 'no round counted: the machine is too busy for events 1 ms apart', ...bound };
    const ratios = kept.map((round) => round.get(name)![what] / round.get('none')![what]);
    const [mine, bare] = [median(kept.map((round) => round.get(name)![what])), median(kept.map((round) => round.get('none')![what]))];
    const against = `${mine.toFixed(0)} against ${bare.toFixed(0)} ms; ${kept.length} rounds, ${Math.min(...ratios).toFixed(2)} to ${Math.max(...ratios).toFixed(2)}`;
    return { name: title, value: median(ratios), unit: '×', against, ...bound };
  });
}

async function main(): Promise<Figure[]> {
  const at = process.argv.indexOf('--rival');
  const rival = at > 0 ? resolve(process.argv[at + 1] ?? '') : null;
  const only = process.argv[process.argv.indexOf('--only') + 1];
  const server = await startBenchServer();
  const subjects = [await subject('none', null, server), await subject('runlens', DIST, server)];
  if (rival) subjects.push(await subject('rival', rival, server));
  const figures: Figure[] = [];
  for (const of of CASES) {
    if (process.argv.includes('--only') && !`${of.reader} ${of.paced ? 'paced' : 'burst'}`.includes(only ?? '')) continue;
    const kept = await rounds(subjects, of);
    for (const { name } of subjects) if (name !== 'none') figures.push(...figuresOf(of, kept, name));
    console.error(`${of.reader}, ${of.name}: done`);
  }
  for (const one of subjects) await one.close();
  await server.close();
  return figures;
}

report(await main());
