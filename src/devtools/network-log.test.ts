import { describe, expect, it } from 'vitest';
import type { CaptureRecord } from '../capture/types.ts';
import type { Content, Entry } from './network-entry.ts';
import { createNetworkLog } from './network-log.ts';
import { entryOf } from './testkit.ts';

const BODY: Content = { text: 'data: 1\n\n', encoding: '' };

function start(options: { captured?: (origin: string) => boolean; content?: Content; now?: number } = {}) {
  const delivered: { key: string; kinds: string }[] = [];
  const asked: string[] = [];
  let told: readonly CaptureRecord[] = [];
  let all: (readonly Entry[])[] = [[]];
  let polling = false;
  const log = createNetworkLog({
    extension: 'chrome-extension://ours/',
    contentOf: async (entry) => {
      asked.push(entry.request.url);
      return options.content ?? BODY;
    },
    readAll: async () => (all.length > 1 ? all.shift() : all[0]) ?? [],
    pageOrigin: async () => 'http://page',
    isCaptured: async (origin) => options.captured?.(origin) ?? true,
    deliver: (key, records: readonly CaptureRecord[]) => {
      told = records;
      delivered.push({ key, kinds: records.map(({ kind }) => kind).join(' ') });
    },
    every: () => {
      polling = true;
      return () => {
        polling = false;
      };
    },
    wait: async () => undefined,
    now: () => options.now ?? 500,
    word: 'w',
  });
  const look = (entries: readonly Entry[]) => {
    all = [entries];
    return log.look();
  };
  /** What the log answers, one reading after the other. */
  const answer = (...readings: (readonly Entry[])[]) => {
    all = readings;
  };
  return { log, look, answer, delivered, asked, records: () => told, polling: () => polling };
}

const hooked: Entry = { ...entryOf(), _initiator: { type: 'script', stack: { callFrames: [{ url: 'chrome-extension://ours/hook.js' }] } } };
const WHOLE = 'request response chunk end';

describe('the network log', () => {
  it('delivers what a worker fetched, once it has ended', async () => {
    const { log, delivered } = start();
    await log.finished(entryOf());
    expect(delivered).toEqual([{ key: 'log/w/1', kinds: WHOLE }]);
  });

  it('takes what was passed over when its origin is enabled, unless the page is another one by then', async () => {
    const allowed = new Set<string>();
    const { log, delivered, asked } = start({ captured: (origin) => allowed.has(origin) });
    await log.finished(entryOf());
    await log.enabled();
    expect([delivered, asked]).toEqual([[], []]);
    allowed.add('http://localhost');
    await log.enabled();
    await log.enabled();
    expect(delivered).toEqual([{ key: 'log/w/1', kinds: WHOLE }]);
    allowed.clear();
    await log.finished(entryOf());
    log.navigated();
    allowed.add('http://localhost');
    await log.enabled();
    expect(delivered).toHaveLength(1);
  });

  it('leaves what the hook has, and reads no body of it', async () => {
    const { log, delivered, asked } = start();
    await log.finished(hooked);
    expect([delivered, asked]).toEqual([[], []]);
  });

  it('reads no body for an origin that is not enabled', async () => {
    const seen: string[] = [];
    const { log, look, delivered, asked } = start({ captured: (origin) => seen.push(origin) < 0 });
    await look([entryOf()]);
    await log.finished(entryOf());
    expect([delivered, asked, seen]).toEqual([[], [], ['http://localhost', 'http://localhost']]);
  });

  it('asks for the page’s origin where the log names none', async () => {
    const seen: string[] = [];
    const { log } = start({ captured: (origin) => seen.push(origin) > 0 });
    const entry = entryOf();
    await log.finished({ ...entry, request: { ...entry.request, headers: [] }, _initiator: { type: 'script' } });
    expect(seen).toEqual(['http://page']);
  });

  it('polls from the first sign of a worker until the next page', async () => {
    const { log, polling } = start();
    await log.finished(hooked);
    expect(polling()).toBe(false);
    await log.finished({ ...entryOf({ type: 'text/css', text: '' }) });
    expect(polling()).toBe(true);
    log.navigated();
    expect(polling()).toBe(false);
  });

  it('tells an open one once, and its end under the same key', async () => {
    const { log, look, delivered } = start();
    await look([entryOf()]);
    await look([entryOf()]);
    await log.finished(entryOf());
    await look([entryOf()]);
    expect(delivered).toEqual([
      { key: 'log/w/1', kinds: 'request response' },
      { key: 'log/w/1', kinds: WHOLE },
    ]);
  });

  it('keeps apart two that nothing tells apart', async () => {
    const { log, look, delivered } = start();
    await look([entryOf(), entryOf()]);
    await log.finished(entryOf());
    await look([entryOf(), entryOf()]);
    await log.finished(entryOf());
    expect(delivered.map(({ key }) => key)).toEqual(['log/w/1', 'log/w/1', 'log/w/2', 'log/w/2']);
  });

  it('takes the events that DevTools parsed where the log gives no body, once they are all there', async () => {
    const { log, answer, delivered, records } = start({ content: { text: null, encoding: '' } });
    const event = (data: string) => ({ eventName: 'message', eventId: '', data });
    const parsed = [event('{"a":1}'), event('{"b":2}')];
    const aborted = entryOf({ error: 'net::ERR_ABORTED' });
    answer([aborted], [{ ...aborted, _eventSourceMessages: parsed.slice(0, 1) }], [{ ...aborted, _eventSourceMessages: parsed }]);
    await log.finished(aborted);
    expect(delivered).toEqual([{ key: 'log/w/1', kinds: WHOLE }]);
    expect(records().find((record) => record.kind === 'chunk')).toMatchObject({ bytes: new TextEncoder().encode('data: {"a":1}\n\ndata: {"b":2}\n\n') });
    expect(records().at(-1)).toMatchObject({ end: { how: 'aborted', message: expect.stringContaining('parsed') } });
  });

  it('takes nothing for open that began before it listened', async () => {
    const { log, look, delivered } = start({ now: 2_000 });
    await look([entryOf()]);
    expect(delivered).toEqual([]);
    await log.finished(entryOf());
    expect(delivered).toHaveLength(1);
  });

  it('does not tell again of what a navigation cut', async () => {
    const { log, look, delivered } = start();
    await look([entryOf()]);
    log.navigated();
    await look([entryOf()]);
    expect(delivered).toHaveLength(1);
  });
});
