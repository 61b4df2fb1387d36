/** A recorded answer brought back into the very app that got it, while its agent is down. */
import type { Frame, Page } from '@playwright/test';
import type { AgentServer } from './agent/server.ts';
import { expectNoViolations } from './axe.ts';
import { openPanel } from './browser.ts';
import { expect, test } from './fixtures.ts';
import { showTab } from './panel.ts';
import { arm, armed, disarm, openSheet, registered } from './replay.ts';

const out = (page: Page) => page.locator('#out');

/** Presses Refund and waits until the app is through with it. Gives what the app has then. */
async function refund(page: Page): Promise<string> {
  const before = Number(await out(page).getAttribute('data-turns'));
  await page.locator('#refund').click();
  await expect(out(page)).toHaveAttribute('data-turns', String(before + 1));
  return (await out(page).textContent()) ?? '';
}

const runs = (panel: Frame) => panel.getByTestId('run-row');

const steps = (panel: Frame) => panel.getByTestId('steps');
const ALL = { choose: ['all streams', 'at once'], pattern: '*/agent/*' } as const;

test.beforeEach(async ({ app, agent, panel }) => {
  agent.setDown(false);
  await app.goto(`${agent.url}replay.html`);
  await expect(out(app)).toHaveAttribute('data-turns', '0');
  await expect(panel.getByTestId('runlens')).toHaveAttribute('data-events', '0');
});
test.afterEach(async ({ agent, panel }) => {
  agent.setDown(false);
  await disarm(panel);
});

/** The app's work recorded, the agent down from there on. Gives what the app had in the end. */
async function record({ app, panel, agent }: { app: Page; panel: Frame; agent: AgentServer }): Promise<string> {
  const live = await refund(app);
  expect(live).toContain('"failure": ""');
  expect(live).toContain('call-refund');
  // an empty panel has no tabs
  await expect(panel.getByTestId('runlens')).not.toHaveAttribute('data-events', '0');
  await showTab(panel, 'Runs');
  await expect(runs(panel)).toHaveCount(2);
  agent.setDown(true);
  return live;
}

test('an app whose agent is down is driven by its recording: a tool call and an interrupt answered', async ({ app, panel, agent }) => {
  const live = await record({ app, panel, agent });
  const asked = agent.asked.length;
  await arm(panel, ALL);
  expect(await refund(app)).toBe(live);
  expect(agent.asked, 'the network has seen no request').toHaveLength(asked);
  await expect(runs(panel)).toHaveCount(4);
  await expect(armed(panel), 'each answer was given once').toBeHidden();
  await expect(panel.getByTestId('replayed')).toHaveCount(2);
  await runs(panel).nth(2).click();
  await showTab(panel, 'Request');
  await expect(panel.getByTestId('request-beside')).toContainText('The page asked for the very same.');
  // and nothing is left: the next request finds the agent down
  expect(await refund(app)).not.toContain('"failure": ""');
  expect(agent.asked.length).toBeGreaterThan(asked);
});

test('the same event by event', async ({ app, panel, agent }) => {
  const live = await record({ app, panel, agent });
  const asked = agent.asked.length;
  await arm(panel, { ...ALL, choose: ['all streams', 'event by event'] });
  await app.locator('#refund').click();
  const step = panel.getByRole('button', { name: 'Step', exact: true });
  await expect(steps(panel)).toHaveAttribute('data-at', '0');
  for (const count of [1, 2, 3]) {
    await step.click();
    await expect(out(app), 'as many events as steps have reached the app').toHaveAttribute('data-events', String(count));
  }
  await panel.getByRole('button', { name: 'To the end' }).click();
  // the second run waits for its first step
  await expect(steps(panel)).toHaveAttribute('data-at', '0');
  await step.click();
  await panel.getByRole('button', { name: 'Run on' }).click();
  await expect(out(app)).toHaveAttribute('data-turns', '2');
  expect(await out(app).textContent()).toBe(live);
  await expect(steps(panel)).toBeHidden();
  expect(agent.asked).toHaveLength(asked);
});

test('kept over a reload, the page’s first request waits for its answer; another tab of the origin is not touched', async ({ app, panel, agent, lens }) => {
  const live = await record({ app, panel, agent });
  const asked = agent.asked.length;
  const stored = await app.evaluate(() => Object.keys(sessionStorage));
  await arm(panel, { ...ALL, keep: true });
  const other = await lens.context.newPage();
  await other.goto(`${agent.url}replay.html?start`);
  await expect(out(other)).toHaveAttribute('data-turns', '1');
  expect(await out(other).textContent(), 'the other tab has found the agent down').not.toContain('"failure": ""');
  const others = agent.asked.length;
  expect(others).toBeGreaterThan(asked);
  await app.goto(`${agent.url}replay.html?start`);
  await expect(out(app)).toHaveAttribute('data-turns', '1');
  expect(await out(app).textContent()).toBe(live);
  expect(agent.asked).toHaveLength(others);
  expect(await app.evaluate(() => Object.keys(sessionStorage)), 'the page finds nothing of ours').toEqual(stored);
  await other.close();
});

test('without that, a reload ends it, and the panel says so', async ({ app, panel, agent }) => {
  await record({ app, panel, agent });
  await arm(panel, ALL);
  await Promise.all([app.waitForEvent('load'), app.locator('#again').click()]);
  await expect(panel.getByTestId('replay-said')).toContainText('loaded anew or left');
  await expect(armed(panel)).toBeHidden();
  expect(await refund(app)).not.toContain('"failure": ""');
});

test('another origin ends it, and the way back finds nothing armed', async ({ app, panel, agent }) => {
  await record({ app, panel, agent });
  const stored = await app.evaluate(() => Object.keys(sessionStorage));
  await arm(panel, { ...ALL, keep: true });
  await app.goto(agent.url.replace('localhost', '127.0.0.1'));
  await expect(panel.getByTestId('replay-said')).toContainText('another origin');
  await expect(armed(panel)).toBeHidden();
  await app.goBack();
  expect(await refund(app)).not.toContain('"failure": ""');
  expect(await app.evaluate(() => Object.keys(sessionStorage))).toEqual(stored);
});

test('DevTools closed while armed leaves a page that works as before', async ({ agent, lens, panel }) => {
  await expect(panel.getByTestId('runlens')).toBeVisible();
  const page = await lens.context.newPage();
  await page.goto(`${agent.url}replay.html`);
  const tools = await openPanel(page);
  await record({ app: page, panel: tools.frame, agent });
  await arm(tools.frame, { ...ALL, choose: ['all streams', 'event by event'], keep: true });
  await page.locator('#refund').click();
  await tools.frame.getByRole('button', { name: 'Step', exact: true }).click();
  await expect(out(page)).toHaveAttribute('data-events', '1');
  await tools.close();
  await expect(out(page), 'an answer that nobody can go on with breaks off').toHaveAttribute('data-turns', '2');
  const asked = agent.asked.length;
  expect(await refund(page)).not.toContain('"failure": ""');
  expect(agent.asked.length, 'the network is asked again').toBeGreaterThan(asked);
  await expect.poll(() => registered(lens.worker)).toEqual([]);
  await page.close();
});

test('axe finds nothing in the sheet and the banner', async ({ app, panel, agent }) => {
  await record({ app, panel, agent });
  const sheet = await openSheet(panel);
  await expectNoViolations(panel, 'replay');
  await sheet.getByRole('button', { name: 'Close', exact: true }).click();
  await expect(sheet).toBeHidden();
  await arm(panel, { ...ALL, choose: ['all streams', 'event by event'] });
  await app.locator('#refund').click();
  await expect(steps(panel)).toBeVisible();
  await expectNoViolations(panel, 'replay');
});
