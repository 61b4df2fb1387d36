/** The panel in a browser that is driven by raw CDP. */
import { PANEL_PATH } from './browser.ts';
import type { Evaluate, RawBrowser, Target } from './cdp.ts';
import { expect } from './fixtures.ts';

/** The target that fits, once there is one. */
export async function target(browser: RawBrowser, fits: (target: Target) => boolean): Promise<Target> {
  let found: Target | undefined;
  const look = async () => {
    found = (await browser.targets()).find(fits);
    return found !== undefined;
  };
  await expect.poll(look, { timeout: 30_000 }).toBe(true);
  return found!;
}

/** Clicks our tab in the DevTools window: it lies in shadow trees. */
const CHOOSE = `(() => {
  const trees = [document];
  for (const tree of trees) for (const element of tree.querySelectorAll('*')) {
    if (element.shadowRoot) trees.push(element.shadowRoot);
    if (element.getAttribute('role') === 'tab' && element.textContent.trim() === 'Runlens') { element.dispatchEvent(new MouseEvent('mousedown', { bubbles: true, composed: true, button: 0, detail: 1 })); element.click(); return true; }
  }
  return false;
})()`;

/** Reads an attribute of the panel's root. */
export const attribute = (name: string) => `document.querySelector('[data-testid="runlens"]')?.getAttribute('${name}') ?? ''`;

/** Opens DevTools' panel of the one tab whose DevTools are not in `known`. */
export async function openRawPanel(browser: RawBrowser, known: readonly string[] = []): Promise<Evaluate> {
  const isNew = ({ targetId }: Target) => !known.includes(targetId);
  const window = await target(browser, (it) => isNew(it) && it.url.startsWith('devtools://devtools/bundled/devtools_app.html'));
  const frontend = await browser.attach(window.targetId);
  await expect.poll(() => frontend<boolean>(CHOOSE), { timeout: 30_000 }).toBe(true);
  const panel = await browser.attach((await target(browser, (it) => isNew(it) && it.url.includes(PANEL_PATH))).targetId);
  await expect.poll(() => panel<string>(attribute('data-state')), { timeout: 15_000 }).toBe('connected');
  return panel;
}
