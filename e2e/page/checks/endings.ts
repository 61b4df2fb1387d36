/** How a body ends: what the page is told, and when. */
import type { Checks } from '../tools.ts';

/** What the page does with a response that is about to fail; `r` is the response, `go()` makes it fail. */
const READS: Readonly<Record<string, string>> = {
  'pending read': 'const p = r.body.getReader().read(); go(); return t.outcome(p.then(() => "read"));',
  'reads to the end': 'const p = t.read(r.body); go(); return t.outcome(p);',
  'closed, nobody reads': 'const { closed } = r.body.getReader(); go(); return t.outcome(closed);',
  'closed, then a read':
    'const reader = r.body.getReader(); go(); const closed = await t.outcome(reader.closed); return [closed, await t.outcome(reader.read().then(() => "read"))];',
  text: 'const p = r.text(); go(); return t.outcome(p);',
  json: 'const p = r.json(); go(); return t.outcome(p);',
  blob: 'const p = r.blob(); go(); return t.outcome(p);',
  arrayBuffer: 'const p = r.arrayBuffer(); go(); return t.outcome(p);',
  formData: 'const p = r.formData(); go(); return t.outcome(p);',
  'for await': 'const p = (async () => { for await (const x of r.body); return "end"; })(); go(); return t.outcome(p);',
  pipeTo: 'const p = r.body.pipeTo(new WritableStream()); go(); return t.outcome(p);',
  'pipeThrough, text': 'const p = new Response(r.body.pipeThrough(new TransformStream())).text(); go(); return t.outcome(p);',
  tee: 'const [a, b] = r.body.tee(); const p = t.read(a); const q = t.read(b); go(); return [await t.outcome(p), await t.outcome(q)];',
  'clone, both texts': 'const twin = r.clone(); const p = twin.text(); const q = r.text(); go(); return [await t.outcome(p), await t.outcome(q)];',
  'text once it has failed':
    'const reader = r.body.getReader(); go(); await t.outcome(reader.closed); reader.releaseLock(); return [r.bodyUsed, await t.outcome(r.text()), r.bodyUsed];',
  'byob read': 'const p = r.body.getReader({ mode: "byob" }).read(new Uint8Array(64)); go(); return t.outcome(p.then(() => "read"));',
  'new Response of the body': 'const p = new Response(r.body).text(); go(); return t.outcome(p);',
};

/** `start` gives the response and `go`. */
const FAILURES: Readonly<Record<string, string>> = {
  abort: 'const c = new AbortController(); const r = await t.get("end=hang", { signal: c.signal }); const go = () => c.abort();',
  'abort with a word': 'const c = new AbortController(); const r = await t.get("end=hang", { signal: c.signal }); const go = () => c.abort("enough");',
  'abort with an Error':
    'const c = new AbortController(); const r = await t.get("end=hang", { signal: c.signal }); const go = () => c.abort(new RangeError("enough"));',
  reset: 'const r = await t.get("end=reset-released"); const id = t.id; const go = () => t.release(id);',
};

function failures(): Checks {
  const checks: Record<string, Checks[string]> = {};
  for (const [failure, start] of Object.entries(FAILURES)) {
    for (const [read, code] of Object.entries(READS))
      checks[`${failure}: ${read}`] = new Function('t', `return (async () => { ${start} ${code} })()`) as Checks[string];
  }
  return checks;
}

const BROKEN: Readonly<Record<string, string>> = {
  truncated: 'length=100&parts=abc&end=truncated',
  'bad chunk': 'parts=abc&end=bad-chunk',
  'bad gzip': 'encoding=gzip&parts=abcdefghijklmnop',
};

function broken(): Checks {
  const checks: Record<string, Checks[string]> = {};
  for (const [name, query] of Object.entries(BROKEN)) {
    const get = `const r = await t.get(${JSON.stringify(query)});`;
    checks[`${name}: reads`] = new Function('t', `return (async () => { ${get} return t.outcome(t.read(r.body)); })()`) as Checks[string];
    checks[`${name}: text`] = new Function('t', `return (async () => { ${get} return t.outcome(r.text()); })()`) as Checks[string];
    checks[`${name}: clone`] = new Function(
      't',
      `return (async () => { ${get} const c = r.clone(); return [await t.outcome(c.text()), await t.outcome(r.text())]; })()`,
    ) as Checks[string];
  }
  return checks;
}

export const endings: Checks = {
  ...failures(),
  ...broken(),
  'the end shows without a read: empty': async (t) => t.outcome((await t.get('')).body?.getReader().closed),
  'the end shows without a read: late': async (t) => {
    const response = await t.get('end=released');
    const closed = response.body?.getReader().closed as Promise<unknown>;
    const before = await t.state(closed);
    await t.release();
    return [before, await t.outcome(closed)];
  },
  'the end shows with the last byte': async (t) => {
    const response = await t.get('parts=abc');
    const reader = (response.body as ReadableStream<Uint8Array>).getReader();
    await reader.read();
    return t.outcome(reader.closed);
  },
  'an unread body is open': async (t) => {
    const response = await t.get('parts=abc');
    return t.state((response.body as ReadableStream).getReader().closed);
  },
  'cancel: what the page gets': async (t) => {
    const response = await t.get('parts=abc&end=hang');
    const reader = (response.body as ReadableStream).getReader();
    return [await t.outcome(reader.cancel('why')), await t.outcome(reader.closed), await t.outcome(reader.read()), response.bodyUsed];
  },
  'cancel of a stream that has failed': async (t) => {
    const controller = new AbortController();
    const response = await t.get('end=hang', { signal: controller.signal });
    const reader = (response.body as ReadableStream).getReader();
    controller.abort();
    await t.outcome(reader.closed);
    return t.outcome(reader.cancel());
  },
  'cancel of a locked body': async (t) => {
    const { body } = await t.get('end=hang');
    body?.getReader();
    return t.outcome(body?.cancel());
  },
  'abort before the call': async (t) => {
    const reason = new Error('before');
    return [await t.outcome(t.get('', { signal: AbortSignal.abort() })), await t.get('', { signal: AbortSignal.abort(reason) }).catch((e) => e === reason)];
  },
  'abort while waiting': async () => {
    const controller = new AbortController();
    const reason = { my: 'reason' };
    const waiting = fetch('/closed?id=nobody', { signal: controller.signal, headers: { accept: 'text/event-stream' } });
    controller.abort(reason);
    return waiting.catch((error) => error === reason);
  },
  "abort: the page's very reason": async (t) => {
    const controller = new AbortController();
    const reason = { my: 'reason' };
    const response = await t.get('end=hang', { signal: controller.signal });
    const text = response.text();
    controller.abort(reason);
    return text.catch((error) => error === reason);
  },
  'abort by a time limit': async (t) => t.outcome((await t.get('end=hang', { signal: AbortSignal.timeout(200) })).text()),
  'abort by any of two': async (t) => {
    const controller = new AbortController();
    const response = await t.get('end=hang', { signal: AbortSignal.any([controller.signal, new AbortController().signal]) });
    const text = response.text();
    controller.abort();
    return t.outcome(text);
  },
  'abort after the end': async (t) => {
    const controller = new AbortController();
    const response = await t.get('parts=abc', { signal: controller.signal });
    const text = await response.text();
    controller.abort();
    return [text, await t.outcome(response.text())];
  },
  'abort between two reads': async (t) => {
    const controller = new AbortController();
    const response = await t.get('parts=abc&end=hang', { signal: controller.signal });
    const reader = (response.body as ReadableStream<Uint8Array>).getReader();
    const first = t.decode((await reader.read()).value as Uint8Array<ArrayBuffer>);
    controller.abort();
    return [first, await t.outcome(reader.read()), await t.outcome(reader.closed)];
  },
  'no network': async (t) => t.outcome(fetch('http://127.0.0.1:9/', { headers: { accept: 'text/event-stream' } })),
  'refused by CORS': async (t) => t.outcome(fetch(`${t.other}/seen`.replace('127.0.0.1', '127.0.0.2'), t.agent)),
  'unhandled rejections: a fetch nobody catches': async (t) => {
    const reasons: string[] = [];
    const hear = (event: PromiseRejectionEvent) => {
      event.preventDefault();
      reasons.push(`${event.reason.name} ${event.promise === promise}`);
    };
    addEventListener('unhandledrejection', hear);
    const promise = fetch('http://127.0.0.1:9/', { headers: { accept: 'text/event-stream' } });
    while (!reasons.length) await t.seen();
    await t.seen();
    removeEventListener('unhandledrejection', hear);
    return reasons;
  },
  'unhandled rejections: bodies nobody reads': async (t) => {
    const reasons: string[] = [];
    const hear = (event: PromiseRejectionEvent) => {
      event.preventDefault();
      reasons.push(String(event.reason));
    };
    addEventListener('unhandledrejection', hear);
    const controller = new AbortController();
    const aborted = await t.get('end=hang', { signal: controller.signal });
    aborted.body?.getReader();
    await t.get('end=reset-released');
    await t.release();
    controller.abort();
    for (let i = 0; i < 5; i += 1) await t.seen();
    removeEventListener('unhandledrejection', hear);
    return reasons;
  },
  'documented: bodyUsed of a text() in the tick of the abort': async (t) => {
    const controller = new AbortController();
    const response = await t.get('end=hang', { signal: controller.signal });
    controller.abort();
    response.text().catch(() => undefined);
    return response.bodyUsed;
  },
};
