import { replace } from './disguise.ts';
import { createExchange, type Exchange, fail } from './exchange.ts';
import { apply, win } from './natives.ts';
import { scrub } from './stack.ts';
import { wrap } from './wrap-response.ts';

/** Puts ours in the place of the window's fetch. It looks, counts its arguments and fails as the browser's. */
export function hookFetch(): void {
  const native = win.fetch;
  const through = async (promise: Promise<Response>, exchange: Exchange) => {
    let response: Response;
    try {
      response = await promise;
    } catch (reason) {
      fail(exchange, reason);
      throw scrub(reason);
    }
    try {
      return wrap(response, exchange);
    } catch {
      return response;
    }
  };
  replace(win, 'fetch', (self: unknown, args: Parameters<typeof fetch>) => {
    const exchange = createExchange('fetch', args[0], args[1]);
    return through(apply(native, self, args), exchange);
  });
}
