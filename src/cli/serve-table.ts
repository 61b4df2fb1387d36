/** What `runlens serve` says it serves. */
import type { Exchange } from '../replay/exchanges.ts';

const ENDS: Readonly<Record<Exchange['end'], string>> = {
  complete: 'ends',
  'network-error': 'breaks off',
  aborted: 'stays open (the page aborted it)',
  cancelled: 'stays open (the page cancelled it)',
  closed: 'stays open (the page closed it)',
  navigated: 'stays open (the page left)',
  open: 'stays open',
};

/** The address, the pace, the plan's name and a row an exchange. */
export function serveTable({ url, exchanges }: { readonly url: string; readonly exchanges: readonly Exchange[] }, pace: string, plan?: string): string {
  const head = ['no', 'request', 'thread', 'run', 'status', 'type', 'size', 'lasts', 'then'];
  const rows = [head, ...exchanges.map(rowOf)];
  const widths = head.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)));
  const lines = rows.map((row) => `  ${row.map((cell, column) => cell.padEnd(widths[column]!)).join('  ')}`.trimEnd());
  const missing = exchanges.reduce((sum, { missingBytes }) => sum + missingBytes, 0);
  const lost = missing > 0 ? `\n${missing} bytes are missing from the capture and are not sent.\n` : '';
  const trouble = plan === undefined ? '' : `With the plan “${clean(plan)}”: what is told here is what was captured, before it is altered.\n`;
  return `Serving on ${url}  (${pace}; Ctrl+C ends)\n${trouble}\n${lines.join('\n')}\n${lost}\nRequests are matched by method and path, then by run or thread, else in this order.\n\n`;
}

function rowOf(exchange: Exchange): string[] {
  const { no, method, path, threadId, runId, status, contentType, bytes, endAfter, answered } = exchange;
  const told = answered
    ? [String(status), cell(contentType.split(';', 1)[0] ?? ''), `${bytes.toLocaleString('en-US')} B`, `${(endAfter / 1000).toFixed(1)} s`]
    : ['none', '', '', ''];
  return [String(no), method === '' ? 'any' : cell(`${method} ${path}`), cell(threadId ?? '–'), cell(runId ?? '–'), ...told, ENDS[exchange.end]];
}

function cell(text: string): string {
  const line = clean(text);
  return line.length > 40 ? `${line.slice(0, 39)}…` : line;
}

/** Without what a terminal would act upon: ids and addresses come from anywhere. */
export function clean(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, '\ufffd');
}
