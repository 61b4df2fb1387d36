/**
 * EventSource: the browser parses the stream and keeps its bytes, so what it delivers is written down as the frames they came
 * from. Only names somebody listens for are delivered: ours are `message`, every AG-UI type, and those the page asks for. `watch`
 * is long because its functions share one state, as plain closures.
 */
import { EVENT_TYPES } from '../protocol/events.ts';
import { quietly, type Recorder } from './batches.ts';
import { disguise } from './disguise.ts';
import {
  bare,
  construct,
  defineProperty,
  encode,
  encoder,
  eventData,
  eventTarget,
  eventType,
  find,
  getter,
  join,
  keep,
  lastEventId,
  listen,
  NativeEventSource,
  NativeWeakMap,
  own,
  split,
  win,
} from './natives.ts';
import { mark, pageStack, scrubbed } from './stack.ts';

const { prototype } = NativeEventSource;
const urlOf = getter(prototype, 'url');
const readyStateOf = getter(prototype, 'readyState');
const CLOSED = 2;

/** What follows one EventSource object: a connection at a time. */
interface Watch {
  listenFor(type: string): void;
  closed(): void;
}

/** The frame a message was parsed from, as far as the browser tells. */
function frameText(type: string, id: string | undefined, data: string): string {
  const name = type === 'message' ? '' : `event: ${type}\n`;
  const mark = id === undefined ? '' : `id: ${id}\n`;
  return `${name}${mark}data: ${join(split(data, '\n'), '\ndata: ')}\n\n`;
}

function watch(source: EventSource, recorder: Recorder, called: number, stack: string | undefined): Watch {
  const url = urlOf(source);
  const heard: Record<string, true> = bare({});
  let conn = 0;
  let lost = 0;
  let id = '';

  const begin = (time: number) => {
    conn = recorder.begin();
    recorder.note(conn, 'request', time, { carrier: 'eventsource', url, method: 'GET', stack });
  };
  const end = (how: 'closed' | 'network-error', message?: string) => {
    if (conn) recorder.end(conn, how, message);
    conn = 0;
  };
  const opened = () => {
    // a reconnect: the browser asked some time after it lost the last one
    if (!conn) begin(lost || recorder.clock());
    recorder.note(conn, 'response', recorder.clock(), { status: 200, statusText: '', contentType: 'text/event-stream', url });
  };
  const failed = () => {
    lost = recorder.clock();
    end('network-error', readyStateOf(source) === CLOSED ? 'refused' : 'lost; the browser tries again');
  };
  const message = (event: MessageEvent) => {
    if (!conn) return;
    const came = recorder.clock();
    const newId = lastEventId(event);
    const text = frameText(eventType(event), newId === id ? undefined : newId, eventData(event) as string);
    id = newId;
    recorder.chunk(conn, came, encode(encoder, text));
  };
  /** The page may dispatch events of its own on the object. */
  const trusted = <E extends Event>(act: (event: E) => void) =>
    quietly((event: E) => {
      if (event.isTrusted && recorder.isOpen()) act(event);
    });
  const onMessage = trusted(message);
  const listenFor = (type: string) => {
    if (heard[type]) return;
    heard[type] = true;
    listen(source, type, onMessage);
  };

  heard['open'] = heard['error'] = true;
  begin(called);
  listen(source, 'open', trusted(opened));
  listen(source, 'error', trusted(failed));
  listenFor('message');
  for (let i = 0; i < EVENT_TYPES.length; i += 1) listenFor(EVENT_TYPES[i] as string);
  return { listenFor, closed: () => end('closed') };
}

/** Puts ours in the place of the window's EventSource. */
export function hookEventSource(recorder: Recorder): void {
  const watches = new NativeWeakMap<EventSource, Watch>();
  const begin = quietly((source: EventSource, called: number, place: Error) => {
    if (recorder.isOpen()) keep(watches, source, watch(source, recorder, called, pageStack(place)));
  });
  const closed = quietly((source: EventSource) => find(watches, source)?.closed());
  const listenFor = quietly((source: EventSource, type: string) => find(watches, source)?.listenFor(type));
  const made = (target: typeof EventSource, args: never[], newTarget: object) => {
    const called = recorder.clock();
    const place = mark();
    const source: EventSource = scrubbed(construct, undefined, [target, args, newTarget === hooked ? target : newTarget]);
    begin(source, called, place);
    return source;
  };
  const hooked = disguise(NativeEventSource, { construct: made });
  const put = (target: object, key: string, value: unknown, from = own(target, key)) => defineProperty(target, key, { ...from, value });

  put(prototype, 'constructor', hooked);
  const { close } = prototype;
  const closing = (_: unknown, self: EventSource, args: []) => {
    scrubbed(close, self, args);
    closed(self);
  };
  put(prototype, 'close', disguise(close, { apply: closing }));
  // the one own property that the browser does not have here: it alone tells which other names the page listens for
  const listening = (_: unknown, self: EventSource, args: never[]) => {
    if (typeof args[0] === 'string') listenFor(self, args[0]);
    return scrubbed(eventTarget.addEventListener, self, args);
  };
  put(prototype, 'addEventListener', disguise(eventTarget.addEventListener, { apply: listening }), own(eventTarget, 'addEventListener'));
  put(win, 'EventSource', hooked);
}
