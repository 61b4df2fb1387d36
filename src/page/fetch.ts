import { token } from './batches.ts';
import { replace } from './disguise.ts';
import { createExchange, type Exchange, fail } from './exchange.ts';
import { $MessageEvent, apply, listen, win } from './natives.ts';
import { scrub } from './stack.ts';
import { wrap } from './wrap-response.ts';

/** What the hold script may do with an exchange. */
export type Held = Pick<Exchange, 'isWanted' | 'replayed'>;

/** In the way of each fetch while a replay is armed: `straight` makes the call as it was meant. Never throws. */
export type Gate = (straight: () => Promise<Response>, args: Parameters<typeof fetch>, held: Held) => Promise<Response>;

/** Puts ours in the place of the window's fetch. It looks, counts its arguments and fails as the browser's. */
export function hookFetch(): void {
  const native = win.fetch;
  let gate: Gate | undefined;
  // only whoever knows the token can be heard here
  listen(win, token, (event: MessageEvent) => {
    gate = $MessageEvent.data(event);
  });
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
    return through(gate ? gate(() => apply(native, self, args), args, exchange) : apply(native, self, args), exchange);
  });
}
