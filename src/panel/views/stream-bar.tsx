/** Head of the tabs that show one stream: which one, and a way to another. */
import type { ComponentChildren } from 'preact';
import { useSession } from '../state/panel.ts';
import { Replayed } from './parts.tsx';
import { pathOf } from './path.ts';

export function StreamBar({ conn, children }: { conn: number | null; children?: ComponentChildren }) {
  const session = useSession();
  const list = session.store.connections.filter(Boolean);
  return (
    <div class="sub-head">
      <label class="picker grow">
        Stream
        <select value={conn ?? ''} onChange={(event) => session.select({ kind: 'connection', id: Number(event.currentTarget.value) })}>
          {list.map((one) => (
            <option key={one.id} value={one.id}>
              {one.id + 1}: {one.request?.method ?? ''} {pathOf(one.request?.url)}
              {one.replay ? ' (replayed)' : ''}
            </option>
          ))}
        </select>
      </label>
      <Replayed of={conn === null ? undefined : session.store.connections[conn]} />
      <span class="spacer" />
      {children}
    </div>
  );
}
