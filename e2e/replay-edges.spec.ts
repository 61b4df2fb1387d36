/** A replay at its edges: up to a finding, a window opened beside, a panel that is busy, a request that differs, the badge. */
import type { Frame, Page, Worker } from '@playwright/test';
import type { AgentServer } from './agent/server.ts';
import { openPanel } from './browser.ts';
import { expect, test } from './fixtures.ts';
import { showTab } from './panel.ts';
import { arm, armed, disarm, registered } from './replay.ts';

interface Stage {
  readonly app: Page;
  readonly panel: Frame;
  readonly agent: AgentServer;
}
type Progress = { events: number; end: string };
declare global {
  interface Window {
    told?: Progress;
  }
}

const bodyOf = (runId: string) => JSON.stringify({ threadId: 'thread-1', runId, messages: [], tools: [], context: [], state: {}, forwardedProps: {} });

/** Sends one request and comes back at once; `window.told` counts the events that have come. */
const send = (page: Page, url: string, body: string) =>
  page.evaluate(
    ([address, input]) => {
      const told: Progress = { events: 0, end: '' };
      window.told = told;
      void (async () => {
        try {
          const response = await fetch(address!, {
            method: 'POST',
            headers: { accept: 'text/event-stream', 'content-type': 'application/json' },
            body: input!,
          });
          const decoder = new TextDecoder();
          const reader = response.body!.getReader();
          let text = '';
          for (let read = await reader.read(); !read.done; read = await reader.read()) {
            text += decoder.decode(read.value, { stream: true });
            told.events = text.split('\n\n').length - 1;
          }
          told.end = String(response.status);
        } catch (error) {
          told.end = String(error);
        }
      })();
    },
    [url, body] as const,
  );
const told = (page: Page) => page.evaluate(() => window.told);
const ended = async (page: Page): Promise<Progress> => {
  await expect.poll(async () => (await told(page))?.end).not.toBe('');
  return (await told(page))!;
};
/** Texts of the badge, by the path and query of a tab's page. */
const badges = (worker: Worker) =>
  worker.evaluate(async () => {
    interface Api {
      tabs: { query: (of: object) => Promise<{ id: number; url: string }[]> };
      action: { getBadgeText: (of: { tabId: number }) => Promise<string> };
    }
    const { chrome } = globalThis as unknown as { chrome: Api };
    const tabs = (await chrome.tabs.query({})).filter(({ url }) => url.startsWith('http'));
    return Object.fromEntries(
      await Promise.all(tabs.map(async ({ id, url }) => [url.replace(/^.*\/(?=replay)/, ''), await chrome.action.getBadgeText({ tabId: id })])),
    );
  });

test.beforeEach(async ({ app, agent, panel }) => {
  agent.setDown(false);
  await app.goto(`${agent.url}replay.html`);
  await expect(panel.getByTestId('runlens')).toHaveAttribute('data-events', '0');
});
test.afterEach(async ({ agent, panel }) => {
  agent.setDown(false);
  await disarm(panel);
});

/** One answer of the agent recorded, the agent down from there on. */
async function record({ app, panel, agent }: Stage, scenario: string) {
  const url = `${agent.url}agent/${scenario}?pace=0`;
  await send(app, url, bodyOf('run-1'));
  const live = await ended(app);
  await expect(panel.getByTestId('runlens')).not.toHaveAttribute('data-events', '0');
  await showTab(panel, 'Runs');
  await expect(panel.getByTestId('run-row')).toHaveCount(1);
  agent.setDown(true);
  return { url, live };
}

test('up to the next finding, the app has what came before it and the event that broke the rule', async ({ app, panel, agent }) => {
  const { url, live } = await record({ app, panel, agent }, 'step-already-open');
  await showTab(panel, 'Findings');
  const at = Number(/\d+/.exec((await panel.getByTestId('finding-row').first().getAttribute('data-at')) ?? '')?.[0]);
  expect(at).toBeGreaterThan(0);
  await arm(panel, { choose: ['event by event'] });
  await send(app, url, bodyOf('run-1'));
  await panel.getByRole('button', { name: 'To the next finding' }).click();
  await expect.poll(async () => (await told(app))?.events).toBe(at + 1);
  await panel.getByRole('button', { name: 'To the end' }).click();
  expect(await ended(app)).toEqual(live);
});

test('a request that differs is answered, and what differs stands beside it', async ({ app, panel, agent }) => {
  const { url } = await record({ app, panel, agent }, 'good');
  await arm(panel, { choose: ['at once'] });
  await send(app, url, bodyOf('run-2'));
  expect((await ended(app)).end).toBe('200');
  await expect(panel.getByTestId('run-row')).toHaveCount(2);
  await panel.getByTestId('run-row').last().click();
  await showTab(panel, 'Request');
  const row = panel.getByTestId('request-beside').getByRole('row', { name: /body\.runId/ });
  await expect(row.getByRole('cell')).toHaveText(['"run-1"', '"run-2"']);
});

test('a window that the armed page opens is not armed, and the badge is the armed tab’s alone', async ({ app, panel, agent, lens }) => {
  await record({ app, panel, agent }, 'good');
  // specs before this one may have left pages and entries
  const stored = await app.evaluate(() => Object.keys(sessionStorage));
  await arm(panel, { choose: ['at once'], keep: true, pattern: '*/agent/*' });
  const armedTabs = async () => Object.entries(await badges(lens.worker)).flatMap(([page, text]) => (text === 'armed' ? [page] : []));
  await expect.poll(armedTabs).toEqual(['replay.html']);
  const [opened] = await Promise.all([lens.context.waitForEvent('page'), app.evaluate(() => void window.open('/replay.html?start'))]);
  await expect(opened.locator('#out')).toHaveAttribute('data-turns', '1');
  expect(await opened.locator('#out').textContent(), 'it found the agent down').not.toContain('"failure": ""');
  expect(await opened.evaluate(() => Object.keys(sessionStorage))).toEqual(stored);
  expect(await armedTabs()).toEqual(['replay.html']);
  await opened.close();
  await expect(armed(panel)).toBeVisible();
  await panel.getByRole('button', { name: 'Disarm' }).click();
  await expect.poll(armedTabs).toEqual([]);
});

test('a panel that is busy for longer than five seconds leaves the request to the network, and says so', async ({ app, panel, agent }) => {
  const { url, live } = await record({ app, panel, agent }, 'good');
  agent.setDown(false);
  await arm(panel, { choose: ['at once'] });
  const asked = agent.asked.length;
  // the panel's own thread, until the app has its answer from elsewhere
  await panel.evaluate(() => {
    setTimeout(() => {
      const begun = performance.now();
      while (performance.now() - begun < 9_000);
    });
  });
  await send(app, url, bodyOf('run-1'));
  expect(await ended(app)).toEqual(live);
  expect(agent.asked.length).toBe(asked + 1);
  await expect(panel.getByTestId('replay-said')).toContainText('waited five seconds');
  await panel.getByTestId('replay-said').getByRole('button', { name: 'Close notice' }).click();
});

test('an armed tab that is closed leaves nothing registered, and the next tab finds the agent as it is', async ({ agent, lens, panel }) => {
  await expect(panel.getByTestId('runlens')).toBeVisible();
  const page = await lens.context.newPage();
  await page.goto(`${agent.url}replay.html`);
  const tools = await openPanel(page);
  await record({ app: page, panel: tools.frame, agent }, 'good');
  await arm(tools.frame, { choose: ['at once'], keep: true, pattern: '*/agent/*' });
  expect(await registered(lens.worker)).toHaveLength(2);
  await page.close();
  await expect.poll(() => registered(lens.worker)).toEqual([]);
  const next = await lens.context.newPage();
  await next.goto(`${agent.url}replay.html?start`);
  await expect(next.locator('#out')).toHaveAttribute('data-turns', '1');
  expect(await next.locator('#out').textContent(), 'the agent is down, and nobody answers in its stead').not.toContain('"failure": ""');
  await next.close();
});
