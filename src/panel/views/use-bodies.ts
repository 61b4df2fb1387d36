/** Bodies of rows in a component: drawn again when they are read. */
import { useEffect, useState } from 'preact/hooks';
import type { Body } from '../state/bodies.ts';
import { useSession } from '../state/panel.ts';

/** Body of one row; null while it is being read. */
export function useBody(row: number | null): Body | null {
  const session = useSession();
  session.bodies.version.value;
  return row === null ? null : session.bodies.peek(row);
}

/** The result of an asynchronous job, started anew when a dependency changes; null until it is there. A failure is thrown into the pane's boundary. */
export function useJob<T>(job: () => Promise<T>, deps: readonly unknown[]): T | null {
  const [state, setState] = useState<{ readonly value: T } | { readonly error: unknown } | null>(null);
  useEffect(() => {
    let live = true;
    job().then(
      (value) => live && setState({ value }),
      (error) => live && setState({ error }),
    );
    return () => {
      live = false;
    };
  }, deps);
  if (state && 'error' in state) throw state.error;
  return state ? state.value : null;
}
