/** Every story of the demo agent, told to the real client in a page, and read back from the panel in that page's real DevTools. */
import { SCENARIOS, scenarioOf } from './agent/scenarios.ts';
import { expect, play, test } from './fixtures.ts';
import { eventCount, lanesOf, showTab, summaryOf } from './panel.ts';

/** Streams that are no runs are listed by what they are. */
const OTHERS: Readonly<Record<string, readonly string[]>> = { foreign: ['OpenAI'], 'http-500': ['500'] };

for (const scenario of SCENARIOS.filter(({ open, group }) => !open && group !== 'Load')) {
  test(`${scenario.id}: ${scenario.title}`, async ({ app, panel }) => {
    const { runId, outcome } = await play(app, scenario.id);
    const story = scenario.build({ threadId: runId.replace('run-', 'thread-'), runId });
    const { runs, findings } = story.expected;
    await expect.poll(() => summaryOf(panel)).toEqual({ runs, findings });
    // a frame that broke off is a row too; a stream that is no AG-UI has none
    const rows = [...story.moves].filter((move) => 'event' in move || ('text' in move && runs.length > 0));
    expect(await eventCount(panel)).toBe(rows.length);
    await showTab(panel, 'Runs');
    await expect(panel.getByTestId('other-row')).toContainText(OTHERS[scenario.id] ?? []);
    if (scenario.group === 'Violations') expect(outcome, 'the reference client rejects it as well').toBe('threw');
  });
}

for (const id of ['good', 'overlapping']) {
  test(`${id}: what overlaps has lanes of its own`, async ({ app, panel, stage, agent }) => {
    await app.goto(`${agent.url}?pace=20`);
    const { runId } = await play(app, id);
    const { runs, lanes } = scenarioOf(id)!.build({ threadId: '', runId }).expected;
    await expect.poll(async () => (await summaryOf(panel)).runs).toEqual(runs);
    expect(await lanesOf(stage.tools, Object.keys(lanes!))).toEqual(lanes);
  });
}
