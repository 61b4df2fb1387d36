/** The main story without a pointer: from a violation to its event, its state, its run held against a good one, and out again. */
import type { Frame, Page } from '@playwright/test';
import { expect, play, test } from './fixtures.ts';
import { summaryOf } from './panel.ts';

/** What has the focus, as assistive technology would say it: role (or tag) and name. */
const focused = (panel: Frame): Promise<string> =>
  panel.evaluate(() => {
    const at = document.activeElement;
    if (!at || at === document.body) return 'nothing';
    const label = at.getAttribute('aria-label') ?? at.closest('label')?.textContent ?? at.textContent ?? '';
    return `${at.getAttribute('role') ?? at.tagName.toLowerCase()} ${label.trim().replace(/\s+/g, ' ').slice(0, 60)}`;
  });

/** Presses Tab until something of that description has the focus; gives all that had it on the way. */
async function tabTo(panel: Frame, keys: Page['keyboard'], wanted: RegExp, key = 'Tab'): Promise<string[]> {
  const way: string[] = [];
  for (let i = 0; i < 60; i++) {
    const now = await focused(panel);
    way.push(now);
    if (wanted.test(now)) return way;
    await keys.press(key);
  }
  throw new Error(`${wanted} was not reached by ${key}: ${way.join(' → ')}`);
}

test('the whole main story by keyboard alone', async ({ app, panel, stage, agent }) => {
  // slow enough for the conversation to have several moments
  await app.goto(`${agent.url}?pace=20`);
  await play(app, 'good');
  const bad = await play(app, 'step-already-open');
  await expect.poll(async () => (await summaryOf(panel)).findings).toHaveLength(1);
  const keys = stage.tools.devtools.keyboard;
  const detail = panel.getByTestId('detail');
  const tab = (name: string) => panel.getByRole('tab', { name: new RegExp(`^${name}`) });
  const grid = (name: string) => panel.getByRole('grid', { name, exact: true });
  const selected = panel.locator('[role="row"][aria-selected="true"]');

  await panel.getByRole('button', { name: 'Record' }).focus();

  await test.step('n goes to the finding, wherever the focus is', async () => {
    await keys.press('n');
    await expect(detail).toHaveAttribute('data-kind', 'finding');
  });

  await test.step('Tab goes through the panel in the order of reading, and everything it stops at has a name', async () => {
    const way = await tabTo(panel, keys, /^tab /);
    expect(way.filter((stop) => stop.trim().split(' ').length < 2)).toEqual([]);
    const order = [/^button Record/, /^input Filter/, /^tree /, /^tab /].map((stop) => way.findIndex((one) => stop.test(one)));
    expect(order).not.toContain(-1);
    expect(order).toEqual([...order].sort((a, b) => a - b));
  });

  await test.step('arrows change the tab, the finding’s event is selected in the table', async () => {
    await keys.press('Home');
    await expect(tab('Events')).toHaveAttribute('aria-selected', 'true');
    await tabTo(panel, keys, /^grid Events/);
    await expect(selected.first()).toHaveAttribute('data-type', 'STEP_STARTED');
  });

  await test.step('rows: one by one, several, by run; their menu', async () => {
    await keys.press('Alt+ArrowUp');
    await expect(selected.first()).toHaveAttribute('data-type', 'RUN_STARTED');
    await keys.press('Shift+ArrowDown');
    await expect(selected).toHaveCount(2);
    await keys.press('Shift+F10');
    await expect(panel.getByRole('menu', { name: 'Event' })).toBeVisible();
    expect(await focused(panel)).toMatch(/^menuitem /);
    await keys.press('ArrowDown');
    await keys.press('Escape');
    expect(await focused(panel)).toBe('grid Events');
    await keys.press('ArrowDown');
    await expect(selected).toHaveCount(1);
  });

  await test.step('the filter: there, from match to match, and back', async () => {
    await keys.press('/');
    await keys.type('search_flights');
    await keys.press('Enter');
    await expect(selected.first()).toContainText('search_flights');
    await keys.press('Escape');
    await expect(panel.getByRole('searchbox', { name: 'Filter' })).toHaveValue('');
  });

  await test.step('the run, held against a good one', async () => {
    await keys.press('Shift+Tab');
    await tabTo(panel, keys, /^tab Events/);
    await keys.press('ArrowRight');
    await tabTo(panel, keys, /^grid Runs/);
    await keys.press('End');
    await expect(selected.first()).toHaveAttribute('data-run-id', bad.runId);
    await keys.press('c');
    await expect(panel.getByTestId('compare')).toBeVisible();
    await tab('Runs').focus();
    await tabTo(panel, keys, /All runs/);
    await keys.press('Enter');
    await expect(grid('Runs')).toBeVisible();
  });

  await test.step('messages at a moment', async () => {
    await tab('Runs').focus();
    for (let i = 0; i < 2; i++) await keys.press('ArrowRight');
    await expect(tab('Messages')).toHaveAttribute('aria-selected', 'true');
    await tabTo(panel, keys, /^input Moment/);
    await keys.press('Home');
    await expect(panel.locator('.messages-view')).not.toContainText('Three days in Lisbon');
    await keys.press('End');
    await expect(panel.locator('.messages-view')).toContainText('Three days in Lisbon');
  });

  await test.step('the sheet of keys opens and gives the focus back', async () => {
    const before = await focused(panel);
    await keys.press('Shift+Tab');
    await keys.press('?');
    await expect(panel.getByRole('dialog', { name: 'Keys' })).toBeVisible();
    await keys.press('Escape');
    await expect(panel.getByRole('dialog')).toHaveCount(0);
    await keys.press('Tab');
    expect(await focused(panel)).toBe(before);
  });

  await test.step('Escape lets go of the selection', async () => {
    await tabTo(panel, keys, /^(tab|button) /);
    await keys.press('Escape');
    await expect(detail).toHaveCount(0);
  });
});
