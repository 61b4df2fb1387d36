/**
 * MAIN world, only while a replay is armed in this tab: holds the requests that the panel's rules name and plays what the panel
 * answers as a real Response, beneath the hook, which notes it like any other. Stands in a live page or runs before the page's first
 * script, where a baton says that the tab stays armed. It decides nothing.
 *
 * Unlike the hook it takes what it uses from the page as it is now: a page that has replaced `Response` gets its own.
 */
import { BATON, type FromHold, type HoldAct, type HoldRule, readBaton, SECRET, type ToHold } from '../wire/hold.ts';
import type { PageReplay } from '../wire/page-to-relay.ts';
import type { Gate, Held } from './fetch.ts';

/** How long a request waits for the panel's word, ms; then it goes to the network. */
const PATIENCE = 5_000;
/** Statuses that have no body. */
const BODYLESS = [101, 103, 204, 205, 304];

interface Play {
  readonly id: number;
  readonly base: number;
  readonly held: Held;
  readonly straight: () => Promise<Response>;
  readonly resolve: (response: Response | Promise<Response>) => void;
  readonly reject: (reason: unknown) => void;
  readonly queue: HoldAct[];
  /** The next act of the queue. */
  next: number;
  readonly signal: AbortSignal | null;
  state: 'held' | 'live' | 'playing' | 'over';
  patience: number;
  timer: number;
  controller: ReadableByteStreamController | null;
  /** Why the body breaks off as soon as the page has read what came before. */
  broken: unknown;
  reader: ReadableStreamDefaultReader<Uint8Array> | null;
}

const plays = new Map<number, Play>();
let rules: readonly HoldRule[] = [];
let line: MessagePort | null = null;
let word = '';
let asked = 0;
const now = () => performance.now();
const tell = (message: FromHold): void => line?.postMessage(message);

interface Call {
  readonly url: string;
  readonly method: string;
  readonly body: string;
  readonly signal: AbortSignal | null;
}

function callOf([input, init]: Parameters<typeof fetch>): Call {
  const request = input instanceof Request ? input : null;
  const url = new URL(request ? request.url : String(input), document.baseURI).href;
  const body = init?.body;
  return {
    url,
    method: (init?.method ?? request?.method ?? 'GET').toUpperCase(),
    body: typeof body === 'string' ? body : '',
    signal: init?.signal ?? request?.signal ?? null,
  };
}

const isHeld = ({ url, method }: Call): boolean => rules.some((rule) => (rule.method === '' || rule.method === method) && new RegExp(rule.pattern).test(url));

/** Ends a play; what the page is told of it was told before. */
function finish(play: Play, how: Extract<FromHold, { kind: 'over' }>['how']): void {
  if (play.state === 'over') return;
  play.state = 'over';
  play.queue.length = 0;
  clearTimeout(play.timer);
  clearTimeout(play.patience);
  plays.delete(play.id);
  tell({ kind: 'over', id: play.id, how });
}

/** The request goes to the network and is ours no longer. */
function letGo(play: Play): void {
  play.resolve(play.straight());
  play.state = 'over';
  clearTimeout(play.patience);
  plays.delete(play.id);
}

function fail(play: Play, reason: unknown): void {
  play.reject(reason);
  try {
    play.controller?.error(reason);
  } catch {
    // it had ended
  }
}

function abort(play: Play): void {
  if (play.state === 'over') return;
  fail(play, play.signal?.reason);
  finish(play, 'aborted');
}

const gate: Gate = (straight, args, held) => {
  let call: Call | null = null;
  try {
    if (rules.length > 0) call = callOf(args);
  } catch {
    // what cannot be read the browser shall refuse
  }
  if (!call || !isHeld(call) || call.signal?.aborted) return straight();
  const { url, method, body, signal } = call;
  return new Promise<Response>((resolve, reject) => {
    asked += 1;
    const play: Play = {
      ...{ id: asked, base: now(), held, straight, resolve, reject, queue: [], next: 0, signal },
      ...{ state: 'held', patience: 0, timer: 0, controller: null, broken: undefined, reader: null },
    };
    plays.set(play.id, play);
    signal?.addEventListener('abort', () => abort(play), { once: true });
    play.patience = setTimeout(() => {
      letGo(play);
      tell({ kind: 'late', id: play.id, url });
    }, PATIENCE) as unknown as number;
    tell({ kind: 'ask', id: play.id, url, method, body });
  });
};

function answer(play: Play, { status, statusText = '', contentType }: Extract<HoldAct, { kind: 'head' }>, mark: PageReplay): void {
  // the hook decides by the content type whether it notes the exchange; only then is there something to mark
  play.held.isWanted(contentType);
  play.held.replayed(mark);
  const source: UnderlyingByteSource = {
    type: 'bytes',
    start: (controller) => {
      play.controller = controller;
    },
    pull: (controller) => {
      if (play.broken) controller.error(play.broken);
    },
    cancel: () => {
      void play.reader?.cancel().catch(() => undefined);
      finish(play, 'cancelled');
    },
  };
  const body = BODYLESS.includes(status) ? null : new ReadableStream(source);
  play.resolve(new Response(body, { status, statusText, headers: contentType ? { 'content-type': contentType } : {} }));
}

function endPlay(play: Play, how: Extract<HoldAct, { kind: 'end' }>['how'], mark: PageReplay): void {
  if (how === 'open') return;
  if (how === 'network-error') {
    play.held.replayed(mark);
    // an error at once would take with it what the page has not read yet
    if (play.controller?.desiredSize) play.broken = new TypeError('network error');
    else fail(play, new TypeError(play.controller ? 'network error' : 'Failed to fetch'));
  } else {
    play.controller?.close();
    play.controller?.byobRequest?.respond(0);
  }
  void play.reader?.cancel().catch(() => undefined);
  finish(play, 'played');
}

/** Plays what is due, and comes back for the rest. */
function pump(play: Play, mark: PageReplay): void {
  clearTimeout(play.timer);
  for (let act = play.queue[play.next]; act; act = play.queue[play.next]) {
    const wait = play.base + act.after - now();
    if (wait > 0) {
      play.timer = setTimeout(() => pump(play, mark), wait) as unknown as number;
      return;
    }
    play.next += 1;
    if (act.kind === 'head') answer(play, act, mark);
    else if (act.kind === 'end') endPlay(play, act.how, mark);
    else if (act.bytes.byteLength > 0) play.controller?.enqueue(act.bytes as Uint8Array<ArrayBuffer>);
  }
  play.queue.length = 0;
  play.next = 0;
}

/** Asks the network and tells what comes; the answer is made of the acts that the panel sends for it. */
async function goThrough(play: Play): Promise<void> {
  try {
    const { status, statusText, headers, body } = await play.straight();
    tell({ kind: 'head', id: play.id, time: now() - play.base, status, statusText, contentType: headers.get('content-type') ?? '' });
    play.reader = body?.getReader() ?? null;
  } catch {
    if (play.state !== 'over') tell({ kind: 'end', id: play.id, time: now() - play.base, how: 'network-error' });
  }
}

async function readMore(play: Play): Promise<void> {
  const time = () => now() - play.base;
  try {
    const read = play.reader ? await play.reader.read() : { done: true as const, value: undefined };
    if (play.state === 'over') return;
    if (read.done) tell({ kind: 'end', id: play.id, time: time(), how: 'complete' });
    else tell({ kind: 'bytes', id: play.id, time: time(), bytes: read.value });
  } catch {
    if (play.state !== 'over') tell({ kind: 'end', id: play.id, time: time(), how: 'network-error' });
  }
}

/** Nobody is left to say what comes next: what has its end already is played to it, the rest must not hang. */
function abandon(play: Play): void {
  if (play.state === 'held') letGo(play);
  else if (!play.queue.some((act) => act.kind === 'end')) {
    fail(play, new TypeError('network error'));
    finish(play, 'played');
  }
}

/** What is held from now on; with nothing to hold nothing of ours stands in the way of the page's requests. */
function setRules(next: readonly HoldRule[]): void {
  rules = next;
  dispatchEvent(new MessageEvent(word, { data: next.length > 0 ? gate : null }));
}

function take(message: ToHold): void {
  if (message.kind === 'rules') {
    setRules(message.rules);
    tell({ kind: 'holding', id: message.id });
    return;
  }
  if (message.kind === 'gone') {
    setRules([]);
    for (const play of [...plays.values()]) abandon(play);
    return;
  }
  const play = plays.get(message.id);
  if (!play) return;
  clearTimeout(play.patience);
  if (message.kind === 'pass') letGo(play);
  else if (message.kind === 'more') void readMore(play);
  else if (message.kind === 'through') {
    play.state = 'live';
    void goThrough(play);
  } else {
    if (play.state === 'held') play.state = 'playing';
    for (const act of message.acts) play.queue.push(act);
    pump(play, message.mark);
  }
}

function begin(secret: string): void {
  addEventListener(
    secret,
    (event) => {
      event.stopImmediatePropagation();
      const { data, ports } = event as MessageEvent<{ word: string; rules: readonly HoldRule[] }>;
      line = ports[0] ?? null;
      if (!line) return;
      word = data.word;
      setRules(data.rules);
      line.onmessage = ({ data: message }: MessageEvent<ToHold>) => take(message);
    },
    { capture: true, once: true },
  );
}

function ownSecret(): string | undefined {
  const scope = globalThis as unknown as Record<string, string | undefined>;
  const given = scope[SECRET];
  delete scope[SECRET];
  if (given) return given;
  try {
    return readBaton(sessionStorage.getItem(BATON))?.secret;
  } catch {
    // a document without storage
    return undefined;
  }
}

const secret = ownSecret();
if (secret) begin(secret);
