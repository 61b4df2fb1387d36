// @vitest-environment happy-dom
import { gzipSync } from 'node:zlib';
import { signal } from '@preact/signals';
import { expect, test } from 'vitest';
import type { CaptureRecord } from '../../capture/types.ts';
import { writeHeader, writeRecord } from '../../export/index.ts';
import { createPanel } from './panel.ts';
import { fakePlatform, now } from './testkit.ts';
import { importFiles, partsOf, type Source } from './transfer.ts';

const importFile = (panel: Parameters<typeof importFiles>[0], source: Source) => importFiles(panel, [source]);

const encode = (text: string) => new TextEncoder().encode(text);
const records: CaptureRecord[] = [
  { kind: 'request', conn: 0, carrier: 'fetch', document: null, request: { url: 'http://localhost/agent', method: 'POST', time: 1000 } },
  { kind: 'chunk', conn: 0, asked: 1000, came: 1001, bytes: encode('data: {"type":"RUN_STARTED","runId":"r","threadId":"t"}\n\n') },
  { kind: 'end', conn: 0, end: { time: 1002, how: 'complete' } },
];
const file = (name: string, content: string | Uint8Array): Source => {
  const bytes = typeof content === 'string' ? encode(content) : content;
  const start = (to: ReadableStreamDefaultController<Uint8Array>) => {
    to.enqueue(bytes);
    to.close();
  };
  return { name, size: bytes.length, stream: () => new ReadableStream({ start }) };
};
const good = writeHeader({ created: '2026-01-01T00:00:00Z', app: 'runlens 1' }) + records.map(writeRecord).join('');

function opened() {
  const fake = fakePlatform();
  return { fake, panel: createPanel(fake.platform, {}, signal<'light' | 'dark'>('light'), now) };
}

test('an imported capture is a session of its own, shown at once, with a way back', async () => {
  const { fake, panel } = opened();
  await importFile(panel, file('good.jsonl', good));
  const { sent } = fake;
  expect(sent.every(({ session, command }) => session.startsWith('file:') && command.name === 'import')).toBe(true);
  expect(sent.flatMap(({ command }) => (command.name === 'import' ? command.records : []))).toEqual(records);
  expect(sent.map(({ command }) => command.name === 'import' && command.last)).toEqual([true]);
  expect(panel.shown.value.file).toBe('good.jsonl');
  expect(panel.notice.value).toBeNull();
  panel.show(panel.live);
  expect(panel.shown.value).toBe(panel.live);
  expect(panel.files.value.map((session) => session.file)).toEqual(['good.jsonl']);
});

test('a foreign file is told with its line and why, and nothing is opened', async () => {
  const { fake, panel } = opened();
  await importFile(panel, file('notes.txt', 'These are my notes.\n'));
  expect(panel.notice.value?.tone).toBe('error');
  expect(panel.notice.value?.text).toMatch(/^notes\.txt could not be opened\. .*line 1/i);
  expect([fake.sent.length, panel.shown.value === panel.live]).toEqual([0, true]);
});

test('of a damaged capture what could be read is shown, and the line is told', async () => {
  const { fake, panel } = opened();
  await importFile(panel, file('torn.jsonl', good.replace('"kind":"chunk"', '"kind":"chunk')));
  expect(panel.notice.value?.text).toMatch(/^torn\.jsonl is damaged: Line 3 .* What could be read is shown\.$/);
  expect(fake.sent.flatMap(({ command }) => (command.name === 'import' ? command.records : []))).toEqual([records[0], records[2]]);
  expect(panel.shown.value.file).toBe('torn.jsonl');
});

test('a file that cannot be read says so', async () => {
  const { panel } = opened();
  await importFile(panel, {
    name: 'gone.jsonl',
    size: 1,
    stream: () => new ReadableStream({ start: (to) => to.error(new Error('The file was moved.')) }),
  });
  expect(panel.notice.value?.text).toBe('gone.jsonl could not be opened. The file was moved.');
});

test('many records go in parts, and exactly the last is the last', () => {
  const big: CaptureRecord[] = Array.from({ length: 10_000 }, (_, i) => ({ kind: 'chunk', conn: 0, asked: i, came: i, bytes: new Uint8Array(500) }));
  const parts = [...partsOf(big)];
  expect(parts.length).toBeGreaterThan(3);
  expect(parts.flatMap((part) => part.records)).toEqual(big);
  expect(parts.map((part) => part.last)).toEqual(parts.map((_, i) => i === parts.length - 1));
  expect([...partsOf([])]).toEqual([{ records: [], last: true }]);
});

test('several files become several sessions beside the live one; closing one shows the one before', async () => {
  const { panel } = opened();
  await importFiles(panel, [file('a.jsonl', good), file('notes.txt', 'These are my notes.\n'), file('b.jsonl', good)]);
  expect(panel.files.value.map((session) => session.file)).toEqual(['a.jsonl', 'b.jsonl']);
  expect(panel.shown.value.file).toBe('a.jsonl');
  expect(panel.notice.value?.text).toMatch(/^notes\.txt could not be opened\./);
  panel.show(panel.files.value[1]!);
  panel.closeFile(panel.files.value[1]!);
  expect(panel.shown.value.file).toBe('a.jsonl');
  panel.closeFile(panel.files.value[0]!);
  expect([panel.shown.value === panel.live, panel.files.value]).toEqual([true, []]);
});

test('a file compressed with gzip is read as what is in it; cut off, what was unpacked is shown and the rest told', async () => {
  const { fake, panel } = opened();
  const packed = new Uint8Array(gzipSync(good));
  const sent = () => fake.sent.flatMap(({ command }) => (command.name === 'import' ? command.records : []));
  await importFile(panel, file('good.jsonl.gz', packed));
  expect(sent()).toEqual(records);
  expect(panel.notice.value).toBeNull();
  await importFile(panel, file('cut.jsonl.gz', packed.slice(0, -12)));
  expect(panel.notice.value?.text).toMatch(/^cut\.jsonl\.gz .*The gzip data is damaged or cut off here; what it gave before is read\./);
});

test('a redacted capture says so', async () => {
  const { panel } = opened();
  const redacted = { groups: ['text' as const], rules: ['run-history-restreamed'] };
  await importFile(panel, file('r.jsonl', writeHeader({ created: '', app: '', redacted }) + records.map(writeRecord).join('')));
  expect(panel.shown.value.redacted.value).toEqual(redacted);
});
