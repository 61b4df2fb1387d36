/** The timeline under the hand: measure, zoom, pinch and pan, fold idle time and threads, and find all of it again. */
import type { Frame, Page } from '@playwright/test';
import { FULL, GUTTER, padOf } from '../src/timeline/sizes.ts';
import { expect, play, test } from './fixtures.ts';
import { runsOf } from './panel.ts';

const shown = (frame: Frame) => frame.getByRole('slider', { name: 'Visible window' }).getAttribute('aria-valuenow');
const plotOf = async (frame: Frame) => (await frame.locator('.tl-scroller').boundingBox())!;

/** Waits until the window has come to rest at another place than before. */
async function moves(frame: Frame, act: () => Promise<unknown>): Promise<string> {
  const before = await shown(frame);
  await act();
  await expect.poll(() => shown(frame)).not.toBe(before);
  return (await shown(frame)) ?? '';
}

async function pinch(devtools: Page, by: number): Promise<void> {
  await devtools.keyboard.down('Control');
  await devtools.mouse.wheel(0, by);
  await devtools.keyboard.up('Control');
}

test('pinch zooms, a sideways wheel pans, Shift-drag measures and z zooms to what was measured', async ({ app, panel, stage, agent }) => {
  const { devtools } = stage.tools;
  await app.goto(`${agent.url}?pace=40`);
  const { runId } = await play(app, 'good');
  await expect.poll(() => runsOf(panel)).toEqual([{ runId, status: 'succeeded' }]);
  const plot = await plotOf(panel);
  const at = (share: number) => [plot.x + 136 + (plot.width - 136) * share, plot.y + 60] as const;
  await devtools.mouse.move(...at(0.5));
  await moves(panel, () => pinch(devtools, -400));
  await moves(panel, () => devtools.mouse.wheel(160, 0));
  await moves(panel, () => devtools.keyboard.press('0'));
  const whole = await shown(panel);
  await devtools.keyboard.down('Shift');
  await devtools.mouse.move(...at(0.2));
  await devtools.mouse.down();
  await devtools.mouse.move(...at(0.3), { steps: 3 });
  await devtools.mouse.up();
  await devtools.keyboard.up('Shift');
  expect(await shown(panel), 'measuring moves nothing').toBe(whole);
  await moves(panel, () => devtools.keyboard.press('z'));
});

test('idle time between runs folds, the axis keeps its times, and the choice is remembered', async ({ app, panel, stage, agent }) => {
  const { devtools } = stage.tools;
  // slow enough that each run lasts longer than its request waits
  await app.goto(`${agent.url}?pace=30`);
  await play(app, 'run-error');
  // the pause is what the test is about: nobody asks for anything
  await app.waitForTimeout(2600);
  await play(app, 'run-error');
  await expect.poll(async () => (await runsOf(panel)).length).toBe(2);
  const button = panel.getByRole('button', { name: 'Fold idle time' });
  await expect(button).toHaveAttribute('aria-pressed', 'false');
  const slider = panel.getByRole('slider', { name: 'Visible window' });
  /** Of 40 places along the plot, at the height of the run bars, those that have a run under the pointer. */
  const overRuns = async () => {
    const plot = await plotOf(panel);
    let over = 0;
    for (let place = 0.5; place < 40; place++) {
      await devtools.mouse.move(plot.x + 136 + ((plot.width - 136) * place) / 40, plot.y + 15);
      if (await panel.locator('.tl-scroller').evaluate((element) => (element as HTMLElement).style.cursor === 'pointer')) over++;
    }
    return over;
  };
  await panel.getByRole('tree').focus();
  await devtools.keyboard.press('0');
  await expect.poll(overRuns, 'the runs are slivers at the ends').toBeLessThan(14);
  const before = await overRuns();
  await button.click();
  await expect(button).toHaveAttribute('aria-pressed', 'true');
  await expect(slider).toHaveAttribute('aria-valuetext', /, [2-9]\.\d+ s of idle time folded$/);
  await devtools.keyboard.press('0');
  await expect.poll(overRuns, 'folded, the runs have most of the axis').toBeGreaterThan(2 * before + 2);
  await devtools.mouse.move(0, 0);
  expect(await panel.evaluate(() => localStorage.getItem('runlens.timeline.idle'))).toBe('folded');
  await panel.getByRole('tree').focus();
  await devtools.keyboard.press('f');
  await expect(button).toHaveAttribute('aria-pressed', 'false');
  await expect(slider).not.toHaveAttribute('aria-valuetext', /folded/);
});

test('a thread out of sight gives its height away and a click on its row goes there', async ({ app, panel, stage }) => {
  const { devtools } = stage.tools;
  await play(app, 'good');
  const { runId } = await play(app, 'interrupted');
  await expect.poll(async () => (await runsOf(panel)).length).toBe(2);
  const stageHeight = () => panel.locator('.tl-stage').evaluate((element) => Number.parseFloat((element as HTMLElement).style.height));
  await panel.getByRole('tree').focus();
  await devtools.keyboard.press('0');
  const full = await stageHeight();
  await panel.locator(`[data-testid="run-row"][data-run-id="${runId}"]`).click();
  await devtools.keyboard.press('z');
  await expect.poll(stageHeight).toBeLessThan(full - 60);
  const before = await shown(panel);
  const plot = await plotOf(panel);
  // the demo thread is the first, now one row high
  await devtools.mouse.click(plot.x + 60, plot.y + 10);
  await expect.poll(() => shown(panel)).not.toBe(before);
  await expect.poll(stageHeight).toBeGreaterThan(60);
});

test('a run folds at its sign in the bar and opens there again; so does the arrow', async ({ app, panel, stage, agent }) => {
  const { devtools } = stage.tools;
  await app.goto(`${agent.url}?pace=30`);
  const { runId } = await play(app, 'good');
  await expect.poll(() => runsOf(panel)).toEqual([{ runId, status: 'succeeded' }]);
  const tree = panel.getByRole('tree');
  await tree.focus();
  await devtools.keyboard.press('0');
  const run = panel.getByRole('treeitem', { name: `Run ${runId}` });
  await expect(run).toHaveAttribute('aria-expanded', 'true');
  const height = async () => Number(await panel.locator('.tl-stage').getAttribute('data-full'));
  const open = await height();
  // the sign stands where the bar begins, which depends on how long the request waited
  const plot = await plotOf(panel);
  const y = plot.y + padOf(FULL) + 2 + FULL.runBar / 2;
  let x = plot.x + GUTTER;
  while (x < plot.x + GUTTER + 120 && (await height()) === open) {
    x += 6;
    await devtools.mouse.click(x, y);
    await run.waitFor({ state: 'attached' });
  }
  await expect.poll(height).toBeLessThan(open - 3 * (FULL.lane - FULL.micro));
  await expect(run).toHaveAttribute('aria-expanded', 'false');
  await devtools.mouse.click(x, y);
  await expect.poll(height).toBe(open);
  await tree.focus();
  await expect(run).toHaveAttribute('aria-expanded', 'true');
  for (let i = 0; i < 20 && !(await tree.getAttribute('aria-activedescendant'))?.startsWith('tl-run-'); i++) await devtools.keyboard.press('ArrowUp');
  await devtools.keyboard.press('ArrowLeft');
  await expect(run).toHaveAttribute('aria-expanded', 'false');
  await devtools.keyboard.press('ArrowRight');
  await expect.poll(height).toBe(open);
});
