/**
 * WebSocket: one bare JSON event a frame, or Phoenix frames whose event is `ag_ui_event`. Each Phoenix topic is a connection of its
 * own. What comes is written down as NDJSON, a line a frame; what is sent is noted where it is the input of a run. A socket shows what
 * it is by its frames only, so nothing is noted before the first of AG-UI, and of a socket that has none nothing at all.
 */
import { EVENT_TYPES } from '../protocol/events.ts';
import type { PageEnd } from '../wire/page-to-relay.ts';
import { quietly, type Recorder } from './batches.ts';
import { disguise } from './disguise.ts';
import { jsonOf } from './json.ts';
import {
  bare,
  construct,
  defineProperty,
  encode,
  encoder,
  eventData,
  find,
  getter,
  isArray,
  join,
  keep,
  listen,
  NativeWeakMap,
  NativeWebSocket,
  own,
  ownField,
  ownKeys,
  parse,
  split,
  startsWith,
  test,
  unlisten,
  upper,
  win,
} from './natives.ts';
import { fitted } from './request.ts';
import { isAgentBody } from './shape.ts';
import { mark, pageStack, scrubbed } from './stack.ts';

const { prototype } = NativeWebSocket;
const urlOf = getter(prototype, 'url');
const codeOf = getter(CloseEvent.prototype, 'code');
const reasonOf = getter(CloseEvent.prototype, 'reason');

/** Frames after which a socket that showed nothing of AG-UI is given up. */
const PATIENCE = 32;
const UNTOLD = 'the page put a toJSON on a prototype';
/** Types of an older AG-UI. */
const RETIRED = /^THINKING_[A-Z_]+$/;

/** Event types without underscores: also `run_started` and `RunStarted` are meant. One-word types are anybody's unless exact. */
const spelt = (type: string): string => upper(join(split(type, '_'), ''));
const TYPES: Record<string, string> = bare({});
for (let i = 0; i < EVENT_TYPES.length; i += 1) TYPES[spelt(EVENT_TYPES[i] as string)] = EVENT_TYPES[i] as string;

function isAgentEvent(value: object): boolean {
  const type = ownField(value, 'type');
  if (typeof type !== 'string') return false;
  const found = TYPES[spelt(type)];
  return found === type || (found !== undefined && test(/_/, found)) || test(RETIRED, type);
}

function objectIn(text: string): object | undefined {
  if (!test(/^\s*[[{]/, text)) return undefined;
  try {
    return parse(text);
  } catch {
    return undefined;
  }
}

interface Wrapped {
  readonly topic: string;
  readonly event: string;
  readonly payload: unknown;
}

/** A Phoenix frame: `[join_ref, ref, topic, event, payload]`, or an object with these names. */
function unwrap(frame: object): Wrapped | undefined {
  const at = (key: string, index: number) => ownField(frame, isArray(frame) ? index : key);
  const topic = at('topic', 2);
  const event = at('event', 3);
  return typeof topic === 'string' && typeof event === 'string' ? { topic, event, payload: at('payload', 4) } : undefined;
}

const textOf = (payload: unknown): string | undefined => (typeof payload === 'string' ? payload : jsonOf(payload));

/** What follows one socket. */
interface Watch {
  sent(data: unknown): void;
  end(how: PageEnd['how'], message?: string): void;
}

function watch(socket: WebSocket, recorder: Recorder, called: number, place: Error): Watch {
  const url = urlOf(socket);
  /** By topic; a socket of bare events has one, ''. 0 where the topic was left. */
  const conns: Record<string, number> = bare({});
  let known = false;
  let strange = 0;

  const giveUp = () => {
    unlisten(socket, 'message', message);
    unlisten(socket, 'close', closed);
  };
  const stranger = () => {
    strange += 1;
    if (!known && strange === PATIENCE) giveUp();
  };
  const begin = (topic: string, time: number, from: Error): number => {
    const conn = recorder.begin();
    const address = topic ? `${url}#${topic}` : url;
    known = true;
    conns[topic] = conn;
    recorder.note(conn, 'request', time, { carrier: 'websocket', url: address, method: 'GET', stack: pageStack(from) });
    recorder.note(conn, 'response', recorder.clock(), { status: 101, statusText: '', contentType: 'application/x-ndjson', url: address });
    return conn;
  };
  const line = (topic: string, text: string | undefined) => {
    const conn = conns[topic] || begin(topic, called, place);
    if (text === undefined) return recorder.note(conn, 'lost', recorder.clock(), { bytes: 0, chunks: 1, why: UNTOLD });
    // JSON has line ends only where any white space will do
    recorder.chunk(conn, recorder.clock(), encode(encoder, `${join(split(text, '\n'), ' ')}\n`));
  };
  const endTopic = (topic: string, how: PageEnd['how'], message?: string) => {
    if (conns[topic]) recorder.end(conns[topic], how, message);
    conns[topic] = 0;
  };
  const end = (how: PageEnd['how'], message?: string) => {
    const topics = ownKeys(conns);
    for (let i = 0; i < topics.length; i += 1) endTopic(topics[i] as string, how, message);
  };

  const came = (data: unknown) => {
    if (typeof data !== 'string') return stranger();
    if (conns[''] && test(/^\s*{/, data)) return line('', data);
    const frame = objectIn(data);
    const wrapped = frame && unwrap(frame);
    if (!wrapped) return frame && isAgentEvent(frame) ? line('', data) : stranger();
    const { topic, event, payload } = wrapped;
    if (event === 'ag_ui_event') line(topic, textOf(payload));
    else if (event === 'phx_close') endTopic(topic, 'complete');
    else if (event === 'phx_error') endTopic(topic, 'network-error', 'phx_error');
    // joins and heartbeats tell nothing of what the channels carry
    else if (!startsWith(event, 'phx_')) stranger();
  };
  const sent = (data: unknown) => {
    const frame = typeof data === 'string' && objectIn(data);
    if (!frame) return stranger();
    const wrapped = unwrap(frame);
    const topic = wrapped ? wrapped.topic : '';
    const text = wrapped ? textOf(wrapped.payload) : (data as string);
    if (text !== undefined && isAgentBody(text)) {
      const time = recorder.clock();
      recorder.note(conns[topic] || begin(topic, time, mark()), 'body', time, fitted({ kind: 'text', text }));
    } else if (wrapped?.event === 'phx_leave') endTopic(topic, 'closed');
    else if (topic !== 'phoenix' && wrapped?.event !== 'phx_join') stranger();
  };
  const message = quietly((event: MessageEvent) => {
    if (event.isTrusted && recorder.isOpen()) came(eventData(event));
  });
  const closed = quietly((event: CloseEvent) => {
    if (!event.isTrusted) return;
    const code = codeOf(event);
    if (code === 1000 || code === 1001 || code === 1005) end('complete');
    else end('network-error', `close code ${code} ${reasonOf(event)}`);
  });

  listen(socket, 'message', message);
  listen(socket, 'close', closed);
  return { sent: (data) => (known || strange < PATIENCE ? sent(data) : undefined), end };
}

/** Puts ours in the place of the window's WebSocket. */
export function hookWebSocket(recorder: Recorder): void {
  const watches = new NativeWeakMap<WebSocket, Watch>();
  const begin = quietly((socket: WebSocket, called: number, place: Error) => {
    if (recorder.isOpen()) keep(watches, socket, watch(socket, recorder, called, place));
  });
  const made = (target: typeof WebSocket, args: never[], newTarget: object) => {
    const called = recorder.clock();
    const place = mark();
    const socket: WebSocket = scrubbed(construct, undefined, [target, args, newTarget === hooked ? target : newTarget]);
    begin(socket, called, place);
    return socket;
  };
  const hooked = disguise(NativeWebSocket, { construct: made });
  const put = (target: object, key: string, value: unknown) => defineProperty(target, key, { ...own(target, key), value });
  const { send, close } = prototype;
  const sending = quietly((self: WebSocket, data: unknown) => find(watches, self)?.sent(data));
  const closing = quietly((self: WebSocket) => find(watches, self)?.end('closed'));

  put(prototype, 'constructor', hooked);
  const sends = (_: unknown, self: WebSocket, args: never[]) => {
    scrubbed(send, self, args);
    sending(self, args[0]);
  };
  put(prototype, 'send', disguise(send, { apply: sends }));
  const closes = (_: unknown, self: WebSocket, args: never[]) => {
    scrubbed(close, self, args);
    closing(self);
  };
  put(prototype, 'close', disguise(close, { apply: closes }));
  put(win, 'WebSocket', hooked);
}
