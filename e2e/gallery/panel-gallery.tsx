/**
 * The whole panel over made-up captures, outside the extension: `panel.html?scene=travel&theme=dark&tab=Runs&select=finding`.
 * Scenes: travel (eleven runs, every status), empty, foreign, origin, many (300 runs, 100,000 events), broken (lost data, navigation, bad frames).
 * `select`: finding, run, failed, span, row, patch, connection, compare, pair. `live=1` lets the travel capture arrive bit by bit.
 */
import { render } from 'preact';
import type { CaptureRecord } from '../../src/capture/types.ts';
import { App } from '../../src/panel/app.tsx';
import { createPanel, type Panel, PanelContext } from '../../src/panel/state/panel.ts';
import { followTheme } from '../../src/panel/state/theme.ts';
import type { SessionFacts } from '../../src/wire/worker-to-panel.ts';
import { fakeWorker } from './panel-link.ts';
import { many } from './panel-many.ts';
import { EPOCH } from './panel-scenes.ts';
import { strangers, travel } from './panel-travel.ts';

const query = new URLSearchParams(location.search);
const scene = query.get('scene') ?? 'travel';
const NOW = EPOCH + 99_600;

function withTrouble(records: CaptureRecord[]): CaptureRecord[] {
  const out: CaptureRecord[] = [];
  let n = 0;
  for (const record of records) {
    if (record.kind === 'chunk' && record.conn === 3 && ++n === 30) {
      out.push({
        kind: 'chunk',
        conn: 3,
        asked: record.came,
        came: record.came,
        bytes: new TextEncoder().encode('data: {"type":"HEARTBEAT","n":1}\n\ndata: {broken\n\n'),
      });
    }
    if (record.kind === 'chunk' && record.conn === 3 && n === 60)
      out.push({ kind: 'gap', conn: 3, gap: { time: record.came, bytes: 4096, chunks: 12, why: 'the relay’s backlog was full' } });
    out.push(record);
  }
  return out;
}

const FACTS: Readonly<Record<string, Partial<SessionFacts>>> = {
  origin: { origin: 'https://app.example.com', captured: false },
  broken: {
    preserve: true,
    dropped: [{ what: 'events past the limit of one tab', count: 1204 }],
    navigations: [{ time: EPOCH + 45_000, url: 'http://localhost:5173/trips/42', row: 60 }],
  },
};

const RECORDS: Readonly<Record<string, () => CaptureRecord[]>> = {
  travel,
  broken: () => withTrouble(travel()),
  foreign: () => strangers(0).flat(),
  many: () => many(),
  few: () => many(30, 3000),
};

function choose(panel: Panel, what: string): void {
  const { store, select } = panel.live;
  const finding = (rule: string) => store.findings.find((one) => one.rule === rule);
  const run = (status: string) => store.runs.find((one) => one.status === status);
  const span = (id: string) => store.spans.find((one) => one.itemId === id);
  const targets: Record<string, () => void> = {
    finding: () => select({ kind: 'finding', id: (finding('step-already-open') ?? store.findings[0])!.id }),
    patch: () => select({ kind: 'finding', id: (finding('state-patch-failed') ?? store.findings[0])!.id }),
    run: () => select({ kind: 'run', id: run('rejected-by-violation')!.id }),
    failed: () => select({ kind: 'run', id: run('failed-by-report')!.id }),
    span: () => select({ kind: 'span', id: span('m_2')!.id }),
    tool: () => select({ kind: 'span', id: span('tc_1')!.id }),
    row: () => select({ kind: 'row', row: 400 }),
    connection: () => select({ kind: 'connection', id: 13 }),
    compare: () => (panel.live.desk.compare.value = [run('succeeded')!.id, run('rejected-by-violation')!.id]),
    pair: () => (panel.live.desk.compare.value = [3, 5]),
  };
  targets[what]?.();
}

const theme = query.get('theme') === 'dark' ? 'dark' : 'light';
const worker = fakeWorker({ facts: FACTS[scene], theme, now: NOW, locale: query.get('locale') ?? 'en' });
const panel = createPanel(
  worker.platform,
  { tab: query.get('tab'), filter: query.get('filter') ?? '', time: query.get('time') },
  followTheme(worker.platform.panels, document.documentElement),
);
// the clock of the made-up captures stands still
Date.now = () => NOW;

render(
  <PanelContext.Provider value={panel}>
    <App />
  </PanelContext.Provider>,
  document.querySelector('#panel')!,
);

const records = RECORDS[scene]?.() ?? [];
const chosen = query.get('select');
if (query.has('live')) {
  let next = 0;
  const timer = setInterval(() => {
    worker.arrive(records.slice(next, next + 8));
    next += 8;
    if (next >= records.length) clearInterval(timer);
  }, 30);
} else if (records.length > 0) worker.arrive(records);
requestAnimationFrame(() =>
  setTimeout(() => {
    if (chosen) choose(panel, chosen);
    document.documentElement.dataset['ready'] = 'yes';
  }, 50),
);

Object.assign(window, { gallery: { panel, worker } });
