/** Files that are dropped on the panel, and exports so large that they are written to the extension's private file system. */
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import type { Frame } from '@playwright/test';
import { bigCapture } from './captures.ts';
import { expect, test } from './fixtures.ts';
import { chunksOf, eventCount, exportTo, importFrom, root, summaryOf } from './panel.ts';

/** Drags files over the panel and lets them fall there, as the browser does it. */
async function drop(panel: Frame, files: readonly { readonly name: string; readonly text: string }[]): Promise<void> {
  const data = await panel.evaluateHandle((list) => {
    const transfer = new DataTransfer();
    for (const { name, text } of list) transfer.items.add(new File([text], name));
    return transfer;
  }, files);
  await root(panel).dispatchEvent('dragover', { dataTransfer: data });
  await expect(root(panel)).toHaveClass(/\bdrop\b/);
  await root(panel).dispatchEvent('drop', { dataTransfer: data });
  await expect(root(panel)).not.toHaveClass(/\bdrop\b/);
}

/** Sizes of the export files in the extension's private file system, oldest first. */
const onDisk = (panel: Frame): Promise<number[]> =>
  panel.evaluate(async () => {
    const folder = await (await navigator.storage.getDirectory()).getDirectoryHandle('exports', { create: true });
    const found: { name: string; size: number }[] = [];
    const entries = (folder as unknown as { entries: () => AsyncIterable<[string, FileSystemFileHandle]> }).entries();
    for await (const [name, handle] of entries) found.push({ name, size: (await handle.getFile()).size });
    return found.toSorted((a, b) => Number.parseInt(a.name, 10) - Number.parseInt(b.name, 10)).map(({ size }) => size);
  });

const runOf = (runId: string) => `{"type":"RUN_STARTED","threadId":"t","runId":"${runId}"}\n{"type":"RUN_FINISHED","threadId":"t","runId":"${runId}"}\n`;

test('a file that is dropped opens; several do side by side', async ({ panel }) => {
  await drop(panel, [{ name: 'one.jsonl', text: runOf('first') }]);
  await expect.poll(() => summaryOf(panel)).toEqual({ runs: [{ runId: 'first', status: 'succeeded' }], findings: [] });
  await drop(panel, [
    { name: 'two.jsonl', text: runOf('second') },
    { name: 'three.jsonl', text: runOf('third') },
  ]);
  const sessions = panel.getByTestId('sessions');
  await expect(sessions.locator('option')).toHaveText([/./, 'one.jsonl', 'two.jsonl', 'three.jsonl']);
  for (const [name, runId] of [
    ['three.jsonl', 'third'],
    ['two.jsonl', 'second'],
    ['one.jsonl', 'first'],
  ] as const) {
    await sessions.selectOption(name);
    await expect.poll(async () => (await summaryOf(panel)).runs).toEqual([{ runId, status: 'succeeded' }]);
    await panel.getByRole('button', { name: `Close ${name}` }).click();
  }
  await expect(sessions).toHaveCount(0);
});

test('a large export is written to disk with the bytes that came; a stopped one leaves nothing', async ({ panel, stage }, info) => {
  const file = info.outputPath('big.jsonl');
  writeFileSync(file, bigCapture(100, 'heliotrope'));
  await importFrom(stage.tools, file);
  await expect.poll(() => eventCount(panel), { timeout: 120_000 }).toBe(100_000);
  const before = await onDisk(panel);

  const out = info.outputPath('out.jsonl');
  await exportTo(stage.tools, out);
  expect(statSync(out).size).toBeGreaterThan(8 * 1024 * 1024);
  const written = await onDisk(panel);
  expect(written.slice(before.length)).toEqual([statSync(out).size]);
  const bytes = (path: string) => Buffer.concat(chunksOf(readFileSync(path, 'utf8')));
  expect(bytes(out).equals(bytes(file))).toBe(true);

  // the disk holds its breath, so that the export is still running when it is stopped, on whatever machine
  await panel.evaluate(() => {
    const { write } = FileSystemWritableFileStream.prototype;
    const held = new Promise<void>((resolve) => Object.assign(globalThis, { breathe: resolve }));
    FileSystemWritableFileStream.prototype.write = async function (data) {
      await held;
      FileSystemWritableFileStream.prototype.write = write;
      return write.call(this, data);
    };
  });
  await panel.getByRole('button', { name: 'Export', exact: true }).click();
  await panel.getByTestId('export-file').click();
  const progress = panel.getByRole('progressbar', { name: /^Writing runlens-/ });
  await expect(progress).toBeVisible();
  await expect.poll(() => progress.getAttribute('value').then(Number)).toBeGreaterThan(0);
  // the browser keeps what is not closed in a second file beside it
  await expect.poll(async () => (await onDisk(panel)).length, 'the file has begun').toBeGreaterThan(written.length);
  await panel.getByRole('button', { name: 'Stop' }).click();
  await panel.evaluate(() => (globalThis as unknown as { breathe: () => void }).breathe());
  await expect(panel.getByTestId('notice').locator('.said')).toHaveText('The export was stopped; nothing was written.');
  await expect(progress).toHaveCount(0);
  expect(await onDisk(panel)).toEqual(written);
  await panel.getByTestId('notice').getByRole('button', { name: 'Close notice' }).click();
  await panel.getByRole('button', { name: 'Close big.jsonl' }).click();
  await expect.poll(() => eventCount(panel)).toBe(0);
});
