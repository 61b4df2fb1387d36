/** How responses, fetch and the window look. */
import type { Checks } from '../tools.ts';

const QUERIES: Readonly<Record<string, string>> = {
  plain: 'parts=data: 1%0A%0A',
  empty: '',
  'status 500': 'status=500&text=Oh%20no&parts=data: 1%0A%0A',
  'status 206': 'status=206&parts=data: 1%0A%0A',
  'status 404': 'status=404&parts=data: 1%0A%0A',
  'type with charset': 'type=text/event-stream; charset=utf-8&parts=data: 1%0A%0A',
  'type in capitals': 'type=Text/Event-Stream&parts=data: 1%0A%0A',
  'type ndjson': 'type=application/x-ndjson&parts={}%0A',
  'type jsonl': 'type=application/jsonl&parts={}%0A',
  'type json-seq': 'type=application/json-seq&parts={}%0A',
  'type protobuf': 'type=application/vnd.ag-ui.event%2Bproto&parts=abc',
  'type json': 'type=application/json&parts={}',
  'type html': 'type=text/html&parts=hello',
  'no type': 'type=&parts=hello',
  'status 204': 'status=204',
  'status 205': 'status=205',
  'status 304': 'status=304',
  'status 799': 'status=799&text=Odd&parts=hello',
};

/** One check a query; the source text carries the query, because a check refers to nothing outside itself. */
function each(label: string, queries: Readonly<Record<string, string>>, body: string): Checks {
  return Object.fromEntries(
    Object.entries(queries).map(([name, query]) => [`${label}: ${name}`, new Function('t', `return (${body})(t, ${JSON.stringify(query)})`) as Checks[string]]),
  );
}

export const looks: Checks = {
  ...each('looks', QUERIES, 'async (t, query) => { const r = await t.get(query); return [t.looks(r), await t.outcome(r.text())]; }'),
  ...each(
    'looks of an agent request',
    QUERIES,
    'async (t, query) => { const r = await t.get(query, t.agent); return [t.looks(r), await t.outcome(r.text())]; }',
  ),
  ...each(
    'clone looks',
    { plain: QUERIES['plain'] as string, json: QUERIES['type json'] as string },
    'async (t, query) => { const r = await t.get(query, t.agent); const c = r.clone(); const d = c.clone(); return [t.looks(c), t.looks(d), await r.text(), await c.text(), await d.text()]; }',
  ),
  'looks: redirected': async (t) => t.looks(await t.get(`status=302&location=${encodeURIComponent(t.url('parts=data: 1%0A%0A'))}`)),
  'looks: hash': async (t) => t.looks(await fetch(`${t.url('parts=data: 1%0A%0A')}#part`)),
  'looks: cors': async (t) => t.looks(await fetch(t.other + t.url('parts=data: 1%0A%0A'))),
  'looks: opaque': async (t) => t.looks(await fetch(t.other + t.url('parts=data: 1%0A%0A'), { mode: 'no-cors' })),
  'looks: opaque to an agent request': async (t) =>
    t.looks(await fetch(t.other + t.url('parts=data: 1%0A%0A'), { mode: 'no-cors', method: 'POST', body: '{"threadId":"t"}' })),
  'looks: opaque redirect': async (t) => t.looks(await t.get('status=302&location=/x', { redirect: 'manual' })),
  'looks: HEAD': async (t) => t.looks(await t.get('parts=data: 1%0A%0A', { method: 'HEAD', headers: { accept: 'text/event-stream' } })),
  'looks: data address': async (t) => t.looks(await fetch('data:text/event-stream,data%3A1%0A%0A')),
  'looks: blob address': async () => {
    const response = await fetch(URL.createObjectURL(new Blob(['data: 1\n\n'], { type: 'text/event-stream' })));
    return [response.status, response.type, response.url.slice(0, 5), await response.text()];
  },
  'headers cannot be changed': async (t) => {
    const { headers } = await t.get('parts=a');
    return [await t.outcome(() => headers.set('a', 'b')), await t.outcome(() => headers.delete('x-shown')), headers.get('x-shown')];
  },
  'headers are one object': async (t) => {
    const response = await t.get('parts=a');
    const { headers } = response;
    return response.headers === headers;
  },
  'names of own properties': async (t) => {
    const response = await t.get('parts=a');
    return [Object.getOwnPropertyNames(response), Object.keys(response), Object.getOwnPropertySymbols(response), Reflect.ownKeys(response)];
  },
  'names a for-in finds': async (t) => {
    const names: string[] = [];
    for (const name in await t.get('parts=a')) names.push(name);
    return names.sort();
  },
  'class of a response': async (t) => {
    const response = await t.get('parts=a');
    return [
      response instanceof Response,
      response.constructor === Response,
      Object.prototype.toString.call(response),
      String(response),
      typeof response,
      JSON.stringify(response),
    ];
  },
  'a response can be frozen and extended': async (t) => {
    const response = Object.assign(await t.get('parts=a'), { mine: 1 });
    return [Object.isExtensible(response), Object.isFrozen(Object.freeze(response)), Object.keys(response), await response.text()];
  },
  'own fields of the page win': async (t) => {
    const response = Object.defineProperty(await t.get('parts=a'), 'url', { value: 'mine' });
    return [response.url, await response.text()];
  },
  'a response cannot be cloned structurally': async (t) => {
    const response = await t.get('parts=a');
    return t.outcome(() => structuredClone(response));
  },
  'used as init of a Response': async (t) => {
    const response = await t.get('status=201&text=Made&parts=a');
    const again = new Response(response.body, response);
    return [again.status, again.statusText, again.headers.get('x-shown'), await again.text()];
  },
  'wrong this': async (t) => {
    const response = await t.get('parts=a');
    return [
      await t.outcome(() => response.text.call({} as Response)),
      await t.outcome(() => response.clone.call({} as Response)),
      await t.outcome(() => Reflect.get(response, 'url', {})),
    ];
  },
  'methods of a response': async (t) => {
    const response = await t.get('parts=a');
    return (['text', 'json', 'clone', 'arrayBuffer'] as const).map((key) => [
      response[key].name,
      response[key].length,
      response[key].toString(),
      String(response[key]),
    ]);
  },
  'fetch: name, length, own keys': () => [fetch.name, fetch.length, Reflect.ownKeys(fetch).map(String), typeof fetch, Object.prototype.toString.call(fetch)],
  'fetch: descriptor': () => {
    const descriptor = Object.getOwnPropertyDescriptor(window, 'fetch');
    return [descriptor?.writable, descriptor?.enumerable, descriptor?.configurable, typeof descriptor?.value, 'prototype' in fetch];
  },
  'fetch: text': () => [
    fetch.toString(),
    String(fetch),
    `${fetch}`,
    fetch.toString.toString(),
    fetch.toString.name,
    /^function fetch\(\)\s+\{\s+\[native code\]\s+\}$/.test(fetch.toString()),
  ],
  'fetch: toString of another function': () => fetch.toString.call(Array.prototype.map),
  'fetch: is no constructor': (t) => t.outcome(() => new (fetch as unknown as new () => unknown)()),
  'fetch: stored and bound': async (t) => {
    const bound = fetch.bind(window);
    const { fetch: taken } = window;
    return [await (await bound(t.url('parts=a'))).text(), await (await taken.call(null as never, t.url('parts=b'))).text(), bound.name];
  },
  'fetch: of another this': async (t) => [
    await t.outcome(fetch.call({} as never, t.url('parts=a'))),
    await t.outcome(fetch.apply(undefined as never, [t.url('parts=a')]).then((r) => r.text())),
  ],
  'fetch: gives a Promise': (t) => {
    const promise = t.get('parts=a');
    return [promise instanceof Promise, Object.prototype.toString.call(promise), promise.constructor === Promise];
  },
  'fetch: can be replaced, wrapped and deleted': async (t) => {
    const before = window.fetch;
    window.fetch = ((...args: Parameters<typeof fetch>) => before(...args)) as typeof fetch;
    const wrapped = await (await fetch(t.url('parts=a'))).text();
    window.fetch = new Proxy(before, {});
    const proxied = await (await fetch(t.url('parts=b'))).text();
    const deleted = [Reflect.deleteProperty(window, 'fetch'), 'fetch' in window];
    Object.defineProperty(window, 'fetch', { value: before, writable: true, enumerable: true, configurable: true });
    return [wrapped, proxied, deleted];
  },
  'prototypes are as the browser made them': () =>
    [Response, Request, Headers, ReadableStream, Promise, MessagePort, EventTarget, MessageEvent].map(({ prototype }) => [
      Reflect.ownKeys(prototype).map(String),
      Reflect.ownKeys(prototype)
        .map((key) => Object.getOwnPropertyDescriptor(prototype, key))
        .map((d) => [typeof d?.value, typeof d?.get, d?.writable, d?.enumerable, d?.configurable, `${d?.get ?? d?.value}`]),
    ]),
  'globals of the window': () => [
    Object.getOwnPropertyNames(window).sort(),
    Object.getOwnPropertySymbols(window).map(String),
    Object.keys(document),
    Object.keys(navigator),
  ],
  'documented: prototype of a response': async (t) => Object.getPrototypeOf(await t.get('parts=a')) === Response.prototype,
  'documented: names in the order of for-in': async (t) => {
    const names: string[] = [];
    for (const name in await t.get('parts=a')) names.push(name);
    return names;
  },
  'documented: getter applied by hand': async (t) => Object.getOwnPropertyDescriptor(Response.prototype, 'url')?.get?.call(await t.get('parts=a')) !== '',
  'documented: clone applied by hand': async (t) => Response.prototype.clone.call(await t.get('parts=a')).url !== '',
  'documented: methods are those of the prototype': async (t) => (await t.get('parts=a')).text === Response.prototype.text,
  'documented: headers of a clone': async (t) => {
    const response = await t.get('parts=a');
    return response.clone().headers === response.headers;
  },
  'documented: Function.prototype.toString of fetch': () => Function.prototype.toString.call(fetch),
  'documented: identity of fetch.toString': () => fetch.toString === Function.prototype.toString,
};
