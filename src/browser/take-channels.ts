/** The worker's side of the channels of `channels.ts`. Apart from it, since a panel takes none. */
import { MARK, type Offer } from './channels.ts';

/** Ms after which a worker no longer waits for a channel that was named. */
const PATIENCE = 2_000;

/** A port, as far as it is wrapped here. */
interface PlainPort {
  readonly name: string;
  readonly postMessage: (message: unknown) => void;
  readonly disconnect: () => void;
  readonly onMessage: { readonly addListener: (listener: (message: unknown) => void) => void };
  readonly onDisconnect: { readonly addListener: (listener: () => void) => void };
}

/** The worker's side: channels may come before or after the ports that belong to them. Call it at once, or a woken worker misses what woke it. */
export function takeChannels(scope: Pick<typeof globalThis, 'addEventListener'>): (port: PlainPort) => PlainPort {
  const here = new Map<string, MessagePort>();
  const awaited = new Map<string, (end: MessagePort) => void>();
  scope.addEventListener('message', ({ data, ports }: MessageEvent) => {
    const channel = (data as Partial<Offer> | null)?.channel;
    const end = ports[0];
    if (typeof channel !== 'string' || !end) return;
    const take = awaited.get(channel);
    if (take) take(end);
    else {
      here.set(channel, end);
      setTimeout(() => here.delete(channel), PATIENCE);
    }
  });
  return (port) => {
    const [name, channel] = port.name.split(MARK);
    if (channel === undefined) return port;
    const known = here.get(channel);
    here.delete(channel);
    const found = new Promise<MessagePort | null>((resolve) => {
      if (known) {
        resolve(known);
        return;
      }
      awaited.set(channel, resolve);
      setTimeout(() => resolve(null), PATIENCE);
    });
    void found.then(() => awaited.delete(channel));
    return joined(port, name!, found);
  };
}

/** A port whose messages go by the channel, in the order in which they are sent; by the port itself if the channel never comes. */
function joined(port: PlainPort, name: string, found: Promise<MessagePort | null>): PlainPort {
  let end: MessagePort | null = null;
  let waiting: unknown[] | null = [];
  const listeners: ((message: unknown) => void)[] = [];
  void found.then((channel) => {
    end = channel;
    if (channel)
      channel.onmessage = ({ data }) => {
        for (const listener of listeners) listener(data);
      };
    const sent = waiting ?? [];
    waiting = null;
    for (const message of sent) send(message);
  });
  port.onDisconnect.addListener(() => {
    waiting &&= [];
    void found.then((channel) => channel?.close());
  });
  const send = (message: unknown): void => {
    try {
      (end ?? port).postMessage(message);
    } catch {
      // the other end is gone: the port's onDisconnect tells
    }
  };
  return {
    name,
    postMessage: (message) => (waiting ? void waiting.push(message) : send(message)),
    disconnect: () => port.disconnect(),
    onMessage: {
      addListener: (listener) => {
        listeners.push(listener);
        port.onMessage.addListener(listener);
      },
    },
    onDisconnect: port.onDisconnect,
  };
}
