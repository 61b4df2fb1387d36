/** Captures that travel: out of the panel in every form, redacted or not, and back in, also where no page is connected. */
import { readFileSync, writeFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import type { Frame, Page } from '@playwright/test';
import { expectNoViolations } from './axe.ts';
import { PANEL_PATH } from './browser.ts';
import { expect, play, test } from './fixtures.ts';
import { eventCount, exportTo, importFrom, root, type Summary, showTab, summaryOf } from './panel.ts';

/** The panel in a tab of its own, with no page and no DevTools. */
async function plainTab(page: Page, extensionId: string): Promise<{ devtools: Page; frame: Frame }> {
  await page.goto(`chrome-extension://${extensionId}/${PANEL_PATH}`);
  await expect(root(page.mainFrame())).toHaveAttribute('data-state', 'connected');
  return { devtools: page, frame: page.mainFrame() };
}

/** What the panel shows once so many runs have ended. */
async function settled(panel: Frame, runs: number): Promise<Summary> {
  await expect.poll(async () => (await summaryOf(panel)).runs.filter(({ status }) => status !== 'active').length).toBe(runs);
  return summaryOf(panel);
}

const choose = (frame: Frame, name: string | RegExp) => async () => frame.getByRole('dialog').getByRole('radio', { name }).check();

test('a compressed capture comes back the same in a plain tab, beside another file', async ({ app, panel, stage, lens }, info) => {
  for (const id of ['good', 'step-already-open', 'cut', 'foreign']) await play(app, id);
  const summary = await settled(panel, 3);
  const events = await eventCount(panel);
  const path = info.outputPath('all.jsonl.gz');
  await exportTo(stage.tools, path, async () => panel.getByRole('checkbox', { name: 'Compress' }).check());
  expect(gunzipSync(readFileSync(path)).toString()).toMatch(/^\{"runlens":1,/);

  const one = info.outputPath('one.events.jsonl');
  writeFileSync(one, '{"type":"RUN_STARTED","threadId":"t","runId":"alone","_timestamp":1}\n{"type":"RUN_FINISHED","threadId":"t","runId":"alone"}\n');
  const page = await lens.context.newPage();
  const tab = await plainTab(page, lens.extensionId);
  await expect(tab.frame.getByRole('heading', { name: 'Open a capture' })).toBeVisible();
  await importFrom(tab, [path, one]);
  const sessions = tab.frame.getByTestId('sessions');
  await expect(sessions.locator('option')).toHaveText(['Start', 'all.jsonl.gz', 'one.events.jsonl']);
  await expect(root(tab.frame)).toHaveAttribute('data-events', String(events));
  await expect.poll(() => summaryOf(tab.frame)).toEqual(summary);
  await sessions.selectOption('one.events.jsonl');
  await expect.poll(() => summaryOf(tab.frame)).toEqual({ runs: [{ runId: 'alone', status: 'succeeded' }], findings: [] });
  await tab.frame.getByRole('button', { name: 'Close one.events.jsonl' }).click();
  await expect.poll(() => summaryOf(tab.frame)).toEqual(summary);
  await page.close();
});

test('one run leaves as its events, its body, a fixture and a report', async ({ app, panel, stage }, info) => {
  await play(app, 'good');
  const { runId } = await play(app, 'step-already-open');
  await settled(panel, 2);
  const { tools } = stage;
  const saved = async (form: string): Promise<string> => {
    const path = info.outputPath(form);
    await exportTo(tools, path, async () => {
      const dialog = panel.getByRole('dialog');
      await dialog.getByRole('combobox', { name: 'Run' }).selectOption(runId);
      await dialog.getByRole('radio', { name: new RegExp(`^${form}`) }).check();
      await expect(dialog.getByTestId('preview')).toHaveAttribute('data-whole', 'true');
    });
    return readFileSync(path, 'utf8');
  };
  const events = (await saved('Events')).trim().split('\n');
  const types = events.map((line) => JSON.parse(line).type);
  expect([types[0], types.at(-1)]).toEqual(['RUN_STARTED', 'RUN_FINISHED']);
  expect(types.filter((type) => type === 'RUN_STARTED')).toHaveLength(1);
  const body = await saved('Raw body');
  expect(body).toContain(`data: ${events[0]}\n`);
  const fixture = await saved('Test fixture');
  expect(fixture).toContain('type: EventType.RUN_STARTED');
  expect(fixture.match(/type: EventType\./g)).toHaveLength(events.length);
  const report = await saved('Report');
  expect(report).toContain('`step-already-open`');
  expect(report).toContain('rejected by a violation');
});

test('the preview is what leaves; redacted nothing of the text does, and runs and findings come back the same', async ({ app, panel, stage }, info) => {
  await play(app, 'good');
  await play(app, 'step-already-open');
  const summary = await settled(panel, 2);
  await showTab(panel, 'Events');
  const plain = info.outputPath('plain.jsonl');
  await exportTo(stage.tools, plain);
  const words = deltasOf(readFileSync(plain, 'utf8'));
  expect(words.length).toBeGreaterThan(2);

  const path = info.outputPath('redacted.jsonl');
  let preview = '';
  await exportTo(stage.tools, path, async () => {
    await choose(panel, /stand-ins/)();
    const shown = panel.getByTestId('preview');
    await expect(shown).toContainText('"redacted":{"groups":["text"');
    while ((await shown.getAttribute('data-whole')) !== 'true') await panel.getByRole('button', { name: 'More' }).click();
    preview = (await shown.textContent()) ?? '';
  });
  const file = readFileSync(path, 'utf8');
  const records = (text: string) => text.trim().split('\n').slice(1);
  expect(records(preview)).toEqual(records(file));
  for (const word of words) expect(file).not.toContain(word);

  await importFrom(stage.tools, path);
  await expect(panel.getByTestId('redacted')).toBeVisible();
  await expect.poll(() => summaryOf(panel)).toEqual(summary);
  await panel.getByTestId('sessions').selectOption({ index: 0 });
  await expect(panel.getByTestId('redacted')).toHaveCount(0);
  await panel.getByTestId('sessions').selectOption({ index: 1 });
  await panel.getByRole('button', { name: 'Close redacted.jsonl' }).click();
  await expect(panel.getByTestId('sessions')).toHaveCount(0);
});

/** Longer words of the streamed texts, as they would stand in a file. */
function deltasOf(file: string): string[] {
  const words = [...file.matchAll(/\\"delta\\":\\"((?:[^"\\]|\\\\.)*)\\"/g)].flatMap(([, text]) => text!.match(/[A-Za-z]{7,}/g) ?? []);
  // ids and names stay, and may be made of the same words
  const names = [...file.matchAll(/\\"\w*(?:[nN]ame|Id|type)\\":\\"([^"]*)\\"/g)].map(([, name]) => name!.toLowerCase()).join(' ');
  return [...new Set(words)].filter((word) => !names.includes(word.toLowerCase()));
}

test('the export sheet by keyboard alone, and under axe', async ({ app, panel, stage }) => {
  await play(app, 'step-already-open');
  const { keyboard } = stage.tools.devtools;
  const button = panel.getByRole('button', { name: 'Export', exact: true });
  await button.focus();
  await keyboard.press('Enter');
  const dialog = panel.getByRole('dialog');
  await expect(dialog).toBeVisible();
  await dialog.getByRole('radio', { name: /^Runlens capture/ }).focus();
  await keyboard.press('ArrowDown');
  await expect(dialog.getByRole('radio', { name: /^Events/ })).toBeChecked();
  await expect(dialog.getByTestId('preview')).toContainText(/^\{"type":"RUN_STARTED"/);
  await expectNoViolations(panel, 'export');
  await keyboard.press('Escape');
  await expect(dialog).toHaveCount(0);
  await expect(button).toBeFocused();
});

test('broken and foreign files give a sentence each, and the panel stays', async ({ app, panel, stage }, info) => {
  await play(app, 'good');
  await settled(panel, 1);
  const path = info.outputPath('good.jsonl');
  await exportTo(stage.tools, path);
  const good = readFileSync(path);
  const flipped = Buffer.from(good);
  // a bit of every fifth line's first brace: what is flipped inside a text leaves JSON that reads well
  const starts = [...flipped.keys()].filter((at) => at > 0 && flipped[at - 1] === 10);
  for (const at of starts.filter((_, line) => line % 5 === 2)) flipped[at] = flipped[at]! ^ 4;
  const files: readonly (readonly [string, Buffer, RegExp])[] = [
    ['cut.jsonl', good.subarray(0, good.length - 30), /^cut\.jsonl is damaged: Line \d+, the last one, is cut off or damaged/],
    ['flipped.jsonl', flipped, /^flipped\.jsonl is damaged: Line \d+ /],
    ['mixed.jsonl', Buffer.concat([good, Buffer.from('<html>\n'), good]), /^mixed\.jsonl is damaged: Line \d+ is not JSON and was left out\./],
    ['a.zip', Buffer.from('PK\u0003\u0004\u0014\u0000rest'), /^a\.zip could not be opened\. The file is a zip archive; unpack it first\./],
    ['a.png', Buffer.from([0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10, 0, 0, 0, 13]), /^a\.png could not be opened\. The file is neither/],
    ['zeros.bin', Buffer.alloc(5000), /^zeros\.bin could not be opened\. There is no event in the file/],
    ['empty.jsonl', Buffer.alloc(0), /^empty\.jsonl could not be opened\. The file is empty\./],
    ['damaged.gz', Buffer.from([0x1f, 0x8b, 8, 0, 1, 2, 3, 4, 5, 6, 7, 8]), /^damaged\.gz could not be opened\. The gzip data is damaged/],
  ];
  for (const [name, content, sentence] of files) {
    const file = info.outputPath(name);
    writeFileSync(file, content);
    await importFrom(stage.tools, file);
    await expect(panel.getByTestId('notice').locator('.said')).toHaveText(sentence);
    await expect(panel.getByRole('banner')).toBeVisible();
    await expect(panel.locator('.broken')).toHaveCount(0);
    const close = panel.getByRole('button', { name: `Close ${name}` });
    if (await close.count()) await close.click();
    await panel.getByTestId('notice').getByRole('button', { name: 'Close notice' }).click();
  }
});
