/** Every way of reading a body: what the page gets. */
import type { Checks } from '../tools.ts';

/** Reads of a stream, each in a page of its own making; `r` is the response. */
const WAYS: Readonly<Record<string, string>> = {
  text: 'r.text()',
  json: 'r.json()',
  'json of nonsense': 't.outcome(r.json())',
  blob: 'r.blob().then(async (b) => [b.type, b.size, await b.text()])',
  arrayBuffer: 'r.arrayBuffer().then((b) => [Object.prototype.toString.call(b), t.decode(b)])',
  bytes: 'r.bytes().then((b) => [Object.prototype.toString.call(b), b.byteOffset, b.buffer.byteLength, t.decode(b)])',
  formData: 't.outcome(r.formData().then((f) => [...f]))',
  textStream: 't.outcome(async () => { const out = []; for await (const x of r.textStream()) out.push(x); return out.join(""); })',
  reader: 't.text(r.body)',
  'for await': '(async () => { let out = ""; for await (const chunk of r.body) out += t.decode(chunk); return out; })()',
  'values, preventCancel':
    '(async () => { let out = ""; for await (const chunk of r.body.values({ preventCancel: true })) { out += t.decode(chunk); break; } return [r.body.locked, out + (await t.text(r.body))]; })()',
  'byob of 4':
    '(async () => { const reader = r.body.getReader({ mode: "byob" }); let out = ""; for (;;) { const { done, value } = await reader.read(new Uint8Array(4)); if (done) return [out, value.byteLength, value.buffer.byteLength]; out += t.decode(value); } })()',
  'byob of 1000':
    '(async () => { const reader = r.body.getReader({ mode: "byob" }); let out = ""; for (;;) { const { done, value } = await reader.read(new Uint8Array(1000)); if (done) return [out, value.byteLength, value.buffer.byteLength]; out += t.decode(value); } })()',
  'byob, at least 6':
    '(async () => { const reader = r.body.getReader({ mode: "byob" }); const { done, value } = await reader.read(new Uint8Array(16), { min: 6 }); return [done, value.byteLength >= 6]; })()',
  'byob into a DataView':
    '(async () => { const reader = r.body.getReader({ mode: "byob" }); const { value } = await reader.read(new DataView(new ArrayBuffer(3), 1)); return [value.constructor.name, value.byteOffset, t.decode(value)]; })()',
  'byob, cancelled':
    '(async () => { const reader = r.body.getReader({ mode: "byob" }); await reader.read(new Uint8Array(2)); return [await t.outcome(reader.cancel("why")), await t.outcome(reader.closed), await t.outcome(reader.read(new Uint8Array(2)).then((x) => x.done))]; })()',
  tee: '(async () => { const [a, b] = r.body.tee(); return [await t.text(a), await t.text(b), r.bodyUsed, r.body.locked]; })()',
  'tee, one branch cancelled':
    '(async () => { const [a, b] = r.body.tee(); const gone = a.cancel("no"); const left = await t.text(b); await b.cancel(); return [left, await t.state(gone)]; })()',
  'pipeThrough a decoder':
    '(async () => { const out = []; for await (const x of r.body.pipeThrough(new TextDecoderStream())) out.push(x); return out.join(""); })()',
  'pipeThrough twice':
    '(async () => { const up = new TransformStream({ transform(x, c) { c.enqueue(x.toUpperCase()); } }); const out = []; for await (const x of r.body.pipeThrough(new TextDecoderStream()).pipeThrough(up)) out.push(x); return out.join(""); })()',
  'pipeTo a sink':
    '(async () => { const out = []; await r.body.pipeTo(new WritableStream({ write(x) { out.push(t.decode(x)); } })); return [out.join(""), r.bodyUsed]; })()',
  'pipeTo a broken sink': 't.outcome(r.body.pipeTo(new WritableStream({ write() { throw new Error("full"); } })))',
  'pipeTo with a signal':
    '(async () => { const c = new AbortController(); const p = r.body.pipeTo(new WritableStream({ write() { c.abort(new Error("enough")); } }), { signal: c.signal }); return t.outcome(p); })()',
  'new Response of the body': 'new Response(r.body).text()',
  'new Response of the body, twice':
    '(async () => { const again = new Response(r.body); return [r.bodyUsed, r.body.locked, await again.text(), r.bodyUsed, await t.outcome(() => new Response(r.body))]; })()',
  'new Request of the body': 'new Request("/", { method: "POST", body: r.body, duplex: "half" }).text()',
  'clone, both read': '(async () => { const c = r.clone(); return [await c.text(), await r.text(), c.bodyUsed, r.bodyUsed]; })()',
  'clone, only the clone read': '(async () => { const c = r.clone(); return [await c.text(), r.bodyUsed]; })()',
  'clone by a reader': '(async () => { const c = r.clone(); return [await t.text(c.body), await t.text(r.body)]; })()',
  'clone of a clone': '(async () => { const c = r.clone().clone(); return [await c.text(), await r.text()]; })()',
  'clone of a used one': '(async () => { await r.text(); return t.outcome(() => r.clone()); })()',
  'clone of a locked one': '(async () => { r.body.getReader(); return t.outcome(() => r.clone()); })()',
  'used twice': '(async () => [await r.text(), await t.outcome(r.text()), await t.outcome(r.json()), await t.outcome(r.blob())])()',
  'used while locked':
    '(async () => { const reader = r.body.getReader(); const locked = await t.outcome(r.text()); reader.releaseLock(); return [locked, await r.text()]; })()',
  'read a little, then text':
    '(async () => { const reader = r.body.getReader(); await reader.read(); reader.releaseLock(); return [r.bodyUsed, await t.outcome(r.text())]; })()',
  'bodyUsed along the way':
    '(async () => { const seen = [r.bodyUsed, (r.body, r.bodyUsed)]; const reader = r.body.getReader(); seen.push(r.bodyUsed); const p = reader.read(); seen.push(r.bodyUsed); await p; seen.push(r.bodyUsed); return seen; })()',
  'second reader': '(async () => { r.body.getReader(); return t.outcome(() => r.body.getReader()); })()',
  "chunks are the page's to spoil":
    '(async () => { let out = ""; for await (const chunk of r.body) { out += t.decode(chunk); chunk.fill(0); } return out; })()',
  'chunks can be transferred':
    '(async () => { let out = ""; for await (const chunk of r.body) { const moved = structuredClone(chunk, { transfer: [chunk.buffer] }); out += t.decode(moved) + chunk.length; } return out.replace(/0/g, ""); })()',
  'what a chunk is':
    '(async () => { const { value } = await r.body.getReader().read(); return [value.constructor === Uint8Array, value.byteOffset, value.byteLength === value.buffer.byteLength]; })()',
  'body sent to a worker':
    '(async () => { const worker = new Worker(URL.createObjectURL(new Blob(["onmessage = async (e) => postMessage(await new Response(e.data).text())"]))); const answer = new Promise((done) => { worker.onmessage = (e) => done(e.data); }); worker.postMessage(r.body, [r.body]); const text = await answer; worker.terminate(); return [text, r.body.locked]; })()',
  'body transferred by structuredClone': '(async () => new Response(structuredClone(r.body, { transfer: [r.body] })).text())()',
  'into a cache and out':
    '(async () => { const cache = await caches.open("x"); await cache.put("/kept", r); const out = await cache.match("/kept"); const got = [out.status, out.headers.get("content-type"), await out.text()]; await caches.delete("x"); return got; })()',
  'decompressed again':
    '(async () => { const zipped = r.body.pipeThrough(new CompressionStream("gzip")); return new Response(zipped.pipeThrough(new DecompressionStream("gzip"))).text(); })()',
};

/** Reads of a stream that stays open after its one part: elsewhere it is a race whether a second read is answered already. */
const OPEN_WAYS: Readonly<Record<string, string>> = {
  'lock released under a pending read':
    '(async () => { const reader = r.body.getReader(); await reader.read(); const p = reader.read(); reader.releaseLock(); const seen = [(await t.outcome(p)).error === undefined ? "read" : "rejected", r.body.locked]; await r.body.cancel(); return seen; })()',
};

const STREAMS: Readonly<Record<string, readonly [string, string]>> = {
  'a stream': ['type=text/event-stream&parts=data: 1%0A%0A|data: grün%0A%0A|data: 3%0A%0A', '{}'],
  "an agent's JSON": ['type=application/json&parts=[1,|2,|3]', 't.agent'],
};

const OPEN_STREAMS: typeof STREAMS = {
  'a stream': ['type=text/event-stream&parts=data: 1&end=hang', '{}'],
  "an agent's JSON": ['type=application/json&parts=[1&end=hang', 't.agent'],
};

function ways(codes: typeof WAYS, streams: typeof STREAMS): Checks {
  const checks: Record<string, Checks[string]> = {};
  for (const [stream, [query, init]] of Object.entries(streams)) {
    for (const [way, code] of Object.entries(codes)) {
      checks[`${stream}: ${way}`] = new Function(
        't',
        `return (async () => { const r = await t.get(${JSON.stringify(query)}, ${init}); return ${code}; })()`,
      ) as Checks[string];
    }
  }
  return checks;
}

/** The names of `WAYS` that read a body to its end: there the journal must hold all of it. */
export const WHOLE_READS: readonly string[] = Object.keys(WAYS).filter(
  (way) => !/formData|least|DataView|cancelled|broken|signal|clone of a locked|a little|along the way|second reader|what a chunk/.test(way),
);

export const bodies: Checks = {
  ...ways(WAYS, STREAMS),
  ...ways(OPEN_WAYS, OPEN_STREAMS),
  '10 MB of random text by a reader': async (t) => {
    const response = await t.get('random=10000000');
    const chunks: Uint8Array[] = [];
    for await (const chunk of response.body as ReadableStream<Uint8Array>) chunks.push(chunk);
    const bytes = new Uint8Array(await new Blob(chunks as BlobPart[]).arrayBuffer());
    return [bytes.length, await t.hash(bytes)];
  },
  '10 MB of random text by text()': async (t) => {
    const text = await (await t.get('random=10000000')).text();
    return [text.length, await t.hash(new TextEncoder().encode(text))];
  },
  'a mark of byte order': async (t) => [
    await (await t.get('parts=%EF%BB%BFdata: 1')).text(),
    await t.text((await t.get('parts=%EF%BB%BFdata: 1')).body as ReadableStream<Uint8Array>),
  ],
  'a form in parts': async (t) => {
    const body = '--x\r\ncontent-disposition: form-data; name="a"\r\n\r\n1\r\n--x--\r\n';
    const response = await t.get(`type=multipart/form-data; boundary=x&parts=${encodeURIComponent(body)}`, t.agent);
    return [...(await response.formData())];
  },
  'a form in one line': async (t) => [...(await (await t.get('type=application/x-www-form-urlencoded&parts=a=1%26b=2', t.agent)).formData())],
  'documented: address and type after a cache': async (t) => {
    const cache = await caches.open('x');
    await cache.put('/kept', await t.get('parts=a'));
    const out = await cache.match('/kept');
    await caches.delete('x');
    return [out?.url !== '', out?.type];
  },
};
