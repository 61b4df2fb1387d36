/**
 * EventSource: the browser parses the stream and keeps its bytes, so what it delivers is written down as the frames they came
 * from. Only names somebody listens for are delivered: ours are `message`, every AG-UI type, and those the page asks for. `watch`
 * is long because its functions share one state, as plain closures.
 */
import { EVENT_TYPES } from '../protocol/events.ts';
import { around, hookClass } from './around.ts';
import { begin, chunk, end, isOpen, quietly, responded } from './batches.ts';
import { clock } from './clock.ts';
import { $Event, $EventSource, $MessageEvent, $TextEncoder, bare, encoder, eventTarget, join, listen, split } from './natives.ts';

const { prototype } = EventSource;
const CLOSED = 2;

/** The frame a message was parsed from, as far as the browser tells. */
function frameText(type: string, id: string | undefined, data: string): string {
  const name = type === 'message' ? '' : `event: ${type}\n`;
  const mark = id === undefined ? '' : `id: ${id}\n`;
  return `${name}${mark}data: ${join(split(data, '\n'), '\ndata: ')}\n\n`;
}

/** Follows one EventSource object, a connection at a time. */
function watch(source: EventSource, called: number, place: Error) {
  const url = $EventSource.url(source);
  const heard: Record<string, true> = bare({ open: true, error: true });
  let conn = 0;
  let lost = 0;
  let id = '';

  const start = (time: number) => {
    conn = begin('eventsource', time, url, 'GET', place);
  };
  const stop = (how: 'closed' | 'network-error', message?: string) => {
    if (conn) end(conn, how, message);
    conn = 0;
  };
  const opened = () => {
    // a reconnect: the browser asked some time after it lost the last one
    if (!conn) start(lost || clock());
    responded(conn, url, 'text/event-stream', 200, '');
  };
  const failed = () => {
    lost = clock();
    stop('network-error', $EventSource.readyState(source) === CLOSED ? 'refused' : 'lost; the browser tries again');
  };
  const message = (event: MessageEvent) => {
    if (!conn) return;
    const came = clock();
    const newId = $MessageEvent.lastEventId(event);
    const text = frameText($Event.type(event), newId === id ? undefined : newId, $MessageEvent.data(event) as string);
    id = newId;
    chunk(conn, came, $TextEncoder.encode(encoder, text));
  };
  /** The page may dispatch events of its own on the object. */
  const trusted = <E extends Event>(act: (event: E) => void) =>
    quietly((event: E) => {
      if (event.isTrusted && isOpen()) act(event);
    });
  const onMessage = trusted(message);
  const listenFor = (type: unknown) => {
    if (typeof type !== 'string' || heard[type]) return;
    heard[type] = true;
    listen(source, type, onMessage);
  };

  start(called);
  listen(source, 'open', trusted(opened));
  listen(source, 'error', trusted(failed));
  listenFor('message');
  for (let i = 0; i < EVENT_TYPES.length; i += 1) listenFor(EVENT_TYPES[i]);
  return { listenFor, stop };
}

/** Puts ours in the place of the window's EventSource. */
export function hookEventSource(): void {
  const told = hookClass('EventSource', watch);
  around(
    prototype,
    'close',
    told(({ stop }) => stop('closed')),
  );
  // the one own property that the browser does not have here: it alone tells which other names the page listens for
  around(
    prototype,
    'addEventListener',
    told(({ listenFor }, type) => listenFor(type)),
    undefined,
    undefined,
    eventTarget,
  );
}
