/** CopilotKit's own runtime and React client, over both of its transports, with the panel in the page's real DevTools. */
import { readFileSync } from 'node:fs';
import { test as base, expect, type Frame, type Page } from '@playwright/test';
import { createReader, endReader, readText } from '../../src/export/index.ts';
import { type DevTools, launch, openPanel } from '../browser.ts';
import { exportTo, root, summaryOf } from '../panel.ts';
import { type Server, startServer } from './server.ts';

interface Stage {
  readonly page: Page;
  readonly tools: DevTools;
  readonly server: Server;
}

interface Chat extends Stage {
  readonly panel: Frame;
  readonly thread: string;
  /** Sends what a person types. */
  readonly say: (words: string) => Promise<void>;
  /** Loads the page again and answers when its client has asked the runtime for the thread. */
  readonly reload: () => Promise<void>;
  /**
   * Waits until the panel shows just these statuses, in this order, for the runs that the runtime announced, and just these findings
   * (`rule@position`), none by default; then compares what it captured with what the runtime sent, byte by byte.
   */
  readonly judged: (statuses: readonly string[], findings?: readonly string[]) => Promise<void>;
}

type Transport = 'rest' | 'single';

const test = base.extend<{ transport: Transport; chat: Chat }, { stage: Stage }>({
  transport: ['rest', { option: true }],
  stage: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names it must bring from this pattern
    async ({}, use) => {
      const server = await startServer();
      const lens = await launch();
      const page = lens.context.pages()[0] ?? (await lens.context.newPage());
      await page.goto(`${server.url}?thread=first`);
      await use({ page, tools: await openPanel(page), server });
      await lens.close();
      await server.close();
    },
    { scope: 'worker' },
  ],
  chat: async ({ stage, transport }, use, info) => {
    const { page, tools, server } = stage;
    const panel = tools.frame;
    const thread = `${transport}-${info.testId}-${info.repeatEachIndex}`;
    let before = 0;
    const load = async () => {
      before = server.sent.length;
      await page.goto(`${server.url}?thread=${thread}${transport === 'single' ? '&single' : ''}`);
      await expect(root(panel)).toHaveAttribute('data-state', 'connected');
      await expect.poll(() => server.sent.length).toBeGreaterThan(before);
    };
    await load();
    const streams = () => server.sent.slice(before).filter(({ aborted }) => !aborted);
    await use({
      ...stage,
      panel,
      thread,
      say: async (words) => {
        await page.getByTestId('copilot-chat-textarea').fill(words);
        await page.getByTestId('copilot-chat-textarea').press('Enter');
      },
      reload: load,
      judged: async (statuses, findings = []) => {
        await expect.poll(() => announced(streams()).length).toBe(statuses.length);
        const runs = announced(streams()).map((runId, index) => ({ runId, status: statuses[index] }));
        const shown = async () => {
          const summary = await summaryOf(panel);
          return { ...summary, findings: summary.findings.map(({ rule, at }) => `${rule}@${at}`) };
        };
        await expect.poll(shown).toEqual({ runs, findings });
        const file = info.outputPath('capture.jsonl');
        await exportTo(tools, file);
        expect(captured(readFileSync(file, 'utf8'))).toEqual(streams().map(({ path, chunks }) => ({ path, text: Buffer.concat(chunks).toString() })));
      },
    });
    if (info.status !== info.expectedStatus) {
      await tools.devtools.screenshot({ path: info.outputPath('devtools.png') });
      await page.screenshot({ path: info.outputPath('page.png') });
    }
  },
});

/** The runs that the streams open, in order, told from the bytes alone. */
function announced(streams: Server['sent']): string[] {
  return streams.flatMap(({ chunks }) => {
    const events = Buffer.concat(chunks).toString().split('\n\n').slice(0, -1);
    return events.flatMap((event) => {
      const { type, runId } = event.startsWith('data:') ? JSON.parse(event.slice(5)) : {};
      return type === 'RUN_STARTED' ? [runId] : [];
    });
  });
}

/** Path and body of every event stream in a capture file that the page did not give up. The request to stop is in it as well: it names a run. */
function captured(file: string): { path: string; text: string }[] {
  const reader = createReader();
  const records = [...readText(reader, file), ...endReader(reader)];
  const paths = new Map<number, string>();
  const found = new Map<number, { path: string; parts: Uint8Array[] }>();
  for (const record of records) {
    if (record.kind === 'request') paths.set(record.conn, new URL(record.request.url, 'http://server').pathname);
    else if (record.kind === 'response' && record.response.contentType.startsWith('text/event-stream')) {
      found.set(record.conn, { path: paths.get(record.conn) ?? '', parts: [] });
    } else if (record.kind === 'end' && record.end.how === 'aborted') found.delete(record.conn);
    else if (record.kind === 'chunk') found.get(record.conn)?.parts.push(record.bytes);
  }
  return [...found.values()].map(({ path, parts }) => ({ path, text: Buffer.concat(parts).toString() }));
}

/**
 * What the runtime makes of a stop: it closes the message, leaves the step open, and ends with `{"type":"RUN_FINISHED"}`, which
 * AG-UI's schema rejects, that of CopilotKit's own version (0.0.59) too.
 */
const STOPPED = ['run-finished-with-open-items@5', 'schema-missing-field@5', 'schema-missing-field@5'];

const answer = (page: Page) => page.getByTestId('copilot-assistant-message').last();

for (const transport of ['rest', 'single'] as const) {
  test.describe(transport, () => {
    test.use({ transport });

    test('a turn with a step, state, reasoning and a tool of the agent', async ({ chat }) => {
      await chat.say('hello');
      await expect(answer(chat.page)).toContainText('is clear. 🌤');
      await chat.judged(['succeeded']);
      await chat.say('hello again');
      await chat.judged(['succeeded', 'succeeded']);
    });

    test('a tool of the page: the client runs it and asks again with its result', async ({ chat }) => {
      await chat.say('paint it');
      await expect(chat.page.locator('#colour')).toHaveText('rebeccapurple');
      await expect(answer(chat.page)).toContainText('Done: painted rebeccapurple.');
      await chat.judged(['succeeded', 'succeeded']);
    });

    test('a failure that the agent reports', async ({ chat }) => {
      await chat.say('fail');
      await chat.judged(['failed-by-report']);
    });

    test('stop', async ({ chat }) => {
      await chat.say('a long tale');
      await expect(answer(chat.page)).toContainText('It was a long');
      await chat.judged(['active']);
      await chat.page.getByTestId('copilot-send-button').click();
      await chat.judged(['rejected-by-violation'], STOPPED);
      await chat.reload();
      await expect(answer(chat.page)).toContainText('It was a long');
      await chat.judged(['rejected-by-violation'], STOPPED);
    });

    test('reconnect: the runtime replays the thread', async ({ chat }) => {
      await chat.say('hello');
      await chat.judged(['succeeded']);
      await chat.say('paint it');
      await chat.judged(['succeeded', 'succeeded', 'succeeded']);
      await chat.say('fail');
      await chat.judged(['succeeded', 'succeeded', 'succeeded', 'failed-by-report']);
      await chat.reload();
      await expect(answer(chat.page)).toContainText('Done: painted rebeccapurple.');
      await chat.judged(['succeeded', 'succeeded', 'succeeded', 'failed-by-report']);
    });

    test('reconnect in mid-run: what was told, then what is being told', async ({ chat }) => {
      await chat.say('a long tale');
      await expect(answer(chat.page)).toContainText('It was a long');
      await chat.reload();
      await expect(answer(chat.page)).toContainText('It was a long');
      await chat.judged(['active']);
      await expect.poll(() => chat.server.release(chat.thread)).toBe(true);
      await expect(answer(chat.page)).toContainText('It was a long night.');
      await chat.judged(['succeeded']);
    });

    test('to another thread and back in one document', async ({ chat }) => {
      await chat.say('hello');
      await chat.judged(['succeeded']);
      const streams = chat.server.sent.length;
      await chat.page.getByRole('button', { name: `${chat.thread}-other` }).click();
      await expect.poll(() => chat.server.sent.length).toBe(streams + 1);
      await chat.page.getByRole('button', { name: chat.thread, exact: true }).click();
      await expect(answer(chat.page)).toContainText('is clear. 🌤');
      await chat.judged(['succeeded', 'succeeded']);
    });
  });
}
