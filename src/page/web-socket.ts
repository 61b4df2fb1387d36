/**
 * WebSocket: one bare JSON event a frame, or Phoenix frames whose event is `ag_ui_event`. Each Phoenix topic is a connection of its
 * own. What comes is written down as NDJSON, a line a frame; what is sent is noted where it is the input of a run. A socket shows what
 * it is by its frames only, so nothing is noted before the first of AG-UI, and of a socket that has none nothing at all.
 */
import { EVENT_TYPES } from '../protocol/events.ts';
import type { PageEnd } from '../wire/page-to-relay.ts';
import { around, hookClass } from './around.ts';
import { begin, chunk, end, isOpen, note, quietly, responded } from './batches.ts';
import { clock } from './clock.ts';
import { jsonOf } from './json.ts';
import {
  $CloseEvent,
  $MessageEvent,
  $String,
  $TextEncoder,
  $WebSocket,
  bare,
  encoder,
  isArray,
  join,
  listen,
  ownField,
  ownKeys,
  parse,
  split,
  test,
  unlisten,
} from './natives.ts';
import { fitted } from './request.ts';
import { isAgentBody } from './shape.ts';
import { mark } from './stack.ts';

const { prototype } = WebSocket;

/** Frames after which a socket that showed nothing of AG-UI is given up. */
const PATIENCE = 32;
const UNTOLD = 'the page put a toJSON on a prototype';
/** Types of an older AG-UI. */
const RETIRED = /^THINKING_[A-Z_]+$/;

/** Event types without underscores: also `run_started` and `RunStarted` are meant. One-word types are anybody's unless exact. */
const spelt = (type: string): string => $String.toUpperCase(join(split(type, '_'), ''));
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

/** Follows one socket. */
function watch(socket: WebSocket, called: number, place: Error) {
  const url = $WebSocket.url(socket);
  /** By topic; a socket of bare events has one, ''. 0 where the topic was left. */
  const conns: Record<string, number> = bare({});
  let known = false;
  let strange = 0;

  const stranger = () => {
    strange += 1;
    if (known || strange !== PATIENCE) return;
    unlisten(socket, 'message', message);
    unlisten(socket, 'close', closed);
  };
  const connOf = (topic: string, time = called, from = place): number => {
    if (conns[topic]) return conns[topic];
    const address = topic ? `${url}#${topic}` : url;
    const conn = begin('websocket', time, address, 'GET', from);
    known = true;
    conns[topic] = conn;
    responded(conn, address, 'application/x-ndjson', 101, '');
    return conn;
  };
  const line = (topic: string, text: string | undefined) => {
    const conn = connOf(topic);
    if (text === undefined) note(conn, 'lost', clock(), { bytes: 0, chunks: 1, why: UNTOLD });
    // JSON has line ends only where any white space will do
    else chunk(conn, clock(), $TextEncoder.encode(encoder, `${join(split(text, '\n'), ' ')}\n`));
  };
  const endTopic = (topic: string, how: PageEnd['how'], message?: string) => {
    if (conns[topic]) end(conns[topic], how, message);
    conns[topic] = 0;
  };
  const endAll = (how: PageEnd['how'], message?: string) => {
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
    else if (event === 'phx_error') endTopic(topic, 'network-error', event);
    // joins and heartbeats tell nothing of what the channels carry
    else if (!$String.startsWith(event, 'phx_')) stranger();
  };
  const sent = (data: unknown) => {
    // given up
    if (!known && strange >= PATIENCE) return;
    const frame = typeof data === 'string' && objectIn(data);
    if (!frame) return stranger();
    const wrapped = unwrap(frame);
    const topic = wrapped ? wrapped.topic : '';
    const text = wrapped ? textOf(wrapped.payload) : (data as string);
    if (text !== undefined && isAgentBody(text)) {
      const time = clock();
      note(connOf(topic, time, mark()), 'body', time, fitted({ kind: 'text', text }));
    } else if (wrapped?.event === 'phx_leave') endTopic(topic, 'closed');
    else if (topic !== 'phoenix' && wrapped?.event !== 'phx_join') stranger();
  };
  const message = quietly((event: MessageEvent) => {
    if (event.isTrusted && isOpen()) came($MessageEvent.data(event));
  });
  const closed = quietly((event: CloseEvent) => {
    if (!event.isTrusted) return;
    const code = $CloseEvent.code(event);
    if (code === 1000 || code === 1001 || code === 1005) endAll('complete');
    else endAll('network-error', `close code ${code} ${$CloseEvent.reason(event)}`);
  });

  listen(socket, 'message', message);
  listen(socket, 'close', closed);
  return { sent, endAll };
}

/** Puts ours in the place of the window's WebSocket. */
export function hookWebSocket(): void {
  const told = hookClass('WebSocket', watch);
  around(
    prototype,
    'send',
    undefined,
    told(({ sent }, data) => sent(data)),
  );
  around(
    prototype,
    'close',
    undefined,
    told(({ endAll }) => endAll('closed')),
  );
}
