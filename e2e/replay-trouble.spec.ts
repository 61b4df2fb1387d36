/** Trouble on purpose in a page: what the app receives is what the plan makes of the answer, byte for byte, recorded and live. */
import type { Page } from '@playwright/test';
import { applyPlan } from '../src/replay/apply.ts';
import type { Plan } from '../src/replay/plan.ts';
import type { Answer } from '../src/replay/types.ts';
import { expect, test } from './fixtures.ts';
import { showTab } from './panel.ts';
import { arm, armed } from './replay.ts';

interface Got {
  readonly status: number;
  readonly contentType: string;
  readonly text: string;
  readonly end: string;
}

/** One bare fetch of the page, read to its end or to `most` characters. The text is one character a byte. */
function ask(page: Page, url: string, most: number): Promise<Got> {
  return page.evaluate(
    async ([address, limit]) => {
      const body = JSON.stringify({ threadId: 'thread-1', runId: 'run-1', messages: [], tools: [], context: [], state: {}, forwardedProps: {} });
      const response = await fetch(address, { method: 'POST', headers: { accept: 'text/event-stream', 'content-type': 'application/json' }, body });
      const reader = response.body!.getReader();
      let text = '';
      let end = 'complete';
      try {
        for (let read = await reader.read(); !read.done; read = await reader.read()) {
          for (const byte of read.value) text += String.fromCharCode(byte);
          if (text.length < limit) continue;
          end = 'open';
          await reader.cancel();
          break;
        }
      } catch {
        end = 'network-error';
      }
      return { status: response.status, contentType: response.headers.get('content-type') ?? '', text, end };
    },
    [url, most] as const,
  );
}

const ARGS = { type: 'TOOL_CALL_ARGS' };
const PLANS: readonly (readonly [name: string, ...changes: readonly Plan['changes'][number][]])[] = [
  ['cut', { do: 'cut', after: ARGS }],
  ['cut cleanly', { do: 'cut', after: 4, end: 'complete' }],
  ['stall', { do: 'stall', after: 6 }],
  ['drop and duplicate', { do: 'drop', event: 2 }, { do: 'duplicate', event: 5, times: 2 }],
  ['swap', { do: 'swap', event: ARGS }],
  ['delay, slow and split', { do: 'delay', from: 3, ms: 40 }, { do: 'slow', bytesPerSecond: 200_000 }, { do: 'split', every: 11 }],
  ['insert RUN_ERROR', { do: 'insert', after: 7, value: { type: 'RUN_ERROR', message: 'Überlastet' } }],
  ['change a field', { do: 'set', event: ARGS, field: '/delta', value: '{"no' }, { do: 'remove', event: 0, field: '/runId' }],
  ['answer with an HTTP error', { do: 'answer', status: 503, body: { error: 'overloaded' } }],
];

for (const what of ['what the agent answers', 'this stream'] as const) {
  test(`each kind of trouble on ${what}`, async ({ app, panel, agent }) => {
    const url = `${agent.url}agent/good?pace=0`;
    await app.goto(`${agent.url}replay.html`);
    const plain = await ask(app, url, Number.POSITIVE_INFINITY);
    // an empty panel has no tabs
    await expect(panel.getByTestId('runlens')).not.toHaveAttribute('data-events', '0');
    await showTab(panel, 'Runs');
    await expect(panel.getByTestId('run-row')).toHaveCount(1);
    const bytes = Uint8Array.from(plain.text, (letter) => letter.charCodeAt(0));
    const { status, contentType } = plain;
    const answer: Answer = { status, contentType, wait: 0, answered: true, chunks: [{ after: 0, bytes }], end: 'complete', endAfter: 0 };
    for (const [name, ...changes] of PLANS) {
      const altered = applyPlan(answer, { runlens: 'plan', version: 1, name, changes });
      const text = altered.chunks.map((chunk) => String.fromCharCode(...chunk.bytes)).join('');
      const expected: Got = { status: altered.status, contentType: altered.contentType, text, end: altered.end };
      expect(expected, `${name} changes something`).not.toEqual({ ...plain, text: '' });
      await arm(panel, { choose: [what, ...(what === 'this stream' ? ['at once'] : [])], plan: { name, changes } });
      expect(await ask(app, url, altered.end === 'open' ? text.length : Number.POSITIVE_INFINITY), name).toEqual(expected);
      await expect(armed(panel)).toBeHidden();
    }
    expect(await ask(app, url, Number.POSITIVE_INFINITY), 'and with nothing armed nothing is changed').toEqual(plain);
  });
}
