/** Reads the panel as its user does: by roles, and by the test ids that the panel promises. */
import type { Frame, Locator, Page } from '@playwright/test';
import { createReader, endReader, readText } from '../src/export/index.ts';

export interface Summary {
  readonly runs: readonly { readonly runId: string | null; readonly status: string }[];
  readonly findings: readonly { readonly rule: string; readonly at: number }[];
}

export type TabName = 'Events' | 'Runs' | 'Findings' | 'Messages' | 'State' | 'Request' | 'Raw';

/** The panel's root; `data-state` says whether it is connected, `data-events` how many rows there are. */
export const root = (frame: Frame): Locator => frame.getByTestId('runlens');

/** How many events the panel knows. */
export async function eventCount(frame: Frame): Promise<number> {
  return Number(await root(frame).getAttribute('data-events'));
}

/** Brings a tab of the lower half to the front. Gives false where the panel is empty and has no tabs yet. */
export async function showTab(frame: Frame, name: TabName): Promise<boolean> {
  const tab = frame.getByRole('tab', { name: new RegExp(`^${name}\\b`) });
  if ((await tab.count()) === 0) return false;
  if ((await tab.getAttribute('aria-selected')) !== 'true') await tab.click();
  return true;
}

function attributes(rows: Locator, names: readonly string[]): Promise<(string | null)[][]> {
  return rows.evaluateAll((found, wanted) => found.map((row) => wanted.map((name) => row.getAttribute(name))), names);
}

/** Runs in the order of the table. */
export async function runsOf(frame: Frame): Promise<Summary['runs']> {
  if (!(await showTab(frame, 'Runs'))) return [];
  const rows = await attributes(frame.getByTestId('run-row'), ['data-run-id', 'data-status']);
  return rows.map(([runId, status]) => ({ runId: runId || null, status: status ?? '' }));
}

/** Findings in the order of the list. */
export async function findingsOf(frame: Frame): Promise<Summary['findings']> {
  if (!(await showTab(frame, 'Findings'))) return [];
  const rows = await attributes(frame.getByTestId('finding-row'), ['data-rule', 'data-at']);
  return rows.map(([rule, at]) => ({ rule: rule ?? '', at: Number(at) }));
}

/** Runs and findings of a long session: the tables hold only the rows in view, so they are scrolled through from their tops. */
export async function wholeSummaryOf(frame: Frame): Promise<Summary> {
  const runs = (await showTab(frame, 'Runs')) ? await scrolledThrough(frame, 'Runs', 'run-row') : [];
  const findings = (await showTab(frame, 'Findings')) ? await scrolledThrough(frame, 'Findings', 'finding-row') : [];
  return {
    runs: runs.map(({ runId, status }) => ({ runId: runId || null, status: status ?? '' })),
    findings: findings.map(({ rule, at }) => ({ rule: rule ?? '', at: Number(at) })),
  };
}

/** The data attributes of each row of a table, in order. */
function scrolledThrough(frame: Frame, name: string, testId: string): Promise<DOMStringMap[]> {
  return frame.getByRole('grid', { name, exact: true }).evaluate(async (grid, id) => {
    const found: DOMStringMap[] = [];
    for (grid.scrollTop = 0; ; grid.scrollTop += grid.clientHeight / 2) {
      await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
      for (const row of grid.querySelectorAll<HTMLElement>(`[data-testid="${id}"]`)) found[Number(row.getAttribute('aria-rowindex')) - 2] = { ...row.dataset };
      if (grid.scrollTop + grid.clientHeight >= grid.scrollHeight - 1) return found;
    }
  }, testId);
}

export async function summaryOf(frame: Frame): Promise<Summary> {
  return { runs: await runsOf(frame), findings: await findingsOf(frame) };
}

/**
 * How many lanes of each kind lie under the first run: walks down the timeline's tree with the arrow key, which goes from lane to
 * lane, and counts by the words that each stop begins with.
 */
export async function lanesOf({ devtools, frame }: { devtools: Page; frame: Frame }, kinds: readonly string[]): Promise<Record<string, number>> {
  const tree = frame.getByRole('tree');
  const current = () => tree.evaluate((element) => document.getElementById(element.getAttribute('aria-activedescendant') ?? '')?.textContent ?? '');
  const lanes = Object.fromEntries(kinds.map((kind) => [kind, 0]));
  await tree.focus();
  for (let before = ''; before !== (await current()); await devtools.keyboard.press('ArrowDown')) {
    before = await current();
    const kind = kinds.find((word) => before.startsWith(`${word} `));
    if (kind) lanes[kind] = lanes[kind]! + 1;
  }
  return lanes;
}

/** Presses Clear and waits until nothing is left. */
export async function clear(frame: Frame): Promise<void> {
  await frame.getByRole('button', { name: 'Clear' }).click();
  await frame.locator('[data-testid="runlens"][data-events="0"]').waitFor({ state: 'attached' });
}

/** Opens the export sheet, says there what is to leave, and keeps the file. */
export async function exportTo({ devtools, frame }: { devtools: Page; frame: Frame }, path: string, choose = async () => {}): Promise<void> {
  await frame.getByRole('button', { name: 'Export', exact: true }).click();
  await choose();
  const [download] = await Promise.all([devtools.waitForEvent('download'), frame.getByTestId('export-file').click()]);
  await download.saveAs(path);
}

/** Gives Import that file, or those. */
export async function importFrom({ frame }: { frame: Frame }, path: string | string[]): Promise<void> {
  await frame.getByTestId('import-file').setInputFiles(path);
}

/** The bytes of every chunk in a capture file, in order. */
export function chunksOf(file: string): Buffer[] {
  const reader = createReader();
  const records = [...readText(reader, file), ...endReader(reader)];
  if (reader.problems.list.length > 0) throw new Error(reader.problems.list[0]!.message);
  return records.flatMap((record) => (record.kind === 'chunk' ? [Buffer.from(record.bytes)] : []));
}
