/** Bodies of requests, asked of the worker where the connection's own record does not hold the text. */
import type { RequestBody } from '../../capture/types.ts';
import type { PanelLink } from './link.ts';
import type { Store } from './store.ts';

export interface RequestBodies {
  /** Null where there is none yet. Rejects with the worker's error. */
  readonly of: (conn: number) => Promise<RequestBody | null>;
  /** Connections are numbered anew: another request may bear the same number. */
  readonly clear: () => void;
}

export function createRequestBodies(store: Store, link: PanelLink): RequestBodies {
  const asked = new Map<number, Promise<RequestBody | null>>();
  const ask = async (conn: number, known: RequestBody | undefined): Promise<RequestBody | null> => {
    const body = (await link.send({ name: 'request-body', conn })) as RequestBody | null | undefined;
    return body ?? known ?? null;
  };
  return {
    of: (conn) => {
      const known = store.connections[conn]?.request?.body;
      if (known?.text !== undefined) return Promise.resolve(known);
      const before = asked.get(conn);
      if (before) return before;
      const body = ask(conn, known);
      asked.set(conn, body);
      const forget = () => {
        if (asked.get(conn) === body) asked.delete(conn);
      };
      // one that is not there yet may come
      body.then((there) => {
        if (there === null) forget();
      }, forget);
      return body;
    },
    clear: () => asked.clear(),
  };
}
