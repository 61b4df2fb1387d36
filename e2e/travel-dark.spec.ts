/** The export sheet in dark DevTools. */
import { expectNoViolations } from './axe.ts';
import { expect, play, test } from './fixtures.ts';

test.use({ look: { theme: 'dark', dock: 'undocked' } });

test('axe finds nothing in the export sheet', async ({ app, panel }) => {
  await play(app, 'step-already-open');
  await panel.getByRole('button', { name: 'Export', exact: true }).click();
  await panel.getByRole('radio', { name: /stand-ins/ }).check();
  await expect(panel.getByTestId('preview')).toContainText('"redacted"');
  await expectNoViolations(panel, 'export');
});
