/** One selection for the whole panel: a finding leads to its event, its row, its place on the timeline, and back. */
import { expect, play, test } from './fixtures.ts';
import { showTab, summaryOf } from './panel.ts';

test('a finding leads to its event in the table and in the detail pane', async ({ app, panel }) => {
  await play(app, 'step-already-open');
  await expect.poll(async () => (await summaryOf(panel)).findings).toHaveLength(1);
  const { at } = (await summaryOf(panel)).findings[0]!;
  await showTab(panel, 'Findings');
  await panel.getByTestId('finding-row').click();
  const detail = panel.getByTestId('detail');
  await expect(detail).toHaveAttribute('data-kind', 'finding');
  await expect(detail).toContainText('step-already-open');
  await expect(detail).toContainText('"search"');
  await showTab(panel, 'Events');
  const row = panel.locator(`[data-testid="event-row"][data-row="${at}"]`);
  await expect(row).toBeVisible();
  await expect(row).toHaveAttribute('data-type', 'STEP_STARTED');
  await expect(row).toHaveAttribute('aria-selected', 'true');
});

test('an event leads to its body and to its place on the timeline', async ({ app, panel }) => {
  await play(app, 'overlapping');
  await expect.poll(async () => (await summaryOf(panel)).runs).toHaveLength(1);
  await showTab(panel, 'Events');
  await panel.locator('[data-testid="event-row"][data-type="STEP_STARTED"]').nth(1).click();
  const detail = panel.getByTestId('detail');
  await expect(detail).toContainText('hotels');
  await expect(detail).toContainText('STEP_STARTED');
});

test('the request tab shows what the app sent', async ({ app, panel }) => {
  const { runId } = await play(app, 'good');
  await expect.poll(async () => (await summaryOf(panel)).runs).toHaveLength(1);
  await showTab(panel, 'Runs');
  await panel.getByTestId('run-row').click();
  await showTab(panel, 'Request');
  await expect(panel.getByRole('tabpanel')).toContainText('/agent/good');
  await expect(panel.getByRole('tabpanel')).toContainText(runId);
});

test('the raw tab shows the frames as received', async ({ app, panel }) => {
  await play(app, 'run-error');
  await expect.poll(async () => (await summaryOf(panel)).runs).toHaveLength(1);
  await showTab(panel, 'Runs');
  await panel.getByTestId('run-row').click();
  await showTab(panel, 'Raw');
  await expect(panel.getByRole('tabpanel')).toContainText('data: {"type":"RUN_STARTED"');
});
