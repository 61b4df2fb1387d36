/** A captured request as a command line. Headers are never captured: a line says where they would stand. */
import type { RequestBody, RequestRecord } from '../../capture/types.ts';

const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

/** `curl` for a POSIX shell. */
export function curlOf(request: RequestRecord, body: RequestBody | null): string {
  const lines = [`curl -N ${quoted(request.url)}`];
  if (request.method !== 'GET') lines.push(`  -X ${request.method}`);
  lines.push("  -H 'Accept: text/event-stream'");
  if (body?.text !== undefined) lines.push("  -H 'Content-Type: application/json'");
  lines.push("  -H 'X-Headers: Runlens does not capture headers; put cookies and authorization here'");
  if (body?.text !== undefined) lines.push(`  --data-raw ${quoted(body.text)}`);
  return lines.join(' \\\n');
}
