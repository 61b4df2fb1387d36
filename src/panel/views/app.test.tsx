// @vitest-environment happy-dom
import { signal } from '@preact/signals';
import { act, cleanup, configure, fireEvent, render, screen, within } from '@testing-library/preact';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { App, dockOf } from '../app.tsx';
import { createPanel, PanelContext } from '../state/panel.ts';
import { connectionOf, FACTS, fakePlatform, findingOf, now, rowsOf, runOf, spanOf, update } from '../state/testkit.ts';
import { findingText } from './detail-finding.tsx';

vi.mock('../timeline/timeline-view.tsx', () => ({ TimelineView: () => null, timelineCommands: {} }));

beforeEach(() => {
  // happy-dom lays nothing out: without a height a virtual table has no rows
  vi.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(600);
  vi.spyOn(HTMLElement.prototype, 'clientWidth', 'get').mockReturnValue(900);
});
// a hang limit: views are loaded when they are asked for
configure({ asyncUtilTimeout: 20_000 });

afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
});

const TYPES = [
  'RUN_STARTED',
  'STEP_STARTED',
  'TEXT_MESSAGE_START',
  'TEXT_MESSAGE_CONTENT',
  'STEP_STARTED',
  'TEXT_MESSAGE_CONTENT',
  'TEXT_MESSAGE_CONTENT',
  'TEXT_MESSAGE_END',
  'RUN_FINISHED',
];

const REJECTED = runOf(0, {
  status: 'rejected-by-violation',
  rejectedRow: 4,
  rejectedTime: 1040,
  endedRow: 8,
  findings: { violation: 1, deviation: 0, advice: 0 },
});

async function opened(filled = true) {
  const fake = fakePlatform();
  const panel = createPanel(fake.platform, {}, signal<'light' | 'dark'>('light'), now);
  render(
    <PanelContext.Provider value={panel}>
      <App />
    </PanelContext.Provider>,
  );
  await act(() => fake.tell({ kind: 'reset', epoch: 'a', facts: FACTS }));
  if (filled) {
    await act(() =>
      fake.tell(
        update({
          rows: rowsOf(TYPES.map((type, i) => ({ type, span: type.startsWith('TEXT') ? 0 : -1, flags: i === 4 ? 2 : 0 }))),
          runs: [REJECTED],
          spans: [spanOf(0)],
          findings: [findingOf(0, { relatedRows: [1], row: 4 }), findingOf(1, { row: 7, severity: 'deviation', rule: 'run-truncated', relatedRows: [] })],
          connections: [connectionOf(0, { stopsAtRow: 4, events: 9 })],
        }),
      ),
    );
  }
  return { fake, panel };
}

const root = () => screen.getByTestId('runlens');
const rows = () => screen.getAllByTestId('event-row');

test('the root tells the state of the line and how many events there are', async () => {
  await opened();
  expect([root().dataset['state'], root().dataset['events']]).toEqual(['connected', '9']);
});

test('deltas are folded, and unfold', async () => {
  await opened();
  expect(rows().map((row) => row.dataset['row'])).toEqual(['0', '1', '2', '3', '4', '5', '7', '8']);
  fireEvent.click(screen.getByRole('button', { name: 'Unfold 2 events' }));
  expect(rows().map((row) => row.dataset['row'])).toEqual(['0', '1', '2', '3', '4', '5', '5', '6', '7', '8']);
});

test('a click on a finding moves row, rail, pane and tally together; n goes to the next', async () => {
  const { panel } = await opened();
  fireEvent.click(rows()[4]!);
  expect(panel.live.selection.value).toEqual({ kind: 'finding', id: 0 });
  expect(rows()[4]!.getAttribute('aria-selected')).toBe('true');
  expect([1, 2, 3, 4].map((i) => rows()[i]!.className.match(/link-\w+/)?.[0])).toEqual(['link-top', 'link-mid', 'link-mid', 'link-end']);
  const detail = await screen.findByTestId('detail');
  expect(detail.textContent).toContain('Step “search” was started while it was already open.');
  fireEvent.keyDown(window, { key: 'n' });
  expect(panel.live.selection.value).toEqual({ kind: 'finding', id: 1 });
  fireEvent.keyDown(window, { key: 'n' });
  expect(panel.live.selection.value).toEqual({ kind: 'finding', id: 0 });
  fireEvent.keyDown(document.body, { key: 'Escape' });
  expect(screen.queryByTestId('detail')).toBeNull();
});

test('the pane of a violation tells verdict and ending as two facts', async () => {
  const { panel } = await opened();
  await act(() => panel.live.select({ kind: 'finding', id: 0 }));
  const text = (await screen.findByTestId('detail')).textContent ?? '';
  expect(text).toContain('Rejected at #5. A conforming client never sees the 4 events after it.');
  expect(text).toContain('The producer then reported success, #9.');
  expect(text).toContain('@ag-ui/client 1.0.0 refuses this too and stops.');
  expect(within(screen.getByTestId('detail')).getByText('STEP_STARTED', { selector: '.event-line:first-child .type' })).toBeTruthy();
  expect(findingText(panel.live.store, panel.live.store.findings[0]!)).toMatch(
    /^Violation step-already-open: Step .*\nAt: event #5 .*run run_0\nRelated: #2\nCause: .*\nFix: .*/,
  );
});

test('the pane of a run says where the request was made, and nothing where no line of its stack tells', async () => {
  const { fake, panel } = await opened();
  const request = { url: 'http://localhost/agent', method: 'POST', time: 0 };
  const callers = async (stack: string) => {
    await act(() => fake.tell(update({ connections: [connectionOf(0, { events: 9, request: { ...request, stack } })] })));
    await act(() => panel.live.select({ kind: 'run', id: 0 }));
    return within(await screen.findByTestId('detail')).queryAllByText('Called from', { selector: 'dt' });
  };
  expect((await callers('at ask (http://localhost/src/app.ts:12:5)'))[0]?.nextSibling?.textContent).toBe('ask app.ts:12');
  expect(await callers('at <anonymous>')).toEqual([]);
});

test('the stop line stands behind the violation, and what came after is still there', async () => {
  await opened();
  const band = screen.getByTestId('band-row');
  expect(band.textContent).toContain('A conforming client stops here.4 more events of this stream were delivered; kept below.');
  expect(rows()[5]!.className).toContain('after');
});

test('kinds hide rows, and say so by aria-pressed', async () => {
  await opened();
  const chip = screen.getByRole('button', { name: 'Messages' });
  fireEvent.click(chip);
  expect(chip.getAttribute('aria-pressed')).toBe('false');
  expect(rows().map((row) => row.dataset['type'])).toEqual(['RUN_STARTED', 'STEP_STARTED', 'STEP_STARTED', 'RUN_FINISHED']);
});

test('runs and findings carry what they are as data', async () => {
  const { panel } = await opened();
  await act(() => panel.settings.set({ tab: 'Runs' }));
  const run = screen.getByTestId('run-row');
  expect([run.dataset['runId'], run.dataset['status']]).toEqual(['run_0', 'rejected-by-violation']);
  expect(run.textContent).toContain('Rejected');
  expect(run.textContent).toContain('at #5; the producer then reported success');
  fireEvent.click(run);
  expect((await screen.findByTestId('detail')).dataset['kind']).toBe('run');
  await act(() => panel.settings.set({ tab: 'Findings' }));
  expect((await screen.findAllByTestId('finding-row')).map((row) => [row.dataset['rule'], row.dataset['at']])).toEqual([
    ['step-already-open', '4'],
    ['run-truncated', '4'],
  ]);
});

test('buttons send their commands', async () => {
  const { fake } = await opened();
  fireEvent.click(screen.getByRole('button', { name: 'Record' }));
  fireEvent.click(screen.getByRole('button', { name: 'Clear' }));
  fireEvent.click(screen.getByRole('checkbox', { name: 'Preserve log' }));
  expect(fake.sent.map(({ command }) => command)).toEqual([{ name: 'record', on: false }, { name: 'clear' }, { name: 'preserve', on: true }]);
});

test('following yields to a selection, counts what is new, and comes back', async () => {
  const { fake, panel } = await opened();
  const follow = screen.getByRole('button', { name: /^Follow/ });
  expect(follow.getAttribute('aria-pressed')).toBe('true');
  fireEvent.click(rows()[0]!);
  await act(() => fake.tell(update({ rows: rowsOf([{ type: 'CUSTOM' }, { type: 'CUSTOM' }], 9) })));
  expect(follow.textContent).toBe('Follow, 2 new');
  fireEvent.click(follow);
  expect([panel.live.follow.value, follow.textContent]).toEqual([true, 'Follow']);
});

test.each(['Capture app.example.com', 'app.example.com not captured'])(
  'an origin that is not captured: “%s” asks for it, and tells where the browser asks and what came of it',
  async (name) => {
    const { fake } = await opened(false);
    let resolve: (allowed: boolean) => void = () => undefined;
    const allow = vi.spyOn(fake.platform, 'allow').mockImplementation(() => new Promise((done) => (resolve = done)));
    await act(() => fake.tell({ kind: 'facts', facts: { ...FACTS, origin: 'https://app.example.com', captured: false } }));
    const asks = /The browser asks in the page’s window whether Runlens may read app.example.com/;
    const refused = /app.example.com is still not captured/;
    for (const granted of [true, false]) {
      fireEvent.click(screen.getByRole('button', { name }));
      expect(allow).toHaveBeenLastCalledWith('https://app.example.com');
      await act(() => undefined);
      expect(screen.queryByText(asks)).not.toBeNull();
      await act(() => resolve(granted));
      await vi.waitFor(() => expect([screen.queryByText(asks), screen.queryByText(refused) === null]).toEqual([null, granted]));
    }
  },
);

test('streams that are not AG-UI are named, in tabs that are there for them', async () => {
  const { fake, panel } = await opened(false);
  const foreign = connectionOf(0, { recognised: { as: 'foreign', name: 'OpenAI chat stream' }, events: 0 });
  const failed = connectionOf(1, { recognised: { as: 'unknown' }, failure: '500 Internal Server Error, no stream.', events: 0 });
  await act(() => fake.tell(update({ connections: [foreign, failed] })));
  expect(screen.getAllByTestId('seen-row').map((row) => row.textContent)).toEqual([
    expect.stringContaining('OpenAI chat stream'),
    expect.stringContaining('500'),
  ]);
  await act(() => panel.settings.set({ tab: 'Runs' }));
  expect(screen.getAllByTestId('other-row')).toHaveLength(2);
});

test('an error in one pane leaves the others, can be copied and taken back', async () => {
  const { panel } = await opened();
  vi.spyOn(console, 'error').mockImplementation(() => undefined);
  const broken = vi.spyOn(panel.live.store.runs, 'filter').mockImplementation(() => {
    throw new Error('boom');
  });
  await act(() => panel.settings.set({ tab: 'Runs' }));
  expect(screen.getByRole('alert').textContent).toContain('boom');
  expect(screen.getByRole('button', { name: 'Copy error' })).toBeTruthy();
  expect(screen.getByRole('button', { name: 'Record' })).toBeTruthy();
  broken.mockRestore();
  fireEvent.click(screen.getByRole('button', { name: 'Reset' }));
  expect(screen.getByTestId('run-row')).toBeTruthy();
});

test('docks', () => {
  expect([dockOf(1280, 800), dockOf(1280, 420), dockOf(400, 900), dockOf(400, 300)]).toEqual(['wide', 'short', 'narrow', 'narrow']);
});
