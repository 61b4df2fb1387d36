/**
 * The second half of `npm run demo`: with a display, Chromium with the demo page and our panel, until the window is closed; without
 * one (or with --headless), every scenario in turn, and what the panel shows of it, read from the panel's own document.
 */
import { mkdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import { SCENARIOS } from '../agent/scenarios.ts';
import { startAgent } from '../agent/server.ts';
import type { Scenario } from '../agent/story.ts';
import { type DevTools, launch, openPanel } from '../browser.ts';
import { clear, exportTo, type Summary, summaryOf } from '../panel.ts';
import { PAGES, ROOT } from '../root.ts';
import { play, settled } from './play.ts';

const OUT = join(ROOT, '.cache/demo-run');
/** What the screenshot and the exported capture hold. */
const PICTURE = ['good', 'step-already-open', 'interrupted', 'run-error', 'cut'];

function inWords({ runs, findings }: Summary): string {
  const run = runs.map(({ runId, status }) => `${runId ?? '(no run id)'} ${status}`).join(', ') || 'no run';
  return [run, ...findings.map(({ rule, at }) => `${rule} at event ${at}`)].join('; ');
}

async function one(scenario: Scenario, page: Parameters<typeof play>[0], { frame }: DevTools): Promise<boolean> {
  await clear(frame);
  const runId = await play(page, scenario);
  const { runs, findings } = scenario.build({ threadId: '', runId }).expected;
  const shown = await settled(() => summaryOf(frame), { runs, findings });
  const right = JSON.stringify(shown) === JSON.stringify({ runs, findings });
  console.log(`${right ? '✓' : '✗'} ${scenario.id}: ${inWords(shown)}`);
  if (!right) console.log(`  expected ${inWords({ runs, findings })}`);
  return right;
}

/** Exit code: 0 when the panel showed everything that it should. */
async function tour(url: string): Promise<number> {
  const lens = await launch({ headless: true, size: [1440, 1000] });
  const page = lens.context.pages()[0] ?? (await lens.context.newPage());
  await page.goto(`${url}?pace=12`);
  const tools = await openPanel(page);
  console.log('No display: going through every scenario headless. What the panel shows:\n');
  let wrong = 0;
  for (const scenario of SCENARIOS) {
    if (scenario.id === 'burst') await page.goto(`${url}?pace=1&n=2000`);
    if (!(await one(scenario, page, tools))) wrong++;
  }
  await page.goto(`${url}?pace=40`);
  for (const id of PICTURE) await play(page, SCENARIOS.find((scenario) => scenario.id === id)!);
  mkdirSync(OUT, { recursive: true });
  const [picture, capture] = [join(OUT, 'panel.png'), join(OUT, 'capture.runlens.jsonl')];
  await exportTo(tools, capture);
  await tools.devtools.screenshot({ path: picture });
  await lens.close();
  console.log(`\n${SCENARIOS.length - wrong} of ${SCENARIOS.length} scenarios are shown as they should be.`);
  console.log(`Screenshot of the DevTools window: ${relative(process.cwd(), picture)}\nExported capture: ${relative(process.cwd(), capture)}`);
  return wrong === 0 ? 0 : 1;
}

async function show(url: string): Promise<number> {
  const lens = await launch({ headless: false, dock: 'bottom', size: [1440, 1000] });
  const page = lens.context.pages()[0] ?? (await lens.context.newPage());
  await page.goto(url);
  await openPanel(page);
  console.log(`The demo agent runs at ${url}\nPress the buttons on the page and watch the Runlens panel. Close the window to end the demo.`);
  await new Promise<void>((closed) => lens.context.on('close', () => closed()));
  return 0;
}

const display = process.platform !== 'linux' || process.env['DISPLAY'] || process.env['WAYLAND_DISPLAY'];
const agent = await startAgent({ pages: PAGES });
const code = display && !process.argv.includes('--headless') ? await show(agent.url) : await tour(agent.url);
await agent.close();
process.exit(code);
