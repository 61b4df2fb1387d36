/** A word in a payload among a hundred thousand events. */
import { writeFile } from 'node:fs/promises';
import { bigCapture } from './captures.ts';
import { expect, test } from './fixtures.ts';
import { eventCount, importFrom, showTab } from './panel.ts';

const WORD = 'heliotrope';

test('where does this word stand among 100,000 events?', async ({ panel, stage }, info) => {
  const file = info.outputPath('big.agui.jsonl');
  await writeFile(file, bigCapture(100, WORD));
  await importFrom(stage.tools, file);
  await expect.poll(() => eventCount(panel), { timeout: 120_000 }).toBe(100_000);
  await showTab(panel, 'Events');
  const filter = panel.getByRole('searchbox', { name: 'Filter' });
  const matches = panel.getByTestId('matches');
  await filter.fill(WORD);
  await expect(matches).toHaveAttribute('data-running', 'false', { timeout: 120_000 });
  await expect(matches).toHaveText('1');
  await filter.press('Enter');
  const row = panel.locator('[data-testid="event-row"][aria-selected="true"]');
  await expect(row).toHaveAttribute('data-row', '70503');
  await expect(row.locator('mark')).toHaveText(WORD);
  await expect(panel.getByTestId('detail').locator('.json mark').first()).toHaveText(WORD);
  // shown in its place: the filter goes, the selection stays in sight
  await filter.press('Escape');
  await expect(filter).toHaveValue('');
  await expect(row).toBeInViewport();
  // back to the live tab, which the next test expects
  await panel.getByTitle('Close this file').click();
  await expect.poll(() => eventCount(panel)).toBe(0);
});
