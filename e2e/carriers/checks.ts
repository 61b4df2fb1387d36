/**
 * What a page can see of XMLHttpRequest and WebSocket; each check gives JSON that must be equal with and without the extension.
 * Checks are sent to the page as source text: they refer to nothing outside themselves but the tools and `watchXhr`, `watchSocket`.
 * Over 300 lines for that reason: one list, in which each check stands alone.
 */
import type { Checks } from '../page/tools.ts';

declare global {
  /** Every event of a request until it is over, in order; what repeats is told once. */
  function watchXhr(xhr: XMLHttpRequest, body?: XMLHttpRequestBodyInit | null): Promise<unknown[]>;
  function watchSocket(socket: WebSocket, onEvent?: (event: Event) => void): Promise<unknown[]>;
  var chatter: string;
}

/** The page's part of the tools. */
export function watchers(): void {
  globalThis.watchXhr = (xhr, body) =>
    new Promise((resolve) => {
      const seen: unknown[] = [];
      const note = (event: Event) => {
        // how often the browser tells of progress, and in which state, is a matter of the moment
        const told = event.type === 'progress' ? ['progress'] : [event.type, event.isTrusted, event.target === xhr, xhr.readyState, xhr.status];
        if (!seen.some((one) => JSON.stringify(one) === JSON.stringify(told))) seen.push(told);
        if (event.type === 'loadend') resolve(seen);
      };
      for (const type of ['readystatechange', 'loadstart', 'progress', 'load', 'error', 'abort', 'timeout', 'loadend']) xhr.addEventListener(type, note);
      xhr.send(body);
    });
  globalThis.watchSocket = (socket, onEvent) =>
    new Promise((resolve) => {
      const seen: unknown[] = [];
      for (const type of ['open', 'message', 'error', 'close']) {
        socket.addEventListener(type, (event) => {
          const { code, reason, wasClean } = event as CloseEvent;
          const { data } = event as MessageEvent;
          seen.push([type, event.isTrusted, socket.readyState, code, reason, wasClean, typeof data === 'string' ? data : Object.prototype.toString.call(data)]);
          onEvent?.(event);
          if (type === 'close') resolve(seen);
        });
      }
    });
}

const INPUT = '\'{"threadId":"t","runId":"r","messages":[]}\'';
const EVENT = '{"type":"RUN_STARTED","threadId":"t","runId":"r"}';
const SSE = encodeURIComponent(`data: ${EVENT}\n\n`);

/** XHR checks that differ in what they ask and how they read. */
const ASKED: Readonly<Record<string, readonly [query: string, set?: string, body?: string]>> = {
  'a stream': [`parts=${SSE}|${SSE}|data: grün%0A%0A`],
  'a stream asked for by an input': [`parts=${SSE}`, '', INPUT],
  'a stream asked for as a stream': [`type=text/plain&parts=${SSE}`, 'x.setRequestHeader("Accept", "text/event-stream"); x.setRequestHeader("X-Mine", "1");'],
  'an input answered by an error': ['status=500&type=application/json&parts={"a":1}', '', INPUT],
  'as text': [`parts=${SSE}`, 'x.responseType = "text";'],
  'as bytes': [`parts=${SSE}`, 'x.responseType = "arraybuffer";'],
  'as a Blob': [`parts=${SSE}`, 'x.responseType = "blob";'],
  'as JSON': ['type=application/x-ndjson&parts={"a":[1]}', 'x.responseType = "json";'],
  'as JSON that is none': ['type=application/x-ndjson&parts={"a"', 'x.responseType = "json";'],
  'as a document': ['type=text/event-stream&parts=<p>1</p>', 'x.responseType = "document";'],
  'another charset': ['type=text/event-stream; charset=iso-8859-1&parts=grün', ''],
  'a type of its own': [`parts=${SSE}`, 'x.overrideMimeType("text/plain; charset=utf-16");'],
  // once the page has read some: a reset throws away what is under way
  reset: [`parts=${SSE}&end=reset-released`, 'x.addEventListener("progress", () => t.release(), { once: true });', INPUT],
  'a timeout': [`parts=${SSE}&end=hang`, 'x.timeout = 400;', INPUT],
  'no body': ['status=204', '', INPUT],
  'a plain page': ['type=text/html&parts=<p>1</p>'],
};

const read = `const tell = (value) => value instanceof ArrayBuffer ? t.decode(value) : value instanceof Document ? value.documentElement?.outerHTML : value;
  const whole = x.response instanceof Blob ? await x.response.text() : tell(x.response);
  const text = await t.outcome(() => x.responseText);
  return [events, whole, text, x.response === x.response, x.status, x.statusText, x.responseURL.replace(/id=[^&]*/, 'id'), x.getResponseHeader('content-type'), x.getResponseHeader('x-shown'), Reflect.ownKeys(x)];`;

const asked: Checks = Object.fromEntries(
  Object.entries(ASKED).map(([name, [query, set = '', body = 'null']]) => [
    `XHR: ${name}`,
    new Function(
      't',
      `return (async () => { const x = new XMLHttpRequest(); x.open(${body === 'null' ? '"GET"' : '"POST"'}, t.url(${JSON.stringify(query)})); ${set}
      const events = await watchXhr(x, ${body}); ${read} })()`,
    ) as Checks[string],
  ]),
);

const xhr: Checks = {
  ...asked,
  'XHR: looks of the prototype': () =>
    Reflect.ownKeys(XMLHttpRequest.prototype).map((key) => {
      const d = Object.getOwnPropertyDescriptor(XMLHttpRequest.prototype, key);
      const f = d?.value;
      return [String(key), d?.writable, d?.enumerable, d?.configurable, typeof f, f?.name, f?.length, typeof f === 'function' ? String(f) : null];
    }),
  'XHR: looks of the class': () => {
    const x = new XMLHttpRequest();
    return [
      XMLHttpRequest.name,
      XMLHttpRequest.length,
      String(XMLHttpRequest),
      x.constructor === XMLHttpRequest,
      x.onload,
      x.onreadystatechange,
      x.upload.onprogress,
    ];
  },
  'XHR: refused calls': async (t) => {
    const x = new XMLHttpRequest();
    const told = [
      await t.outcome(() => x.send()),
      await t.outcome(() => x.setRequestHeader('a', 'b')),
      await t.outcome(() => x.open('B AD', '/')),
      await t.outcome(() => x.open('TRACE', '/')),
      await t.outcome(() => x.open('GET', 'http://')),
      await t.outcome(() => (x.open as () => void)()),
      await t.outcome(() => (XMLHttpRequest.prototype.open as () => void).call({})),
      await t.outcome(() => XMLHttpRequest.prototype.send.call({} as XMLHttpRequest)),
    ];
    x.open('GET', t.url('parts=a'));
    return [...told, await t.outcome(() => x.setRequestHeader('b ad', 'b')), x.send(), await t.outcome(() => x.send()), x.abort()];
  },
  'XHR: synchronous': (t) => {
    const x = new XMLHttpRequest();
    const events: string[] = [];
    x.open('POST', t.url('parts=data: 1%0A%0A'), false);
    x.onreadystatechange = () => events.push(`${x.readyState}`);
    x.onload = () => events.push('load');
    x.send('{"threadId":"t"}');
    return [events, x.responseText, x.status];
  },
  'XHR: refused by CORS': async () => {
    const x = new XMLHttpRequest();
    x.open('POST', `http://127.0.0.1:${location.port}/none`);
    const events = await watchXhr(x, '{"threadId":"t"}');
    return [events, x.response, x.status];
  },
  'XHR: no preflight of ours': async (t) => {
    const x = new XMLHttpRequest();
    x.open('POST', t.other + t.url('parts=a'));
    const events = await watchXhr(x, '{"threadId":"t"}');
    return [events, (await t.seen())?.method, (await t.seen())?.body, (await t.seen())?.accept];
  },
  'XHR: what is sent': async (t) => {
    const bodies: (XMLHttpRequestBodyInit | Document | null)[] = [
      null,
      'grün',
      new Blob(['{"threadId":"b"}'], { type: 'application/json' }),
      new TextEncoder().encode('{"threadId":"c"}'),
      new URLSearchParams({ a: 'ä' }),
      new DOMParser().parseFromString('<p>1</p>', 'text/html'),
      { toString: () => 'told' } as unknown as string,
    ];
    const told = [];
    for (const body of bodies) {
      const x = new XMLHttpRequest();
      x.open('POST', t.url('parts=a'));
      await watchXhr(x, body as string);
      const seen = await t.seen();
      told.push([seen?.method, seen?.body, seen?.contentType, seen?.contentLength, seen?.accept]);
    }
    return told;
  },
  'XHR: a body that throws': (t) => {
    const x = new XMLHttpRequest();
    x.open('POST', t.url('parts=a'));
    const bad = {
      toString() {
        throw new RangeError('mine');
      },
    };
    return t.outcome(() => x.send(bad as unknown as string));
  },
  'XHR: text while it streams': async (t) => {
    const x = new XMLHttpRequest();
    const texts: string[] = [];
    x.open('GET', t.url('parts=data: 1%0A%0A&ticks=1'));
    x.onprogress = () => texts.push(x.responseText);
    setTimeout(() => void t.release(), 300);
    await watchXhr(x);
    const grows = texts.every((text, i) => text.startsWith(texts[i - 1] ?? ''));
    return [grows, texts.length > 1, x.responseText.startsWith('data: 1\n\ndata: 0\n\ndata: 1\n\n'), (await t.seen())?.written === x.responseText.length - 9];
  },
  'XHR: aborted while it streams': async (t) => {
    const x = new XMLHttpRequest();
    x.open('POST', t.url('parts=data: 1%0A%0A&ticks=1'));
    x.onprogress = () => x.abort();
    const events = await watchXhr(x, '{"threadId":"t"}');
    return [events, x.readyState, x.status, x.responseText, (await t.closed()).closed];
  },
  'XHR: aborted before an answer': async (t) => {
    const x = new XMLHttpRequest();
    x.open('POST', t.url('end=hang&parts='));
    setTimeout(() => x.abort(), 50);
    const events = await watchXhr(x, '{"threadId":"t"}');
    return [events.length > 0, x.readyState, x.status];
  },
  'XHR: one object, several requests': async (t) => {
    const x = new XMLHttpRequest();
    const texts: string[] = [];
    for (const part of ['a', 'b', 'c']) {
      x.open('POST', t.url(`parts=${part}`));
      await new Promise((done) => {
        x.onload = done;
        x.send('{"threadId":"t"}');
      });
      texts.push(x.responseText);
    }
    return texts;
  },
  'XHR: opened anew in its own handler': async (t) => {
    const x = new XMLHttpRequest();
    const seen: string[] = [];
    await new Promise<void>((done) => {
      x.onreadystatechange = () => {
        if (x.readyState !== 4) return;
        seen.push(x.responseText);
        if (seen.length === 3) return done();
        x.open('POST', t.url(`parts=again${seen.length}`));
        x.send('{"threadId":"t"}');
      };
      x.open('POST', t.url('parts=first'));
      x.send('{"threadId":"t"}');
    });
    return seen;
  },
  'XHR: opened anew while it streams': async (t) => {
    const x = new XMLHttpRequest();
    x.open('POST', t.url('parts=data: 1%0A%0A&ticks=1'));
    const events: string[] = [];
    for (const type of ['abort', 'error', 'load', 'loadend']) x.addEventListener(type, () => events.push(type));
    await new Promise((done) => {
      x.onprogress = done;
      x.send('{"threadId":"t"}');
    });
    x.onprogress = null;
    x.open('GET', t.url('parts=second'));
    const told = await watchXhr(x);
    return [events, told, x.responseText];
  },
  'XHR: a listener that stops the event': async (t) => {
    const x = new XMLHttpRequest();
    x.addEventListener('readystatechange', (event) => event.stopImmediatePropagation());
    x.open('POST', t.url('parts=data: 1%0A%0A'));
    return [(await watchXhr(x, '{"threadId":"t"}')).length, x.responseText];
  },
  'XHR: nobody hears our listeners or reads': async (t) => {
    const calls: string[] = [];
    const add = EventTarget.prototype.addEventListener;
    const text = Object.getOwnPropertyDescriptor(XMLHttpRequest.prototype, 'responseText') as PropertyDescriptor;
    EventTarget.prototype.addEventListener = function (this: EventTarget, ...args: [string, EventListener]) {
      calls.push(args[0]);
      return add.apply(this, args);
    } as typeof add;
    Object.defineProperty(XMLHttpRequest.prototype, 'responseText', {
      ...text,
      get() {
        calls.push('responseText');
        return text.get?.call(this);
      },
    });
    const x = new XMLHttpRequest();
    x.open('POST', t.url('parts=data: 1%0A%0A'));
    await new Promise((done) => {
      x.onload = done;
      x.send('{"threadId":"t"}');
    });
    EventTarget.prototype.addEventListener = add;
    Object.defineProperty(XMLHttpRequest.prototype, 'responseText', text);
    return calls;
  },
  'XHR: a page that patches the prototype': async (t) => {
    const { open, send } = XMLHttpRequest.prototype;
    const calls: unknown[] = [];
    XMLHttpRequest.prototype.open = function (this: XMLHttpRequest, ...args: unknown[]) {
      calls.push(args[0]);
      return (open as (...all: unknown[]) => void).apply(this, args);
    } as typeof open;
    XMLHttpRequest.prototype.send = function (body) {
      calls.push(body);
      return send.call(this, body);
    };
    const x = new XMLHttpRequest();
    x.open('POST', t.url('parts=data: 1%0A%0A'));
    const events = await watchXhr(x, '{"threadId":"t"}');
    Object.assign(XMLHttpRequest.prototype, { open, send });
    return [calls, events, x.responseText];
  },
};

const socket: Checks = {
  'WebSocket: looks of the class': () => [
    WebSocket.name,
    WebSocket.length,
    String(WebSocket),
    Reflect.ownKeys(WebSocket).map(String),
    WebSocket.OPEN,
    Object.getOwnPropertyDescriptor(window, 'WebSocket')?.enumerable,
    WebSocket.prototype.constructor === WebSocket,
    Reflect.ownKeys(WebSocket.prototype).map((key) => {
      const d = Object.getOwnPropertyDescriptor(WebSocket.prototype, key);
      const f = d?.value;
      return [String(key), d?.writable, d?.enumerable, d?.configurable, typeof f, f?.name, f?.length, typeof f === 'function' ? String(f) : null];
    }),
  ],
  'WebSocket: an object': async () => {
    const own = new WebSocket(chatter);
    class Mine extends WebSocket {}
    const mine = new Mine(chatter);
    const told = [own, mine].map((s) => [
      s instanceof WebSocket,
      s instanceof Mine,
      Object.getPrototypeOf(s) === WebSocket.prototype,
      s.constructor.name,
      Object.prototype.toString.call(s),
      Reflect.ownKeys(s),
      s.binaryType,
      s.protocol,
      s.extensions,
      new URL(s.url).pathname,
      s.readyState,
      s.onmessage,
    ]);
    await Promise.all([own, mine].map((s) => watchSocket(s, (event) => event.type === 'open' && s.close())));
    return told;
  },
  'WebSocket: refused calls': async (t) => {
    const s = new WebSocket(chatter);
    const told = [
      await t.outcome(() => new WebSocket('nowhere://')),
      await t.outcome(() => new WebSocket(chatter, 'b ad')),
      await t.outcome(() => (WebSocket as unknown as (url: string) => unknown)(chatter)),
      await t.outcome(() => new (WebSocket as unknown as new () => unknown)()),
      await t.outcome(() => s.send('early')),
      await t.outcome(() => s.close(5)),
      await t.outcome(() => s.close(3000, 'x'.repeat(200))),
      await t.outcome(() => WebSocket.prototype.send.call({} as WebSocket, 'a')),
      await t.outcome(() => WebSocket.prototype.close.call({} as WebSocket)),
    ];
    return [told, await watchSocket(s, (event) => event.type === 'open' && s.close())];
  },
  'WebSocket: text, bytes and Blobs': async () => {
    const kinds: BinaryType[] = ['blob', 'arraybuffer'];
    const told = [];
    for (const kind of kinds) {
      const s = new WebSocket(chatter);
      s.binaryType = kind;
      const sent = ['{"threadId":"t","messages":[]}', '{"type":"RUN_STARTED"}', 'plain', new Uint8Array([1, 2]), new Blob(['b']), new Uint8Array([3]).buffer];
      let left = sent.length;
      told.push(
        await watchSocket(s, (event) => {
          if (event.type === 'open') for (const one of sent) s.send(one as string);
          if (event.type === 'message' && --left === 0) s.close(4001, 'mine');
        }),
        s.binaryType,
      );
    }
    return told;
  },
  'WebSocket: closed and broken by the server': async () => {
    const story = new WebSocket(chatter.replace('chatter', 'socket/cancelled'));
    const closed = await watchSocket(story, (event) => event.type === 'open' && story.send('{"runId":"r","threadId":"t","messages":[],"last":true}'));
    const broken = new WebSocket(chatter.replace('chatter', 'socket/cancelled'));
    return [
      closed,
      await watchSocket(broken, (event) => event.type === 'open' && broken.send('reset')),
      await watchSocket(new WebSocket(chatter.replace(/:\d+/, ':1'))),
    ];
  },
  'WebSocket: order of listeners': async () => {
    const s = new WebSocket(chatter);
    const order: string[] = [];
    s.addEventListener('message', () => {
      order.push('first');
      s.close();
    });
    s.onmessage = () => order.push('second');
    s.addEventListener('message', (event) => {
      order.push('third');
      event.stopImmediatePropagation();
    });
    s.addEventListener('message', () => order.push('never'));
    await new Promise((done) => {
      s.onopen = () => s.send('{"type":"RUN_STARTED"}');
      s.onclose = done;
    });
    return order;
  },
  'WebSocket: many frames in order': async () => {
    const s = new WebSocket(chatter);
    const got: string[] = [];
    await new Promise<void>((done) => {
      s.onopen = () => {
        for (let i = 0; i < 500; i++) s.send(`{"type":"CUSTOM","name":"n","value":${i}}`);
      };
      s.onmessage = ({ data }) => {
        got.push(data);
        if (got.length === 500) done();
      };
    });
    s.close();
    return got.every((one, i) => JSON.parse(one).value === i);
  },
  'WebSocket: nobody hears our listeners or reads': async () => {
    const calls: string[] = [];
    const add = EventTarget.prototype.addEventListener;
    EventTarget.prototype.addEventListener = function (this: EventTarget, ...args: [string, EventListener]) {
      calls.push(args[0]);
      return add.apply(this, args);
    } as typeof add;
    const s = new WebSocket(chatter);
    await new Promise((done) => {
      s.onopen = () => s.send('{"type":"RUN_STARTED"}');
      s.onmessage = done;
    });
    s.close();
    EventTarget.prototype.addEventListener = add;
    return calls;
  },
};

export const CHECKS: Checks = { ...xhr, ...socket };
