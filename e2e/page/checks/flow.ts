/** What reaches the server: cancel and abort, and that a page which does not read stops the server's writes. */
import type { Checks } from '../tools.ts';

/** Ways of giving up a stream of `parts=abc&end=hang`; `r` is the response, `c` the signal's controller. */
const GIVE_UP: Readonly<Record<string, string>> = {
  'reader.cancel': 'const reader = r.body.getReader(); await reader.read(); reader.cancel();',
  'body.cancel': 'r.body.cancel();',
  abort: 'c.abort();',
  'abort under a pending read': 'const reader = r.body.getReader(); await reader.read(); reader.read().catch(() => {}); c.abort();',
  'break out of for await': 'for await (const x of r.body) break;',
  'tee, both cancelled': 'const [a, b] = r.body.tee(); a.cancel(); b.cancel();',
  'pipeTo aborted':
    'const d = new AbortController(); const p = r.body.pipeTo(new WritableStream({ write() { d.abort(); } }), { signal: d.signal }); await p.catch(() => {});',
  'clone and it, both cancelled': 'const q = r.clone(); q.body.cancel(); r.body.cancel();',
};

function givingUp(): Checks {
  const checks: Record<string, Checks[string]> = {};
  for (const [way, code] of Object.entries(GIVE_UP)) {
    checks[`told to the server: ${way}`] = new Function(
      't',
      `return (async () => { const c = new AbortController(); const r = await t.get("parts=abc&end=hang", { signal: c.signal }); ${code} return (await t.closed()).closed; })()`,
    ) as Checks[string];
  }
  return checks;
}

/** Ways of not reading a body of 96 MiB: what the server could write by the time it was stopped for good. */
const IDLE: Readonly<Record<string, string>> = {
  'nothing is touched': '',
  'the body is touched': 'r.body;',
  'a reader waits': 'r.body.getReader();',
  'one read': 'await r.body.getReader().read();',
};

function backPressure(): Checks {
  const checks: Record<string, Checks[string]> = {};
  for (const [way, code] of Object.entries(IDLE)) {
    const still =
      'let last = -1; for (let same = 0; same < 25; ) { const { written } = await t.seen(id); same = written === last ? same + 1 : 0; last = written; await new Promise((d) => setTimeout(d, 10)); }';
    checks[`back-pressure: ${way}`] = new Function(
      't',
      `return (async () => { const r = await t.get("flood=268435456"); const id = t.id; ${code} ${still} const stopped = last < 134217728; globalThis.kept = r; globalThis.kept = null; if (!r.body.locked) await r.body.cancel(); return { stopped }; })()`,
    ) as Checks[string];
  }
  return checks;
}

/** Milliseconds from giving up to the server's notice, 20 times. Not compared as equal: the spec looks at the median. */
const latency = (code: string): Checks[string] =>
  new Function(
    't',
    `return (async () => { const took = []; for (let i = 0; i < 20; i += 1) { const c = new AbortController(); const r = await t.get("parts=abc&end=hang", { signal: c.signal }); const id = t.id; const reader = r.body.getReader(); await reader.read(); const from = Date.now(); ${code} took.push((await t.closed(id)).closedAt - from); } return took; })()`,
  ) as Checks[string];

export const LATENCIES: readonly string[] = ['latency: cancel', 'latency: abort'];

export const flow: Checks = {
  ...givingUp(),
  ...backPressure(),
  'latency: cancel': latency('reader.cancel();'),
  'latency: abort': latency('c.abort();'),
};
