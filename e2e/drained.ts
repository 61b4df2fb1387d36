import type { ServerResponse } from 'node:http';

/** Resolves when the other side has taken what was written, or is gone. */
export function drained(response: ServerResponse): Promise<void> {
  return new Promise((go) => {
    const done = () => {
      response.off('drain', done).off('close', done);
      go();
    };
    response.on('drain', done).on('close', done);
  });
}
