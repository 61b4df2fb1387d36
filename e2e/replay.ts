/** Arms a replay in the panel as its user does. */
import { expect, type Frame, type Locator, type Worker } from '@playwright/test';
import { showTab } from './panel.ts';

export interface Arming {
  /** Text of the radio buttons to choose, in order. */
  readonly choose?: readonly string[];
  readonly keep?: boolean;
  readonly pattern?: string;
  readonly plan?: object;
}

export const armed = (panel: Frame): Locator => panel.getByTestId('armed');

/** Opens the sheet for a run of the table, by its row. */
export async function openSheet(panel: Frame, row = 0): Promise<Locator> {
  await showTab(panel, 'Runs');
  await panel.getByTestId('run-row').nth(row).click({ button: 'right' });
  await panel.getByRole('menuitem', { name: /Answer the next request/ }).click();
  const sheet = panel.getByRole('dialog', { name: 'Answer the next request' });
  await expect(sheet).toBeVisible();
  return sheet;
}

export async function arm(panel: Frame, { choose = [], keep = false, pattern, plan }: Arming, row = 0): Promise<void> {
  const sheet = await openSheet(panel, row);
  for (const words of choose) await sheet.locator('label', { hasText: words }).locator('input').check();
  if (keep) await sheet.locator('label', { hasText: 'keep it over a reload' }).locator('input').check();
  if (pattern !== undefined) await sheet.getByRole('textbox', { name: /Address/ }).fill(pattern);
  if (plan) await sheet.getByRole('textbox', { name: 'Plan', exact: true }).fill(JSON.stringify({ runlens: 'plan', version: 1, name: 'test', ...plan }));
  await sheet.getByTestId('arm').click();
  await expect(sheet).toBeHidden();
  await expect(armed(panel)).toBeVisible();
}

/** Takes back what a spec has left armed. */
export async function disarm(panel: Frame): Promise<void> {
  const button = panel.getByRole('button', { name: 'Disarm' });
  if (await button.isVisible()) await button.click();
}

/** Ids of the content scripts that are registered beside the manifest's. */
export const registered = (worker: Worker): Promise<string[]> =>
  worker.evaluate(async () => {
    const { chrome } = globalThis as unknown as { chrome: { scripting: { getRegisteredContentScripts: () => Promise<{ id: string }[]> } } };
    return (await chrome.scripting.getRegisteredContentScripts()).map(({ id }) => id);
  });
