/** Axe in the panel's own document, in the real DevTools window. */
import type { Frame } from '@playwright/test';
import axe from 'axe-core';
import { expect } from './fixtures.ts';

interface AxeResult {
  readonly violations: readonly { readonly id: string; readonly nodes: readonly { readonly html: string; readonly failureSummary?: string }[] }[];
}

/** Expects axe to have nothing to say about the panel as it stands. `name` says in a failure what that was. */
async function expectNoViolations(panel: Frame, name: string): Promise<void> {
  await panel.evaluate(axe.source);
  // preloading style sheets means requests, which the panel's policy refuses and axe then waits for
  const { violations } = await panel.evaluate(() =>
    (globalThis as unknown as { axe: { run: (options: object) => Promise<AxeResult> } }).axe.run({ preload: false, iframes: false, elementRef: false }),
  );
  const said = violations.flatMap(({ id, nodes }) => nodes.map((node) => `${name}: ${id}: ${node.html.slice(0, 200)} ${node.failureSummary ?? ''}`));
  expect(said).toEqual([]);
}

/** Walks through every tab of the panel and expects axe to have nothing to say about any of them. */
export async function expectAccessible(panel: Frame): Promise<void> {
  const names = await panel.getByRole('tab').allTextContents();
  expect(names.length).toBeGreaterThan(5);
  for (const [no, name] of names.entries()) {
    await panel.getByRole('tab').nth(no).click();
    await expectNoViolations(panel, name);
  }
}
