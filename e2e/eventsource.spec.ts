/** The same stories over EventSource: as plain messages, and with the event's type in the `event` field. */
import { scenarioOf } from './agent/scenarios.ts';
import { expect, play, test } from './fixtures.ts';
import { root, summaryOf } from './panel.ts';

for (const named of [false, true]) {
  for (const id of ['good', 'chunks', 'run-error', 'step-already-open']) {
    test(`${id} over ${named ? 'named events' : 'plain messages'}`, async ({ app, panel, agent }) => {
      await app.goto(`${agent.url}eventsource.html?pace=2`);
      await expect(root(panel)).toHaveAttribute('data-events', '0');
      await app.locator('#named').setChecked(named);
      const { runId } = await play(app, id);
      const { runs, findings } = scenarioOf(id)!.build({ threadId: '', runId }).expected;
      await expect.poll(() => summaryOf(panel)).toEqual({ runs, findings });
    });
  }
}
