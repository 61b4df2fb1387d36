/** What people open the panel for, one test a question, answered in the real DevTools by pointer and by reading. */
import { writeFile } from 'node:fs/promises';
import { scenarioOf } from './agent/scenarios.ts';
import { storyCapture } from './captures.ts';
import { expect, play, test } from './fixtures.ts';
import { importFrom, showTab, summaryOf } from './panel.ts';

// the window is shared: no filter may outlive its test
test.afterEach(async ({ panel }) => panel.getByRole('searchbox', { name: 'Filter' }).fill(''));

test('why was this run rejected?', async ({ app, panel }) => {
  const { runId } = await play(app, 'step-already-open');
  await expect.poll(async () => (await summaryOf(panel)).findings).toHaveLength(1);
  await showTab(panel, 'Runs');
  const row = panel.locator(`[data-run-id="${runId}"]`);
  await expect(row).toContainText('Rejected');
  await row.click();
  const detail = panel.getByTestId('detail');
  await detail.getByRole('button', { name: /^#\d+ step-already-open/ }).click();
  await expect(detail).toHaveAttribute('data-kind', 'finding');
  // what happened, where, what to do, and that the stream's own word is another matter
  await expect(detail).toContainText('"search"');
  for (const term of ['Cause', 'Fix', 'Events', 'Verdict', 'Ending']) await expect(detail.getByText(term, { exact: true })).toBeVisible();
  await expect(detail).toContainText('The producer then reported success');
});

test('what text did the user see at that moment?', async ({ panel, stage }, info) => {
  const file = info.outputPath('good.agui.jsonl');
  await writeFile(file, storyCapture(scenarioOf('good')!.build({ threadId: 'thread-1', runId: 'run-1' })));
  await importFrom(stage.tools, file);
  await expect.poll(async () => (await summaryOf(panel)).runs).toHaveLength(1);
  await showTab(panel, 'Messages');
  const messages = panel.getByLabel('Messages', { exact: true }).last();
  await expect(messages).toContainText('Three days in Lisbon: TP 531 for 129 EUR');
  // the second piece of the first answer: that far had it come
  await showTab(panel, 'Events');
  const fold = panel.locator('[data-testid="event-row"][data-type="TEXT_MESSAGE_CONTENT"]').first();
  await fold.getByRole('button', { name: /^Unfold/ }).click();
  await panel.locator('[data-testid="event-row"][data-type="TEXT_MESSAGE_CONTENT"].child').nth(1).click();
  await showTab(panel, 'Messages');
  await expect(messages).toContainText('I am looking for ');
  await expect(messages).not.toContainText('flights and');
  await expect(messages).not.toContainText('Three days in Lisbon');
  // one event on, one back, and to the end, by key
  const moment = panel.getByRole('slider', { name: 'Moment' });
  await moment.press('ArrowRight');
  await expect(messages).toContainText('I am looking for flights and ');
  await moment.press('ArrowLeft');
  await expect(messages).not.toContainText('flights and');
  await moment.press('End');
  await expect(messages).toContainText('Three days in Lisbon');
  await panel.getByTitle('Close this file').click();
});

test('a snapshot is merged, pictures are shown from data alone', async ({ app, panel, stage }) => {
  const fetched: string[] = [];
  stage.tools.devtools.on('request', (request) => fetched.push(request.url()));
  await play(app, 'snapshots');
  await expect.poll(async () => (await summaryOf(panel)).runs).toHaveLength(1);
  await showTab(panel, 'Messages');
  const messages = panel.getByLabel('Messages', { exact: true }).last();
  const draft = messages.locator('.msg', { hasText: 'Let me think about that.' });
  await expect(draft).toContainText('dropped by the snapshot');
  await expect(messages).toContainText('That is the Praça do Comércio in Lisbon.');
  const picture = messages.getByRole('img', { name: /image\/png/ });
  await expect.poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(5);
  await expect(messages).toContainText('at http://pictures.invalid/lisbon.jpg, not fetched');
  expect(fetched.filter((url) => url.includes('pictures.invalid'))).toEqual([]);
  await expect(messages.getByTestId('not-json')).toBeVisible();
  await expect(messages.locator('.msg', { hasText: 'SEARCH' })).toContainText('done');
  await expect(messages.locator('.msg', { hasText: 'RUN_FINISHED' })).toContainText('"Lisbon"');
  // each part leads to its event
  await messages.getByRole('button', { name: 'MESSAGES_SNAPSHOT' }).click();
  await expect(panel.getByTestId('detail')).toContainText('MESSAGES_SNAPSHOT');
});

test('which delta broke the state, and on what?', async ({ app, panel }) => {
  await play(app, 'broken-state');
  await expect.poll(async () => (await summaryOf(panel)).findings).toHaveLength(1);
  await showTab(panel, 'Findings');
  await panel.getByTestId('finding-row').click();
  await showTab(panel, 'State');
  const refused = panel.getByTestId('refused');
  await expect(refused).toContainText('/flights has no item “2”, its last is 1.');
  await expect(refused.getByRole('list', { name: 'Way of the path' }).getByRole('listitem')).toHaveText([
    'stateobject, 2 members',
    'flightsarray, 2 items',
    '2missing, last is 1',
    'pricenot reached',
  ]);
  // what the state was, and what differs between two moments that are no neighbours
  const value = panel.getByTestId('state-value');
  await expect(value.locator('[data-path="/status"]')).toContainText('"searching"');
  const history = panel.getByRole('grid', { name: 'State history' });
  await history.focus();
  await history.press('Home');
  await value.getByRole('button', { name: 'Compare from here' }).click();
  await history.focus();
  await history.press('End');
  await expect(value.getByTestId('difference')).toContainText('/status');
  const rows = await value.getByTestId('difference').locator('.node').allTextContents();
  expect(rows.map((row) => row.replace(/\s+/g, ' ')).join('\n')).toMatch(/\+ ?\/?status|~ ?\/status/);
});

test('how does the bad run differ from the good one?', async ({ app, panel }) => {
  const good = await play(app, 'good');
  const bad = await play(app, 'step-already-open');
  await expect.poll(async () => (await summaryOf(panel)).runs).toHaveLength(2);
  await showTab(panel, 'Runs');
  await panel.locator(`[data-run-id="${good.runId}"]`).click();
  await panel.locator(`[data-run-id="${bad.runId}"]`).click({ modifiers: ['ControlOrMeta'] });
  const compare = panel.getByTestId('compare');
  await expect(compare.getByRole('row', { name: /^Status/ })).toContainText('Succeeded');
  await expect(compare.getByRole('row', { name: /^Status/ })).toContainText('Rejected');
  await expect(compare.getByRole('row', { name: /^search / })).toContainText('only B');
  await expect(compare.getByTestId('parting')).toContainText('First difference in the event sequence');
  // the first event that is another leads to itself
  const parted = compare.locator('.beat-line.parted').first().getByRole('button').last();
  const row = Number((await parted.textContent())?.match(/#(\d+)/)?.[1]) - 1;
  await parted.click();
  await expect(panel.getByTestId('detail')).toContainText(`Event #${row + 1}`);
  await compare.getByRole('button', { name: /All runs/ }).click();
  await expect(panel.getByTestId('run-row')).toHaveCount(2);
});

test('several events are selected by pointer and key, and copied as lines of JSON', async ({ app, panel, stage }) => {
  await play(app, 'overlapping');
  await expect.poll(async () => (await summaryOf(panel)).runs).toHaveLength(1);
  await showTab(panel, 'Events');
  const rows = panel.getByTestId('event-row');
  await rows.nth(1).click();
  await rows.nth(3).click({ modifiers: ['Shift'] });
  await expect(panel.locator('[data-testid="event-row"][aria-selected="true"]')).toHaveCount(3);
  await rows.nth(2).click({ modifiers: ['ControlOrMeta'] });
  await expect(panel.locator('[data-testid="event-row"].picked')).toHaveCount(2);
  await panel.evaluate(() => {
    const said: string[] = [];
    Object.assign(globalThis, { copied: said });
    document.addEventListener('copy', () => said.push((document.activeElement as HTMLTextAreaElement).value));
    navigator.clipboard.writeText = async (text) => void said.push(text);
  });
  const copied = () => panel.evaluate(() => (globalThis as { copied?: string[] }).copied!.at(-1) ?? '');
  await panel.getByRole('grid', { name: 'Events' }).press('ControlOrMeta+c');
  await expect.poll(copied).not.toBe('');
  const lines = (await copied()).trim().split('\n');
  expect(lines.map((line) => JSON.parse(line).stepName)).toEqual(['flights', 'weather']);
  await panel.getByRole('grid', { name: 'Events' }).press('ControlOrMeta+a');
  await panel.getByRole('grid', { name: 'Events' }).press('ControlOrMeta+c');
  const all = [...scenarioOf('overlapping')!.build({ threadId: '', runId: '' }).moves].length;
  await expect.poll(async () => (await copied()).trim().split('\n').length).toBe(all);
  // the menu says the same, and holds the rest
  await rows.nth(1).click({ button: 'right' });
  await expect(panel.getByRole('menu', { name: 'Event' }).getByRole('menuitem')).toContainText([/Copy .* as JSONL|Copy as JSON/, /JSON/]);
  await stage.tools.devtools.keyboard.press('Escape');
  await expect(panel.getByRole('menu')).toHaveCount(0);
});

test('the filter line narrows by thread, type and finding, and is remembered', async ({ app, panel }) => {
  await play(app, 'good');
  await play(app, 'step-already-open');
  await expect.poll(async () => (await summaryOf(panel)).runs).toHaveLength(2);
  await showTab(panel, 'Events');
  const filter = panel.getByRole('searchbox', { name: 'Filter' });
  const types = () => panel.getByTestId('event-row').evaluateAll((rows) => rows.map((row) => row.getAttribute('data-type')));
  await filter.fill('has:finding');
  await expect.poll(types).toEqual(['STEP_STARTED']);
  await filter.fill('owner:weather-scout type:tool_call_result');
  await expect.poll(types).toEqual(['TOOL_CALL_RESULT']);
  await expect
    .poll(() =>
      panel.evaluate(async () => {
        const { chrome } = globalThis as unknown as { chrome: { storage: { local: { get: (key: null) => Promise<object> } } } };
        return JSON.stringify(await chrome.storage.local.get(null));
      }),
    )
    .toContain('owner:weather-scout');
});
