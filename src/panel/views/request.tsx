/** The Request tab: what the page asked for, as a tree and as sent, and the page's stack at the call. */
import { useState } from 'preact/hooks';
import type { RequestBody } from '../../capture/types.ts';
import { RequestBeside } from '../replay/request-beside.tsx';
import { usePanel, useSession } from '../state/panel.ts';
import { curlOf } from '../words/curl.ts';
import { copyText } from './copy.ts';
import { JsonTree } from './json-tree.tsx';
import { RowLink } from './parts.tsx';
import { Scroll } from './row.tsx';
import { StreamBar } from './stream-bar.tsx';
import { useBody, useJob } from './use-bodies.ts';

const KIND: Readonly<Record<RequestBody['kind'], string>> = {
  none: 'The request had no body.',
  text: '',
  bytes: 'The body was binary; only its size was noted.',
  form: 'The body was a form; its content was not noted.',
  stream: 'The body was a stream; reading it would have changed the page.',
  unreadable: 'The body could not be read.',
};

function parsed(body: RequestBody | null): unknown {
  if (body?.text === undefined || body.cut) return undefined;
  try {
    return JSON.parse(body.text);
  } catch {
    return undefined;
  }
}

export function Request() {
  const session = useSession();
  const conn = session.focusConn.value;
  if (conn === null) return <p class="hollow-pane">No request yet.</p>;
  return <Of key={conn} conn={conn} />;
}

function Of({ conn }: { conn: number }) {
  const session = useSession();
  const { formats, replay } = usePanel();
  const connection = session.store.connections[conn];
  const recorded = connection?.replay ? replay.value?.recordedFor(connection.replay.of) : undefined;
  const request = connection?.request ?? null;
  const body = useJob(
    () => session.requestBody(conn).catch(() => null),
    [conn, request !== null, request?.body !== undefined, session.store.epoch.value, session.link.connected.value],
  );
  const [raw, setRaw] = useState(false);
  const value = parsed(body);
  const input = session.store.runs.find((run) => run?.conn === conn);
  const opening = useBody(body?.text === undefined && input ? input.firstRow : null)?.value as { input?: unknown } | undefined;
  return (
    <div class="request-view">
      <StreamBar conn={conn}>
        {value === undefined ? null : (
          <fieldset class="seg" aria-label="Body">
            <button type="button" aria-pressed={!raw} onClick={() => setRaw(false)}>
              Tree
            </button>
            <button type="button" aria-pressed={raw} onClick={() => setRaw(true)}>
              Raw
            </button>
          </fieldset>
        )}
        {request ? (
          <button type="button" class="quiet" onClick={() => void copyText(curlOf(request, body))}>
            Copy as cURL
          </button>
        ) : null}
      </StreamBar>
      <Scroll cls="pane" label="Request">
        {request ? (
          <h2 class="url">
            {request.method} {request.url}
          </h2>
        ) : (
          <h2>The request of this stream was not seen.</h2>
        )}
        {recorded && request && connection?.replay ? (
          <RequestBeside
            name={connection.replay.of}
            recorded={{ url: recorded.url, method: recorded.exchange.method, body: recorded.body }}
            now={{ url: request.url, method: request.method, body: body?.text }}
          />
        ) : null}
        <section aria-label="Body">
          <h3>
            Body{body?.size === undefined ? '' : <span class="dim"> {formats.bytes(body.size)}</span>}
            {body?.cut ? <span class="dim"> (cut at the cap)</span> : ''}
          </h3>
          {body === null ? (
            <p class="dim">{request?.body === undefined && !input ? 'None was noted.' : 'Reading…'}</p>
          ) : body.text === undefined ? (
            <p class="dim">{KIND[body.kind] || 'Its text was not kept.'}</p>
          ) : value === undefined || raw ? (
            <pre class="json-text boxed" dir="auto">
              {body.text}
            </pre>
          ) : (
            <div class="boxed">
              <JsonTree value={value} name="RunAgentInput" open={2} />
            </div>
          )}
        </section>
        {opening?.input === undefined || !input ? null : (
          <section aria-label="Echoed input">
            <h3>
              Echoed input <RowLink row={input.firstRow} />
            </h3>
            <p class="dim">The body itself was not captured; this is what RUN_STARTED says it was.</p>
            <div class="boxed">
              <JsonTree value={opening.input} name="RunAgentInput" open={2} />
            </div>
          </section>
        )}
        {request?.stack ? (
          <section aria-label="Called from">
            <h3>Called from</h3>
            <pre class="json-text boxed" dir="ltr">
              {request.stack}
            </pre>
          </section>
        ) : null}
        <p class="dim">Headers are never captured, so that no cookie or token lies in a capture.</p>
      </Scroll>
    </div>
  );
}
