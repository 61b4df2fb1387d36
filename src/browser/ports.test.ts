import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createLivePort } from './ports.ts';

const runtime = vi.hoisted(() => ({ getManifest: vi.fn(), connect: vi.fn() }));
vi.mock('./browser.ts', () => ({ default: { runtime } }));

/** A runtime port as `connect` gives it: what was sent by it, and how it is told and ended from the other side. */
function fakePort() {
  const [sent, heard, ends]: [unknown[], ((message: unknown) => void)[], (() => void)[]] = [[], [], []];
  return {
    sent,
    end: () => ends.map((listener) => listener()),
    port: {
      postMessage: (message: unknown) => void sent.push(message),
      disconnect: () => undefined,
      onMessage: { addListener: (listener: (message: unknown) => void) => void heard.push(listener) },
      onDisconnect: { addListener: (listener: () => void) => void ends.push(listener) },
    },
  };
}

const straight = { ping: { kind: 'ping' } };
let offered: MessagePort[] = [];

beforeEach(() => {
  offered = [];
  runtime.connect.mockReset();
  runtime.getManifest.mockReturnValue({ background: { service_worker: 'worker.js' } });
  const active = { postMessage: (_: unknown, [end]: MessagePort[]) => void offered.push(end!) };
  vi.stubGlobal('navigator', { serviceWorker: { getRegistration: async () => ({ active }) } });
});
afterEach(() => vi.unstubAllGlobals());

describe('a straight port', () => {
  it('sends by the channel, also what was sent before there was one, and keeps the worker awake by the port', async () => {
    const fake = fakePort();
    runtime.connect.mockReturnValue(fake.port);
    const heard: unknown[] = [];
    const live = createLivePort({ name: 'panel:tab:1', straight, onMessage: (message) => void heard.push(message) });
    live.send(1);
    live.send(2);
    await vi.waitFor(() => expect(offered).toHaveLength(1));
    const came: unknown[] = [];
    offered[0]!.onmessage = ({ data }) => void came.push(data);
    live.send(3);
    await vi.waitFor(() => expect(came).toEqual([1, 2, 3]));
    expect(runtime.connect.mock.lastCall?.[0].name).toMatch(/^panel:tab:1#channel:/);
    expect(fake.sent).toEqual([straight.ping]);
    offered[0]!.postMessage('told');
    await vi.waitFor(() => expect(heard).toEqual(['told']));
    live.close();
  });

  it('offers another channel when it connects anew', async () => {
    const [first, second] = [fakePort(), fakePort()];
    runtime.connect.mockReturnValueOnce(first.port).mockReturnValueOnce(second.port);
    const live = createLivePort({ name: 'panel:tab:1', straight });
    await vi.waitFor(() => expect(offered).toHaveLength(1));
    first.end();
    await vi.waitFor(() => expect(offered).toHaveLength(2));
    const came: unknown[] = [];
    offered[1]!.onmessage = ({ data }) => void came.push(data);
    live.send('again');
    await vi.waitFor(() => expect(came).toEqual(['again']));
    live.close();
  });

  it('is a plain port where there is no service worker', async () => {
    runtime.getManifest.mockReturnValue({ background: { scripts: ['worker.js'] } });
    const fake = fakePort();
    runtime.connect.mockReturnValue(fake.port);
    const live = createLivePort({ name: 'panel:tab:1', straight });
    live.send(1);
    await vi.waitFor(() => expect(fake.sent).toEqual([1]));
    expect(runtime.connect.mock.lastCall?.[0].name).toBe('panel:tab:1');
    expect(offered).toEqual([]);
    live.close();
  });
});
