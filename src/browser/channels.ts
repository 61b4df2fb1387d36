/**
 * A straight line between an extension page and the extension's service worker: a message channel beside a runtime port. Every message of
 * a runtime port goes through the browser's own process, which took ten times as long for the rows of a long capture. The runtime port
 * stays: it tells when the other end is gone, and keeps the worker awake. Where there is no service worker, it is all there is.
 */

/** Stands in a runtime port's name before the name of its channel. */
export const MARK = '#channel:';

export interface Offer {
  readonly channel: string;
}

/** Sends one end of a new channel to the worker. Answers the other, and the name by which a runtime port is told to belong to it. */
export function offerChannel(worker: ServiceWorker, name: string): { readonly name: string; readonly end: MessagePort } {
  const { port1, port2 } = new MessageChannel();
  const channel = crypto.randomUUID();
  worker.postMessage({ channel } satisfies Offer, [port2]);
  return { name: name + MARK + channel, end: port1 };
}
