/** Verdicts as their reader meets them: a finding with its cause and its events, the filters, the threshold, and a run's two axes in words. */
import { writeFileSync } from 'node:fs';
import type { CaptureRecord } from '../src/capture/types.ts';
import { writeHeader, writeRecord } from '../src/export/index.ts';
import { expect, play, test } from './fixtures.ts';
import { importFrom, root, showTab, summaryOf } from './panel.ts';

const OPEN = { type: 'RUN_STARTED', threadId: 't', runId: 'r' };
const STEP = { type: 'STEP_STARTED', stepName: 'search' };
const DONE = { type: 'STEP_FINISHED', stepName: 'search' };
const finished = (outcome: object) => ({ type: 'RUN_FINISHED', threadId: 't', runId: 'r', outcome });
const FAILED = { type: 'RUN_ERROR', message: 'No model.' };
const SUCCESS = finished({ type: 'success' });

/** A stream whose second event of the step is a violation at event #3, then what its producer says, and the line that the panel shows of both. */
const COMBINATIONS: readonly { readonly events: readonly object[]; readonly line: string; readonly isOpen?: boolean }[] = [
  { events: [], isOpen: true, line: 'still receiving; a conforming client stopped at #3' },
  { events: [DONE, SUCCESS], line: 'at #6; the producer then reported success' },
  { events: [DONE, finished({ type: 'interrupt', interrupts: [{ id: 'i', reason: 'x:ask' }] })], line: 'at #11; interrupts delivered, not safe to answer' },
  { events: [DONE, finished({ type: 'cancelled' })], line: 'at #16; the producer reported a stop' },
  { events: [FAILED], line: 'at #21; the producer also reported failure at #22: two separate facts' },
  { events: [DONE, SUCCESS, FAILED], line: 'at #25; finished, then reported failure at #28' },
  { events: [], line: 'at #31; then cut' },
  {
    events: [
      { ...OPEN, runId: 'next' },
      { ...SUCCESS, runId: 'next' },
    ],
    line: 'at #34; replaced by run next at #35',
  },
];

/** A capture file with one stream a combination, some ms apart. */
function capture(): string {
  const records: CaptureRecord[] = [];
  COMBINATIONS.forEach(({ events, isOpen }, conn) => {
    const time = 1_700_000_000_000 + conn * 1000;
    const text = [OPEN, STEP, STEP, ...events].map((event) => `data: ${JSON.stringify(event)}\n\n`).join('');
    records.push(
      { kind: 'request', conn, carrier: 'file', document: null, request: { url: 'http://localhost/agent', method: 'POST', time } },
      { kind: 'response', conn, response: { time: time + 1, status: 200, contentType: 'text/event-stream' } },
      { kind: 'chunk', conn, asked: time + 1, came: time + 2, bytes: new TextEncoder().encode(text) },
    );
    if (!isOpen) records.push({ kind: 'end', conn, end: { time: time + 3, how: 'complete' } });
  });
  return writeHeader({ created: new Date(0).toISOString(), app: 'spec' }) + records.map(writeRecord).join('');
}

test("a rejected run's line states verdict and ending, whichever the ending", async ({ panel, stage }, info) => {
  const path = info.outputPath('combinations.jsonl');
  writeFileSync(path, capture());
  await importFrom(stage.tools, path);
  await expect(root(panel)).toHaveAttribute('data-events', '36');
  await showTab(panel, 'Runs');
  const rejected = panel.locator('[data-testid="run-row"][data-status="rejected-by-violation"]');
  await expect(rejected).toHaveCount(COMBINATIONS.length);
  await expect(rejected).toContainText(COMBINATIONS.map(({ line }) => line));
  const after = panel.locator('[data-testid="run-row"][data-run-id="next"]');
  await expect(after).toHaveAttribute('data-status', 'succeeded');
  await expect(after).toContainText('a conforming client never got here');
  await rejected.nth(4).click();
  await expect(panel.getByTestId('detail')).toContainText('Rejected: at #21; the producer also reported failure at #22: two separate facts');
  await panel.getByRole('button', { name: 'Close combinations.jsonl' }).click();
});

test('a finding tells cause, fix and rule, and leads to its event and to each related one', async ({ app, panel, stage }) => {
  await play(app, 'step-already-open');
  await expect.poll(async () => (await summaryOf(panel)).findings).toHaveLength(1);
  await showTab(panel, 'Findings');
  await panel.getByTestId('finding-row').click();
  const detail = panel.getByTestId('detail');
  for (const term of ['Cause', 'Fix', 'Verdict', 'Ending', 'Client', 'Rule']) await expect(detail.locator('dt', { hasText: term }).first()).toBeVisible();
  await expect(detail.getByRole('link')).toHaveAttribute('href', /^https:\/\//);
  const events = detail.locator('.event-line');
  await expect(events).toHaveCount(2);
  for (const place of [0, 1]) {
    await expect(events.nth(place)).toContainText('STEP_STARTED');
    const number = (await events.nth(place).locator('.num').textContent())!.slice(1);
    await events.nth(place).click();
    await showTab(panel, 'Events');
    await expect(panel.locator('[data-testid="event-row"][aria-selected="true"]')).toHaveAttribute('data-row', String(Number(number) - 1));
    // back to the finding by the key that goes to it from anywhere
    await stage.tools.devtools.keyboard.press('n');
    await expect(detail).toHaveAttribute('data-kind', 'finding');
  }
});

test('findings are filtered by rule and severity, and walked through in order', async ({ app, panel }) => {
  for (const id of ['step-already-open', 'step-not-open', 'cut']) await play(app, id);
  await expect.poll(async () => (await summaryOf(panel)).findings).toHaveLength(3);
  const all = (await summaryOf(panel)).findings.map(({ rule }) => rule);
  await showTab(panel, 'Findings');
  const rows = panel.getByTestId('finding-row');
  await panel.getByLabel('Rule').selectOption('step-not-open');
  await expect(rows).toHaveCount(1);
  await expect(rows).toHaveAttribute('data-rule', 'step-not-open');
  await panel.getByLabel('Rule').selectOption('');
  await panel.getByRole('button', { name: 'Deviations', exact: true }).click();
  await expect(rows).toHaveCount(2);
  await panel.getByRole('button', { name: 'Deviations', exact: true }).click();
  await rows.first().click();
  for (const rule of [...all.slice(1), all[0]!]) {
    await panel.getByTestId('detail').getByRole('button', { name: 'Next finding' }).click();
    await expect(panel.getByTestId('detail')).toContainText(rule);
  }
  await panel.getByTestId('detail').getByRole('button', { name: 'Previous finding' }).click();
  await expect(panel.getByTestId('detail')).toContainText(all.at(-1)!);
});

test('the severity threshold and a rule that is off are kept over a reload of the panel', async ({ app, panel, stage, lens }) => {
  for (const id of ['step-already-open', 'cut']) await play(app, id);
  await expect.poll(async () => (await summaryOf(panel)).findings).toHaveLength(2);
  const settings = () => panel.getByRole('button', { name: 'Settings' }).click();
  const close = () => panel.getByRole('dialog').getByRole('button', { name: 'Close' }).click();
  await settings();
  await panel.getByRole('radio', { name: 'violations only' }).check();
  await close();
  await showTab(panel, 'Findings');
  const rows = panel.getByTestId('finding-row');
  await expect(rows).toHaveCount(1);
  await expect(panel.getByRole('button', { name: '1 finding below the threshold' })).toBeVisible();
  await settings();
  await panel.getByRole('checkbox', { name: /^step-already-open/ }).uncheck();
  await close();
  await expect(rows).toHaveCount(0);
  interface Stored {
    readonly panel: { readonly least: string; readonly rules: object };
    readonly rules: object;
  }
  interface Chrome {
    readonly storage: { readonly local: { get: (keys: null) => Promise<Stored> } };
  }
  /** What the panel keeps, and what the worker judges by. */
  const stored = () =>
    lens.worker.evaluate(async () => {
      const { panel: own, rules: ofWorker } = await (globalThis as unknown as { chrome: Chrome }).chrome.storage.local.get(null);
      return { least: own.least, ofPanel: own.rules, ofWorker };
    });
  const off = { 'step-already-open': false };
  await expect.poll(stored).toEqual({ least: 'violation', ofPanel: off, ofWorker: off });
  await panel.evaluate(() => location.reload());
  const again = stage.tools.frame;
  await expect(root(again)).toHaveAttribute('data-state', 'connected');
  await showTab(again, 'Findings');
  await expect(again.getByRole('button', { name: '1 finding below the threshold' })).toBeVisible();
  await again.getByRole('button', { name: 'Settings' }).click();
  await expect(again.getByRole('radio', { name: 'violations only' })).toBeChecked();
  await again.getByRole('radio', { name: /^all/ }).check();
  await again.getByRole('checkbox', { name: /^step-already-open/ }).check();
  await again.getByRole('dialog').getByRole('button', { name: 'Close' }).click();
  await expect(again.getByTestId('finding-row')).toHaveCount(2);
  await expect.poll(stored).toEqual({ least: 'advice', ofPanel: {}, ofWorker: {} });
});
