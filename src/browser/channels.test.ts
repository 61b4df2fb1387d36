import { afterEach, describe, expect, it, vi } from 'vitest';
import { offerChannel } from './channels.ts';
import { takeChannels } from './take-channels.ts';

afterEach(() => vi.useRealTimers());

/** A runtime port of which both ends are here. */
function fakePort(name: string) {
  const sent: unknown[] = [];
  const [messages, ends]: [((message: unknown) => void)[], (() => void)[]] = [[], []];
  return {
    sent,
    tell: (message: unknown) => messages.map((listener) => listener(message)),
    end: () => ends.map((listener) => listener()),
    port: {
      name,
      postMessage: (message: unknown) => void sent.push(message),
      disconnect: () => undefined,
      onMessage: { addListener: (listener: (message: unknown) => void) => void messages.push(listener) },
      onDisconnect: { addListener: (listener: () => void) => void ends.push(listener) },
    },
  };
}

/** A worker's scope, and the worker as its pages see it: what they post arrives when `deliver` is called. */
function fakeWorker() {
  const scope = new EventTarget();
  const posted: Event[] = [];
  return {
    withChannel: takeChannels(scope),
    worker: {
      postMessage: (data: unknown, ports: MessagePort[]) => void posted.push(Object.assign(new Event('message'), { data, ports })),
    } as unknown as ServiceWorker,
    deliver: () => posted.splice(0).map((event) => scope.dispatchEvent(event)),
  };
}

function heardBy(end: MessagePort): { readonly all: unknown[]; readonly come: (count: number) => Promise<void> } {
  const all: unknown[] = [];
  end.onmessage = ({ data }) => void all.push(data);
  return { all, come: (count) => vi.waitFor(() => expect(all).toHaveLength(count)) };
}

describe('a channel beside a port', () => {
  it.each(['channel first', 'port first'])('carries every message in order, both ways: %s', async (which) => {
    const { worker, withChannel, deliver } = fakeWorker();
    const { name, end } = offerChannel(worker, 'panel:tab:7');
    if (which === 'channel first') deliver();
    const runtime = fakePort(name);
    const port = withChannel(runtime.port);
    expect(port.name).toBe('panel:tab:7');
    const commands: unknown[] = [];
    port.onMessage.addListener((message) => void commands.push(message));
    for (let no = 0; no < 50; no++) port.postMessage(no);
    if (which === 'port first') deliver();
    const heard = heardBy(end);
    end.postMessage('early');
    await heard.come(50);
    port.postMessage(50);
    await heard.come(51);
    expect(heard.all).toEqual(Array.from({ length: 51 }, (_, no) => no));
    await vi.waitFor(() => expect(commands).toEqual(['early']));
    runtime.tell('by the port');
    expect(commands).toEqual(['early', 'by the port']);
    expect(runtime.sent).toEqual([]);
    runtime.end();
    end.close();
  });

  it('is replaced by the port itself when it never comes; nothing that was sent meanwhile is lost', async () => {
    vi.useFakeTimers();
    const { worker, withChannel, deliver } = fakeWorker();
    const { name, end } = offerChannel(worker, 'panel:tab:7');
    const runtime = fakePort(name);
    const port = withChannel(runtime.port);
    port.postMessage(1);
    port.postMessage(2);
    expect(runtime.sent).toEqual([]);
    await vi.advanceTimersByTimeAsync(5_000);
    port.postMessage(3);
    expect(runtime.sent).toEqual([1, 2, 3]);
    // too late: one way is enough
    deliver();
    port.postMessage(4);
    expect(runtime.sent).toEqual([1, 2, 3, 4]);
    end.close();
  });

  it('leaves a port alone that names none', () => {
    const { withChannel } = fakeWorker();
    const { port } = fakePort('panel:tab:7');
    expect(withChannel(port)).toBe(port);
  });

  it('ends with its port', async () => {
    const { worker, withChannel, deliver } = fakeWorker();
    const { name, end } = offerChannel(worker, 'panel:tab:7');
    deliver();
    const runtime = fakePort(name);
    const port = withChannel(runtime.port);
    const heard = heardBy(end);
    port.postMessage(1);
    await heard.come(1);
    const closed = new Promise((resolve) => end.addEventListener('close', resolve));
    runtime.end();
    await closed;
    expect(runtime.sent).toEqual([]);
  });
});
