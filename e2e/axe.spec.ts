/** The panel in light DevTools, with a good and a rejected run and a finding selected, tab by tab under axe. */
import { expectAccessible, expectCornersAccessible } from './axe.ts';
import { play, test } from './fixtures.ts';
import { showTab } from './panel.ts';

test('axe finds nothing in any tab', async ({ app, panel }) => {
  await play(app, 'good');
  await play(app, 'step-already-open');
  await showTab(panel, 'Findings');
  await panel.getByTestId('finding-row').first().click();
  await expectAccessible(panel);
});

test('axe finds nothing in what is not in a tab at first', async ({ app, panel }) => {
  await expectCornersAccessible(app, panel);
});
