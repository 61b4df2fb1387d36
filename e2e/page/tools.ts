/**
 * What the checks use in the page. `toolkit` and every check are sent to the page as source text, so they refer to nothing outside
 * themselves.
 */
import type { Seen } from './server.ts';

export interface Outcome {
  readonly ok?: unknown;
  readonly error?: string;
  readonly message?: string;
  /** Whether the error's stack names an extension. */
  readonly ours?: boolean;
}

export interface Tools {
  /** The id of the last `url()`. */
  id: string;
  /** A new exchange's address; `query` as the server reads it. */
  url(query: string): string;
  /** Fetches a stream of the server. */
  get(query: string, init?: RequestInit): Promise<Response>;
  /** Where another origin serves the same. */
  readonly other: string;
  /** What comes of a promise or a call, as JSON can tell it. */
  outcome(what: unknown): Promise<Outcome>;
  /** What the looks of a response are. */
  looks(response: Response): unknown;
  text(stream: ReadableStream<Uint8Array>): Promise<string>;
  read(stream: ReadableStream<Uint8Array>): Promise<string[]>;
  decode(bytes: BufferSource): string;
  hash(bytes: BufferSource): Promise<string>;
  seen(id?: string): Promise<Seen | null>;
  /** Waits until the server saw the exchange's connection closed. */
  closed(id?: string): Promise<Seen>;
  release(id?: string): Promise<void>;
  /** A task later: everything that was ready has happened. */
  turn(): Promise<void>;
  /** 'pending', or what became of the promise by now. */
  state(promise: Promise<unknown>): Promise<string>;
  /** An AG-UI-shaped request: its response is wrapped whatever its type. */
  readonly agent: RequestInit;
}

export type Check = (t: Tools) => unknown;
export type Checks = Readonly<Record<string, Check>>;

/** Makes the tools. `native` is a fetch that no check can have spoilt. */
export function toolkit(run: string): Tools {
  const native = fetch;
  const api = (path: string) => native(path).then((response) => response.json());
  let count = 0;
  const tell = async (what: unknown) => (typeof what === 'function' ? what() : what);
  const words = (value: unknown): string => {
    try {
      return String(value);
    } catch {
      return 'unspeakable';
    }
  };
  const tools: Tools = {
    id: '',
    other: `http://127.0.0.1:${location.port}`,
    agent: { method: 'POST', body: JSON.stringify({ threadId: 't', runId: 'r', messages: [] }), headers: { 'content-type': 'application/json' } },
    url(query) {
      count += 1;
      tools.id = `${run}-${count}`;
      return `/r?id=${tools.id}&${query}`;
    },
    get: (query, init) => fetch(tools.url(query), init),
    async outcome(what) {
      try {
        const ok = await tell(what);
        return { ok: ok === undefined ? 'nothing' : ok };
      } catch (error) {
        if (!(error instanceof Error)) return { error: words(error) };
        return { error: error.name, message: error.message, ours: /extension:/.test(error.stack ?? '') };
      }
    },
    looks(response) {
      const { url, type, redirected, ok, status, statusText, bodyUsed, body, headers } = response;
      const bodyLooks = body === null ? null : [Object.prototype.toString.call(body), body.locked, body === response.body, body instanceof ReadableStream];
      return {
        url,
        type,
        redirected,
        ok,
        status,
        statusText,
        bodyUsed,
        body: bodyLooks,
        headers: Object.fromEntries([...headers].filter(([name]) => name !== 'date')),
      };
    },
    async read(stream) {
      const reader = stream.getReader();
      const decoder = new TextDecoder();
      const parts: string[] = [];
      for (;;) {
        const { done, value } = await reader.read();
        if (done) return parts;
        parts.push(decoder.decode(value, { stream: true }));
      }
    },
    text: async (stream) => (await tools.read(stream)).join(''),
    decode: (bytes) => new TextDecoder().decode(bytes),
    hash: async (bytes) => Array.from(new Uint8Array(await crypto.subtle.digest('SHA-256', bytes)), (byte) => byte.toString(16).padStart(2, '0')).join(''),
    seen: (id = tools.id) => api(`/seen?id=${id}`),
    closed: (id = tools.id) => api(`/closed?id=${id}`),
    release: (id = tools.id) => api(`/release?id=${id}`),
    turn: () => new Promise((resolve) => setTimeout(resolve, 0)),
    async state(promise) {
      let state = 'pending';
      promise.then(
        () => {
          state = 'resolved';
        },
        (error) => {
          state = `rejected: ${words(error)}`;
        },
      );
      // a round trip to the server is longer than anything that has already happened takes to show
      await tools.seen();
      await tools.turn();
      return state;
    },
  };
  return tools;
}

/** Runs checks one after the other; each gives JSON. A check that hangs gives 'timeout', not a hanging suite. */
export async function runChecks(t: Tools, checks: Checks, limit: number): Promise<Record<string, string>> {
  const results: Record<string, string> = {};
  for (const [name, check] of Object.entries(checks)) {
    const late = new Promise((resolve) => setTimeout(resolve, limit, 'timeout'));
    results[name] = JSON.stringify(await t.outcome(Promise.race([t.outcome(() => check(t)), late])));
  }
  return results;
}
