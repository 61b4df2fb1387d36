/** One plain sentence for an exchange that brought no stream. */
import type { ConnState } from './state.ts';

const STREAMS = /event-stream|ndjson|jsonl|json-seq|vnd\.ag-ui/i;

/** Null while nothing is wrong with the exchange itself; what its events say is the checker's. */
export function failureOf(conn: ConnState): string | null {
  const { response, end } = conn;
  if (response && response.status >= 400) return httpFailure(response.status, response.statusText ?? '');
  const unseen = end && conn.bytes === 0 ? conn.gaps[0] : undefined;
  if (unseen) return `The body is not available: ${unseen.why}.`;
  if (end?.how === 'network-error') return response ? brokenOff(conn) : unanswered(conn);
  if (!response) return end?.how === 'aborted' ? 'The page gave the request up before any answer came.' : null;
  if (end && conn.events === 0) return noStream(conn, response.contentType);
  return null;
}

function httpFailure(status: number, text: string): string {
  const name = text ? `${status} ${text}` : String(status);
  if (status === 401 || status === 403) return `The server answered ${name}: the request was not allowed, so no run began.`;
  if (status === 404 || status === 405) return `The server answered ${name}: check the agent's URL and method.`;
  return status >= 500 ? `The server answered ${name}: it failed before a run could be streamed.` : `The server answered ${name} instead of a stream.`;
}

function unanswered(conn: ConnState): string {
  const said = conn.end?.message ? ` (${conn.end.message})` : '';
  const asked = originOf(conn.request.url);
  const page = originOf(conn.document?.url);
  if (asked && page && asked !== page) {
    return `No response reached the page${said}: ${asked} is not running, or does not allow ${page} to read its answer (CORS).`;
  }
  return `No response reached the page${said}: the server is not running, or closed the connection.`;
}

function brokenOff(conn: ConnState): string {
  const said = conn.end?.message ? ` (${conn.end.message})` : '';
  return `The connection broke off after ${conn.bytes} bytes${said}.`;
}

function noStream(conn: ConnState, contentType: string): string | null {
  if (conn.bytes === 0) return 'The response was empty.';
  if (STREAMS.test(contentType)) return null;
  return `The server answered ${contentType || 'without a content type'} instead of an event stream.`;
}

/** Scheme, host and port of an absolute http(s) URL. */
function originOf(url: string | undefined): string | null {
  return /^https?:\/\/[^/?#]+/i.exec(url ?? '')?.[0].toLowerCase() ?? null;
}
