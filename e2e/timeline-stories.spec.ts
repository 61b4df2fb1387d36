/**
 * What people open a timeline for, done as they do it: by keyboard along its tree, whose words say what the canvas draws.
 * The tree knows the thing in focus by `aria-activedescendant`.
 */
import type { Frame, Page } from '@playwright/test';
import { FULL, padOf } from '../src/timeline/sizes.ts';
import { expect, play, test } from './fixtures.ts';
import { eventCount, runsOf } from './panel.ts';

interface Tools {
  readonly devtools: Page;
  readonly frame: Frame;
}

const current = (frame: Frame) =>
  frame.getByRole('tree').evaluate((tree) => document.getElementById(tree.getAttribute('aria-activedescendant') ?? '')?.textContent ?? '');

/** Presses an arrow until the tree's focus stays where it is, and gives all it came by. */
async function walk({ devtools, frame }: Tools, key: string): Promise<string[]> {
  const seen: string[] = [await current(frame)];
  for (;;) {
    await devtools.keyboard.press(key);
    const next = await current(frame);
    if (next === seen.at(-1)) return seen;
    seen.push(next);
  }
}

/** Names of the steps of the run in focus, lane by lane. */
async function stepsOf(tools: Tools): Promise<string[]> {
  const steps: string[] = [];
  for (let before = ''; before !== (await current(tools.frame)); ) {
    before = await current(tools.frame);
    await tools.devtools.keyboard.press('ArrowDown');
    const at = await current(tools.frame);
    if (at === before || !at.startsWith('Step ')) break;
    const lane = await walk(tools, 'ArrowRight');
    steps.push(...lane.filter((name) => name.startsWith('Step ')));
    for (let i = 1; i < lane.length; i++) await tools.devtools.keyboard.press('ArrowLeft');
  }
  return steps;
}

/** Walks down the lanes of the run in focus, and along each, until the focus is on a thing of that name. */
async function focusOn(tools: Tools, name: string): Promise<void> {
  const { keyboard } = tools.devtools;
  const on = async () => (await current(tools.frame)).split(',')[0] === name;
  for (let lanes = 0; lanes < 20 && (await current(tools.frame)).split(' ')[0] !== 'Run'; lanes++) await keyboard.press('ArrowUp');
  for (let lanes = 0; lanes < 20; lanes++) {
    await keyboard.press('ArrowDown');
    if (await on()) return;
    const lane = await walk(tools, 'ArrowRight');
    const at = lane.findIndex((one) => one.split(',')[0] === name);
    for (let i = lane.length - 1; i > Math.max(at, 0); i--) await keyboard.press('ArrowLeft');
    if (at >= 0) return;
  }
  throw new Error(`The timeline has no ${name}.`);
}

/** `1.20 s` and `380 ms` in ms. */
function lengthIn(name: string): number {
  const [, number, unit] = /, ([\d.]+) (ms|s)\b/.exec(name) ?? [];
  return Number(number) * (unit === 's' ? 1000 : 1);
}

async function focusRun(tools: Tools, runId: string): Promise<void> {
  await tools.frame.getByRole('tree').focus();
  await expect.poll(() => current(tools.frame)).toContain(`Run ${runId}`);
}

test('find the longest step: zoom to it, and the detail pane tells its length', async ({ app, panel, stage, agent }) => {
  await app.goto(`${agent.url}?pace=25`);
  const { runId } = await play(app, 'good');
  await expect.poll(() => runsOf(panel)).toEqual([{ runId, status: 'succeeded' }]);
  await focusRun(stage.tools, runId);
  const steps = await stepsOf(stage.tools);
  expect(steps.map((name) => name.split(',')[0])).toEqual(expect.arrayContaining(['Step plan', 'Step research', 'Step write']));
  const longest = steps.toSorted((a, b) => lengthIn(b) - lengthIn(a))[0]!;
  // the plan is done before half of the story is told; which of the others took longer is for the clock to say
  const name = longest.split(',')[0]!;
  expect(name).toMatch(/^Step (research|write)$/);
  const slider = panel.getByRole('slider', { name: 'Visible window' });
  const whole = (await slider.getAttribute('aria-valuenow')) ?? '';
  await focusOn(stage.tools, name);
  await stage.tools.devtools.keyboard.press('Enter');
  await stage.tools.devtools.keyboard.press('z');
  await expect(slider).not.toHaveAttribute('aria-valuenow', whole);
  await expect(panel.getByTestId('detail')).toContainText(name.replace('Step ', ''));
  await expect(panel.getByRole('treeitem', { selected: true })).toContainText(name);
});

test('find where two steps overlapped: they are in lanes of their own, and their times cross', async ({ app, panel, stage, agent }) => {
  await app.goto(`${agent.url}?pace=30`);
  const { runId } = await play(app, 'overlapping');
  await expect.poll(() => runsOf(panel)).toEqual([{ runId, status: 'succeeded' }]);
  await focusRun(stage.tools, runId);
  const lanes: string[] = [];
  for (let i = 0; i < 3; i++) {
    await stage.tools.devtools.keyboard.press('ArrowDown');
    lanes.push((await current(panel)).split(',')[0]!);
  }
  expect(lanes.toSorted()).toEqual(['Step flights', 'Step hotels', 'Step weather']);
  // the same as the eye does it: point at the canvas where both bars are, and each lane answers with its own step
  const boxes = await pointed(stage.tools, lanes.length);
  expect(new Set(boxes).size).toBe(3);
});

/** What the tooltip says at one instant, lane by lane from the first on: at the first of some instants where each lane has a step of its own. */
async function pointed({ devtools, frame }: Tools, lanes: number): Promise<string[]> {
  const plot = (await frame.locator('.tl-scroller').boundingBox())!;
  const first = padOf(FULL) + FULL.runRow + FULL.note + 2;
  const tip = frame.getByRole('tooltip');
  const tipAt = async (x: number, lane: number) => {
    // over the ruler first, so that what is read is this place's tooltip and not the last one's
    await devtools.mouse.move(plot.x + plot.width / 2, plot.y - 8);
    await expect(tip).toHaveCount(0);
    await devtools.mouse.move(x, plot.y + first + (lane + 0.5) * FULL.lane);
    // where nothing stands there is no tooltip to come
    return (await tip.textContent({ timeout: 2_000 }).catch(() => null)) ?? '';
  };
  let words: string[] = [];
  const look = async () => {
    for (const place of [11, 10, 12, 9, 13, 8, 14]) {
      const x = plot.x + (plot.width * place) / 20;
      words = [];
      for (let lane = 0; lane < lanes; lane++) words.push(await tipAt(x, lane));
      if (words.every((word) => /^Step\w/.test(word)) && new Set(words).size === lanes) return true;
    }
    return false;
  };
  await expect.poll(look, 'an instant at which each lane has a step of its own').toBe(true);
  await devtools.mouse.move(plot.x + plot.width / 2, plot.y - 8);
  return words;
}

test('find what an interrupted run waits for, and who answered it', async ({ app, panel, stage, agent }) => {
  const { runId } = await play(app, 'interrupted');
  await expect.poll(() => runsOf(panel)).toEqual([{ runId, status: 'interrupted' }]);
  await focusRun(stage.tools, runId);
  expect(await current(panel)).toContain('waits: Refund 80 EUR for order 1042?');
  expect(await current(panel)).toContain('not answered');
  await stage.tools.devtools.keyboard.press('Enter');
  const waits = panel.getByTestId('detail').locator('dt', { hasText: 'Waits for' }).locator('+ dd');
  await expect(waits).toContainText('Refund 80 EUR for order 1042?');
  await expect(waits).toContainText('tool_call');
  const before = await eventCount(panel);
  await app.evaluate(
    async ([url, threadId]) => {
      const resume = [{ interruptId: 'approval-1', status: 'resolved', payload: { approved: true } }];
      const body = JSON.stringify({ threadId, runId: 'run-approved', messages: [], tools: [], context: [], state: {}, forwardedProps: {}, resume });
      const response = await fetch(url!, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
      await response.text();
    },
    [`${agent.url}agent/overlapping?pace=2`, runId.replace('run-interrupted', 'thread-refund')],
  );
  await expect.poll(() => eventCount(panel)).toBeGreaterThan(before);
  await expect.poll(() => current(panel)).toContain('answered by run-approved after');
  await panel.getByRole('tree').focus();
  await stage.tools.devtools.keyboard.press('ArrowRight');
  await expect.poll(() => current(panel)).toContain('Run run-approved');
});
