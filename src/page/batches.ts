/**
 * The way out of the page: records are packed into batches, posted to the relay over one port, and kept until the relay says it
 * has them. What still lies here at pagehide goes as the data of one synchronous event, because a port drops what is in flight
 * when its document goes. `createRecorder` is long because its functions share one state, as plain closures.
 */
import { OFFER, type PageBatch, type PageEnd, type PageHandOver, type PageRecordKind, READY, RELAY_OFF } from '../wire/page-to-relay.ts';
import { createClock } from './clock.ts';
import {
  apply,
  bare,
  copy,
  dispatch,
  eventData,
  isHidden,
  isPersisted,
  listen,
  min,
  NativeMessageChannel,
  NativeMessageEvent,
  NativeUint8Array,
  now,
  ownField,
  part,
  post,
  push,
  put,
  shift,
  sizeOf,
  startTimer,
  stopTimer,
  wasPrevented,
  win,
} from './natives.ts';

/** Bytes a batch holds: below 64 KiB, where a port message suddenly costs twice. */
const ROOM = 60 * 1024;
/** Milliseconds that records wait for company; the first after a quiet while does not wait. */
const PAUSE = 8;
/** Bytes kept for a relay that does not answer, and for one that has not come yet. */
const LIMIT = 32 << 20;
const LIMIT_ALONE = 1 << 20;

interface Kept {
  readonly batch: PageBatch;
  /** Bytes and characters it holds. */
  readonly size: number;
}

interface Loss {
  bytes: number;
  chunks: number;
  readonly why: string;
}

/** Where an exchange is noted. Times are ms since the epoch. No function throws. */
export interface Recorder {
  /** False once the relay has said that it will take no more: then nothing need be wrapped. */
  isOpen(): boolean;
  clock(): number;
  /** The next connection's number, from 1. */
  begin(): number;
  note(conn: number, kind: Exclude<PageRecordKind, 'chunk' | 'end'>, time: number, payload: object): void;
  /** Copies the bytes at once: the page may transfer or overwrite them. */
  chunk(conn: number, asked: number, bytes: Uint8Array): void;
  end(conn: number, how: PageEnd['how'], message?: string): void;
}

/** A random word that only this hook and the relay know, so that a page's forged hand-over is told from ours. */
const secret = (): string => crypto.getRandomValues(new Uint32Array(4)).join('-');

/** What waits to be posted: one batch being filled. */
function createPacker(emit: (batch: Omit<PageBatch, 'no'>, size: number) => void) {
  const room = new NativeUint8Array(ROOM);
  let meta: unknown[] = [];
  let used = 0;
  let texts = 0;
  const flush = () => {
    if (!meta.length) return;
    const full = meta;
    const size = used + texts;
    const bytes = copy(room, 0, used) as Uint8Array<ArrayBuffer>;
    meta = [];
    used = texts = 0;
    emit({ meta: full, bytes }, size);
  };
  return {
    flush,
    add(conn: number, kind: PageRecordKind, time: number, payload: object) {
      const text = ownField(payload, 'text');
      if (typeof text === 'string') texts += text.length;
      push(meta, conn, kind, time, 0, payload);
    },
    /** A chunk that does not fit is noted in pieces with the same times. */
    addBytes(conn: number, time: number, asked: number, bytes: Uint8Array) {
      const size = sizeOf(bytes);
      let from = 0;
      do {
        const length = min(size - from, ROOM - used);
        if (length) put(room, length < size ? part(bytes, from, from + length) : bytes, used);
        used += length;
        from += length;
        push(meta, conn, 'chunk', time, asked, length);
        if (used === ROOM) flush();
      } while (from < size);
    },
  };
}

/** Batches the relay has not confirmed, and the three ways to it: the port, the offer of the port, the last event of a document. */
function createSender() {
  const token = secret();
  const { port1, port2 } = new NativeMessageChannel();
  const kept: Kept[] = [];
  let size = 0;
  let given = false;
  let open = true;
  let no = 0;

  const drop = () => {
    size -= (shift(kept) as Kept).size;
  };
  const offer = () => {
    if (given) return;
    const event = new NativeMessageEvent(OFFER, bare({ data: token, ports: [port2], cancelable: true }));
    dispatch(win, event);
    given = wasPrevented(event);
  };
  // both scripts run before the page's first: whichever is second finds the other listening
  listen(win, READY, offer, { once: true });
  offer();

  port1.onmessage = (event) => {
    const answer: unknown = eventData(event);
    if (answer === RELAY_OFF) {
      open = false;
      while (kept.length) drop();
    } else while (kept.length && (kept[0] as Kept).batch.no <= (answer as number)) drop();
  };

  return {
    isOpen: () => open,
    isFull: () => size >= (given ? LIMIT : LIMIT_ALONE),
    isGiven: () => given,
    send({ meta, bytes }: Omit<PageBatch, 'no'>, batchSize: number) {
      no += 1;
      const batch = { no, meta, bytes };
      size += batchSize;
      push(kept, { batch, size: batchSize });
      post(port1, batch);
    },
    handOver() {
      const batches: PageBatch[] = [];
      for (let i = 0; i < kept.length; i += 1) push(batches, (kept[i] as Kept).batch);
      const data: PageHandOver = { token, batches };
      if (batches.length) dispatch(win, new NativeMessageEvent(OFFER, bare({ data })));
    },
  };
}

export function createRecorder(): Recorder {
  const clock = createClock();
  const sender = createSender();
  const packer = createPacker(sender.send);
  /** By connection number: those that have not ended, and what found no room, to be told before their next record. */
  const live: Record<number, boolean> = bare({});
  const losses: Record<number, Loss | undefined> = bare({});
  let count = 0;
  let timer = 0;
  let last = -PAUSE;
  let leaving = false;

  const flush = () => {
    // each time: document.open() strips a window of its listeners
    listen(win, 'pagehide', leave, true);
    if (timer) stopTimer(timer);
    timer = 0;
    last = now();
    packer.flush();
    if (leaving) sender.handOver();
  };
  // the first after a quiet while leaves at once; timers of a hidden page come up to a second late
  const settle = (urgent: boolean) => {
    if (urgent || leaving || now() - last > PAUSE || isHidden()) flush();
    else if (!timer) timer = startTimer(flush, PAUSE) as unknown as number;
  };
  const tellLoss = (conn: number, time: number) => {
    const loss = losses[conn];
    if (!loss) return;
    packer.add(conn, 'lost', time, loss);
    losses[conn] = undefined;
  };
  const add = (conn: number, kind: PageRecordKind, time: number, payload: object, urgent = false) => {
    // with no relay at all, not even the small records may pile up
    if (!sender.isOpen() || (sender.isFull() && !sender.isGiven())) return;
    tellLoss(conn, time);
    packer.add(conn, kind, time, payload);
    settle(urgent);
  };
  // once: a body breaks off after pagehide has told why
  const end = (conn: number, time: number, payload: PageEnd) => {
    if (!live[conn]) return;
    live[conn] = false;
    add(conn, 'end', time, payload, true);
  };
  const leave = (event: PageTransitionEvent) => {
    try {
      // a persisted page may come back and read on
      if (!isPersisted(event)) {
        for (let conn = 1; conn <= count; conn += 1) end(conn, clock(), { how: 'navigated' });
        leaving = true;
      }
      flush();
      sender.handOver();
    } catch {
      // the page is going: nobody is left to tell
    }
  };

  listen(win, 'pagehide', leave, true);

  return {
    isOpen: sender.isOpen,
    clock,
    end(conn, how, message) {
      const time = clock();
      const act = quietly(() => end(conn, time, message === undefined ? { how } : { how, message }));
      // bodies of a document that is going break off a moment before a pagehide listener that is not the first
      if (how === 'network-error') startTimer(act);
      else act();
    },
    note: quietly(add),
    begin() {
      count += 1;
      live[count] = true;
      return count;
    },
    chunk: quietly((conn, asked, bytes) => {
      if (!sender.isOpen()) return;
      const time = clock();
      if (sender.isFull()) {
        losses[conn] ??= { bytes: 0, chunks: 0, why: 'the page was too busy' };
        const loss = losses[conn];
        loss.bytes += sizeOf(bytes);
        loss.chunks += 1;
        return;
      }
      tellLoss(conn, time);
      packer.addBytes(conn, time, asked, bytes);
      settle(false);
    }),
  };
}

/** An exception of ours never reaches the page. */
export function quietly<A extends unknown[]>(act: (...args: A) => void): (...args: A) => void {
  return (...args) => {
    try {
      apply(act, undefined, args);
    } catch {
      // nothing to tell it to: the recorder itself failed
    }
  };
}
