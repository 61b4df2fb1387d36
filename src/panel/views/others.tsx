/** Streams that gave no run: other protocols, and requests that failed. */
import type { ConnectionView } from '../../session/types.ts';
import { usePanel, useSession } from '../state/panel.ts';
import { recognisedWord } from './detail-connection.tsx';
import { Icon, StatusIcon } from './icons.tsx';
import { Replayed } from './parts.tsx';
import { pathOf } from './path.ts';
import { Scroll } from './row.tsx';

/** Connections that the runs table does not show: what gave runs is there already, however it ended. */
export function othersOf(connections: readonly ConnectionView[]): ConnectionView[] {
  return connections.filter(
    (one) => one && one.events === 0 && (one.recognised.as === 'foreign' || one.failure !== null || (one.recognised.as === 'unknown' && one.end !== null)),
  );
}

export function Others() {
  const session = useSession();
  const { settings, formats } = usePanel();
  const others = othersOf(session.store.connections);
  if (others.length === 0) return null;
  const open = settings.value.value.othersOpen;
  const selection = session.selection.value;
  return (
    <section class="others" aria-label="Other streams">
      <button type="button" class="others-head" aria-expanded={open} onClick={() => settings.set({ othersOpen: !open })}>
        <span class="fold">{open ? '▾' : '▸'}</span>
        Other streams <span class="num">{formats.count(others.length)}</span>
      </button>
      {open ? (
        <Scroll cls="others-list" label="Other streams, list">
          {others.map((one) => (
            <button
              type="button"
              key={one.id}
              class={`other-row ${selection.kind === 'connection' && selection.id === one.id ? 'selected' : ''}`}
              data-testid="other-row"
              onClick={() => session.select({ kind: 'connection', id: one.id })}
            >
              {one.failure === null ? <Icon name="link" size={12} /> : <StatusIcon status="failed-by-report" />}
              <code class="dim">{one.request?.method ?? ''}</code>
              <code class="path">{pathOf(one.request?.url)}</code>
              <Replayed of={one} />
              <span>{one.failure ?? recognisedWord(one)}</span>
              <span class="r dim">{formats.bytes(one.bytes)}</span>
            </button>
          ))}
        </Scroll>
      ) : null}
    </section>
  );
}
