/**
 * The panel over a made-up capture, without the extension: what the worker would say is folded and cut into messages beforehand, so
 * that only the panel's own work is measured. `panel.html?events=100000`; `bench.start()` opens the panel, as often as it is called.
 */
import { signal } from '@preact/signals';
import { render } from 'preact';
import { fakeWorker } from '../../e2e/gallery/panel-link.ts';
import { sliceChanges } from '../../src/background/slices.ts';
import type { CaptureRecord } from '../../src/capture/types.ts';
import { App } from '../../src/panel/app.tsx';
import { createPanel, type Panel, PanelContext } from '../../src/panel/state/panel.ts';
import { followTheme } from '../../src/panel/state/theme.ts';
import { addRecord, createSession, everything } from '../../src/session/index.ts';
import type { ToPanel } from '../../src/wire/worker-to-panel.ts';
import { panelRecords } from '../streams.ts';

const query = new URLSearchParams(location.search);
const records = panelRecords(300, Number(query.get('events') ?? 100_000));
const NOW = records.reduce((last, record) => (record.kind === 'end' ? Math.max(last, record.end.time) : last), 0);
Date.now = () => NOW;

/** Chunks of each connection with where they begin, for reads in logarithmic time. */
const chunks = new Map<number, { readonly starts: number[]; readonly bytes: Uint8Array[] }>();
function index(record: CaptureRecord): void {
  if (record.kind !== 'chunk') return;
  const of = chunks.get(record.conn) ?? { starts: [], bytes: [] };
  chunks.set(record.conn, of);
  const last = of.bytes.length - 1;
  of.starts.push(last < 0 ? 0 : of.starts[last]! + of.bytes[last]!.length);
  of.bytes.push(record.bytes);
}

async function readBytes(_: string, conn: number, offset: number, length: number): Promise<Uint8Array | null> {
  const of = chunks.get(conn);
  if (!of) return null;
  let [low, high] = [0, of.starts.length - 1];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (of.starts[middle]! <= offset) low = middle;
    else high = middle - 1;
  }
  const out = new Uint8Array(length);
  for (let i = low, at = 0; i < of.bytes.length && at < length; i++) {
    const part = of.bytes[i]!.subarray(Math.max(0, offset + at - of.starts[i]!)).subarray(0, length - at);
    out.set(part, at);
    at += part.length;
  }
  return out;
}

const session = createSession({});
for (const record of records) {
  addRecord(session, record);
  index(record);
}
const messages: ToPanel[] = [...sliceChanges(everything(session))].map(({ changes }) => structuredClone({ kind: 'update', changes, now: NOW }));

const worker = fakeWorker({ theme: 'light', now: NOW, locale: 'en' });
const platform = {
  ...worker.platform,
  readBytes,
  connect: (id: string) => {
    const link = worker.platform.connect(id);
    const listeners: ((message: ToPanel) => void)[] = [];
    // a port hands over each message in a task of its own
    link.onMessage((message) => {
      if (message.kind !== 'reset') return;
      for (const one of [message, ...messages]) setTimeout(() => listeners.forEach((listener) => void listener(one)));
    });
    return { ...link, connected: signal(true), onMessage: (listener: (message: ToPanel) => void) => void listeners.push(listener) };
  },
};

const frame = () => new Promise<number>((done) => requestAnimationFrame(done));
const root = document.querySelector('#panel')!;
let panel: Panel | null = null;

/** Opens the panel anew. Answers the ms until its first rows and its timeline were painted. */
async function start(): Promise<number> {
  render(null, root);
  const began = performance.now();
  panel = createPanel(platform, { tab: 'Events' }, followTheme(platform.panels, document.documentElement));
  render(
    <PanelContext.Provider value={panel}>
      <App />
    </PanelContext.Provider>,
    root,
  );
  while (!document.querySelector('[data-testid="event-row"]')) await frame();
  await frame();
  return performance.now() - began;
}

Object.assign(globalThis, {
  bench: {
    start,
    rows: session.rows.count,
    panel: () => panel,
    spans: messages.reduce((sum, one) => sum + (one.kind === 'update' ? one.changes.spans.length : 0), 0),
  },
});
