/** The panel in dark DevTools. */
import { expectAccessible, expectCornersAccessible, expectNoViolations } from './axe.ts';
import { expect, play, test } from './fixtures.ts';
import { root, showTab, summaryOf } from './panel.ts';

test.use({ look: { theme: 'dark', dock: 'undocked' } });

test('follows the dark theme of DevTools', async ({ app, panel }) => {
  const { runId } = await play(app, 'good');
  await expect.poll(() => summaryOf(panel)).toEqual({ runs: [{ runId, status: 'succeeded' }], findings: [] });
  const lightness = (what: 'backgroundColor' | 'color') =>
    root(panel).evaluate((element, property) => {
      let at: Element | null = element;
      while (at) {
        const colour = getComputedStyle(at)[property];
        const parts = colour.match(/[\d.]+/g)?.map(Number) ?? [];
        if (parts.length === 3 || parts[3] !== 0) return (parts[0]! + parts[1]! + parts[2]!) / 3;
        at = at.parentElement;
      }
      return -1;
    }, what);
  expect(await lightness('backgroundColor')).toBeLessThan(80);
  expect(await lightness('color')).toBeGreaterThan(150);
});

test('axe finds no fault of colours in any tab', async ({ app, panel }) => {
  await play(app, 'good');
  await play(app, 'step-already-open');
  await showTab(panel, 'Findings');
  await panel.getByTestId('finding-row').first().click();
  await expectAccessible(panel, 'colours');
});

test('axe finds no fault of colours in what is not in a tab at first', async ({ app, panel }) => {
  await expectCornersAccessible(app, panel, 'colours');
});

test('axe finds no fault of colours in the export sheet', async ({ app, panel }) => {
  await play(app, 'step-already-open');
  await panel.getByRole('button', { name: 'Export', exact: true }).click();
  await panel.getByRole('radio', { name: /stand-ins/ }).check();
  await expect(panel.getByTestId('preview')).toContainText('"redacted"');
  await expectNoViolations(panel, 'export', 'colours');
});
