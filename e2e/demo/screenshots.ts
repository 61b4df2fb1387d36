/** Takes the pictures in docs/ from the real DevTools window: undocked and at the bottom, light and dark, and a replay that is armed. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { scenarioOf } from '../agent/scenarios.ts';
import { startAgent } from '../agent/server.ts';
import { type DevTools, type Look, launch, openPanel } from '../browser.ts';
import { showTab } from '../panel.ts';
import { arm } from '../replay.ts';
import { PAGES, ROOT } from '../root.ts';
import { play } from './play.ts';

const DOCS = join(ROOT, 'docs');
const STORY = ['good', 'step-already-open', 'interrupted', 'run-error', 'cut', 'slow'];
const SHOTS: readonly (Look & { readonly file: string; readonly size: readonly [number, number] })[] = [
  { file: 'panel.png', theme: 'light', dock: 'undocked', size: [1280, 800] },
  { file: 'panel-dark.png', theme: 'dark', dock: 'undocked', size: [1280, 800] },
  { file: 'panel-bottom.png', theme: 'light', dock: 'bottom', size: [1280, 800] },
  { file: 'panel-bottom-dark.png', theme: 'dark', dock: 'bottom', size: [1280, 800] },
];

/** Docked, the window is DevTools with the page in a hole at the top left: the two pictures are laid over each other. */
async function composed(page: Page, devtools: Page, file: string): Promise<void> {
  const [outer, inner] = [await devtools.screenshot(), await page.screenshot()];
  const sheet = await page.context().newPage();
  const source = (png: Buffer) => `data:image/png;base64,${png.toString('base64')}`;
  await sheet.setContent(
    `<style>body { margin: 0 } #all { position: relative; width: max-content } img { display: block } img + img { position: absolute; inset: 0 auto auto 0 }</style>
     <div id="all"><img src="${source(outer)}"><img src="${source(inner)}"></div>`,
  );
  await sheet.locator('#all').screenshot({ path: file });
  await sheet.close();
}

async function pose({ frame }: DevTools): Promise<void> {
  await showTab(frame, 'Findings');
  await frame.getByTestId('finding-row').filter({ hasText: 'step-already-open' }).click();
  await showTab(frame, 'Events');
  await frame.locator('[data-testid="event-row"]').first().waitFor();
}

/** A recorded answer played event by event in the app, with the agent switched off. */
async function replaying(url: string, file: string): Promise<void> {
  const lens = await launch({ theme: 'light', dock: 'undocked', size: [1280, 800], headless: true });
  const page = lens.context.pages()[0] ?? (await lens.context.newPage());
  await page.goto(`${url}replay.html`);
  const { devtools, frame } = await openPanel(page);
  await page.locator('#refund').click();
  await page.locator('#out[data-turns="1"]').waitFor();
  await showTab(frame, 'Runs');
  await frame.getByTestId('run-row').nth(1).waitFor();
  await arm(frame, { choose: ['all streams', 'event by event'], pattern: '*/agent/*' });
  await page.locator('#refund').click();
  for (let step = 0; step < 5; step++) await frame.getByRole('button', { name: 'Step', exact: true }).click();
  await devtools.screenshot({ path: join(DOCS, file) });
  await lens.close();
  console.log(`docs/${file}`);
}

const agent = await startAgent({ pages: PAGES });
mkdirSync(DOCS, { recursive: true });
for (const { file, size, ...look } of SHOTS) {
  const lens = await launch({ ...look, size, headless: true });
  const page = lens.context.pages()[0] ?? (await lens.context.newPage());
  await page.goto(`${agent.url}?pace=45`);
  const tools = await openPanel(page);
  for (const id of STORY) {
    const runId = await play(page, scenarioOf(id)!);
    await showTab(tools.frame, 'Runs');
    // the reference client throws before the stream is over: the next story waits for its end
    if (id !== 'slow') await tools.frame.locator(`[data-run-id="${runId}"]:not([data-ending="open"])`).waitFor();
  }
  await pose(tools);
  await page.emulateMedia({ colorScheme: look.theme });
  await page.evaluate(() => scrollTo(0, 0));
  if (look.dock === 'bottom') await composed(page, tools.devtools, join(DOCS, file));
  else await tools.devtools.screenshot({ path: join(DOCS, file) });
  console.log(`docs/${file}`);
  await lens.close();
}
await replaying(agent.url, 'replay.png');
await agent.close();
process.exit(0);
