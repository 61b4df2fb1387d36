/** What goes out: arguments, bodies, and that nobody hears us look at them. */
import type { Checks } from '../tools.ts';

/** Inits whose body the hook looks at. */
const BODIES: Readonly<Record<string, string>> = {
  'an agent input': '{ method: "POST", body: JSON.stringify({ threadId: "t", runId: "r", messages: [] }) }',
  'an agent input as bytes': '{ method: "POST", body: new TextEncoder().encode(JSON.stringify({ thread_id: "t" })) }',
  'an agent input as a buffer': '{ method: "POST", body: new TextEncoder().encode(JSON.stringify({ messages: [] })).buffer }',
  'an agent input as a Blob': '{ method: "POST", body: new Blob([JSON.stringify({ runId: "r" })], { type: "application/json" }) }',
  'a Blob without a type': '{ method: "POST", body: new Blob(["abc"]) }',
  'a DataView': '{ method: "POST", body: new DataView(new ArrayBuffer(3)) }',
  'search parameters': '{ method: "POST", body: new URLSearchParams({ a: "1", b: "ü" }) }',
  'a form': '{ method: "POST", body: (() => { const f = new FormData(); f.set("a", "1"); return f; })() }',
  'a large text': '{ method: "POST", body: JSON.stringify({ messages: ["x".repeat(3000000)] }) }',
  'a number': '{ method: "POST", body: 5 }',
  'an object with toString': '{ method: "POST", body: { toString: () => "told" } }',
  'an empty text': '{ method: "POST", body: "" }',
  null: '{ method: "POST", body: null }',
  'an inherited body': 'Object.create({ method: "POST", body: "{\\"messages\\":[]}" })',
  'accepts a stream, record': '{ headers: { Accept: "text/event-stream" } }',
  'accepts a stream, pairs': '{ headers: [["accept", "text/event-stream"], ["x", "y"]] }',
  'accepts a stream, Headers': '{ headers: new Headers({ accept: "text/event-stream" }) }',
  'accepts a stream, Map': '{ headers: new Map([["accept", "text/event-stream"]]) }',
  'a method in small letters': '{ method: "post", body: "a" }',
  keepalive: '{ method: "POST", body: "a", keepalive: true }',
};

function sent(): Checks {
  const checks: Record<string, Checks[string]> = {};
  const tell =
    'const s = await t.seen(); return [await r.text(), s.method, s.body.length, await t.hash(new TextEncoder().encode(s.contentType?.startsWith("multipart") ? "form" : s.body)), s.contentLength === null ? null : s.contentType?.startsWith("multipart") ? "some" : s.contentLength, (s.contentType ?? "").replace(/boundary=.*/, ""), s.accept];';
  for (const [name, init] of Object.entries(BODIES)) {
    checks[`sent: ${name}`] = new Function('t', `return (async () => { const r = await t.get("parts=a", ${init}); ${tell} })()`) as Checks[string];
    checks[`sent in a Request: ${name}`] = new Function(
      't',
      `return (async () => { const q = new Request(t.url("parts=a"), ${init}); const r = await fetch(q); ${tell.replace('return [', 'return [q.bodyUsed, ')} })()`,
    ) as Checks[string];
  }
  return checks;
}

/** Arguments fetch refuses. */
const REFUSED: Readonly<Record<string, string>> = {
  nothing: '',
  'a bad address': '"http://"',
  'credentials in the address': '"http://a:b@localhost/"',
  'a bad method': '"/", { method: "TRACE" }',
  'a bad header': '"/", { headers: { "a b": "c" } }',
  'a body with GET': '"/", { body: "{\\"messages\\":[]}" }',
  'a bad signal': '"/", { signal: {} }',
  'a bad mode': '"/", { mode: "navigate" }',
  'a bad init': '"/", 5',
  'a Symbol': 'Symbol("x")',
  'a stream without duplex': '"/", { method: "POST", body: new ReadableStream() }',
  'a stream over HTTP/1': '"/", { method: "POST", body: new ReadableStream(), duplex: "half" }',
  'a used Request':
    '(() => { const q = new Request("/", { method: "POST", body: "{}", headers: { "content-type": "application/json" } }); q.text(); return q; })()',
  'a locked Request':
    '(() => { const q = new Request("/", { method: "POST", body: "{}", headers: { "content-type": "application/json" } }); q.body.getReader(); return q; })()',
  'a text that throws': '{ toString() { throw new RangeError("mine"); } }',
  'a getter that throws': '"/", { get method() { throw new RangeError("mine"); } }',
  'too much to keep alive': '"/", { method: "POST", keepalive: true, body: "x".repeat(70000) }',
  'a wrong integrity': '"/r?id=i&type=text/event-stream&parts=a", { integrity: "sha256-AAAA" }',
};

function refused(): Checks {
  return Object.fromEntries(
    Object.entries(REFUSED).map(([name, args]) => [
      `refused: ${name}`,
      new Function('t', `return t.outcome(fetch(${args}).then((r) => r.text()))`) as Checks[string],
    ]),
  );
}

export const requests: Checks = {
  ...sent(),
  ...refused(),
  'a URL object': async (t) => (await fetch(new URL(t.url('parts=a'), location.href))).text(),
  'an address told by toString': async (t) => {
    let asked = 0;
    const address = t.url('parts=a');
    const text = await (await fetch({ toString: () => [address, asked++][0] } as unknown as string)).text();
    return [text, asked];
  },
  'how often options are looked at': async (t) => {
    const asked: string[] = [];
    const init: Record<string, unknown> = {};
    for (const name of [
      'body',
      'method',
      'headers',
      'signal',
      'mode',
      'credentials',
      'cache',
      'redirect',
      'referrer',
      'integrity',
      'keepalive',
      'window',
      'duplex',
      'priority',
    ]) {
      Object.defineProperty(init, name, { get: () => void asked.push(name) });
    }
    await (await t.get('parts=a', init)).text();
    return asked;
  },
  'how often headers are looked at': async (t) => {
    const asked: string[] = [];
    const headers = Object.defineProperty({}, 'accept', { enumerable: true, get: () => asked.push('accept') && 'text/event-stream' });
    await (await t.get('parts=a', { headers })).text();
    return asked;
  },
  'how often a generator of headers runs': async (t) => {
    let ran = 0;
    const headers = {
      *[Symbol.iterator]() {
        ran += 1;
        yield ['accept', 'text/event-stream'];
      },
    };
    const response = await t.get('parts=a', { headers: headers as unknown as HeadersInit });
    return [await response.text(), ran, (await t.seen())?.accept];
  },
  'a subclass of Headers hears nothing': async (t) => {
    const heard: string[] = [];
    class Mine extends Headers {
      override get(name: string) {
        heard.push(name);
        return super.get(name);
      }
    }
    await (await t.get('parts=a', { headers: new Mine({ accept: 'text/event-stream' }) })).text();
    return heard;
  },
  'a Request with an overriding init': async (t) => {
    const request = new Request(t.url('parts=a'), { method: 'POST', body: '{"messages":[]}', headers: { 'content-type': 'application/json' } });
    const response = await fetch(request, { body: 'other', headers: { 'content-type': 'text/plain' } });
    const seen = await t.seen();
    return [await response.text(), seen?.body, seen?.contentType, request.bodyUsed];
  },
  'a Request of JSON': async (t) => {
    const request = new Request(t.url('parts=a'), { method: 'POST', body: '{"threadId":"t"}', headers: { 'content-type': 'application/json' } });
    const { body } = request;
    const response = await fetch(request);
    const seen = await t.seen();
    return [
      await response.text(),
      seen?.body,
      seen?.contentLength,
      request.bodyUsed,
      body?.locked,
      await t.outcome(request.text()),
      await t.outcome(() => request.clone()),
    ];
  },
  'a clone of a Request can go too': async (t) => {
    const request = new Request(t.url('parts=a'), { method: 'POST', body: '{"threadId":"t"}', headers: { 'content-type': 'application/json' } });
    const clone = request.clone();
    const first = await (await fetch(request)).text();
    const second = await (await fetch(clone)).text();
    return [first, second, (await t.seen())?.body];
  },
  'a Request whose signal aborts': async (t) => {
    const controller = new AbortController();
    const response = await fetch(new Request(t.url('end=hang'), { signal: controller.signal }));
    const text = response.text();
    controller.abort();
    return t.outcome(text);
  },
  'a right integrity': async (t) => {
    const bytes = await crypto.subtle.digest('SHA-256', new TextEncoder().encode('a'));
    const integrity = `sha256-${btoa(String.fromCharCode(...new Uint8Array(bytes)))}`;
    return (await t.get('parts=a', { integrity })).text();
  },
  'a body changed after the call': async (t) => {
    const bytes = new TextEncoder().encode('{"messages":[]}');
    const params = new URLSearchParams({ a: '1' });
    const first = t.get('parts=a', { method: 'POST', body: bytes });
    const firstId = t.id;
    bytes.fill(65);
    const second = t.get('parts=a', { method: 'POST', body: params });
    params.set('a', '2');
    await Promise.all([first, second]);
    return [(await t.seen(firstId))?.body, (await t.seen())?.body];
  },
  'fetch lifted out of a frame': async (t) => {
    const frame = document.body.appendChild(document.createElement('iframe'));
    const inner = frame.contentWindow as Window & typeof globalThis;
    const response = await inner.fetch.call(window, t.url('parts=a'));
    const own = await inner.fetch(new URL(t.url('parts=b'), location.href));
    const got = [response instanceof Response, response instanceof inner.Response, await response.text(), own instanceof inner.Response, await own.text()];
    frame.remove();
    return got;
  },
  'a frame removed while streaming': async (t) => {
    const frame = document.body.appendChild(document.createElement('iframe'));
    const inner = frame.contentWindow as Window & typeof globalThis;
    const lifted = inner.fetch;
    const response = await inner.fetch(new URL(t.url('parts=a&end=hang'), location.href));
    const reader = (response.body as ReadableStream<Uint8Array>).getReader();
    const first = t.decode((await reader.read()).value as Uint8Array<ArrayBuffer>);
    frame.remove();
    return [first, await t.state(reader.read()), await t.state(Promise.resolve().then(() => lifted(new URL('/x', location.href))))];
  },
};
