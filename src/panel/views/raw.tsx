/** The Raw tab: a stream's bytes as they were received, frame by frame, comments included. */
import { useEffect, useState } from 'preact/hooks';
import type { ConnectionView } from '../../session/types.ts';
import { splitRaw } from '../../stream/raw.ts';
import { usePanel, useSession } from '../state/panel.ts';
import { type PanelSession, rowOf } from '../state/session.ts';
import { numberOf } from '../words/status.ts';
import { frameText } from './event-card.tsx';
import { FindingIcon } from './icons.tsx';
import { CopyButton } from './parts.tsx';
import { Scroll } from './row.tsx';
import { StreamBar } from './stream-bar.tsx';
import { useJob } from './use-bodies.ts';

/** Bytes shown at a time. A page begins and ends where a frame does, so that no frame is torn. */
const PAGE = 128 * 1024;
/** Most bytes of one page: a frame beyond it is shown in its first part. */
const MOST = 1024 * 1024;

interface Page {
  readonly from: number;
  readonly to: number;
}

/** Where pages begin: at rows, by the bytes before them. The first begins at 0, the last ends with the stream. */
export function pagesOf(offsets: readonly number[], total: number, size = PAGE): Page[] {
  const starts = [0];
  for (const offset of offsets) if (offset - starts[starts.length - 1]! >= size) starts.push(offset);
  return starts.map((from, i) => ({ from, to: starts[i + 1] ?? total }));
}

function rowsOf(session: PanelSession, conn: number): number[] {
  const { columns } = session.store;
  const rows: number[] = [];
  for (let row = 0; row < columns.count; row++) if (columns.conn[row] === conn) rows.push(row);
  return rows;
}

async function read(session: PanelSession, conn: number, { from, to }: Page): Promise<Uint8Array | null> {
  const length = Math.min(to - from, MOST);
  if (length <= 0) return new Uint8Array(0);
  try {
    return (await session.read(conn, from, length)) ?? null;
  } catch {
    return null;
  }
}

export function Raw() {
  const session = useSession();
  const conn = session.focusConn.value;
  const connection = conn === null ? undefined : session.store.connections[conn];
  if (conn === null || !connection) return <p class="hollow-pane">No stream yet.</p>;
  if (connection.carrier === 'eventsource') {
    return (
      <div class="request-view">
        <StreamBar conn={conn} />
        <p class="hollow-pane">
          <b>Frames are not visible.</b> The browser itself parsed this EventSource stream and handed the page finished events; comments, ids and line ends were
          gone by then. Each event is in the Events tab.
        </p>
      </div>
    );
  }
  return <Frames key={conn} conn={conn} connection={connection} />;
}

function Frames({ conn, connection }: { conn: number; connection: ConnectionView }) {
  const session = useSession();
  const { formats } = usePanel();
  const { columns } = session.store;
  const rows = rowsOf(session, conn);
  const pages = pagesOf(
    rows.map((row) => columns.offset[row]!),
    connection.bytes,
  );
  const anchor = rowOf(session.store, session.selection.value);
  const wanted = anchor !== null && columns.conn[anchor] === conn ? columns.offset[anchor]! : null;
  const [no, setNo] = useState(0);
  useEffect(() => {
    if (wanted !== null)
      setNo(
        Math.max(
          0,
          pages.findLastIndex((page) => page.from <= wanted),
        ),
      );
  }, [wanted]);
  const page = pages[Math.min(no, pages.length - 1)]!;
  const bytes = useJob(() => read(session, conn, page), [conn, page.from, page.to]);
  const binary = connection.codec === 'proto';
  const isSse = connection.codec === 'sse' || connection.codec === null;
  const frames = !bytes ? [] : isSse ? splitRaw(bytes) : byRows(bytes, rows, page, columns, binary);
  const byOffset = new Map(rows.map((row) => [columns.offset[row]!, row]));
  return (
    <div class="request-view">
      <StreamBar conn={conn}>
        {pages.length > 1 ? (
          <fieldset class="seg" aria-label="Part">
            <button type="button" disabled={no === 0} onClick={() => setNo(no - 1)}>
              Earlier
            </button>
            <span class="dim">
              {no + 1} of {pages.length}
            </span>
            <button type="button" disabled={no >= pages.length - 1} onClick={() => setNo(no + 1)}>
              Later
            </button>
          </fieldset>
        ) : null}
        <span class="dim">{formats.bytes(connection.bytes)}</span>
        <CopyButton label="Copy this part" text={() => (bytes ? frameText(bytes, binary) : '')} />
      </StreamBar>
      <Scroll cls="raw-frames" label="Frames">
        {bytes === null ? <p class="hollow-pane">Reading…</p> : null}
        {frames.map((frame) => {
          const row = byOffset.get(page.from + frame.offset);
          return <FrameRow key={frame.offset} text={frame.text} row={row} chosen={row !== undefined && wanted === columns.offset[row]} />;
        })}
      </Scroll>
    </div>
  );
}

/** Frames by their rows; of binary streams also the bytes that belong to none. */
function byRows(bytes: Uint8Array, rows: readonly number[], page: Page, columns: PanelSession['store']['columns'], binary: boolean) {
  const text = new TextDecoder();
  const write = (part: Uint8Array) => (binary ? frameText(part, true) : text.decode(part));
  const frames: { readonly offset: number; readonly text: string }[] = [];
  let done = 0;
  for (const row of rows) {
    const offset = columns.offset[row]! - page.from;
    if (offset < 0 || offset >= page.to - page.from || columns.part[row] !== 0) continue;
    if (binary && offset > done) frames.push({ offset: done, text: write(bytes.subarray(done, offset)) });
    done = offset + columns.length[row]!;
    frames.push({ offset, text: write(bytes.subarray(offset, done)) });
  }
  if (binary && done < bytes.length) frames.push({ offset: done, text: write(bytes.subarray(done)) });
  return frames;
}

function FrameRow({ text, row, chosen }: { text: string; row: number | undefined; chosen: boolean }) {
  const session = useSession();
  const { findings, findingsOfRow } = session.store;
  // what is wrong with the frame itself is said where it stands
  const faults = (row === undefined ? [] : (findingsOfRow.get(row) ?? [])).flatMap((id) => (findings[id]?.rule.startsWith('transport-') ? [findings[id]] : []));
  return (
    <div
      class={`frame-row ${chosen ? 'selected' : ''} ${row === undefined ? 'comment' : ''}`}
      ref={(node) => {
        if (chosen) node?.scrollIntoView({ block: 'nearest' });
      }}
    >
      {row === undefined ? (
        <span class="r dim" />
      ) : (
        <button type="button" class="link r" onClick={() => session.select({ kind: 'row', row })}>
          #{numberOf(row)}
        </button>
      )}
      <div>
        <pre dir="ltr">{text.replace(/[\r\n]+$/, '')}</pre>
        {faults.map((finding) => (
          <button type="button" key={finding.id} class="fault" onClick={() => session.select({ kind: 'finding', id: finding.id })}>
            <FindingIcon mark={finding.severity} /> {finding.message}
          </button>
        ))}
      </div>
    </div>
  );
}
