/** One event's body: JSON tree, or the frame as it came. */
import { useMemo, useState } from 'preact/hooks';
import { usePanel, useSession } from '../state/panel.ts';
import { searchTree } from '../state/tree-search.ts';
import { numberOf } from '../words/status.ts';
import { JsonTree } from './json-tree.tsx';
import { CopyButton } from './parts.tsx';
import { useBody } from './use-bodies.ts';

const SHOWN = 200_000;
/** Bytes of one frame that are written in hex. */
const HEX = 16 * 1024;
const utf8 = new TextDecoder();

/** Bytes as text, or in hex where the codec is binary. */
export function frameText(raw: Uint8Array, binary: boolean): string {
  if (!binary) return utf8.decode(raw.subarray(0, SHOWN)) + (raw.length > SHOWN ? '…' : '');
  const lines: string[] = [];
  for (let at = 0; at < Math.min(raw.length, HEX); at += 16) {
    const part = [...raw.subarray(at, at + 16)];
    const hex = part.map((byte) => byte.toString(16).padStart(2, '0')).join(' ');
    const text = part.map((byte) => (byte >= 32 && byte < 127 ? String.fromCharCode(byte) : '.')).join('');
    lines.push(`${at.toString(16).padStart(6, '0')}  ${hex.padEnd(47)}  ${text}`);
  }
  if (raw.length > HEX) lines.push(`… ${raw.length - HEX} more bytes`);
  return lines.join('\n');
}

export function EventCard({ row }: { row: number }) {
  const { formats } = usePanel();
  const session = useSession();
  const { store } = session;
  const body = useBody(row);
  const connection = store.connections[store.columns.conn[row]!];
  const [raw, setRaw] = useState(false);
  const binary = connection?.codec === 'proto';
  const text = session.words.value.text;
  // what the filter looks for is opened and marked in the payload too
  const hits = useMemo(() => searchTree(body?.value, text), [body?.value, text]);
  const find = hits.paths.length > 0 ? { text, hits, current: hits.paths[0]! } : undefined;
  const asRaw = raw || (body !== null && body.value === undefined);
  return (
    <section class="json" aria-label={`Event #${numberOf(row)}`}>
      <div class="json-head">
        <span>Event #{numberOf(row)}</span>
        <span class="dim">{formats.bytes(store.columns.length[row] ?? 0)}</span>
        <span class="spacer" />
        {body && body.value !== undefined ? (
          <button type="button" class="link" aria-pressed={raw} onClick={() => setRaw(!raw)}>
            {raw ? 'JSON' : connection?.carrier === 'eventsource' ? 'As recorded' : 'Raw frame'}
          </button>
        ) : null}
        <CopyButton label="Copy event" text={() => (asRaw && body ? frameText(body.raw, binary) : JSON.stringify(body?.value, null, 2))} />
      </div>
      {body === null ? (
        <pre class="json-text dim">Reading…</pre>
      ) : body.trouble ? (
        <pre class="json-text dim">{body.trouble}</pre>
      ) : asRaw ? (
        <pre class="json-text raw-text" dir="ltr">
          {frameText(body.raw, binary)}
        </pre>
      ) : (
        <JsonTree key={`${row} ${text}`} value={body.value} open={2} find={find} />
      )}
    </section>
  );
}
