/** Axe in the panel's own document, in the real DevTools window. */
import type { Frame, Page } from '@playwright/test';
import axe from 'axe-core';
import { expect, play } from './fixtures.ts';

interface AxeResult {
  readonly violations: readonly { readonly id: string; readonly nodes: readonly { readonly html: string; readonly failureSummary?: string }[] }[];
}

/** What of axe's rules is asked: everything, or what a theme alone can break. */
export type Asked = 'everything' | 'colours';

/** Expects axe to have nothing to say about the panel as it stands. `name` says in a failure what that was. */
export async function expectNoViolations(panel: Frame, name: string, asked: Asked = 'everything'): Promise<void> {
  if (!(await panel.evaluate(() => 'axe' in globalThis))) await panel.evaluate(axe.source);
  // preloading style sheets means requests, which the panel's policy refuses and axe then waits for
  const { violations } = await panel.evaluate(
    (rules) =>
      (globalThis as unknown as { axe: { run: (options: object) => Promise<AxeResult> } }).axe.run({
        ...(rules ? { runOnly: { type: 'rule', values: rules } } : {}),
        preload: false,
        iframes: false,
        elementRef: false,
        resultTypes: ['violations'],
      }),
    asked === 'colours' ? ['color-contrast', 'link-in-text-block'] : null,
  );
  const said = violations.flatMap(({ id, nodes }) => nodes.map((node) => `${name}: ${id}: ${node.html.slice(0, 200)} ${node.failureSummary ?? ''}`));
  expect(said).toEqual([]);
}

/** Walks through every tab of the panel and expects axe to have nothing to say about any of them. */
export async function expectAccessible(panel: Frame, asked?: Asked): Promise<void> {
  const names = await panel.getByRole('tab').allTextContents();
  expect(names.length).toBeGreaterThan(5);
  for (const [no, name] of names.entries()) {
    await panel.getByRole('tab').nth(no).click();
    await expectNoViolations(panel, name, asked);
  }
}

/** The same for what is not in a tab at first: two runs compared, menus, the sheets of keys and settings, filter words, a refused delta, two states compared, a conversation with pictures. */
export async function expectCornersAccessible(app: Page, panel: Frame, asked?: Asked): Promise<void> {
  const tab = (name: string) => panel.getByRole('tab', { name: new RegExp(`^${name}`) }).click();
  await play(app, 'snapshots');
  await play(app, 'broken-state');
  await tab('Runs');
  await expect(panel.getByTestId('run-row')).toHaveCount(2);
  await panel.getByTestId('run-row').last().click();
  await panel.getByRole('grid', { name: 'Runs' }).press('c');
  await expectNoViolations(panel, 'comparison', asked);
  await panel.getByRole('button', { name: /All runs/ }).click();
  await panel.getByRole('button', { name: 'Columns' }).click();
  await expectNoViolations(panel, 'menu', asked);
  await panel.getByRole('menu').press('Escape');
  await tab('Findings');
  await panel.getByTestId('finding-row').filter({ hasText: 'state-patch-failed' }).click();
  await tab('State');
  await expect(panel.getByTestId('refused')).toBeVisible();
  await panel.getByLabel('Find in the state').fill('price');
  await expectNoViolations(panel, 'refused delta', asked);
  await panel.getByRole('button', { name: 'Compare from here' }).click();
  await panel.getByRole('grid', { name: 'State history' }).press('Home');
  await expect(panel.getByTestId('difference')).toBeVisible();
  await expectNoViolations(panel, 'two states', asked);
  await tab('Messages');
  await expect(panel.getByRole('img', { name: /image\/png/ })).toBeVisible();
  await expectNoViolations(panel, 'conversation', asked);
  await panel.getByRole('button', { name: 'Help' }).click();
  await expectNoViolations(panel, 'keys', asked);
  const close = () => panel.getByRole('button', { name: 'Close', exact: true }).last().click();
  await close();
  await panel.getByRole('button', { name: 'Settings' }).click();
  await expectNoViolations(panel, 'settings', asked);
  await close();
  await tab('Events');
  await panel.getByTestId('event-row').first().click({ button: 'right' });
  await expectNoViolations(panel, 'menu of an event', asked);
  await panel.getByRole('menu').press('Escape');
  const filter = panel.getByRole('searchbox', { name: 'Filter' });
  await filter.fill('type:STATE_DELTA has:finding');
  await expect(panel.getByTestId('matches')).toBeVisible();
  await expectNoViolations(panel, 'filter words', asked);
  await filter.fill('');
}
